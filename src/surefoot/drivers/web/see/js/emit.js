// From records to what leaves the page: columns for what every node has, pairs for what few have.

// node -> its index in the last capture, for questions about that capture.
let indexOf = new WeakMap();

const FLAGS = {
  enabled: 1, visible: 2, hittable: 4, editable: 8, focused: 16, required: 32, readonly: 64,
  password: 128, hasValue: 256, multiline: 512,
};
const CHECKED = { false: 1, true: 2, mixed: 3 };

function flagsOf(rec) {
  let flags = 0;
  if (rec.enabled) flags |= 1;
  if (rec.visible) flags |= 2;
  if (rec.hittable) flags |= 4;
  if (rec.role === 'text') return flags;
  for (const name in FLAGS) if (rec[name]) flags |= FLAGS[name];
  if (rec.selected !== undefined) flags |= rec.selected ? 0xc00 : 0x400;
  if (rec.expanded !== undefined) flags |= rec.expanded ? 0x3000 : 0x1000;
  if (rec.checked !== undefined) flags |= CHECKED[rec.checked] << 14;
  if (rec.author && rec.author === rec.label) flags |= 0x10000;
  return flags;
}

const round = (x) => Math.round(x * 100) / 100;

function flatten(root) {
  const flat = [];
  const stack = [[root, -1]];
  while (stack.length) {
    const [rec, parent] = stack.pop();
    let at = parent;
    if (!rec.drop) {
      rec.index = flat.length;
      rec.up = parent;
      flat.push(rec);
      at = rec.index;
    }
    for (let i = rec.children.length - 1; i >= 0; i--) stack.push([rec.children[i], at]);
  }
  return flat;
}

function emit(root) {
  const flat = flatten(root);
  const roles = new Map();
  const out = { parent: [], role: [], num: [], flags: [], label: [], rect: [] };
  const few = { author: [], value: [], ids: [], level: [], extents: [], covered: [], opaque: [], input: [], frame: [] };
  indexOf = new WeakMap();
  for (const rec of flat) {
    const i = rec.index;
    if (!roles.has(rec.role)) roles.set(rec.role, roles.size);
    out.parent.push(rec.up);
    out.role.push(roles.get(rec.role));
    out.num.push(rec.n);
    out.flags.push(flagsOf(rec));
    out.label.push(rec.label);
    const box = rec.rect;
    if (box && (box.width || box.height)) out.rect.push(round(box.x), round(box.y), round(box.width), round(box.height));
    else out.rect.push(0, 0, -1, -1);
    if (rec.ids) few.ids.push([i, idsOf(rec)]);
    if (rec.role === 'text') continue;
    indexOf.set(rec.node, i);
    if (rec.author && rec.author !== rec.label) few.author.push([i, rec.author]);
    if (typeof rec.value === 'string') few.value.push([i, rec.value]);
    if (rec.level) few.level.push([i, rec.level]);
    if (rec.scroll) few.extents.push([i, rec.scroll.map(round)]);
    if (rec.covered) few.covered.push([i, rec.covered.index]);
    if (rec.opaque) few.opaque.push([i, rec.opaque]);
    if (rec.inputType) few.input.push([i, rec.inputType]);
    if (rec.frame) few.frame.push([i, rec.n, rec.frame]);
  }
  return { roles: [...roles.keys()], ...out, ...few };
}

// Id candidates in the configured order, the DOM id last; which are accepted is decided outside.
function idsOf(rec) {
  const el = rec.idsOf || rec.node;
  const found = [];
  for (const name of run.testIds) if (rec.ids.includes(name)) found.push(clean(el.getAttribute(name)));
  if (rec.ids.includes('id')) found.push(clean(el.getAttribute('id')));
  return found;
}

function capture(options) {
  if (!document.documentElement) return JSON.stringify(null);
  beginRun();
  run.testIds = new Set(options.testIds);
  run.recs = new Map();
  try {
    const root = (run.root = walkDocument());
    markCovered([...run.recs.values()]);
    const body = emit(root);
    if (nodes.size > 2 * body.num.length + 1000) sweepDetached();
    rememberScreen(run.recs);
    const scroller = document.scrollingElement || document.documentElement;
    return JSON.stringify({
      url: location.href,
      title: clean(document.title),
      ready: document.readyState,
      viewport: [innerWidth, innerHeight],
      scroll: [
        scrollX, scrollY,
        Math.max(0, scroller.scrollWidth - scroller.clientWidth),
        Math.max(0, scroller.scrollHeight - scroller.clientHeight),
      ].map(round),
      state: state(),
      active: run.active ? numbers.get(run.active) || 0 : 0,
      replaced: run.replaced,
      cut: run.cut,
      truncated: run.truncated,
      deep: run.deep,
      ...body,
    });
  } finally {
    run = null;
  }
}
