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
const held = (el) => (kindOf(el) === 'rich' ? richText(el) : String(el.value ?? ''));

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
  laidOut(el).scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  el.focus({ preventScroll: true });
  if (deepActive() !== el && kindOf(el) === 'rich') {
    let hostElement = el;
    while (flatParent(hostElement)?.isContentEditable) hostElement = flatParent(hostElement);
    hostElement.focus({ preventScroll: true });
    return JSON.stringify({ focused: deepActive() === hostElement });
  }
  return JSON.stringify({ focused: deepActive() === el });
}

// where: 'all', 'end', or anything else to leave the caret where it is
function place(el, where) {
  const kind = kindOf(el);
  if (!/^(all|end)$/.test(where) || kind === 'none') return;
  if (kind === 'rich') {
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

// Focus the element, place its caret, and tell of what goes into it from here on under `token`.
const TEXT_TTL = 3600000; // it stops nothing, and the next gate takes its place
function ready(doc, n, where, token) {
  const answer = n === 0 ? '{"focused":true}' : focusField(doc, n);
  if (!JSON.parse(answer).focused) return answer;
  const node = resolve(doc, n);
  if (!node) return fail('node_detached');
  const el = elementOf(node);
  place(el, where);
  arm(token, 'text', el, TEXT_TTL);
  if (where === 'all' && n !== 0) gate.only = el; // text that is put in place of what this field holds is for no other
  gate.withhold = where === 'parts';
  gate.after = new Map(fieldsAfter(el).map((at) => [at, at.value]));
  return JSON.stringify({ focused: true, value: held(el) });
}

// What the field holds, and what the fields hold that text went on to from there: the page moved the focus while
// typing, or spread the text by itself.
function value(doc, n) {
  const node = resolve(doc, n);
  if (!node) return fail('node_detached');
  const el = elementOf(node);
  const onward = new Set(gate?.fields);
  onward.delete(el);
  for (const [at, before] of gate?.after || []) if (at.value !== before) onward.add(at);
  const fields = [...onward].filter((at) => at.isConnected && kindOf(at) === 'text');
  return JSON.stringify({ value: held(el), onward: fields.map((at) => at.value) });
}

// The text fields that come after one in its form, or else its tree.
function fieldsAfter(el) {
  if (kindOf(el) !== 'text') return [];
  const all = [...(el.form?.elements || el.getRootNode().querySelectorAll('input'))];
  return all.slice(all.indexOf(el) + 1, all.indexOf(el) + 65).filter((at) => kindOf(at) === 'text');
}

// Fields this short in a row are boxes for the parts of one text (a code, a card number, a date).
const BOX = 6;
const isBox = (el) => el.localName === 'input' && el.maxLength > 0 && el.maxLength <= BOX;

// How many more characters go into the boxes that follow this one.
function roomAfter(el) {
  if (!isBox(el)) return 0;
  let room = 0;
  for (const at of fieldsAfter(el)) {
    if (!isBox(at)) break;
    room += at.maxLength;
  }
  return room;
}

// Whether there is room for another character where the focus is, or soon will be: a box that is full hands it on.
const HAND_ON = 400;
async function goesOn() {
  const until = now() + HAND_ON;
  for (;;) {
    const el = deepActive();
    const selected = el && el.selectionEnd - el.selectionStart;
    if (el && kindOf(el) === 'text' && (el.maxLength < 0 || el.value.length - selected < el.maxLength)) return 'true';
    if (now() > until) return 'false';
    await frame();
  }
}

function changed(el) {
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
}

// The next stroke completes a value that is typed in parts: the page hears of it.
function last(doc, n) {
  if (!resolve(doc, n)) return fail('node_detached');
  if (gate) gate.withhold = false;
  return '{}';
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
  return chosenOf(el); // also where the page has taken it away by now
}

function open(el) {
  try {
    return el.matches(':open');
  } catch {
    return false; // a browser without :open
  }
}

// What is chosen; with a token, what is chosen from here on is told under it.
function chosen(doc, n, token = null) {
  const el = resolve(doc, n);
  if (!el) return fail('node_detached');
  if (token) arm(token, 'text', el, TEXT_TTL);
  return chosenOf(el);
}

function chosenOf(el) {
  const selected = [...el.options].flatMap((option, index) => (option.selected ? [index] : []));
  return JSON.stringify({ selected, open: open(el) });
}

// What the focused element is, for typing at it; from now on it has the number 0.
function focusedField() {
  const el = deepActive();
  if (!el || el === document.body || el === document.documentElement) {
    if (!(document.designMode === 'on')) return 'null';
  }
  if (/^(iframe|frame)$/.test(el.localName)) return JSON.stringify({ frame: true });
  focusedOne = el;
  const kind = kindOf(el);
  return JSON.stringify({
    kind: kind === 'none' ? ownText(el) : kind,
    blocked: obstacle(el),
    readonly: el.readOnly === true || el.getAttribute('aria-readonly') === 'true',
    maxlength: el.maxLength >= 0 ? el.maxLength : null,
    roomAfter: roomAfter(el),
    multiline: el.localName === 'textarea' || kind === 'rich',
    password: el.type === 'password',
    value: held(el),
  });
}

// Text for what is no field of the browser's: 'keys' by a role that takes text, 'opaque' where the field may be in
// a closed shadow root (its host has the focus without being able to), else 'none'.
function ownText(el) {
  if (!/^(input|select|button|a|area|summary)$/.test(el.localName)) {
    const role = roleOf(el);
    const holds = typeof el.value === 'string' || el.hasAttribute('aria-valuenow') || el.hasAttribute('aria-valuetext');
    if (/^(textbox|searchbox)$/.test(role) || (/^(combobox|spinbutton)$/.test(role) && holds)) return 'keys';
    if (!el.shadowRoot && (el.localName.includes('-') || (el.tabIndex < 0 && !el.hasAttribute('tabindex')))) return 'opaque';
  }
  return 'none';
}

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
