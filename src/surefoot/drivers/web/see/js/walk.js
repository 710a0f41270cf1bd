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
// Elements that are no scroll containers of the page, whatever their style.
const UNSCROLLED = new Set([...LEAVES, 'select', 'body']);
// Elements whose state changes without a mutation.
const WATCHED = new Set(['input', 'select', 'textarea', 'img']);
// Elements that place what is in them whatever their own role.
const LISTS = new Set(['ul', 'ol', 'menu', 'li', 'table']);
const POINTER_HANDLERS = new Set(
  (
    'onclick ondblclick onmousedown onmouseup onpointerdown onpointerup ontouchstart ontouchend ' +
    'oncontextmenu onauxclick'
  ).split(' '),
);

// What holds for everything below an element. Contexts are shared: `below` copies where one changes.
const ROOT_CONTEXT = Object.freeze({
  visible: true, disabled: false, transparent: false, pointer: false, named: false, atomic: false, boxless: false,
  sectioned: false, foreign: false, list: true, table: '',
});

// One look at an element's attributes instead of a dozen lookups; valid until the next look.
const names = { tag: '', space: HTML_NS, asked: false, styled: false, role: false, aria: false, handler: false, tabindex: false, title: false, editing: false,
  inert: false, hidden: false, popover: false, ids: null };

function readAttributes(el, tag, space) {
  names.tag = tag;
  names.space = space;
  names.role = names.aria = names.handler = names.tabindex = names.title = names.editing = false;
  names.inert = names.hidden = names.popover = false;
  names.ids = null;
  names.styled = false;
  names.asked = run.few === null || space !== HTML_NS || tag === 'body' || run.few.has(el);
  if (!el.hasAttributes()) return;
  for (const name of el.getAttributeNames()) {
    if (name === 'class') continue;
    if (name === 'style' || name === 'hidden') names.styled = names.asked = true;
    else if (name === 'id' || run.testIds.has(name)) (names.ids ||= []).push(name);
    else if (name === 'role') names.role = true;
    else if (name === 'title') names.title = true;
    else if (name === 'tabindex') names.tabindex = true;
    else if (name === 'inert') names.inert = true;
    else if (name === 'popover') names.popover = names.asked = true;
    else if (name === 'contenteditable') names.editing = editingHost(el);
    else if (name.startsWith('aria-')) {
      names.aria = true;
      if (name === 'aria-hidden') names.hidden = el.getAttribute(name) === 'true';
    } else if (name.startsWith('on') && POINTER_HANDLERS.has(name)) names.handler = true;
  }
}

function walkDocument() {
  const root = document.documentElement;
  run.count = 0;
  const { live } = css(root);
  const ctx = {
    ...ROOT_CONTEXT,
    visible: live.visibility === 'visible',
    pointer: live.cursor === 'pointer',
    transparent: live.opacity === '0',
  };
  const rec = record(null, 'document', root, number(root), ctx);
  rec.keep = true;
  rec.label = clean(trimmed(document.title));
  run.all.push(rec);
  run.active = activeElement();
  if (run.modal) {
    if (!run.modal.closest('[aria-hidden="true"]')) visit(run.modal, run.modal.localName, rec, ctx, 0);
  } else if (!root.hasAttribute('inert')) {
    visitChildren(root, 'html', rec, ctx, 0, true);
  }
  return rec;
}

// The innermost focused element, through open shadow roots.
function activeElement() {
  let active = document.activeElement;
  while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
  return active;
}

function visitChildren(el, tag, parent, ctx, depth, visible) {
  if (!run.pseudo.none) generatedText(el, '::before', parent, ctx);
  const summaryOnly = tag === 'details' && !el.open;
  const assigned = tag === 'slot' ? assignedTo(el) : null;
  if (assigned) for (const child of assigned) visitChild(child, el, parent, ctx, depth, visible, summaryOnly);
  else {
    for (let child = firstOf(el); child; child = child.nextSibling) {
      visitChild(child, el, parent, ctx, depth, visible, summaryOnly);
    }
  }
  if (run.owners.owned.size) {
    for (const child of run.owners.owned.get(el) || []) visit(child, child.localName, parent, ctx, depth + 1);
  }
  if (!run.pseudo.none) generatedText(el, '::after', parent, ctx);
}

function visitChild(child, el, parent, ctx, depth, visible, summaryOnly) {
  const tag = child.localName; // only elements have one
  if (tag !== undefined) {
    if (run.owners.owner.size && run.owners.owner.has(child)) return;
    if (summaryOnly && !(tag === 'summary' && isSummary(child))) return;
    visit(child, tag, parent, ctx, depth + 1);
  } else if (child.nodeType === 3 && !summaryOnly) visitText(child, el, parent, ctx, visible);
}

function full() {
  if (run.count < MAX_NODES) return false;
  run.truncated = true;
  return true;
}

function visitText(node, el, parent, ctx, visible) {
  if (ctx.named) return;
  const data = node.data;
  if (!visible || !/\S/.test(data) || full()) return;
  const rec = record(parent, 'text', node, number(node), ctx);
  const preserve = /[\n\t]|  /.test(data) && css(el).live.whiteSpaceCollapse.startsWith('preserve');
  rec.label = clean(preserve ? data.trim() : trimmed(data));
}

function generatedText(el, which, parent, ctx) {
  if (ctx.named || full()) return;
  const made = generated(el, which);
  if (!made || !made.text.trim()) return;
  const rec = record(parent, 'text', el, pseudoNumber(el, which), ctx);
  rec.label = clean(trimmed(made.text));
}

function visit(el, tag, parent, ctx, depth) {
  const space = ctx.foreign || tag === 'svg' || tag === 'math' ? el.namespaceURI : HTML_NS;
  if (space === HTML_NS && SKIPPED.has(tag)) return;
  if (depth > MAX_DEPTH) {
    run.deep = true;
    return;
  }
  const { live, display } = css(el);
  if (tag === 'area') {
    if (parent.node.localName !== 'img' || run.mapped.has(el)) return; // it shows where its image is
    run.mapped.add(el);
  } else if (display === 'none') {
    if (el.popover) run.watched.push(el);
    return;
  }
  if (display === '') {
    // A child no slot of a closed shadow root takes in: its host cannot be read.
    if (!el.parentElement || !el.parentElement.shadowRoot) more(parent).opaque ||= 'closed shadow root';
    return;
  }
  readAttributes(el, tag, space);
  if (names.hidden || (names.inert && el !== run.modal) || full()) return;
  if (names.popover || WATCHED.has(tag)) run.watched.push(el);
  const role = roleOf(el, names, ctx);
  if (role === 'skip') return;
  const visible = names.asked ? live.visibility === 'visible' : ctx.visible;
  const skipped = (run.skips || names.styled) && live.contentVisibility === 'hidden';
  const below = contextBelow(el, tag, role, live, visible, ctx);
  const rec = record(parent, role === 'none' ? 'generic' : role, el, 0, below);
  run.all.push(rec);
  const inside = visible ? describe(el, tag, role, live, rec, ctx, below) : below;
  if (!LEAVES.has(tag) && !skipped) visitChildren(el, tag, rec, inside, depth, visible);
  else if (tag === 'img' && visible && el.useMap) {
    for (const area of areasOf(el)) visit(area, 'area', rec, inside, depth + 1);
  }
  if (visible) settleRecord(el, tag, role, rec, ctx, inside);
  else {
    countKept(rec);
    rec.drop = true;
  }
}

// The context for an element and what is in it, before its own name and states are known.
function contextBelow(el, tag, role, live, visible, ctx) {
  let below = ctx;
  const pointer = names.asked ? live.cursor === 'pointer' : usualPointer(el, tag, ctx.pointer);
  if (pointer !== ctx.pointer) below = { ...below, pointer };
  if (visible !== ctx.visible) below = { ...below, visible };
  if (names.asked && !ctx.transparent && live.opacity === '0') below = { ...below, transparent: true };
  if (names.aria && !ctx.disabled && el.getAttribute('aria-disabled') === 'true') below = { ...below, disabled: true };
  if ((names.space !== HTML_NS) !== ctx.foreign) below = { ...below, foreign: !ctx.foreign };
  return role === 'generic' && !LISTS.has(tag) ? below : placeBelow(el, tag, role, below);
}

// What elements below may be because of where they stand: items of a list, cells of a table, part of a section.
function placeBelow(el, tag, role, ctx) {
  let { list, table } = ctx;
  if (tag === 'ul' || tag === 'ol' || tag === 'menu') list = role === 'list';
  else if (tag === 'li') list = true;
  if (tag === 'table') table = role;
  else if (role === 'table' || role === 'grid' || role === 'treegrid') table = '';
  const sectioned = ctx.sectioned || SECTION_ROLES.has(role);
  const boxless = ctx.boxless || (tag === 'option' && closedSelect(el));
  const same =
    sectioned === ctx.sectioned && boxless === ctx.boxless && list === ctx.list && table === ctx.table;
  return same ? ctx : { ...ctx, sectioned, boxless, list, table };
}

// The options of a drop-down are laid out nowhere while it is closed.
function closedSelect(option) {
  const select = option.closest('select');
  return select !== null && !select.multiple && select.size <= 1;
}

// Fills in the element's own record; returns the context for its children.
function describe(el, tag, role, live, rec, ctx, below) {
  rec.n = number(el);
  const name = role === 'none' ? NO_NAME : nameOf(el, names, role);
  rec.label = clean(name.text);
  if (name.author) rec.author = rec.label;
  statesOf(el, names, role, rec);
  rec.hittable = activation(el, names, role, below.pointer, ctx.pointer);
  rec.ids = names.ids;
  if (names.aria || names.title) {
    const about = clean(descriptionOf(el, names, name.text));
    if (about) more(rec).about = about;
  }
  if (tag === 'a' || tag === 'img' || tag === 'area') {
    const source = clean(sourceOf(el, tag));
    if (source) more(rec).source = source;
  }
  // Words beside a control tell it from its like: they are nodes, also where they are part of a name around both.
  const beside = (name.content || ATOMIC.has(role)) && el.firstElementChild !== null && holdsControl(el);
  let named = name.content;
  if (el === run.active && tag !== 'body') more(rec).focused = true;
  if (tag === 'label') named = describeLabel(el, rec) || named;
  else if (role === 'iframe') describeFrame(el, rec);
  else if (mayHost(el, tag) && closedHost(el)) {
    if (aside(el).closed) more(rec).opaque = 'closed shadow root';
    else if (run.hosts.length < MAX_HOSTS) run.hosts.push(rec.n);
  }
  if (names.asked && !UNSCROLLED.has(tag)) describeScroll(el, live, rec);
  const atomic = ATOMIC.has(role) && !structured(tag);
  let worded = below.named; // whether text in here is no more than part of a name
  if (beside) worded = false;
  else if (below.atomic || named || atomic) worded = true;
  else if (name.author) worded = false; // words an author's name stands in for are not part of the name around it
  const inAtomic = below.atomic || atomic;
  return worded === below.named && inAtomic === below.atomic ? below : { ...below, named: worded, atomic: inAtomic };
}

function describeScroll(el, live, rec) {
  if (css(el).display === 'inline' || !/auto|scroll/.test(live.overflow)) return;
  more(rec).scroll = [
    el.scrollLeft, el.scrollTop, el.scrollWidth - el.clientWidth, el.scrollHeight - el.clientHeight,
  ];
}

// Controls and images by their element whose content is markup of its own.
const structured = (tag) => tag === 'summary' || (tag === 'svg' && !names.role);

// A label's text is the name of its control, unless that control cannot be seen: then the label stands for it.
// Returns whether its text is such a name.
function describeLabel(el, rec) {
  const control = el.control;
  if (!control) return false;
  const seen = reachable(control) && !control.closest('[aria-hidden="true"]');
  rec.hittable = !seen || el.hasAttribute('onclick');
  return seen;
}

function describeFrame(el, rec) {
  const box = el.getBoundingClientRect();
  const sx = el.offsetWidth ? box.width / el.offsetWidth : 1;
  const sy = el.offsetHeight ? box.height / el.offsetHeight : 1;
  const style = css(el).live;
  const left = (el.clientLeft + parseFloat(style.paddingLeft)) * sx;
  const top = (el.clientTop + parseFloat(style.paddingTop)) * sy;
  const clip = intersect(clipOf(el), { x: box.left, y: box.top, width: box.width, height: box.height });
  more(rec).frame = [box.left + left, box.top + top, sx, sy, clip.left, clip.top, clip.right, clip.bottom];
  rec.keep = true;
}

// What may have a shadow root (DOM, "attach a shadow root"), and where without content of its own shows that one only.
const HOSTS = new Set('article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '));
const MAX_HOSTS = 200; // asked about in one capture

function mayHost(el, tag) {
  if (el.shadowRoot) return false;
  if (tag.includes('-')) return true;
  const only = el.firstChild;
  return HOSTS.has(tag) && (only === null || (only === el.lastChild && only.nodeType === 3 && !/\S/.test(only.data)));
}

// An element that shows an area and none of its own children: what it shows may be in a closed root.
function closedHost(el) {
  if (!hasArea(el.getBoundingClientRect())) return false;
  for (const child of el.childNodes) {
    if (child.nodeType === 1 && hasArea(child.getBoundingClientRect())) return false;
    if (child.nodeType === 3 && /\S/.test(child.data) && hasArea(textBox(child))) return false;
  }
  return true;
}
