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

function statesOf(el, names, role, rec, ctx) {
  const html = el.namespaceURI === HTML_NS;
  const tag = html ? el.localName : '';
  const native = tag === 'input' || tag === 'select' || tag === 'textarea' || tag === 'button';
  const option = tag === 'option' || tag === 'optgroup';
  rec.enabled = !ctx.disabled && !((native || option || tag === 'fieldset') && el.matches(':disabled'));
  if (native || option || tag === 'meter' || tag === 'progress' || tag === 'output') nativeState(el, tag, rec);
  if (tag === 'details') rec.expanded = el.open;
  if (tag === 'summary' && role === 'button') rec.expanded = el.parentElement.open;
  if (names.editing) editingState(el, rec);
  if (role === 'heading') rec.level = headingLevel(el, tag);
  if (names.aria) ariaState(el, tag, role, rec);
  else if (native && el.popoverTargetElement) rec.expanded = el.popoverTargetElement.matches(':popover-open');
}

function nativeState(el, tag, rec) {
  if (tag === 'input') inputState(el, rec);
  else if (tag === 'textarea') {
    rec.multiline = true;
    textState(el, rec, el.value);
  } else if (tag === 'select') {
    rec.required = el.required;
    rec.value = [...el.selectedOptions].map((option) => trimmed(option.label)).join(', ');
    if (!el.multiple && el.size <= 1) rec.expanded = openSelect(el);
  } else if (tag === 'option') rec.selected = el.selected;
  else if (tag === 'meter' || tag === 'progress') {
    if (tag === 'meter' || el.hasAttribute('value')) rec.value = String(el.value);
  } else if (tag === 'output') rec.value = null;
}

function openSelect(el) {
  try {
    return el.matches(':open');
  } catch {
    return false;
  }
}

function inputState(el, rec) {
  const type = el.type;
  rec.inputType = type;
  if (type === 'checkbox' || type === 'radio') {
    rec.checked = el.indeterminate && type === 'checkbox' ? 'mixed' : String(el.checked);
    rec.required = el.required;
  } else if (TEXT_TYPES.has(type)) textState(el, rec, el.value);
  else if (type === 'range' || type === 'color') rec.value = el.value;
  else if (type === 'file') {
    rec.required = el.required;
    rec.value = [...el.files].map((file) => file.name).join(', ');
  }
}

function textState(el, rec, value) {
  rec.required = el.required;
  rec.readonly = el.readOnly;
  rec.editable = rec.enabled && !el.readOnly;
  rec.hasValue = value !== '';
  rec.password = secret(el);
  if (!rec.password) rec.value = value;
}

function editingState(el, rec) {
  rec.multiline = true;
  rec.readonly = false;
  rec.editable = rec.enabled;
  rec.value = trimmed(el.innerText || '');
  rec.hasValue = rec.value !== '';
}

function headingLevel(el, tag) {
  const level = parseInt(el.getAttribute('aria-level'), 10);
  if (level > 0) return level;
  return /^h[1-6]$/.test(tag) ? Number(tag[1]) : 2;
}

function ariaState(el, tag, role, rec) {
  const is = (name) => el.getAttribute(name);
  const flag = (name) => is(name) === 'true';
  const native = rec.checked !== undefined;
  if (!native && CHECKABLE.has(role) && el.hasAttribute('aria-checked')) rec.checked = tristate(is('aria-checked'), role);
  if (role === 'button' && el.hasAttribute('aria-pressed')) rec.checked = tristate(is('aria-pressed'), 'checkbox');
  if (tag !== 'option' && SELECTABLE.has(role) && el.hasAttribute('aria-selected')) rec.selected = flag('aria-selected');
  const expanded = is('aria-expanded');
  if (expanded === 'true' || expanded === 'false') rec.expanded = expanded === 'true';
  if (flag('aria-required')) rec.required = true;
  if (flag('aria-readonly')) {
    rec.readonly = true;
    rec.editable = false;
  }
  if (flag('aria-multiline')) rec.multiline = true;
  if (RANGES.has(role) && tag !== 'input' && tag !== 'meter' && tag !== 'progress') {
    const value = is('aria-valuetext') || is('aria-valuenow');
    if (value !== null) rec.value = value;
  }
  if (role !== 'heading') {
    const level = parseInt(is('aria-level'), 10);
    if (level > 0) rec.level = level;
  }
}

function tristate(value, role) {
  if (value === 'mixed' && role !== 'radio' && role !== 'switch') return 'mixed';
  return value === 'true' ? 'true' : 'false';
}

// The node's own activation (decisions.md, `hittable`), not hit-test success.
function activation(el, names, role, pointer, parentPointer) {
  if (names.handler || nativeControl(el)) return true;
  if (names.tabindex) {
    const index = parseInt(el.getAttribute('tabindex'), 10);
    if (index >= 0) return true;
  }
  if (WIDGETS.has(role) && (el.localName !== 'option' || rendered(el))) return true;
  return pointer && !parentPointer;
}
