// Fields: what they are, what they hold, and the ways to set what no typing can reach.

const TYPED = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number']);
const SEGMENTED = new Set(['date', 'time', 'datetime-local']);
const SET_ONLY = new Set(['month', 'week', 'color', 'range']);

function kindOf(el) {
  if (el.localName === 'textarea') return 'text';
  if (el.localName === 'select') return 'select';
  if (el.localName === 'input') {
    if (TYPED.has(el.type)) return 'text';
    if (SEGMENTED.has(el.type)) return 'segments';
    if (SET_ONLY.has(el.type)) return 'setter';
    return el.type === 'file' ? 'file' : 'none';
  }
  return el.isContentEditable ? 'rich' : 'none';
}

const richText = (el) => globalThis.__surefoot.richText(el);
const held = (el) => (kindOf(el) === 'rich' ? richText(el) : el.value);

function options(el) {
  return [...el.options].map((option, index) => ({
    index,
    label: (option.label || option.text).replace(/\s+/g, ' ').trim(),
    value: option.value,
    disabled: option.disabled || (option.parentElement?.localName === 'optgroup' && option.parentElement.disabled),
    selected: option.selected,
  }));
}

// The control a press on the element goes to because it lies in that control's label.
const labels = (el) => el.closest('label')?.control ?? null;

function inspect(doc, n, text) {
  const node = resolve(doc, n);
  if (!node) return fail('node_detached');
  const el = elementOf(node);
  const kind = kindOf(el);
  const blocked = obstacle(el);
  const answer = {
    kind,
    type: el.localName === 'input' ? el.type : el.localName,
    blocked,
    readonly: el.readOnly === true || el.getAttribute('aria-readonly') === 'true',
    maxlength: (el.localName === 'textarea' || el.localName === 'input') && el.maxLength >= 0 ? el.maxLength : null,
    multiline: el.localName === 'textarea' || kind === 'rich',
    password: el.localName === 'input' && el.type === 'password',
    multiple: el.multiple === true,
    otherControl: !!labels(el) && kindOf(labels(el)) !== 'file',
  };
  if (kind === 'select') answer.options = options(el);
  if (answer.readonly && kind === 'select') answer.readonly = false;
  if (el.localName === 'input' && text !== null && (kind === 'segments' || kind === 'setter' || el.type === 'number')) {
    // A detached twin says what the field would make of the text.
    const twin = document.createElement('input');
    twin.type = el.type;
    for (const name of ['min', 'max', 'step']) if (el.type === 'range' && el.hasAttribute(name)) twin.setAttribute(name, el.getAttribute(name));
    twin.value = text;
    answer.accepts = twin.value;
  }
  return JSON.stringify(answer);
}

function focusField(doc, n) {
  const node = resolve(doc, n);
  if (!node) return fail('node_detached');
  const el = elementOf(node);
  el.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  el.focus({ preventScroll: true });
  if (deepActive() !== el && kindOf(el) === 'rich') {
    let hostElement = el;
    while (flatParent(hostElement)?.isContentEditable) hostElement = flatParent(hostElement);
    hostElement.focus({ preventScroll: true });
    return JSON.stringify({ focused: deepActive() === hostElement });
  }
  return JSON.stringify({ focused: deepActive() === el });
}

// where: 'all' or 'end'
function place(el, where) {
  if (kindOf(el) === 'rich') {
    const selection = el.ownerDocument.getSelection();
    selection.selectAllChildren(el);
    if (where === 'end') selection.collapseToEnd();
    return;
  }
  if (where === 'all') el.select();
  else {
    try {
      el.setSelectionRange(el.value.length, el.value.length);
    } catch {
      // email and number fields have no caret to place: a focused one stands at the end of its text
    }
  }
}

function ready(doc, n, where) {
  const answer = focusField(doc, n);
  const parsed = JSON.parse(answer);
  if (!parsed.focused) return answer;
  const el = elementOf(resolve(doc, n));
  place(el, where);
  return JSON.stringify({ focused: true, value: held(el) });
}

function value(doc, n) {
  const node = resolve(doc, n);
  return node ? JSON.stringify({ value: held(elementOf(node)) }) : fail('node_detached');
}

function changed(el) {
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
}

function setValue(doc, n, text) {
  const node = resolve(doc, n);
  if (!node) return fail('node_detached');
  const el = elementOf(node);
  el.focus({ preventScroll: true });
  if (el.value !== text) {
    el.value = text;
    changed(el);
  }
  return JSON.stringify({ value: el.value });
}

function setOptions(doc, n, indexes) {
  const el = resolve(doc, n);
  if (!el) return fail('node_detached');
  el.focus({ preventScroll: true });
  [...el.options].forEach((option, index) => (option.selected = indexes.includes(index)));
  changed(el);
  return chosen(doc, n);
}

function open(el) {
  try {
    return el.matches(':open');
  } catch {
    return false; // a browser without :open
  }
}

function chosen(doc, n) {
  const el = resolve(doc, n);
  if (!el) return fail('node_detached');
  const selected = [...el.options].flatMap((option, index) => (option.selected ? [index] : []));
  return JSON.stringify({ selected, open: open(el) });
}

// The focused field of this document, for typing at it; its number, so that it is the same one afterwards.
function focusedField() {
  const el = deepActive();
  if (!el || el === document.body || el === document.documentElement) {
    if (!(document.designMode === 'on')) return 'null';
  }
  if (/^(iframe|frame)$/.test(el.localName)) return JSON.stringify({ frame: true });
  const kind = kindOf(el);
  held_focus = el;
  return JSON.stringify({
    kind,
    blocked: obstacle(el),
    readonly: el.readOnly === true,
    maxlength: el.maxLength >= 0 ? el.maxLength : null,
    multiline: el.localName === 'textarea' || kind === 'rich',
    password: el.type === 'password',
    value: kind === 'none' ? null : held(el),
  });
}

let held_focus = null;
function focusedPlace(where) {
  if (!held_focus || !held_focus.isConnected) return fail('node_detached');
  place(held_focus, where);
  return JSON.stringify({ value: held(held_focus) });
}

const focusedValue = () =>
  held_focus && held_focus.isConnected ? JSON.stringify({ value: held(held_focus) }) : fail('node_detached');

// Whether the focused field's own list or picker is open: it lies above the page and takes the keys, unseen by it.
function picking() {
  const el = deepActive();
  return String(!!el && /^(select|input)$/.test(el.localName) && open(el));
}

// A field of a fresh document that is to have the focus gets it with the first frames: keys are meant for it.
const AUTOFOCUS_WITHIN = 1000;
async function autofocused() {
  const waits = () =>
    now() < AUTOFOCUS_WITHIN && deepActive() === document.body && document.querySelector('[autofocus]:not(:disabled)') !== null;
  while (waits()) await frame();
  return 'true';
}
