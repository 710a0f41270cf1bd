// States and values. A password's characters are never read into anything that leaves the page.

const CHECKABLE = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio', 'option', 'treeitem']);
const SELECTABLE = new Set(['option', 'tab', 'row', 'gridcell', 'columnheader', 'rowheader', 'treeitem']);
const RANGES = new Set(['slider', 'spinbutton', 'progressbar', 'meter', 'scrollbar', 'separator']);
const TEXT_TYPES = new Set(
  'text search tel url email password number date datetime-local month week time'.split(' '),
);
// Controls that come to no more than their role: own activation by declaration (decisions.md, `hittable`).
const WIDGETS = new Set(
  (
    'button checkbox combobox gridcell link menuitem menuitemcheckbox menuitemradio option radio ' +
    'searchbox slider spinbutton switch tab textbox treeitem'
  ).split(' '),
);

// Fields that were passwords once stay secret, also when a "show" toggle turns them into text.
const secrets = new WeakSet();

function secret(el) {
  if (el.localName !== 'input') return false;
  if (secrets.has(el)) return true;
  const masked =
    el.type === 'password' ||
    /password/i.test(el.getAttribute('autocomplete') || '') ||
    (TEXT_TYPES.has(el.type) && css(el).live.webkitTextSecurity !== 'none');
  if (masked) secrets.add(el);
  return masked;
}

function statesOf(el, names, role, rec) {
  const tag = names.space === HTML_NS ? names.tag : '';
  if (DISABLEABLE.has(tag) && rec.enabled) rec.enabled = !el.matches(':disabled');
  if (NATIVE_STATES.has(tag)) nativeState(el, tag, role, rec);
  if (names.editing) editingState(el, rec);
  if (role === 'heading') more(rec).level = headingLevel(el, tag);
  if (names.aria) ariaState(el, tag, role, more(rec));
}

const DISABLEABLE = new Set(['input', 'select', 'textarea', 'button', 'option', 'optgroup', 'fieldset']);
const NATIVE_STATES = new Set(
  ['input', 'select', 'textarea', 'button', 'option', 'meter', 'progress', 'details', 'summary'],
);

function nativeState(el, tag, role, rec) {
  const state = more(rec);
  switch (tag) {
    case 'input':
      inputState(el, rec, state);
      break;
    case 'textarea':
      state.multiline = true;
      textState(el, rec, state);
      break;
    case 'select':
      state.required = el.required;
      state.value = clean(chosenOptions(el).map((option) => trimmed(option.label)).join(', '));
      if (!el.multiple && el.size <= 1) state.expanded = openSelect(el);
      break;
    case 'option':
      state.selected = el.selected;
      break;
    case 'meter':
    case 'progress':
      if (tag === 'meter' || el.hasAttribute('value')) state.value = String(el.value);
      break;
    case 'details':
      if (!el.querySelector(':scope > summary')) state.expanded = el.open; // else its summary says so
      break;
    case 'summary':
      if (role === 'button' && isSummary(el)) state.expanded = el.parentElement.open;
      break;
    default:
  }
  if (el.popoverTargetElement) state.expanded = el.popoverTargetElement.matches(':popover-open');
}

// (`selectedOptions` looks at every option.)
function chosenOptions(el) {
  if (el.multiple) return [...el.selectedOptions];
  const chosen = el.options[el.selectedIndex];
  return chosen ? [chosen] : [];
}

function openSelect(el) {
  try {
    return el.matches(':open');
  } catch {
    return false;
  }
}

function inputState(el, rec, state) {
  const type = el.type;
  state.inputType = type;
  if (type === 'checkbox' || type === 'radio') {
    state.checked = el.indeterminate && type === 'checkbox' ? 'mixed' : String(el.checked);
    state.required = el.required;
  } else if (TEXT_TYPES.has(type)) textState(el, rec, state);
  else if (type === 'range' || type === 'color') state.value = el.value;
  else if (type === 'file') {
    state.required = el.required;
    state.value = clean([...el.files].map((file) => file.name).join(', '));
  }
}

function textState(el, rec, state) {
  const value = el.value;
  state.required = el.required;
  state.readonly = el.readOnly;
  state.editable = rec.enabled && !el.readOnly;
  state.hasValue = value !== '';
  state.password = secret(el);
  if (!state.password) state.value = clean(value);
}

// The lines of a rich text field: a block begins a line, a last <br> in a block only holds it open.
function richText(el) {
  let text = '';
  let open = false; // the current line has begun
  const visit = (at) => {
    if (at.nodeType === 3) {
      const pre = /^(pre|break-spaces)/.test(getComputedStyle(at.parentElement).whiteSpace);
      const own = pre ? at.data : at.data.replace(/[\t\n\r ]+/g, ' ');
      if (own.trim() || pre || open) {
        text += own;
        if (own) open = true;
      }
      return;
    }
    if (at.nodeType !== 1) return;
    if (at.localName === 'br') {
      const last = !at.nextSibling && at.parentElement !== null;
      if (!last || !open) {
        if (!last) text += '\n';
        open = last;
      }
      return;
    }
    const display = getComputedStyle(at).display;
    if (display === 'none') return;
    const block = at !== el && !/^(inline|contents)/.test(display);
    if (block && (open || text)) {
      if (!text.endsWith('\n') || open) text += '\n';
      open = false;
    }
    for (const child of at.childNodes) visit(child);
    if (block) open = true;
  };
  visit(el);
  return text.replace(/\u00a0/g, ' ');
}

function editingState(el, rec) {
  const state = more(rec);
  state.multiline = true;
  state.editable = rec.enabled;
  state.value = clean(richText(el));
  state.hasValue = state.value.trim() !== '';
}

function headingLevel(el, tag) {
  const level = parseInt(el.getAttribute('aria-level'), 10);
  if (level > 0) return level;
  return /^h[1-6]$/.test(tag) ? Number(tag[1]) : 2;
}

function ariaState(el, tag, role, state) {
  const is = (name) => el.getAttribute(name);
  const flag = (name) => is(name) === 'true';
  const native = state.checked !== undefined;
  if (!native && CHECKABLE.has(role) && el.hasAttribute('aria-checked')) state.checked = tristate(is('aria-checked'), role);
  if (role === 'button' && el.hasAttribute('aria-pressed')) state.checked = tristate(is('aria-pressed'), 'checkbox');
  if (tag !== 'option' && SELECTABLE.has(role) && el.hasAttribute('aria-selected')) state.selected = flag('aria-selected');
  const expanded = is('aria-expanded');
  if (expanded === 'true' || expanded === 'false') state.expanded = expanded === 'true';
  if (flag('aria-required')) state.required = true;
  if (flag('aria-readonly')) {
    state.readonly = true;
    state.editable = false;
  }
  if (flag('aria-multiline')) state.multiline = true;
  state.marks = marksOf(is);
  if (RANGES.has(role) && tag !== 'input' && tag !== 'meter' && tag !== 'progress') {
    const value = is('aria-valuetext') || is('aria-valuenow');
    if (value !== null) state.value = value;
  }
  if (role !== 'heading') {
    const level = parseInt(is('aria-level'), 10);
    if (level > 0) state.level = level;
  }
}

// What is said of an element besides: how a column is sorted, where one is, that a field's content is wrong.
function marksOf(is) {
  const marks = [];
  const sort = is('aria-sort');
  if (sort === 'ascending' || sort === 'descending') marks.push(`sorted ${sort}`);
  const current = is('aria-current');
  if (current && current !== 'false') marks.push(CURRENT.has(current) ? `current ${current}` : 'current');
  const invalid = is('aria-invalid');
  if (invalid && invalid !== 'false') marks.push('invalid');
  return marks;
}
const CURRENT = new Set(['page', 'step', 'location', 'date', 'time']);

function tristate(value, role) {
  if (value === 'mixed' && role !== 'radio' && role !== 'switch') return 'mixed';
  return value === 'true' ? 'true' : 'false';
}

// What takes a press for itself, wherever it stands.
const CONTROLS = [
  'a[href]', 'area[href]', 'button', 'input:not([type=hidden])', 'select', 'textarea', 'summary', 'audio[controls]',
  'video[controls]', '[onclick]', '[tabindex]:not([tabindex^="-"])', '[contenteditable]:not([contenteditable=false])',
  ...[...WIDGETS].map((role) => `[role=${role}]`),
].join(',');

const holdsControl = (el) => el.querySelector(CONTROLS) !== null;

// The node's own activation (decisions.md, `hittable`), not hit-test success.
function activation(el, names, role, pointer, parentPointer) {
  if (names.handler || names.editing || nativeControl(el, names.tag)) return true;
  if (names.tabindex) {
    const index = parseInt(el.getAttribute('tabindex'), 10);
    if (index >= 0) return true;
  }
  if (WIDGETS.has(role) && (names.tag !== 'option' || rendered(el))) return true;
  return pointer && !parentPointer;
}
