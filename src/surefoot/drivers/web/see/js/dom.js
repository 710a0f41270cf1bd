// The composed (flat) tree, computed styles and element numbers that all other parts stand on.

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
  return node[ASIDE] || (node[ASIDE] = { n: 0, live: null, display: '', visible: false, seen: 0 });
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

function beginRun() {
  run = {
    stamp: ++stamps,
    replaced: 0, // strings with unpaired surrogates
    cut: 0, // strings over MAX_STRING
    truncated: false,
    deep: false,
    roots: rootsOf(document, []),
    pseudo: null,
    count: 0,
    owners: null,
    modal: null,
    clips: new Map(),
    all: [], // every element's record, in order
    skips: false,
    labels: null,
  };
  run.pseudo = scanStyles();
  run.labels = labelsByControl();
  run.owners = ownership();
  run.modal = topModal();
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

// --- styles ----------------------------------------------------------------------------------

function css(el) {
  const own = aside(el);
  if (own.seen !== run.stamp) {
    const live = own.live || (own.live = getComputedStyle(el));
    own.display = live.display;
    own.visible = live.visibility === 'visible';
    own.seen = run.stamp;
  }
  return own;
}

const INLINE = new Set(['inline', 'contents', 'ruby', 'ruby-base', 'ruby-text', '']);

function rendered(el) {
  const display = css(el).display;
  return display !== 'none' && display !== '';
}

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

const firstOf = (el) => (el.shadowRoot || el).firstChild;

function flatContains(ancestor, node) {
  for (let at = node; at; at = flatParent(at)) if (at === ancestor) return true;
  return false;
}

function rootsOf(node, found) {
  found.push(node);
  for (const el of node.querySelectorAll('*')) if (el.shadowRoot) rootsOf(el.shadowRoot, found);
  return found;
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

// --- generated content -------------------------------------------------------------------------

const sheetScans = new WeakMap();
// Past this many selectors asking every element is cheaper than matching them.
const MAX_SELECTORS = 32;

// Which elements can have text from ::before or ::after: none, those matching selectors, or any;
// and whether any rule skips content (`content-visibility`), which is else not asked for.
function scanStyles() {
  const found = { none: true, any: false, '::before': new Set(), '::after': new Set() };
  run.skips = document.querySelector('[style*="content-visibility"],[hidden="until-found" i]') !== null;
  const selectors = { '::before': [], '::after': [] };
  for (const root of run.roots) {
    const sheets = [...root.styleSheets, ...(root.adoptedStyleSheets || [])];
    for (const sheet of sheets) {
      if (sheet.disabled) continue;
      const scan = scanSheet(sheet);
      if (scan.skips) run.skips = true;
      if (scan.any || (scan.selectors.length && root !== document)) found.any = true;
      for (const [which, selector] of scan.selectors) selectors[which].push(selector);
    }
  }
  for (const which of ['::before', '::after']) {
    if (selectors[which].length > MAX_SELECTORS) found.any = true;
    if (found.any || !selectors[which].length) continue;
    for (const el of document.querySelectorAll(selectors[which].join(','))) found[which].add(el);
  }
  for (const root of run.roots) {
    for (const el of root.querySelectorAll('q')) {
      found['::before'].add(el);
      found['::after'].add(el);
    }
  }
  found.none = !found.any && found['::before'].size === 0 && found['::after'].size === 0;
  return found;
}

function scanSheet(sheet) {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    return { any: true, skips: true, selectors: [] }; // a sheet of another origin: its rules cannot be read
  }
  const known = sheetScans.get(sheet);
  if (known && known.count === rules.length) return known;
  const scan = { any: false, skips: false, selectors: [], count: rules.length };
  scanRules(rules, scan, false);
  sheetScans.set(sheet, scan);
  return scan;
}

function scanRules(rules, scan, nested) {
  for (const rule of rules) {
    if (rule.styleSheet) {
      const inner = scanSheet(rule.styleSheet);
      scan.any ||= inner.any;
      scan.skips ||= inner.skips;
      scan.selectors.push(...inner.selectors);
    }
    if (rule.selectorText !== undefined) scanRule(rule, scan, nested);
    if (rule.cssRules && rule.cssRules.length) {
      scanRules(rule.cssRules, scan, nested || rule.selectorText !== undefined);
    }
  }
}

function scanRule(rule, scan, nested) {
  if (rule.style.contentVisibility) scan.skips = true;
  if (!/:(before|after)/i.test(rule.selectorText)) return;
  const content = rule.style.content;
  if (!content || /^(none|normal|""|''|" +")$/.test(content)) return;
  const selector = rule.selectorText.replace(/::?(before|after)/gi, '');
  try {
    document.querySelector(selector || '*');
    if (nested || selector.includes('&')) scan.any = true;
    else {
      const whole = selector.replace(/(^|[\s>+~,])(?=,|$)/g, '$1*');
      for (const which of ['::before', '::after']) {
        if (rule.selectorText.includes(which.slice(1))) scan.selectors.push([which, whole]);
      }
    }
  } catch {
    scan.any = true;
  }
}

function generated(el, which) {
  const pseudo = run.pseudo;
  if (pseudo.none || (!pseudo.any && !pseudo[which].has(el))) return null;
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (!content || content === 'none' || content === 'normal') return null;
  if (style.display === 'none' || style.visibility !== 'visible') return null;
  const { text, alternative } = contentText(content, el);
  return { text, block: alternative || !INLINE.has(style.display) };
}

// The text of a computed `content` value; what follows a slash is its alternative and wins.
function contentText(content, el) {
  const parts = [[]];
  const token = /"((?:[^"\\]|\\.)*)"|(open|close)-quote|(\/)|[a-z-]+\([^)]*\)|[^\s"]+/gi;
  for (const match of content.matchAll(token)) {
    if (match[3]) parts.push([]);
    else if (match[1] !== undefined) parts[parts.length - 1].push(match[1].replace(/\\(.)/gs, '$1'));
    else if (match[2]) parts[parts.length - 1].push(quotationMark(el, match[2]));
  }
  return { text: parts[parts.length - 1].join(''), alternative: parts.length > 1 };
}

const QUOTES = ['\u201c', '\u201d', '\u2018', '\u2019'];

// The mark for the element's depth of quotation: from `quotes` where a style names them.
function quotationMark(el, which) {
  const named = [...css(el).live.quotes.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1]);
  const marks = named.length > 1 ? named : QUOTES;
  let depth = 0;
  for (let at = flatParent(el); at; at = flatParent(at)) if (at.localName === 'q') depth++;
  const pair = Math.min(depth, marks.length / 2 - 1);
  return marks[2 * pair + (which === 'open' ? 0 : 1)];
}
