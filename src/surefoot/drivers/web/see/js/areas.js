// Image maps: an area is laid out nowhere; it is where its coordinates put it over the image that uses the map.

const inTree = (el, selector) => [...el.getRootNode().querySelectorAll(selector)];

// The areas of an image's map: none for an image without one, or that shows its alternative text instead.
function areasOf(image) {
  if (!image.naturalWidth) return [];
  const name = image.useMap.replace(/^#/, '');
  const map = name && inTree(image, 'map').find((at) => at.name === name);
  return map ? [...map.areas] : [];
}

// The image an area belongs to: the first that uses its map; null where none does.
function imageOf(area) {
  const map = area.closest('map');
  return (map && inTree(map, 'img[usemap]').find((at) => at.useMap === `#${map.name}`)) || null;
}

// The box of an area in its image's content, without an area of its own where it has no place.
function areaBox(area) {
  const image = imageOf(area);
  if (!image) return new DOMRect();
  const box = image.getBoundingClientRect();
  const style = getComputedStyle(image);
  const sx = image.offsetWidth ? box.width / image.offsetWidth : 1;
  const sy = image.offsetHeight ? box.height / image.offsetHeight : 1;
  const x = image.clientLeft + parseFloat(style.paddingLeft);
  const y = image.clientTop + parseFloat(style.paddingTop);
  const [left, top, right, bottom] = extentOf(area, box.width / sx, box.height / sy);
  if (!(right > left && bottom > top)) return new DOMRect();
  return new DOMRect(box.x + (x + left) * sx, box.y + (y + top) * sy, (right - left) * sx, (bottom - top) * sy);
}

function extentOf(area, width, height) {
  const at = area.coords.split(/[\s,;]+/).map(parseFloat);
  const shape = area.shape.toLowerCase();
  if (shape === 'default') return [0, 0, width, height];
  if (shape.startsWith('circ')) return [at[0] - at[2], at[1] - at[2], at[0] + at[2], at[1] + at[2]];
  const xs = at.filter((_, i) => i % 2 === 0);
  const ys = at.filter((_, i) => i % 2 === 1);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
