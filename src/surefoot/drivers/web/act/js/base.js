// Elements behind handles, the flat tree, frames of time, and how an element is named to people.

const tell = (report) => globalThis.__surefootTell?.(JSON.stringify(report));
const now = () => performance.now();
const frame = () =>
  new Promise((done) => {
    // A tab in the background draws no frames: a timer stands in, so that nothing waits for ever.
    const timer = setTimeout(done, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      done();
    });
  });

// The element that had the focus when it was asked for (field.js) has the number 0.
let focusedOne = null;

// The very node a handle names, or null: gone, detached, or of another document.
function resolve(doc, n) {
  if (n === 0) return focusedOne && focusedOne.isConnected ? focusedOne : null;
  const see = globalThis.__surefoot;
  if (!see || see.document !== doc) return null;
  const node = see.node(n);
  return node && node.isConnected && node.ownerDocument === document ? node : null;
}

const elementOf = (node) => (node.nodeType === 1 ? node : flatParent(node));

// What stands in the layout for an element: the image of an area.
const laidOut = (el) => (el.localName === 'area' && globalThis.__surefoot.imageOf(el)) || el;

function flatParent(node) {
  if (node.assignedSlot) return node.assignedSlot;
  const parent = node.parentNode;
  if (!parent) return null;
  return parent.nodeType === 11 ? parent.host || null : parent.nodeType === 1 ? parent : null;
}

function within(el, inner) {
  for (let at = inner; at; at = flatParent(at)) if (at === el) return true;
  return false;
}

const words = (el) => (el.textContent || '').replace(/\s+/g, ' ').trim();

const saysAll = (inner, el) => words(inner) !== '' && words(inner) === words(el) && labelOf(inner) === labelOf(el);

// Whether a press on `hit` is one on el: it lies in it, or in its label, and not in another control there. A control
// that says all that is said around it is no other: an item that is all link. What is edited takes every press.
function reaches(el, hit) {
  let inner = null;
  for (let at = hit; at; at = flatParent(at)) {
    if (at === el || (at.localName === 'label' && at.control === el)) {
      return inner === null || el.isContentEditable || saysAll(inner, at);
    }
    const own = el.localName === 'label' && el.control === at;
    if (inner === null && !own && at.matches(globalThis.__surefoot.controls)) inner = at;
  }
  return false;
}

function deepActive() {
  let at = document.activeElement;
  while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

function deepHit(x, y) {
  let hit = document.elementFromPoint(x, y);
  while (hit && hit.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

const TAG_ROLES = {
  article: 'article', aside: 'complementary', button: 'button', dd: 'definition', dialog: 'dialog', fieldset: 'group',
  figure: 'figure', footer: 'contentinfo', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading',
  h6: 'heading', header: 'banner', hr: 'separator', iframe: 'iframe', img: 'img', li: 'listitem', main: 'main',
  meter: 'meter', nav: 'navigation', ol: 'list', option: 'option', output: 'status', p: 'paragraph',
  progress: 'progressbar', summary: 'button', svg: 'img', table: 'table', td: 'cell', textarea: 'textbox',
  th: 'columnheader', tr: 'row', ul: 'list',
};
const INPUT_ROLES = {
  button: 'button', checkbox: 'checkbox', image: 'button', number: 'spinbutton', radio: 'radio', range: 'slider',
  reset: 'button', search: 'searchbox', submit: 'button',
};
const NAMED = new Set(['aria-label', 'aria-labelledby', 'title']);

// The role of what stands in the way, well enough for a message; the handle leads to the observed node.
function roleOf(el) {
  const own = (el.getAttribute('role') || '').trim().split(/\s+/)[0];
  if (own) return own;
  const tag = el.localName;
  if (tag === 'input') return INPUT_ROLES[el.type] || 'textbox';
  if (tag === 'a' || tag === 'area') return el.hasAttribute('href') ? 'link' : 'generic';
  if (tag === 'select') return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
  if (tag === 'section' || tag === 'form') {
    return [...NAMED].some((name) => el.hasAttribute(name)) ? { section: 'region', form: 'form' }[tag] : 'generic';
  }
  return TAG_ROLES[tag] || 'generic';
}

function labelOf(el) {
  const named = (el.getAttribute('aria-labelledby') || '').trim().split(/\s+/);
  const texts = named.map((id) => id && el.getRootNode().getElementById?.(id)?.textContent).filter(Boolean);
  const label =
    texts.join(' ') || el.getAttribute('aria-label') || el.getAttribute('alt') || el.getAttribute('title') ||
    (el.localName === 'input' ? '' : el.innerText || el.textContent) || '';
  return label.replace(/\s+/g, ' ').trim().slice(0, 80).toWellFormed();
}

// What a field is called, without what it or others in its label hold.
function captionOf(el) {
  const own = ['aria-label', 'aria-labelledby'].some((name) => el.hasAttribute(name)) ? labelOf(el) : '';
  if (own) return own;
  const walk = el.labels?.length ? document.createTreeWalker(el.labels[0], NodeFilter.SHOW_TEXT) : null;
  let text = '';
  while (walk?.nextNode()) if (!walk.currentNode.parentElement.closest('select, textarea')) text += walk.currentNode.data;
  return (text || el.title || el.placeholder || el.name || '').replace(/\s+/g, ' ').trim().slice(0, 80).toWellFormed();
}

// What stands in the way is named by its nearest ancestor that means something to a person.
function describe(el) {
  let at = el;
  while (at && roleOf(at) === 'generic' && !at.hasAttribute('aria-label') && flatParent(at)) {
    const parent = flatParent(at);
    if (parent === document.body || parent === document.documentElement) break;
    at = parent;
  }
  const shown = at || el;
  const see = globalThis.__surefoot;
  return {
    role: roleOf(shown),
    label: labelOf(shown),
    handle: see ? `${see.document}.${see.number(shown)}` : '',
  };
}
