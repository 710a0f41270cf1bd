// The composed (flat) tree and the element numbers that all other parts stand on.

const MAX_NODES = 100000; // decisions.md, "bounds"
const MAX_DEPTH = 1000; // levels of the flat tree walked
const MAX_STRING = 10000; // UTF-16 units of one label or value
const HTML_NS = 'http://www.w3.org/1999/xhtml';
const SVG_NS = 'http://www.w3.org/2000/svg';
const MATH_NS = 'http://www.w3.org/1998/Math/MathML';

// --- numbers: the same node keeps its number as long as its document lives ------------------

// What this world keeps beside a node is a property of the node's wrapper here: no page script can see it.
// `n` is the node's number; `live` its computed style, which stays current; the rest holds for one capture.
const ASIDE = Symbol('aside');

function aside(node) {
  return node[ASIDE] || (node[ASIDE] = { n: 0, live: null, display: '', seen: 0, closed: false });
}

const numberOf = (node) => (node && node[ASIDE] ? node[ASIDE].n : 0);

const pseudoNumbers = new WeakMap();
const nodes = new Map();
let nextNumber = 1;
let swept = false; // whether numbers may lead nowhere until their nodes are met again

function number(node) {
  const own = aside(node);
  if (own.n === 0) nodes.set((own.n = nextNumber++), node);
  else if (swept) nodes.set(own.n, node);
  return own.n;
}

// Generated text (::before, ::after) has no node of its own: it gets a number that leads to its element.
function pseudoNumber(el, which) {
  let own = pseudoNumbers.get(el);
  if (!own) pseudoNumbers.set(el, (own = {}));
  if (own[which] === undefined) own[which] = nextNumber++;
  nodes.set(own[which], el);
  return own[which];
}

function nodeOf(n) {
  const node = nodes.get(n);
  return node && node.isConnected ? node : null;
}

function elementOf(n) {
  const node = nodeOf(n);
  return node && node.nodeType === 3 ? flatParent(node) : node;
}

function sweepDetached() {
  for (const [n, node] of nodes) {
    if (node.isConnected) continue;
    nodes.delete(n);
    swept = true;
  }
}

// --- per-capture state -----------------------------------------------------------------------

// Everything remembered for the length of one capture only; `begin` makes it new.
let run = null;
let stamps = 0;

function beginRun(roots, options) {
  run = {
    stamp: ++stamps,
    replaced: 0, // strings with unpaired surrogates
    cut: 0, // strings over MAX_STRING
    truncated: false,
    deep: false,
    roots, // the document, and every open shadow root met in it
    unknown: [], // shadow roots the walk met that are not among them
    width: innerWidth,
    height: innerHeight,
    pseudo: null,
    count: 0,
    owners: null,
    modal: null,
    clips: new Map(),
    hosts: [], // numbers of what may have a closed shadow root, which only the protocol tells
    mapped: new Set(), // areas met at their image
    all: [], // every element's record, in order
    watched: [], // elements that can change without a mutation (watch.js)
    few: null, // elements whose style a rule may make unusual; null: any may be
    skips: false, // whether a rule skips content
    labels: null,
    testIds: new Set(options.testIds),
  };
  run.pseudo = scanGenerated();
  run.labels = labelsByControl();
  run.owners = ownership();
  run.modal = topModal();
  run.few = unusual();
}

function clean(text) {
  if (!text) return '';
  if (!text.isWellFormed()) {
    run.replaced++;
    text = text.toWellFormed();
  }
  if (text.length > MAX_STRING) {
    run.cut++;
    text = text.slice(0, MAX_STRING).toWellFormed();
  }
  return text;
}

const BLANKS = /[\t\n\r\f]|  /;
const collapse = (text) => (BLANKS.test(text) ? text.replace(/[ \t\n\r\f]+/g, ' ') : text);
const trimmed = (text) => collapse(text).trim();

// --- flat tree ---------------------------------------------------------------------------------

function flatParent(node) {
  if (node.assignedSlot) return node.assignedSlot;
  const parent = node.parentNode;
  if (!parent) return null;
  if (parent.nodeType === 11) return parent.host || null;
  return parent.nodeType === 1 ? parent : null;
}

// The nodes a slot shows instead of its own children; null when they are siblings from `firstOf` on.
function assignedTo(el) {
  const assigned = el.assignedNodes();
  return assigned.length ? assigned : null;
}

const firstOf = (el) => (shadowOf(el) || el).firstChild;

function flatContains(ancestor, node) {
  for (let at = node; at; at = flatParent(at)) if (at === ancestor) return true;
  return false;
}

// Shadow roots are met while walking; what a root brings (labels, styles, owners) is asked for before that, so
// a walk that met new ones is done again with them.
// What is laid out nowhere is not walked: its roots are only met by `meetRoots`.
const roots = new Set([document]);

function knownRoots() {
  for (const root of roots) if (!root.isConnected) roots.delete(root);
  return [...roots];
}

function meetRoots(root) {
  roots.add(root);
  for (const el of root.querySelectorAll('*')) if (el.shadowRoot) meetRoots(el.shadowRoot);
}

function shadowOf(el) {
  const root = el.shadowRoot;
  if (root !== null && !roots.has(root)) {
    roots.add(root);
    run.unknown.push(root);
  }
  return root;
}

function idRef(el, id) {
  const root = el.getRootNode();
  return root.getElementById ? root.getElementById(id) : null;
}

// Elements an IDREF-list attribute names; falls back to element reflection when it is set by script.
function references(el, attribute, reflected) {
  const value = el.getAttribute(attribute);
  if (value === null) return [];
  const found = [];
  for (const id of value.trim().split(/\s+/)) {
    const target = id && idRef(el, id);
    if (target) found.push(target);
  }
  if (!found.length && value === '' && el[reflected]) found.push(...el[reflected]);
  return found;
}

// --- aria-owns -----------------------------------------------------------------------------------

// owned element -> its owner, and owner -> the elements it owns, in order; first claim wins.
function ownership() {
  const owner = new Map();
  const owned = new Map();
  for (const root of run.roots) {
    for (const el of root.querySelectorAll('[aria-owns]')) {
      const list = [];
      for (const target of references(el, 'aria-owns', 'ariaOwnsElements')) {
        if (owner.has(target) || flatContains(target, el) || ownsBack(owner, target, el)) continue;
        owner.set(target, el);
        list.push(target);
      }
      if (list.length) owned.set(el, list);
    }
  }
  return { owner, owned };
}

function ownsBack(owner, target, el) {
  for (let at = el; at; at = owner.get(at) || flatParent(at)) if (at === target) return true;
  return false;
}

// --- labels ---------------------------------------------------------------------------------------

// control -> its label elements in order. (`control.labels` would search the whole tree for each.)
function labelsByControl() {
  const found = new Map();
  for (const root of run.roots) {
    for (const label of root.querySelectorAll('label')) {
      const control = label.control;
      if (!control) continue;
      const known = found.get(control);
      if (known) known.push(label);
      else found.set(control, [label]);
    }
  }
  return found;
}

// --- modality -----------------------------------------------------------------------------------

// The modal dialog (or fullscreen element) that makes the rest inert: of several the one with focus.
function topModal() {
  const open = [...document.querySelectorAll('dialog:modal')];
  if (!open.length) return null;
  const active = document.activeElement;
  const focused = open.filter((dialog) => dialog.contains(active));
  const among = focused.length ? focused : open;
  return among[among.length - 1];
}
