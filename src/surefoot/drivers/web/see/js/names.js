// Accessible names (accname 1.2), and which part of them an author gave outright (identity.md, 3).

// Roles whose name comes from their content (ARIA 1.2, "name from: contents").
const FROM_CONTENT = new Set(
  (
    'button checkbox columnheader gridcell cell heading link menuitem menuitemcheckbox menuitemradio ' +
    'option radio rowheader switch tab tooltip treeitem'
  ).split(' '),
);

// Cells take their text as name only when it is all there is in them (walk.js).
const CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);

const BUTTON_DEFAULTS = { submit: 'Submit', reset: 'Reset', image: 'Submit' };

const NO_NAME = { text: '', author: false, content: false };

// {text, author, content}: the name, whether an author gave it outright, whether it is the content.
function nameOf(el, names, role) {
  if (names.aria) {
    const text = labelledBy(el) || trimmed(el.getAttribute('aria-label') || '');
    if (text) return { text, author: true, content: false };
  }
  const native = nativeName(el, names);
  if (native) return native;
  if (FROM_CONTENT.has(role) && !CELLS.has(role)) {
    const text = contentName(el, role);
    if (text) return { text, author: false, content: true };
  }
  const title = names.title ? trimmed(el.getAttribute('title')) : '';
  if (title) return { text: title, author: true, content: false };
  return lastResort(el, names);
}

function labelledBy(el) {
  if (!el.hasAttribute('aria-labelledby')) return '';
  const targets = references(el, 'aria-labelledby', 'ariaLabelledByElements');
  const parts = targets.map((target) => {
    const state = { seen: new Set(), referenced: true, root: el, hidden: !reachable(target) };
    return trimmed(textAlternative(target, state, 0));
  });
  return trimmed(parts.filter(Boolean).join(' '));
}

const reachable = (el) => rendered(el) && shown(el);

function nativeName(el, names) {
  const given = (text) => (text ? { text, author: false, content: false } : null);
  switch (names.tag) {
    case 'math':
      return given(trimmed(el.textContent));
    case 'input':
      return inputName(el, given);
    case 'textarea':
    case 'select':
    case 'meter':
    case 'progress':
    case 'output':
      return given(labelsText(el));
    case 'button':
      return given(labelsText(el));
    case 'img':
    case 'area':
      return given(trimmed(el.getAttribute('alt') || ''));
    case 'fieldset':
      return captioned(el, 'legend', true);
    case 'table':
      return captioned(el, 'caption', true);
    case 'figure':
      return captioned(el, 'figcaption', false);
    case 'optgroup':
    case 'option':
      return given(trimmed(el.getAttribute('label') || ''));
    default:
      if (names.space === SVG_NS) return given(svgTitle(el));
      return names.tag.includes('-') ? given(labelsText(el)) : null; // a form-associated custom element
  }
}

function inputName(el, given) {
  const type = el.type;
  if (type === 'hidden') return null;
  const labels = labelsText(el);
  if (labels) return given(labels);
  if (type === 'image') {
    return given(trimmed(el.getAttribute('alt') || '') || el.title || BUTTON_DEFAULTS.image);
  }
  if (type === 'button' || type === 'submit' || type === 'reset') {
    const value = el.getAttribute('value');
    return given(trimmed(value === null ? BUTTON_DEFAULTS[type] || '' : value));
  }
  return null;
}

function captioned(el, tag, author) {
  for (const child of el.children) {
    if (child.localName !== tag) continue;
    const text = trimmed(textAlternative(child, { seen: new Set(), root: el }, 0));
    return text ? { text, author, content: false } : null;
  }
  return null;
}

function lastResort(el, names) {
  if (names.tag === 'input' || names.tag === 'textarea' || names.aria) {
    const text = trimmed(el.getAttribute('placeholder') || el.getAttribute('aria-placeholder') || '');
    if (text) return { text, author: false, content: false };
  }
  return NO_NAME;
}

function labelsText(el) {
  const labels = run.labels.get(el);
  if (!labels) return '';
  const parts = [];
  for (const label of labels) {
    const state = { seen: new Set([el]), root: el, skip: el };
    parts.push(trimmed(textAlternative(label, state, 0)));
  }
  return trimmed(parts.filter(Boolean).join(' '));
}

function contentName(el, role) {
  const only = el.firstChild;
  const simple = only && only === el.lastChild && only.nodeType === 3 && !el.shadowRoot && run.pseudo.none;
  if (simple) return trimmed(only.data);
  return trimmed(childrenText(el, { seen: new Set([el]), root: el, item: role === 'treeitem' }, 0));
}

// accname 2A-2I for one node met while another one's name is built.
function textAlternative(node, state, depth) {
  if (node.nodeType === 3) return node.data;
  if (node.nodeType !== 1 || depth > MAX_DEPTH || state.seen.has(node)) return '';
  state.seen.add(node);
  const tag = node.localName;
  if (SKIPPED.has(tag) && node.namespaceURI === HTML_NS) return tag === 'br' || tag === 'wbr' ? ' ' : '';
  if (!state.hidden) {
    if (!rendered(node) && css(node).display !== 'contents') return '';
    if (depth > 0 && node.getAttribute('aria-hidden') === 'true') return '';
  }
  if (!state.referenced && node.hasAttribute('aria-labelledby')) {
    const text = labelledBy(node);
    if (text) return text;
  }
  if (node === state.skip) return '';
  const label = trimmed(node.getAttribute('aria-label') || '');
  if (label) return label;
  const embedded = depth > 0 ? embeddedValue(node) : null;
  if (embedded !== null) return embedded;
  const own = ownText(node);
  if (own) return own;
  const text = childrenText(node, state, depth);
  return text.trim() ? text : trimmed(node.getAttribute('title') || '');
}

function ownText(node) {
  switch (node.localName) {
    case 'img':
    case 'area':
      return trimmed(node.getAttribute('alt') || '');
    case 'input': {
      const name = inputName(node, (text) => ({ text }));
      return name ? name.text : '';
    }
    case 'svg':
      return svgTitle(node);
    default:
      return '';
  }
}

// accname 2C (embedded control): what a control inside a label contributes is its value.
function embeddedValue(node) {
  const role = node.getAttribute('role') || '';
  const tag = node.localName;
  if (tag === 'select') return [...node.selectedOptions].map((option) => option.text).join(' ');
  if (tag === 'textarea') return node.value;
  if (tag === 'input') {
    if (node.type === 'password') return '';
    if (node.type === 'range' || LISTABLE.has(node.type) || node.type === 'number') return node.value;
    return null;
  }
  if (role === 'slider' || role === 'spinbutton' || role === 'scrollbar' || role === 'progressbar') {
    return node.getAttribute('aria-valuetext') || node.getAttribute('aria-valuenow') || '';
  }
  if (role === 'listbox' || role === 'combobox') {
    const chosen = node.querySelector('[aria-selected="true"]');
    return chosen ? trimmed(chosen.textContent) : '';
  }
  return null;
}

function childrenText(el, state, depth) {
  let text = pseudoText(el, '::before');
  const owned = run.owners.owned.get(el);
  const assigned = el.localName === 'slot' ? assignedTo(el) : null;
  if (assigned) for (const child of assigned) text += pieceOf(child, state, depth);
  else for (let child = firstOf(el); child; child = child.nextSibling) text += pieceOf(child, state, depth);
  if (owned) for (const child of owned) text += ` ${pieceOf(child, state, depth)}`;
  return text + pseudoText(el, '::after');
}

function pieceOf(child, state, depth) {
  if (child.nodeType === 3) {
    if (state.hidden || shown(flatParent(child))) return child.data;
    return '';
  }
  if (child.nodeType !== 1) return '';
  if (state.item && child.getAttribute('role') === 'group') return '';
  const text = textAlternative(child, state, depth + 1);
  if (!text) return text;
  return INLINE.has(css(child).display) && !SPACED.has(child.localName) ? text : ` ${text} `;
}

// Inline by style, yet a thing of its own between words.
const SPACED = new Set(['input', 'select', 'textarea', 'button', 'meter', 'progress']);

function pseudoText(el, which) {
  const made = generated(el, which);
  if (!made || !made.text) return '';
  return made.block ? ` ${made.text} ` : made.text;
}

// --- beside the name ------------------------------------------------------------------------------

// The accessible description (accname 1.2, "description"): never what is the name already.
function descriptionOf(el, names, name) {
  let text = '';
  if (names.aria) {
    const state = () => ({ seen: new Set(), referenced: true, root: el, hidden: true });
    const targets = references(el, 'aria-describedby', 'ariaDescribedByElements');
    text = trimmed(targets.map((target) => textAlternative(target, state(), 0)).join(' '));
    text ||= trimmed(el.getAttribute('aria-description') || '');
  }
  if (!text && names.title) text = trimmed(el.getAttribute('title'));
  return text === name ? '' : text;
}

// Where a link leads or what a picture shows, as written; within the page's own origin without it.
function sourceOf(el, tag) {
  const raw = el.getAttribute(tag === 'img' ? 'src' : 'href');
  if (!raw || raw.startsWith('blob:')) return '';
  const url = raw.startsWith(`${location.origin}/`) ? raw.slice(location.origin.length) : raw;
  return url.length <= MAX_SOURCE ? url : `${url.slice(0, MAX_SOURCE)} ${url.length} ${checksum(url)}`;
}

const MAX_SOURCE = 256;

function checksum(text) {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0;
  return sum;
}
