// What the driver calls. `node` is what was captured (a text may be a text node), `element` its element.

globalThis.__surefoot = Object.freeze({
  capture,
  state: () => {
    meetRoots(document);
    return state();
  },
  mutated,
  document: documentId, // second part of a handle, `<frame>:<document>.<number>`: an old document's handle misses
  controls: CONTROLS, // a selector of what takes a press for itself
  number,
  closed: (numbers) => numbers.forEach((n) => (aside(nodeOf(n)).closed = true)), // they have closed shadow roots
  node: nodeOf,
  element: elementOf,
  imageOf, // the image an area of a map belongs to
  areaBox, // and where it is
  richText, // the content of a rich text field, for who writes into it
  overlaid: (n, points) => JSON.stringify(overlaid(n, points)),
});
