// From records to what leaves the page: columns for what every node has, pairs for what few have.

const FLAGS = {
  editable: 8, focused: 16, required: 32, readonly: 64, password: 128, hasValue: 256, multiline: 512,
};
const CHECKED = { false: 1, true: 2, mixed: 3 };

function flagsOf(rec) {
  let flags = (rec.enabled ? 1 : 0) | (rec.visible ? 2 : 0) | (rec.hittable ? 4 : 0);
  if (rec.author !== '' && rec.author === rec.label) flags |= 0x10000;
  const state = rec.more;
  if (state === null) return flags;
  for (const name in FLAGS) if (state[name]) flags |= FLAGS[name];
  if (state.selected !== undefined) flags |= state.selected ? 0xc00 : 0x400;
  if (state.expanded !== undefined) flags |= state.expanded ? 0x3000 : 0x1000;
  if (state.checked !== undefined) flags |= CHECKED[state.checked] << 14;
  return flags;
}

const hundredths = (x) => Math.round(x * 100); // integers are shorter and quicker to write and read
const round = (x) => Math.round(x * 100) / 100;

function flatten(root) {
  const flat = [];
  const stack = [root];
  while (stack.length) {
    const rec = stack.pop();
    let at = rec.up;
    if (!rec.drop) {
      at = rec.index = flat.length;
      flat.push(rec);
    } else if (rec.more !== null && rec.more.source) more(flat[at]).source ||= rec.more.source; // a picture
    const children = rec.children;
    if (children === null) continue;
    for (let i = children.length - 1; i >= 0; i--) {
      children[i].up = at;
      stack.push(children[i]);
    }
  }
  return flat;
}

function emit(root) {
  const flat = flatten(root);
  const roles = new Map();
  const out = { up: [], role: [], num: [], flags: [], label: [], x: [], y: [], width: [], height: [] };
  const few = {
    author: [], value: [], ids: [], level: [], extents: [], covered: [], opaque: [], input: [], marks: [], frame: [],
    about: [], source: [], held: [],
  };
  let n = 0; // of the node before, as `x` and `y`: what is near it is told by few digits
  let x = 0;
  let y = 0;
  for (const rec of flat) {
    locate(rec);
    let role = roles.get(rec.role);
    if (role === undefined) roles.set(rec.role, (role = roles.size));
    out.up.push(rec.index - rec.up);
    out.role.push(role);
    out.num.push(rec.n - n);
    n = rec.n;
    out.flags.push(flagsOf(rec));
    out.label.push(rec.label);
    const box = rec.rect;
    if (box !== null && (box.width || box.height)) {
      const left = hundredths(box.x);
      const top = hundredths(box.y);
      out.x.push(left - x);
      out.y.push(top - y);
      x = left;
      y = top;
      out.width.push(hundredths(box.width));
      out.height.push(hundredths(box.height));
    } else {
      out.x.push(0);
      out.y.push(0);
      out.width.push(-1);
      out.height.push(-1);
    }
    if (rec.ids !== null) few.ids.push([rec.index, idsOf(rec)]);
    if (rec.author !== '' && rec.author !== rec.label) few.author.push([rec.index, rec.author]);
    if (rec.more !== null) emitMore(rec.index, rec, rec.more, few);
  }
  return { roles: [...roles.keys()], ...out, ...few };
}

function emitMore(i, rec, state, few) {
  if (typeof state.value === 'string') few.value.push([i, state.value]);
  if (state.level) few.level.push([i, state.level]);
  if (state.scroll) few.extents.push([i, state.scroll.map(round)]);
  if (state.covered) few.covered.push([i, state.covered.index]);
  if (state.opaque) few.opaque.push([i, state.opaque]);
  if (state.inputType) few.input.push([i, state.inputType]);
  if (state.marks && state.marks.length) few.marks.push([i, state.marks]);
  if (state.frame) few.frame.push([i, rec.n, state.frame]);
  if (state.about) few.about.push([i, state.about]);
  if (state.source) few.source.push([i, state.source]);
  if (state.held) few.held.push([i, state.held.flatMap(idsOf)]);
}

// Id candidates in the configured order, the DOM id last; which are accepted is decided outside.
function idsOf(rec) {
  const el = (rec.more && rec.more.idsOf) || rec.node;
  const found = [];
  for (const name of run.testIds) if (rec.ids.includes(name)) found.push(clean(el.getAttribute(name)));
  if (rec.ids.includes('id')) found.push(clean(el.getAttribute('id')));
  return found;
}

function capture(options) {
  if (!document.documentElement) return JSON.stringify(null);
  try {
    do {
      beginRun(knownRoots(), options);
      run.root = walkDocument();
    } while (run.unknown.length);
    captured = run.all;
    records = null;
    markCovered();
    const body = emit(run.root);
    if (nodes.size > 2 * body.num.length + 1000) sweepDetached();
    const boxes = rememberScreen();
    const scroller = document.scrollingElement || document.documentElement;
    return JSON.stringify({
      url: location.href,
      title: clean(document.title),
      ready: document.readyState,
      viewport: [run.width, run.height],
      scroll: [
        scrollX, scrollY,
        Math.max(0, scroller.scrollWidth - scroller.clientWidth),
        Math.max(0, scroller.scrollHeight - scroller.clientHeight),
      ].map(round),
      state: state(boxes),
      active: numberOf(run.active),
      replaced: run.replaced,
      cut: run.cut,
      truncated: run.truncated,
      deep: run.deep,
      hosts: run.hosts,
      ...body,
    });
  } finally {
    run = null;
  }
}
