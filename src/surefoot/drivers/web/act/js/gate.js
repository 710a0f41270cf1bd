// The gate: one permanent capture listener that proves where input went and stops what went elsewhere.
//
// While it is armed for a node, a pointer event whose composed path lacks the node is stopped before the
// page can see it, and so is the rest of that gesture. It is armed for one gesture only and by itself
// gives up after its time, so that it never swallows somebody's next click.

const GUARDED = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'];
const WATCHED = ['pointermove', 'mousemove', 'pointerover', 'mouseover', 'keydown', 'beforeinput', 'input', 'change', 'submit', 'invalid'];
const DRAGS = new Set(['dragstart', 'drop', 'dragend']); // of the browser's own drag and drop
const MOVES = new Set(['pointermove', 'mousemove', 'pointerover', 'mouseover']);
const KEYS = new Set(['keydown', 'beforeinput', 'input']);
let gate = null;
// Whether the last press clicked on what is no field and changed nothing in the document.
let unanswered = false;

const holds = (el) => el.matches('input:not([type=button], [type=submit], [type=reset], [type=image]), textarea, select, label');
const saves = (at) => at.localName === 'a' && at.hasAttribute('download') && !!at.href;

// mode: 'node' (only el may get it), 'none' (nothing here may), 'any' (just tell), 'keys' (tell of keys),
// 'text' (which fields text goes into), 'down' (a drag: only the press is guarded)
// says: what el said when it was aimed at; where the first event finds it saying another thing, none gets through
function arm(token, mode, el, ttl, says = null) {
  disarm();
  gate = { token, mode, el, says, until: now() + ttl, seen: {}, blocked: null, free: false, mutated: false, observer: null };
  gate.passedOn = []; // controls a click on their label has been told to
  gate.fields = new Set(); // what text went into
  gate.withhold = false; // whether the page is not to hear yet of what goes into el
  gate.only = null; // what keys are for; those for anything else are stopped
  gate.onto = undefined; // what a drag is for; undefined: whatever is at its end
  // A page that calls document.open() in answer to one event of the gesture must not meet the next one unguarded.
  gate.emptied = new MutationObserver(listen);
  gate.emptied.observe(document, { childList: true });
  if (mode === 'node') {
    const armed = gate;
    gate.observer = new MutationObserver(() => (armed.mutated = true));
  }
  listen();
}

function disarm(token) {
  if (!gate || (token && gate.token !== token)) return 'null';
  const { seen, blocked } = gate;
  gate.observer?.disconnect();
  gate.emptied.disconnect();
  unanswered = !!seen.click && gate.mode === 'node' && !holds(gate.el) && !gate.mutated && !gate.observer.takeRecords().length;
  gate = null;
  return JSON.stringify({ seen, blocked });
}

// document.open() takes listeners away with everything else; adding a present one again changes nothing. The
// first document of a window made by script shares its window, and this world, with the next one: the listeners
// are still there then but are never called, until they are taken away and added again.
let listeningFor = null;
function listen() {
  const renewed = listeningFor !== null && listeningFor !== document;
  listeningFor = document;
  for (const type of [...GUARDED, ...WATCHED, ...DRAGS]) {
    if (renewed) removeEventListener(type, guard, { capture: true });
    addEventListener(type, guard, { capture: true, passive: false });
  }
}

// The click the browser itself makes on a control follows the one its label got, and is part of that.
const controlsOf = (path) => path.filter((at) => at.localName === 'label' && at.control).map((at) => at.control);

const around = (path, el) => path.some((at) => at === el || (at.localName === 'label' && at.control === el));

function guard(event) {
  const g = gate;
  if (!g) return;
  if (event.type === 'click' && event.composedPath().some(saves)) note(g, 'download'); // a script may click on it too
  if (!event.isTrusted) return;
  if (now() > g.until) {
    disarm();
    return;
  }
  const { type } = event;
  if (type === 'submit') {
    note(g, type); // the navigation it may begin comes with a later task
    return;
  }
  const path = event.composedPath();
  if (type === 'click' || (type === 'keydown' && event.key === 'Enter')) g.sends = sentBy(path, type);
  if (type === 'invalid') {
    if (g.sends && path[0].form === g.sends) tell({ t: g.token, k: 'seen', e: type, ...heldBack(path[0]) });
    return;
  }
  if (g.withhold && path[0] === g.el && (type === 'input' || type === 'change')) {
    event.stopImmediatePropagation();
    return;
  }
  if (type === 'change') return;
  if (KEYS.has(type)) {
    if (g.only && type === 'keydown' && !typesInto(g.only, path)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (!g.blocked) {
        g.blocked = { at: type, by: path[0].nodeType === 1 ? described(path[0]) : null };
        tell({ t: g.token, k: 'blocked', ...g.blocked });
      }
      return;
    }
    if (g.mode === 'keys') note(g, type);
    else if (g.mode === 'text' && type === 'input' && !g.fields.has(path[0])) {
      g.fields.add(path[0]);
      note(g, type);
    }
    return;
  }
  if (g.mode === 'keys' || g.mode === 'text') return;
  if (DRAGS.has(type)) {
    dragged(g, event, path);
    return;
  }
  // The page may answer the pointer that arrives by making another thing of el: it is asked again before the press.
  if (g.says !== null && !g.blocked) {
    if (signs(g.el) !== g.says) {
      g.blocked = { at: type, changed: true };
      tell({ t: g.token, k: 'blocked', ...g.blocked });
    } else if (!MOVES.has(type)) g.says = null;
  }
  if (g.blocked && MOVES.has(type)) return;
  const mine = g.mode === 'any' || (g.el !== null && (MOVES.has(type) ? around(path, g.el) : reaches(g.el, path[0])));
  if (MOVES.has(type)) {
    if (mine && !g.seen[type]) note(g, type);
    return;
  }
  if (g.mode === 'down' && g.seen.mousedown) {
    note(g, type);
    return;
  }
  // A page that answers the press by capturing the pointer has taken the gesture over on purpose.
  if (!mine && !g.free && !g.blocked && g.seen.pointerdown && event.pointerId !== undefined && captured(event)) g.free = true;
  if (!mine && type === 'click' && !g.blocked && g.passedOn.includes(path[0])) return;
  if (!g.blocked && (mine || g.free)) {
    note(g, type, !mine);
    if (type === 'click') g.passedOn = controlsOf(path);
    if (type === 'pointerdown') {
      g.observer?.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    }
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!g.blocked) {
    const mutated = g.mutated || !!g.observer?.takeRecords().length || (g.el !== null && !g.el.isConnected);
    const hit = path[0];
    g.blocked = { at: type, mutated, by: hit && hit.nodeType === 1 ? describe(hit) : null };
    tell({ t: g.token, k: 'blocked', ...g.blocked });
  }
}

// A drop is for the destination; a page that sorts while dragging has put the dragged element itself there.
function dragged(g, event, path) {
  note(g, event.type);
  if (event.type === 'dragstart') {
    const own = path.some((at) => at.nodeType === 1 && at.getAttribute('draggable') === 'true');
    setTimeout(() => {
      if (event.defaultPrevented) note(g, own ? 'dragrefused' : 'dragcancelled');
      note(g, 'dragdecided');
    });
  } else if (event.type === 'drop' && g.onto !== undefined && !path.includes(g.onto) && !path.includes(g.el)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    g.blocked = { at: 'drop', by: path[0].nodeType === 1 ? describe(path[0]) : null };
    tell({ t: g.token, k: 'blocked', ...g.blocked });
  }
}

// What the drag under way is for: this element, or (null) nothing in this document.
function onto(doc, n, token) {
  const node = doc === null ? null : resolve(doc, n);
  if (doc !== null && !node) return fail('node_detached');
  if (gate && gate.token === token) gate.onto = node && elementOf(node);
  return '{}';
}

// The form a press or Enter may send. A page may check a form whenever it likes, so only what is no field counts.
function sentBy(path, type) {
  if (type === 'click' && path.some((at) => at.nodeType === 1 && holds(at))) return null;
  return path.find((at) => at.form)?.form || path.find((at) => at.localName === 'form') || null;
}

// Why a field holds its form back. What the browser says of a password may count its characters.
function heldBack(el) {
  const secret = el.type === 'password' && !el.validity.valueMissing;
  return { role: roleOf(el), label: captionOf(el), why: secret ? 'its value is not valid.' : el.validationMessage.slice(0, 200) };
}

// Whether a key goes into this field: it has the focus, or the rich text around it has.
const typesInto = (el, path) => path.includes(el) || (path[0].isContentEditable && within(path[0], el));

const described = (el) => ({ role: roleOf(el), label: labelOf(el) });

function captured(event) {
  try {
    return event.target.hasPointerCapture(event.pointerId);
  } catch {
    return false;
  }
}

function note(g, type, taken = false) {
  g.seen[type] = (g.seen[type] || 0) + 1;
  tell({ t: g.token, k: 'seen', e: type, taken });
}
