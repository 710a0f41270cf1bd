// Computed styles: which are asked for, and the text they generate.

// --- computed -------------------------------------------------------------------------------

function css(el) {
  const own = aside(el);
  if (own.seen !== run.stamp) {
    const live = own.live || (own.live = getComputedStyle(el));
    own.display = live.display;
    own.seen = run.stamp;
  }
  return own;
}

const shown = (el) => css(el).live.visibility === 'visible';

const INLINE = new Set(['inline', 'contents', 'ruby', 'ruby-base', 'ruby-text', '']);

function rendered(el) {
  const display = css(el).display;
  return display !== 'none' && display !== '';
}

// --- what few elements have --------------------------------------------------------------------

// The browser's own style sheet gives no element another visibility than its parent's, an opacity of 0 or an overflow
// that scrolls, but to fields, popovers and modal dialogs; cursors it gives to these (test_see_styles.py).
const OWN_CURSOR = new Set(['button', 'input', 'label', 'select', 'textarea']);

// Whether the cursor is a pointer over an element whose style no rule and no attribute makes unusual.
function usualPointer(el, tag, around) {
  if (tag === 'a' || tag === 'area') return around || nativeControl(el, tag);
  return OWN_CURSOR.has(tag) ? tag === 'input' && el.type === 'image' : around;
}

const UNUSUAL = /cursor|visibility|opacity|overflow|\ball:/;
const MAX_RULES = 64; // more are not looked through
const MAX_UNUSUAL = 16; // with more selectors asking every element is cheaper

// The elements a rule may give a cursor, a visibility, an opacity or an overflow, where all rules are few and plain
// enough to tell; else null, and every element is asked. Rules are read anew for each capture, since a page
// may rewrite one in place. What an inline style, the browser or a parent gives is no matter of rules (walk.js).
function unusual() {
  // What is not inherited from where the walk comes from, or can be animated, cannot be told by rules.
  const plain = run.modal === null && run.roots.length === 1 && run.owners.owned.size === 0;
  if (!plain || document.getAnimations().length) return null;
  const found = { left: MAX_RULES, selectors: [] };
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
    if (!sheet.disabled && !plainSheet(sheet, found)) return null;
  }
  if (!found.selectors.length) return new Set();
  if (found.selectors.length > MAX_UNUSUAL) return null;
  return new Set(document.querySelectorAll(found.selectors.join(',')));
}

function plainSheet(sheet, found) {
  try {
    return plainRules(sheet.cssRules, found);
  } catch {
    return false; // a sheet of another origin
  }
}

function plainRules(rules, found) {
  for (const rule of rules) {
    if (--found.left < 0) return false;
    if (rule instanceof CSSStyleRule) {
      if (rule.cssRules.length) return false;
      if (UNUSUAL.test(rule.style.cssText)) found.selectors.push(rule.selectorText);
    } else if (rule instanceof CSSMediaRule || rule instanceof CSSSupportsRule) {
      if (!plainRules(rule.cssRules, found)) return false;
    } else if (!(rule instanceof CSSKeyframesRule || rule instanceof CSSFontFaceRule)) return false;
  }
  return true;
}

// --- generated content -------------------------------------------------------------------------

const sheetScans = new WeakMap();
// Past this many selectors asking every element is cheaper than matching them.
const MAX_SELECTORS = 32;

// Which elements can have text from ::before or ::after: none, those matching selectors, or any;
// and whether any rule skips content (`content-visibility`), which is else not asked for.
function scanGenerated() {
  const found = { none: true, any: false, '::before': new Set(), '::after': new Set() };
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
      scanRules(rule.cssRules, scan, nested || !grouping(rule));
    }
  }
}

// Whether what is in the rule says by itself which elements it is for.
const grouping = (rule) => rule.selectorText === undefined && !String(rule).includes('Scope');

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
