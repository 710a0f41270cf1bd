// Records: what the walk makes of a node, and how it is decided which of them are kept.

function record(parent, role, node, n, ctx) {
  const rec = {
    role, node, n, parent, children: null, kids: 0, first: null, drop: false, keep: false,
    label: '', author: '', enabled: !ctx.disabled, transparent: ctx.transparent, boxless: ctx.boxless,
    hittable: false, ids: null, own: null, rect: null, visible: false, index: -1, up: -1, more: null,
  };
  if (parent) {
    if (parent.children === null) parent.children = [rec];
    else parent.children.push(rec);
  }
  run.count++;
  return rec;
}

// Fields few records have live apart, so that records stay small.
const more = (rec) => (rec.more ||= {});

// Decided once the children are known: what is kept, and what takes its only text as its name.
function settleRecord(el, tag, role, rec, ctx, below) {
  countKept(rec);
  if (ctx.atomic && !rec.hittable) {
    rec.drop = true;
    return;
  }
  const only = rec.label === '' && rec.kids === 1 && rec.first.role === 'text' ? rec.first : null;
  if (only && (CELLS.has(role) || (rec.hittable && rec.role === 'generic'))) {
    rec.label = only.label;
    only.drop = true;
    rec.kids = 0;
    rec.first = null;
  }
  if (rec.kids === 0 && below.named && !rec.author && PHRASE.has(role)) rec.drop = true;
  if (rec.role !== 'generic' || rec.keep) return;
  const held = rec.author || (rec.more && (rec.more.scroll || rec.more.opaque));
  if (held || (rec.hittable && tag !== 'body')) return;
  rec.drop = role === 'none' || tag === 'body' || rec.kids < 2;
  if (rec.drop && rec.kids === 1 && rec.ids) lendIds(rec);
}

// How many kept records stand directly below, looking through dropped ones, and the first of them.
function countKept(rec) {
  if (rec.children === null) return;
  for (const child of rec.children) {
    rec.kids += child.drop ? child.kids : 1;
    rec.first ||= child.drop ? child.first : child;
  }
}

// An element that holds one text and nothing else is that text's element: the text keeps its ids. What
// else is all that an element holds is told which elements hold it, from the inside out.
function lendIds(rec) {
  const only = rec.first;
  if (only.role === 'text' && !only.ids) {
    only.ids = rec.ids;
    more(only).idsOf = rec.node;
  } else (more(only).held ||= []).push(rec);
}

// --- boxes: looked up for what is kept only, once the walk is done ------------------------------

const range = document.createRange();

function textBox(node) {
  range.selectNodeContents(node);
  return range.getBoundingClientRect();
}

const hasArea = (box) => box !== null && box.width > 0 && box.height > 0;

// A text that is all its element holds takes up that element's box; an element without an area of
// its own takes up what its content does.
function locate(rec) {
  if (rec.rect !== null || rec.boxless) return;
  const node = rec.node;
  if (node.nodeType !== 3) {
    rec.own = rec.rect = node.localName === 'area' ? areaBox(node) : node.getBoundingClientRect();
    const drawn = labelBox(rec, rec.rect);
    if (drawn !== null) {
      rec.rect = drawn;
      rec.visible = true;
      return;
    }
    if (!hasArea(rec.rect) && node.firstChild && !LEAVES.has(node.localName)) rec.rect = contentBox(rec);
  } else if (!node.previousSibling && !node.nextSibling && rec.parent.node === node.parentNode) {
    locate(rec.parent);
    rec.rect = rec.parent.rect;
  } else rec.rect = textBox(node);
  settleBox(rec, rec.rect);
}

const DRAWN = /^(checkbox|radio|file)$/;

// A check box, radio button or file field that shows nothing itself (no opacity, next to no size, off the page)
// and is drawn by its label is where that label is: a press goes through it. null where none draws it.
function labelBox(rec, own) {
  const el = rec.node;
  if (el.localName !== 'input' || !DRAWN.test(el.type) || !(rec.transparent || unseen(own))) return null;
  for (const label of run.labels.get(el) || []) {
    const box = label.getBoundingClientRect();
    if (hasArea(box) && shown(label) && !seeThrough(label)) return box;
  }
  return null;
}

const unseen = (box) =>
  box.width <= 1 || box.height <= 1 || (box.right <= 0 && box.right + scrollX <= 0) || (box.bottom <= 0 && box.bottom + scrollY <= 0);

function seeThrough(el) {
  for (let at = el; at; at = flatParent(at)) if (css(at).live.opacity === '0') return true;
  return false;
}

function settleBox(rec, box) {
  rec.rect = box;
  rec.visible = !rec.transparent && hasArea(box);
}

// What holds content takes up the union of its children's boxes; `rec.rect` has no area yet.
function contentBox(rec) {
  if (rec.children === null) {
    const content = textBox(rec.node);
    return hasArea(content) ? content : rec.rect;
  }
  let union = null;
  for (const child of rec.children) {
    if (child.node.nodeType === 3) settleBox(child, textBox(child.node));
    else locate(child);
    if (!hasArea(child.rect)) continue;
    union = union === null ? child.rect : outer(union, child.rect);
  }
  return union === null ? rec.rect : union;
}

function outer(a, b) {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  const width = Math.max(a.x + a.width, b.x + b.width) - x;
  const height = Math.max(a.y + a.height, b.y + b.height) - y;
  return { x, y, width, height };
}
