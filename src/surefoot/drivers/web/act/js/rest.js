// Scrolling with its effect measured, and whether a document has come to rest.

const AXES = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0], top: [0, -1], bottom: [0, 1] };

function scrolls(el, vertical) {
  const style = getComputedStyle(el);
  const page = el === document.scrollingElement;
  const overflow = vertical ? style.overflowY : style.overflowX;
  const room = vertical ? el.scrollHeight - el.clientHeight : el.scrollWidth - el.clientWidth;
  if (room <= 0) return false;
  return page ? overflow !== 'hidden' && overflow !== 'clip' : /^(auto|scroll|overlay)$/.test(overflow);
}

// The container a scroll from this element moves; without one, what fills the middle of the screen.
function container(node, vertical) {
  const page = document.scrollingElement || document.documentElement;
  if (node) {
    for (let at = elementOf(node); at; at = flatParent(at)) {
      if (at !== page && at !== document.body && scrolls(at, vertical)) return at;
    }
    return page;
  }
  if (scrolls(page, vertical)) return page;
  let best = null;
  for (const at of document.elementsFromPoint(innerWidth / 2, innerHeight / 2)) {
    for (let up = at; up; up = flatParent(up)) {
      if (up === page || !scrolls(up, vertical)) continue;
      const area = up.clientWidth * up.clientHeight;
      if (!best || area > best.clientWidth * best.clientHeight) best = up;
      break;
    }
  }
  return best || page;
}

// How far it came is told at once under `token`, before the page hears of it.
async function scroll(doc, n, towards, pixels, token) {
  const node = n === null ? null : resolve(doc, n);
  if (n !== null && !node) return fail('node_detached');
  const [dx, dy] = AXES[towards];
  const el = container(node, dy !== 0);
  const x = el.scrollLeft;
  const y = el.scrollTop;
  if (towards === 'top' || towards === 'bottom') {
    el.scrollTo({ top: towards === 'top' ? 0 : el.scrollHeight, behavior: 'instant' });
  } else el.scrollBy({ left: dx * pixels, top: dy * pixels, behavior: 'instant' });
  const moved = () => {
    const room = { x: el.scrollWidth - el.clientWidth, y: el.scrollHeight - el.clientHeight };
    const position = dy ? el.scrollTop : Math.abs(el.scrollLeft);
    const start = dy ? el.scrollTop <= 0.5 : el.scrollLeft <= Math.min(0, rtlRoom(el)) + 0.5;
    const end = dy ? position >= room.y - 1 : el.scrollLeft >= Math.max(0, room.x + rtlRoom(el)) - 1;
    return { x: el.scrollLeft - x, y: el.scrollTop - y, edge: (dy ? dy < 0 : dx < 0) ? start : end };
  };
  tell({ t: token, k: 'scrolled', ...moved() });
  // Snapping and lists that load while scrolled may still move it: two equal frames, at most ten.
  let last = null;
  for (let i = 0; i < 10; i++) {
    await frame();
    const at = `${el.scrollLeft},${el.scrollTop}`;
    if (at === last) break;
    last = at;
  }
  return JSON.stringify(moved());
}

// How far a right-to-left container scrolls into negative positions.
const rtlRoom = (el) => (getComputedStyle(el).direction === 'rtl' ? el.clientWidth - el.scrollWidth : 0);

// --- settle ------------------------------------------------------------------------------------

let lastChange = -1;
let watching = null;
const roots = new WeakSet();

function watchRoots() {
  const visit = (root) => {
    if (!roots.has(root)) {
      roots.add(root);
      watching.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    }
    for (const el of root.querySelectorAll('*')) if (el.shadowRoot) visit(el.shadowRoot);
  };
  visit(document);
}

function watch() {
  if (!watching) {
    watching = new MutationObserver(() => (lastChange = now()));
    lastChange = now();
  }
  watchRoots();
}

function finite(animation) {
  if (animation.playState !== 'running') return false;
  const timeline = animation.timeline;
  if (timeline && timeline.constructor.name !== 'DocumentTimeline') return false;
  const timing = animation.effect?.getComputedTiming();
  return !!timing && Number.isFinite(timing.endTime) && animation.playbackRate !== 0;
}

// Milliseconds since the last change, and what still moves.
function quiet() {
  const fresh = !watching;
  watch();
  if (watching.takeRecords().length) lastChange = now();
  return JSON.stringify({
    since: fresh ? 0 : now() - lastChange,
    animating: document.getAnimations().some(finite),
    ready: document.readyState,
  });
}
