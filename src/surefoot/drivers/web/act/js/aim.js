// Where can this very element be hit? Scroll it into view, try points of its own boxes, prove the hit in two
// distinct frames, then arm the gate. Everything that refuses does so here, before any input is sent.

const fail = (reason, more) => JSON.stringify({ fail: reason, ...more });

function boxesOf(node) {
  let boxes;
  if (node.nodeType === 1) {
    boxes = node.localName === 'area' ? [globalThis.__surefoot.areaBox(node)] : [...node.getClientRects()];
    if (!boxes.length) {
      const range = document.createRange();
      range.selectNodeContents(node); // display: contents has only its content's boxes
      if (getComputedStyle(node).display === 'contents') boxes = [...range.getClientRects()];
    }
  } else {
    const range = document.createRange();
    range.selectNodeContents(node);
    boxes = [...range.getClientRects()];
  }
  return boxes.filter((box) => box.width > 0 && box.height > 0);
}

function obstacle(el) {
  if (el.matches(':disabled')) return 'disabled';
  for (let at = el; at; at = flatParent(at)) {
    if (at.inert) return 'inert';
    if (at.getAttribute('aria-disabled') === 'true') return 'disabled';
    if (at !== el && at.localName === 'button' && at.disabled) return 'disabled';
  }
  return null;
}

const width = () => document.documentElement.clientWidth || innerWidth;
const height = () => (document.compatMode === 'BackCompat' ? innerHeight : document.documentElement.clientHeight || innerHeight);

function clip(box) {
  const left = Math.max(0, box.left);
  const top = Math.max(0, box.top);
  const right = Math.min(innerWidth, box.right);
  const bottom = Math.min(innerHeight, box.bottom);
  return right - left > 0 && bottom - top > 0 ? { left, top, width: right - left, height: bottom - top } : null;
}

const SPOTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]];

// { x, y } of a point where el takes the hit (a press: it and no control in it), or { away } / { cover }.
function locate(el, boxes, press) {
  let cover = null;
  let seen = false;
  const clipped = boxes.map(clip).filter(Boolean);
  for (const [fx, fy] of SPOTS) {
    for (const box of clipped.slice(0, 16)) {
      seen = true;
      const x = box.left + box.width * fx;
      const y = box.top + box.height * fy;
      const hit = deepHit(x, y);
      if (!hit) continue;
      if (press ? reaches(el, hit) : within(el, hit)) return { x, y };
      cover = cover || hit;
    }
  }
  return seen ? { cover } : { away: true };
}

// Why another takes the hit: what lies around the element gets it only where the element takes no pointer.
function taken(hit, el) {
  return [hit && within(hit, el) ? 'no_pointer' : 'covered', { by: hit ? describe(hit) : null }];
}

function direction(boxes) {
  const box = boxes[0];
  if (!box) return null;
  if (box.top >= innerHeight) return 'down';
  if (box.bottom <= 0) return 'up';
  if (box.left >= innerWidth) return 'right';
  return box.right <= 0 ? 'left' : null;
}

const print = (boxes) => boxes.map((b) => `${b.x},${b.y},${b.width},${b.height}`).join(';');
const PLACES = ['center', 'end', 'start'];

// Properties whose animation moves nothing: two equal rects tell the truth beside them.
const STILL = /^(offset|computedOffset|easing|composite|opacity|visibility|filter|backdropFilter|color|fill|stroke|boxShadow|textShadow|cursor|outline\w*|background\w*|border\w*Color|textDecoration\w*|caretColor|accentColor)$/;

// Whether a finite animation of the element or of what it lies in moves it, or is about to. One that has not drawn
// its first frame yet, or eases in slowly, shows the same rect twice.
function drifting(el) {
  for (let at = el; at; at = flatParent(at)) {
    for (const animation of at.getAnimations()) {
      if (!animation.pending && !finite(animation)) continue;
      const frames = animation.effect?.getKeyframes?.() || [];
      if (frames.some((keyframe) => Object.keys(keyframe).some((name) => !STILL.test(name)))) return true;
    }
  }
  return false;
}

// The time of the frame that is shown; two samples with the same one are the same frame. A tab that draws none
// must not wait for ever: after a while the clock stands in.
const drawn = (began) => (now() - began > 400 ? now() : document.timeline.currentTime);

// What tells an element from its equals: what it and the small things around it say.
const SIGNS = ['id', 'name', 'value', 'href', 'aria-label', 'title', 'alt', 'placeholder'];
const SMALL = 300;

function signs(el) {
  const out = [];
  for (let at = el, level = 0; at && at !== document.body && level < 6; at = flatParent(at), level += 1) {
    const text = at.textContent;
    if (level && text.length > SMALL) break;
    out.push(...SIGNS.map((name) => at.getAttribute(name)), text.slice(0, 2000));
  }
  return JSON.stringify(out);
}

// An option of a closed list has no box of its own: it is chosen through its list.
function listed(el) {
  const list = el.localName === 'option' && el.closest('select');
  return list ? { list: globalThis.__surefoot.number(list), option: el.index } : {};
}

// The check box or radio button that a press on el switches: itself, or the one its label passes the press on to.
function switchOf(el) {
  for (let at = el; at; at = flatParent(at)) {
    const control = at.localName === 'label' ? at.control : at;
    if (control?.localName === 'input' && /^(checkbox|radio)$/.test(control.type)) return control;
    if (at.matches('label,input,select,textarea,button,a[href],summary')) return null;
  }
  return null;
}

// Whether the element's switch is on; null when it has none.
function switched(doc, n) {
  const node = resolve(doc, n);
  const control = node && switchOf(elementOf(node));
  return JSON.stringify(control ? control.checked : null);
}

async function aim(doc, n, { token, mode, ttl, scroll, enabled, patience, asSeen }) {
  const began = now();
  const until = began + patience;
  let before = null;
  let shown = null;
  let tries = 0;
  let was = null;
  for (;;) {
    const node = resolve(doc, n);
    if (!node) return fail('node_detached');
    const el = elementOf(node);
    // A list that keeps few nodes for many rows gives this one to another row when it is scrolled or told to.
    // Whether it is the one that was resolved is then for the caller to find out, on a new look.
    if (asSeen > 2 && was === null && globalThis.__surefoot.mutated()) return fail('brought_into_view');
    if (asSeen > 1 || (asSeen && tries)) {
      const is = signs(el);
      if (was === null) was = is;
      else if (is !== was) return fail('brought_into_view');
    }
    const blocked = enabled && obstacle(el);
    if (blocked) return fail(blocked);
    let boxes = boxesOf(node);
    let found = locate(el, boxes, enabled);
    if (found.x === undefined && el.labels && el.labels.length && /^(checkbox|radio|file)$/.test(el.type)) {
      // A control drawn by its label is hit through the label.
      const drawn = [...el.labels].flatMap((label) => [...label.getClientRects()]).filter((b) => b.width > 0 && b.height > 0);
      const through = locate(el, drawn, true);
      if (through.x !== undefined || !boxes.length) {
        boxes = drawn;
        found = through;
      }
    }
    const shape = print(boxes);
    if (boxes.length && found.x === undefined && scroll && tries < PLACES.length) {
      laidOut(el).scrollIntoView({ block: PLACES[tries], inline: 'center', behavior: 'instant' });
      tries += 1;
      before = null;
      await frame();
      continue;
    }
    const time = drawn(began);
    if (before === shape && time !== shown && (now() > until - 500 || !drifting(el))) {
      if (!boxes.length) return fail('zero_size', listed(el));
      if (found.away) return fail('offscreen', { direction: direction(boxes) });
      if (found.x === undefined) return fail(...taken(found.cover, el));
      if (asSeen && tries) return fail('brought_into_view');
      arm(token, mode, el, ttl, asSeen > 1 ? was : null);
      const frameElement = /^(iframe|frame|object|embed|fencedframe)$/.test(el.localName);
      const control = switchOf(el);
      const toggles = !!control && (control.type === 'checkbox' || !control.checked);
      return JSON.stringify({ x: found.x, y: found.y, frameElement, on: toggles ? control.checked : null });
    }
    before = shape;
    shown = time;
    if (now() > until) return fail('moving');
    await frame();
  }
}

// The point (x, y) of the frame that `n` owns, in this document's viewport; the frame must take the hit there.
async function host(doc, n, x, y, { token, ttl, scroll, patience }) {
  const until = now() + patience;
  let before = null;
  let tries = 0;
  for (;;) {
    const el = resolve(doc, n);
    if (!el) return fail('node_detached');
    const box = el.getBoundingClientRect();
    if (!(box.width > 0 && box.height > 0)) return fail('zero_size');
    const style = getComputedStyle(el);
    const sx = el.offsetWidth ? box.width / el.offsetWidth : 1;
    const sy = el.offsetHeight ? box.height / el.offsetHeight : 1;
    const px = box.left + (el.clientLeft + parseFloat(style.paddingLeft) + x) * sx;
    const py = box.top + (el.clientTop + parseFloat(style.paddingTop) + y) * sy;
    const inside = px >= 0 && py >= 0 && px < innerWidth && py < innerHeight;
    const shape = print([box]);
    if (!inside && scroll && tries < 2) {
      if (tries === 0) el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      else scrollBy({ left: px - innerWidth / 2, top: py - innerHeight / 2, behavior: 'instant' });
      tries += 1;
      before = null;
      await frame();
      continue;
    }
    if (before === shape) {
      if (!inside) return fail('offscreen', { direction: direction([{ left: px, right: px, top: py, bottom: py }]) });
      const hit = deepHit(px, py);
      if (hit !== el) return fail(...taken(hit, el));
      arm(token, 'none', null, ttl);
      return JSON.stringify({ x: px, y: py });
    }
    before = shape;
    if (now() > until) return fail('moving');
    await frame();
  }
}

// Whether the element is anywhere under a point: where a drag is let go.
function under(doc, n, x, y) {
  const node = resolve(doc, n);
  if (!node) return 'null';
  const el = elementOf(node);
  const stack = [];
  const collect = (root) => {
    for (const at of root.elementsFromPoint(x, y)) {
      stack.push(at);
      if (at.shadowRoot && at.shadowRoot !== root && stack.length < 500) collect(at.shadowRoot);
    }
  };
  collect(document);
  return JSON.stringify(stack.some((at) => within(el, at)));
}
