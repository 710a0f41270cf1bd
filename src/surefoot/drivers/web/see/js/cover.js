// Occlusion: what takes the hit at a node's centre, through shadow roots, when it is not related to it.

// Element records of the capture under way, or of the last one; by element once something asks.
let captured = [];
let records = null;

function recordOf(el) {
  if (records === null) records = new Map(captured.map((rec) => [rec.node, rec]));
  return records.get(el) || null;
}

function deepHit(x, y) {
  let root = document;
  let hit = null;
  for (;;) {
    const next = root.elementFromPoint(x, y);
    if (!next || next === hit) return hit;
    hit = next;
    if (!hit.shadowRoot) return hit;
    root = hit.shadowRoot;
  }
}

function related(el, hit) {
  if (!hit || flatContains(el, hit) || flatContains(hit, el)) return true;
  for (let at = hit; at; at = flatParent(at)) if (at.localName === 'label' && at.control === el) return true;
  return el.localName === 'area' || el.localName === 'option' || el.localName === 'optgroup';
}

const inside = (clip, x, y) => x >= clip.left && x < clip.right && y >= clip.top && y < clip.bottom;

// What of an element's surroundings shows: the viewport within every box above that clips.
function clipOf(el) {
  const known = run.clips.get(el);
  if (known) return known;
  let clip = { left: 0, top: 0, right: run.width, bottom: run.height };
  const parent = flatParent(el);
  if (parent && css(el).live.position !== 'fixed') {
    clip = clipOf(parent);
    const style = css(parent).live;
    if (style.overflow !== 'visible' && parent !== document.body && parent !== document.documentElement) {
      clip = intersect(clip, parent.getBoundingClientRect());
    }
  }
  run.clips.set(el, clip);
  return clip;
}

function intersect(clip, box) {
  return {
    left: Math.max(clip.left, box.x),
    top: Math.max(clip.top, box.y),
    right: Math.min(clip.right, box.x + box.width),
    bottom: Math.min(clip.bottom, box.y + box.height),
  };
}

function markCovered() {
  const framed = [];
  for (const rec of run.all) {
    if (rec.drop || (!rec.hittable && rec.role !== 'iframe')) continue;
    locate(rec);
    if (rec.more && rec.more.frame) framed.push(rec);
    if (!rec.hittable || !rec.visible) continue;
    const el = rec.node;
    const box = rec.rect;
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    if (x < 0 || y < 0 || x >= run.width || y >= run.height) continue;
    const clip = clipOf(el);
    if (!inside(clip, x, y)) continue;
    const hit = deepHit(x, y);
    if (related(el, hit) || otherLine(el, clip)) continue;
    more(rec).covered = coverOf(hit, el);
  }
  for (const rec of framed) if (rec.visible) keepOverlays(rec);
}

// A link broken over lines may have nothing at its centre: any of its own boxes will do.
function otherLine(el, clip) {
  const boxes = el.getClientRects();
  if (boxes.length < 2) return false;
  for (const box of boxes) {
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    if (hasArea(box) && inside(clip, x, y) && related(el, deepHit(x, y))) return true;
  }
  return false;
}

// The record that stands for what takes the hit; it is kept even if it is a bare box.
function coverOf(hit, el) {
  let bare = null;
  for (let at = hit; at && !flatContains(at, el); at = flatParent(at)) {
    const rec = recordOf(at);
    if (!rec) continue;
    if (!rec.drop) return rec;
    bare = rec;
  }
  if (!bare) bare = standIn(hit);
  bare.drop = false;
  if (!bare.n) bare.n = number(bare.node);
  return bare;
}

// What covers may itself be out of the tree (aria-hidden): it still has to be named.
function standIn(hit) {
  let parent = null;
  for (let at = flatParent(hit); at && !parent; at = flatParent(at)) parent = recordOf(at);
  const rec = record(parent || run.root, 'generic', hit, number(hit), ROOT_CONTEXT);
  run.all.push(rec);
  records = null;
  return rec;
}

// Whatever lies over a frame is kept, so that what it covers inside the frame can name it.
function keepOverlays(rec) {
  const [, , , , left, top, right, bottom] = rec.more.frame;
  for (let i = 1; i < 6; i++) {
    for (let j = 1; j < 6; j++) {
      const hit = deepHit(left + ((right - left) * i) / 6, top + ((bottom - top) * j) / 6);
      if (hit && !related(rec.node, hit)) coverOf(hit, rec.node);
    }
  }
}

// For points over the frame element `n`: the index of the node that takes the hit instead of it, or -1.
function overlaid(n, points) {
  const el = nodeOf(n);
  if (!el) return points.map(() => -1);
  return points.map(([x, y]) => {
    const hit = deepHit(x, y);
    if (!hit || related(el, hit)) return -1;
    for (let at = hit; at; at = flatParent(at)) {
      const rec = recordOf(at);
      if (rec && !rec.drop) return rec.index;
    }
    return -1;
  });
}
