// Has anything changed? A counter of mutations, and a fingerprint of what mutation records miss (web.md).

const documentId = `${Math.floor(performance.timeOrigin).toString(36)}${Math.random().toString(36).slice(2, 8)}`;
let changes = 0;
let changesSeen = 0; // how many of them the last capture saw
let sample = []; // elements whose boxes stand for the layout of the last capture
let scrollers = [];
let watched = [];
const observed = new WeakSet();
const observer = new MutationObserver((records) => {
  changes += records.length;
});

function observeRoots(roots) {
  for (const root of roots) {
    if (observed.has(root)) continue;
    observed.add(root);
    changes++;
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }
}

// Whether the document was changed since it was captured last.
function mutated() {
  changes += observer.takeRecords().length;
  return changes !== changesSeen;
}

const SAMPLE = 64;

// Returns the boxes of the sample.
function rememberScreen() {
  changes += observer.takeRecords().length;
  changesSeen = changes;
  scrollers = [];
  watched = run.watched;
  const shown = [];
  for (const rec of run.all) {
    if (rec.more && rec.more.scroll) scrollers.push(rec.node);
    if (!rec.drop && rec.hittable && rec.own !== null) shown.push(rec);
  }
  const step = Math.max(1, Math.ceil(shown.length / SAMPLE));
  const chosen = shown.filter((_, i) => i % step === 0);
  sample = chosen.map((rec) => rec.node);
  return chosen.map((rec) => rec.own);
}

function hash(h, text) {
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h;
}

// `<document>.<mutations>.<fingerprint>`, with `*` behind it while an animation runs.
function state(boxes = sample.map((el) => el.getBoundingClientRect())) {
  changes += observer.takeRecords().length;
  observeRoots(knownRoots());
  let h = 0x811c9dc5;
  const parts = [location.href, document.title, document.readyState, innerWidth, innerHeight, devicePixelRatio];
  parts.push(scrollX, scrollY, document.fonts.size, document.fonts.status);
  const page = document.documentElement;
  if (page) parts.push(page.scrollWidth, page.scrollHeight);
  for (const root of roots) {
    for (const sheet of [...root.styleSheets, ...(root.adoptedStyleSheets || [])]) parts.push(sheetPrint(sheet));
  }
  for (const el of watched) parts.push(controlPrint(el));
  for (const el of scrollers) parts.push(el.scrollLeft, el.scrollTop);
  for (const box of boxes) parts.push(box.x, box.y, box.width, box.height);
  parts.push(numberOf(activeElement()), hovered(), numberOf(document.fullscreenElement));
  const animations = document.getAnimations();
  const running = animations.some((animation) => animation.playState === 'running');
  parts.push(animations.length);
  h = hash(h, parts.join('|'));
  return `${documentId}.${changes}.${(h >>> 0).toString(36)}${running ? '*' : ''}`;
}

function sheetPrint(sheet) {
  let count = -1;
  try {
    count = sheet.cssRules.length;
  } catch {
    // another origin's sheet: only whether it applies can be seen
  }
  return `${count}${sheet.disabled ? 'd' : ''}${sheet.media.mediaText}`;
}

// The length of a password stands for it; nothing of its characters goes into the fingerprint.
function controlPrint(el) {
  switch (el.localName) {
    case 'input':
      return `${hash(0, secretNow(el) ? `#${el.value.length}` : el.value)}${el.checked}${el.indeterminate}${el.validity.valid}`;
    case 'select': {
      let chosen = `${el.selectedIndex}`;
      if (el.multiple) for (const option of el.selectedOptions) chosen += `,${option.index}`;
      return chosen + el.validity.valid;
    }
    case 'textarea':
      return `${hash(0, el.value)}${el.validity.valid}`;
    case 'img':
      return `${el.complete}${el.naturalWidth}`;
    default:
      return `${el.matches(':popover-open')}`;
  }
}

const secretNow = (el) => el.type === 'password' || secrets.has(el);

// What the pointer rests on: style rules for it change the screen without a mutation.
function hovered() {
  if (!document.documentElement?.matches(':hover')) return 0;
  const chain = document.querySelectorAll(':hover');
  return chain.length ? number(chain[chain.length - 1]) : 0;
}

observeRoots([document]);
