// The walk: one pass over the flat tree that makes records; emit.js flattens them.

// Children of these are part of the control (ARIA 1.2, "children presentational").
const ATOMIC = new Set(
  (
    'button checkbox image math menuitemcheckbox menuitemradio meter progressbar radio scrollbar ' +
    'separator slider switch tab'
  ).split(' '),
);
// Markup of words: says nothing once its words are part of a name.
const PHRASE = new Set('code deletion emphasis insertion mark strong subscript superscript time term'.split(' '));
// Elements whose children are no content of the page.
const LEAVES = new Set('input textarea img iframe frame video audio embed progress meter option'.split(' '));
const POINTER_HANDLERS = new Set(
  (
    'onclick ondblclick onmousedown onmouseup onpointerdown onpointerup ontouchstart ontouchend ' +
    'oncontextmenu onauxclick'
  ).split(' '),
);
const SCROLLS = new Set(['auto', 'scroll', 'overlay']);

function record(parent, role, node, n) {
  const rec = {
    role, node, n, parent, children: [], drop: false, keep: false, label: '', author: '', rect: null,
    enabled: true, visible: true, hittable: false, index: -1, up: -1, ids: null, clip: null,
    transparent: false, focused: false, covered: null, scroll: null, frame: null, value: null,
  };
  if (parent) parent.children.push(rec);
  return rec;
}

// What holds for everything below an element; a changed copy is made only where something changes.
function rootContext() {
  return {
    disabled: false, transparent: false, pointer: false, named: false, atomic: false, naming: null,
    sectioned: false, list: true, table: '',
    clip: { left: 0, top: 0, right: innerWidth, bottom: innerHeight },
  };
}

const noAttributes = () => ({
  role: false, aria: false, handler: false, tabindex: false, title: false, editing: false,
  inert: false, hidden: false, popover: false, ids: null,
});
const NO_ATTRIBUTES = Object.freeze(noAttributes());

// One look at an element's attributes instead of a dozen lookups.
function attributesOf(el) {
  if (!el.hasAttributes()) return NO_ATTRIBUTES;
  const found = noAttributes();
  for (const name of el.getAttributeNames()) {
    if (name === 'class' || name === 'style') continue;
    if (run.testIds.has(name) || name === 'id') (found.ids ||= []).push(name);
    else if (name === 'role') found.role = true;
    else if (name === 'title') found.title = true;
    else if (name === 'tabindex') found.tabindex = true;
    else if (name === 'inert') found.inert = true;
    else if (name === 'popover') found.popover = true;
    else if (name === 'contenteditable') found.editing = editingHost(el);
    else if (name.startsWith('aria-')) {
      found.aria = true;
      if (name === 'aria-hidden') found.hidden = el.getAttribute(name) === 'true';
    } else if (name.startsWith('on') && POINTER_HANDLERS.has(name)) found.handler = true;
  }
  return found;
}

function walkDocument() {
  const root = document.documentElement;
  const rec = record(null, 'document', root, number(root));
  rec.keep = true;
  rec.label = clean(trimmed(document.title));
  rec.rect = boxOf(root);
  run.count = 1;
  run.recs.set(root, rec);
  run.active = activeElement();
  if (run.modal) {
    if (!run.modal.closest('[aria-hidden="true"]')) visit(run.modal, rec, rootContext(), 0);
  } else if (!root.hasAttribute('inert')) {
    visitChildren(root, rec, rootContext(), 0);
  }
  return rec;
}

// The innermost focused element, through open shadow roots.
function activeElement() {
  let active = document.activeElement;
  while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
  return active;
}

function visitChildren(el, parent, ctx, depth) {
  generatedText(el, '::before', parent, ctx);
  const summaryOnly = el.localName === 'details' && !el.open;
  const assigned = assignedTo(el);
  if (assigned) for (const child of assigned) visitChild(child, el, parent, ctx, depth, summaryOnly);
  else {
    for (let child = firstOf(el); child; child = child.nextSibling) {
      visitChild(child, el, parent, ctx, depth, summaryOnly);
    }
  }
  const owned = run.owners.owned.get(el);
  if (owned) for (const child of owned) visit(child, parent, ctx, depth + 1);
  generatedText(el, '::after', parent, ctx);
}

function visitChild(child, el, parent, ctx, depth, summaryOnly) {
  if (child.nodeType === 1) {
    if (run.owners.owner.size && run.owners.owner.has(child)) return;
    if (summaryOnly && !(child.localName === 'summary' && isSummary(child))) return;
    visit(child, parent, ctx, depth + 1);
  } else if (child.nodeType === 3 && !summaryOnly) visitText(child, el, parent, ctx);
}

function full() {
  if (run.count < MAX_NODES) return false;
  run.truncated = true;
  return true;
}

function visitText(node, el, parent, ctx) {
  if (ctx.named || !/\S/.test(node.data) || !css(el).visible || full()) return;
  const rec = record(parent, 'text', node, number(node));
  run.count++;
  const preserve = /[\n\t]|  /.test(node.data) && css(el).live.whiteSpaceCollapse.startsWith('preserve');
  rec.label = clean(preserve ? node.data.trim() : trimmed(node.data));
  rec.rect = textBox(node);
  rec.enabled = !ctx.disabled;
  rec.visible = !ctx.transparent && hasArea(rec.rect);
}

function generatedText(el, which, parent, ctx) {
  if (ctx.named || full()) return;
  const made = generated(el, which);
  if (!made || !made.text.trim()) return;
  const rec = record(parent, 'text', el, pseudoNumber(el, which));
  run.count++;
  rec.label = clean(trimmed(made.text));
  rec.rect = boxOf(el);
  rec.enabled = !ctx.disabled;
  rec.visible = !ctx.transparent && hasArea(rec.rect);
}

function visit(el, parent, ctx, depth) {
  const tag = el.localName;
  if (SKIPPED.has(tag) && el.namespaceURI !== SVG_NS) return;
  if (depth > MAX_DEPTH) {
    run.deep = true;
    return;
  }
  const style = css(el);
  if (style.display === 'none') return;
  if (style.display === '') {
    // A child no slot of a closed shadow root takes in: its host cannot be read.
    if (!el.parentElement || !el.parentElement.shadowRoot) parent.opaque ||= 'closed shadow root';
    return;
  }
  const names = attributesOf(el);
  if (names.hidden || (names.inert && el !== run.modal) || full()) return;
  const role = roleOf(el, names, ctx);
  if (role === 'skip') return;
  const live = style.live;
  if (live.contentVisibility === 'hidden' && depth > 0 && !el.hasAttribute('open')) {
    ctx = { ...ctx, contentHidden: true };
  }
  const pointer = live.cursor === 'pointer';
  const disabled = ctx.disabled || (names.aria && el.getAttribute('aria-disabled') === 'true');
  const transparent = ctx.transparent || live.opacity === '0';
  const rec = record(parent, role === 'none' ? 'generic' : role, el, 0);
  run.count++;
  run.recs.set(el, rec);
  const hidden = !style.visible;
  rec.transparent = transparent;
  const below = { ...ctx, disabled, transparent, pointer };
  if (!hidden) describe(el, tag, names, role, style, rec, ctx, below);
  else rec.drop = true;
  if (ctx.contentHidden === true) below.contentHidden = undefined;
  placeBelow(tag, role, below);
  if (!LEAVES.has(tag) && !ctx.contentHidden) visitChildren(el, rec, below, depth);
  if (!hidden) settleRecord(el, tag, role, rec, ctx, below);
}

function describe(el, tag, names, role, style, rec, ctx, below) {
  const live = style.live;
  rec.n = number(el);
  rec.rect = boxOf(el, style.display);
  rec.visible = !below.transparent && hasArea(rec.rect);
  const name = role === 'none' ? NO_NAME : nameOf(el, names, role);
  rec.label = clean(name.text);
  if (name.author) rec.author = rec.label;
  statesOf(el, names, role, rec, below);
  if (rec.value) rec.value = clean(rec.value);
  rec.hittable = activation(el, names, role, below.pointer, ctx.pointer);
  rec.focused = el === run.active && tag !== 'body';
  if (names.ids) rec.ids = names.ids;
  if (tag === 'label') describeLabel(el, rec, below);
  if (role === 'iframe') describeFrame(el, rec, ctx);
  if (tag.includes('-') && !el.shadowRoot && closedHost(el, rec)) rec.opaque = 'closed shadow root';
  const scrolls = SCROLLS.has(live.overflowX) || SCROLLS.has(live.overflowY);
  if (scrolls && !LEAVES.has(tag) && tag !== 'select' && tag !== 'body') {
    rec.scroll = [
      el.scrollLeft, el.scrollTop, el.scrollWidth - el.clientWidth, el.scrollHeight - el.clientHeight,
    ];
  }
  if (live.position === 'fixed') below.clip = rootContext().clip;
  if (live.overflowX !== 'visible' && tag !== 'body') below.clip = intersect(below.clip, rec.rect);
  rec.clip = ctx.clip;
  if (name.content) below.named = true;
  if (ATOMIC.has(role) && !structured(tag, names)) {
    below.named = true;
    below.atomic = true;
  }
}

// Controls and images by their element whose content is markup of its own.
const structured = (tag, names) => tag === 'summary' || (tag === 'svg' && !names.role);

// A label's text is the name of its control, unless that control cannot be seen: then the label stands for it.
function describeLabel(el, rec, below) {
  const control = el.control;
  if (!control) return;
  const shown = rendered(control) && css(control).visible && !control.closest('[aria-hidden="true"]');
  rec.hittable = !shown || el.hasAttribute('onclick');
  if (shown) below.named = true;
}

function describeFrame(el, rec, ctx) {
  const box = el.getBoundingClientRect();
  const sx = el.offsetWidth ? box.width / el.offsetWidth : 1;
  const sy = el.offsetHeight ? box.height / el.offsetHeight : 1;
  const style = css(el).live;
  const left = (el.clientLeft + parseFloat(style.paddingLeft)) * sx;
  const top = (el.clientTop + parseFloat(style.paddingTop)) * sy;
  const clip = intersect(ctx.clip, { x: box.left, y: box.top, width: box.width, height: box.height });
  rec.frame = [box.left + left, box.top + top, sx, sy, clip.left, clip.top, clip.right, clip.bottom];
  rec.keep = true;
}

// A custom element that shows an area and none of its own children: what it shows is in a closed root.
function closedHost(el, rec) {
  if (!rec.rect || !hasArea(rec.rect)) return false;
  for (const child of el.childNodes) {
    if (child.nodeType === 1 && hasArea(boxOf(child))) return false;
    if (child.nodeType === 3 && /\S/.test(child.data) && hasArea(textBox(child))) return false;
  }
  return customElements === null || el.matches(':defined');
}

function placeBelow(tag, role, below) {
  if (SECTION_ROLES.has(role)) below.sectioned = true;
  if (tag === 'ul' || tag === 'ol' || tag === 'menu') below.list = role === 'list';
  if (tag === 'table') below.table = role;
  else if (role === 'table' || role === 'grid' || role === 'treegrid') below.table = '';
  else if (tag === 'li') below.list = true;
}

// Decided once the children are known: what is kept, and what takes its only text as its name.
function settleRecord(el, tag, role, rec, ctx, below) {
  if (ctx.atomic && !rec.hittable) {
    rec.drop = true;
    return;
  }
  const only = rec.label ? null : soleText(rec);
  if (only && (CELLS.has(role) || (rec.hittable && rec.role === 'generic'))) {
    rec.label = only.label;
    only.drop = true;
  }
  if (PHRASE.has(role) && below.named && !rec.author && kept(rec) === 0) rec.drop = true;
  if (rec.role !== 'generic' || rec.keep) return;
  if (rec.hittable || rec.author || rec.scroll || rec.opaque || tag === 'body') {
    rec.drop = tag === 'body' && !rec.author && !rec.scroll;
    return;
  }
  const count = kept(rec, 2);
  rec.drop = role === 'none' || count < 2;
  if (rec.drop && count === 1 && rec.ids) lendIds(rec);
}

// How many kept records stand directly below, looking through dropped ones; counts to `limit`.
function kept(rec, limit = Infinity) {
  let count = 0;
  for (const child of rec.children) {
    count += child.drop ? kept(child, limit - count) : 1;
    if (count >= limit) return count;
  }
  return count;
}

function firstKept(rec) {
  for (const child of rec.children) {
    const found = child.drop ? firstKept(child) : child;
    if (found) return found;
  }
  return null;
}

function soleText(rec) {
  if (kept(rec, 2) !== 1) return null;
  const only = firstKept(rec);
  return only.role === 'text' ? only : null;
}

// An element that holds one text and nothing else is that text's element: the text keeps its ids.
function lendIds(rec) {
  const only = firstKept(rec);
  if (only.role === 'text' && !only.ids) {
    only.ids = rec.ids;
    only.idsOf = rec.node;
  }
}

// --- boxes -------------------------------------------------------------------------------------

const range = document.createRange();

function textBox(node) {
  range.selectNodeContents(node);
  return range.getBoundingClientRect();
}

// An element without a box or area of its own takes up what its content does.
function boxOf(el, display) {
  const box = el.getBoundingClientRect();
  if ((box.width > 0 && box.height > 0) || !el.firstChild || LEAVES.has(el.localName)) return box;
  if (display === undefined) return box;
  const content = textBox(el);
  return content.width > 0 && content.height > 0 ? content : box;
}

const hasArea = (box) => box !== null && box.width > 0 && box.height > 0;

function intersect(clip, box) {
  return {
    left: Math.max(clip.left, box.x),
    top: Math.max(clip.top, box.y),
    right: Math.min(clip.right, box.x + box.width),
    bottom: Math.min(clip.bottom, box.y + box.height),
  };
}
