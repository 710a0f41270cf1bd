// Roles: an author's role where it holds, else what HTML-AAM, SVG-AAM and ARIA in HTML imply.

const ARIA_ROLES = new Set(
  (
    'alert alertdialog application article banner blockquote button caption cell checkbox code ' +
    'columnheader combobox comment complementary contentinfo definition deletion dialog directory ' +
    'document emphasis feed figure form generic grid gridcell group heading img image insertion link ' +
    'list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox ' +
    'menuitemradio meter navigation none note option paragraph presentation progressbar radio ' +
    'radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton ' +
    'status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox ' +
    'time timer toolbar tooltip tree treegrid treeitem'
  ).split(' '),
);

const ROLE_ALIASES = { img: 'image', directory: 'list', presentation: 'none' };

const TAG_ROLES = {
  address: 'group', article: 'article', audio: 'audio', blockquote: 'blockquote', button: 'button',
  canvas: 'canvas', caption: 'caption', code: 'code', datalist: 'listbox', dd: 'definition',
  del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog', dt: 'term', em: 'emphasis',
  embed: 'embed', fieldset: 'group', figcaption: 'caption', figure: 'figure', h1: 'heading',
  h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', hgroup: 'group',
  hr: 'separator', iframe: 'iframe', frame: 'iframe', ins: 'insertion', main: 'main', mark: 'mark',
  math: 'math', menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list', optgroup: 'group',
  output: 'status', p: 'paragraph', progress: 'progressbar', s: 'deletion', search: 'search',
  strong: 'strong', sub: 'subscript', sup: 'superscript', textarea: 'textbox', time: 'time',
  ul: 'list', video: 'video',
};

// Input types without an ARIA role of their own get the nearest one; Node.input_type tells the rest.
const INPUT_ROLES = {
  button: 'button', checkbox: 'checkbox', color: 'button', date: 'textbox', 'datetime-local': 'textbox',
  email: 'textbox', file: 'button', hidden: 'none', image: 'button', month: 'textbox',
  number: 'spinbutton', password: 'textbox', radio: 'radio', range: 'slider', reset: 'button',
  search: 'searchbox', submit: 'button', tel: 'textbox', text: 'textbox', time: 'textbox',
  url: 'textbox', week: 'textbox',
};

const LISTABLE = new Set(['text', 'search', 'tel', 'url', 'email']);
const SECTIONING = 'article,aside,nav,section';
const SECTION_ROLES = new Set(['article', 'complementary', 'main', 'navigation', 'region']);

// Subtrees that are no content.
const SKIPPED = new Set(
  'head script style template noscript link meta title base param source track area col colgroup br wbr'.split(' '),
);
SKIPPED.delete('area');

// ARIA attributes every role has: one of them makes role=none void (ARIA 1.2, presentational conflict).
const GLOBAL_ARIA = new Set(
  (
    'aria-atomic aria-busy aria-controls aria-current aria-describedby aria-details aria-dropeffect ' +
    'aria-flowto aria-grabbed aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns ' +
    'aria-relevant aria-roledescription aria-braillelabel aria-brailleroledescription aria-description'
  ).split(' '),
);

const NEEDS_NAME = new Set(['form', 'region']);

const ROWS_IN = { table: 'cell', grid: 'gridcell', treegrid: 'gridcell' };

// `place` says where the element stands: {list, table, inert...}; see walk.js.
function roleOf(el, names, place) {
  const own = names.role ? explicitRole(el, names) : '';
  if (own && own !== 'none') return own;
  if (own === 'none' && !conflicts(el, names)) return 'none';
  return implicitRole(el, names, place);
}

function explicitRole(el, names) {
  for (const token of el.getAttribute('role').toLowerCase().trim().split(/\s+/)) {
    if (!ARIA_ROLES.has(token)) continue;
    const role = ROLE_ALIASES[token] || token;
    if (NEEDS_NAME.has(role) && !hasAuthorName(el)) continue;
    return role;
  }
  return '';
}

function conflicts(el, names) {
  if (focusable(el, names)) return true;
  return names.aria && el.getAttributeNames().some((name) => GLOBAL_ARIA.has(name));
}

function hasAuthorName(el) {
  if (trimmed(el.getAttribute('aria-label') || '')) return true;
  if (references(el, 'aria-labelledby', 'ariaLabelledByElements').length) return true;
  return Boolean(trimmed(el.getAttribute('title') || ''));
}

function focusable(el, names) {
  if (names.tabindex && Number.isInteger(parseInt(el.getAttribute('tabindex'), 10))) return true;
  return names.editing || (nativeControl(el, names.tag) && !(el.disabled === true));
}

function nativeControl(el, tag) {
  switch (tag) {
    case 'a':
    case 'area':
      return el.hasAttribute('href') || el.hasAttributeNS('http://www.w3.org/1999/xlink', 'href');
    case 'button':
    case 'select':
    case 'textarea':
      return true;
    case 'input':
      return el.type !== 'hidden';
    case 'summary':
      return isSummary(el);
    case 'audio':
    case 'video':
      return el.controls;
    default:
      return false;
  }
}

function editingHost(el) {
  if (!el.hasAttribute('contenteditable')) return false;
  const value = el.getAttribute('contenteditable').toLowerCase();
  return value === '' || value === 'true' || value === 'plaintext-only';
}

function isSummary(el) {
  const parent = el.parentElement;
  if (!parent || parent.localName !== 'details') return false;
  for (const child of parent.children) if (child.localName === 'summary') return child === el;
  return false;
}

function implicitRole(el, names, place) {
  const tag = names.tag;
  if (names.space === SVG_NS) return svgRole(el, names);
  if (names.space === MATH_NS) return tag === 'math' ? 'math' : 'none';
  switch (tag) {
    case 'a':
    case 'area':
      return el.hasAttribute('href') ? 'link' : 'generic';
    case 'input':
      return inputRole(el);
    case 'select':
      return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
    case 'option':
      return 'option';
    case 'img':
      return imageRole(el, names);
    case 'aside':
      return hasAuthorName(el) || !el.parentElement.closest(SECTIONING) ? 'complementary' : 'generic';
    case 'header':
    case 'footer':
      if (place.sectioned) return tag === 'header' ? 'sectionheader' : 'sectionfooter';
      return tag === 'header' ? 'banner' : 'contentinfo';
    case 'section':
      return hasAuthorName(el) ? 'region' : 'generic';
    case 'form':
      return 'form';
    case 'li':
      return place.list ? 'listitem' : 'none';
    case 'summary':
      return isSummary(el) ? 'button' : 'generic';
    case 'table':
      return 'table';
    case 'tr':
      return place.table in ROWS_IN ? 'row' : 'none';
    case 'tbody': // the parser makes it where an author wrote none: it is no structure
      return place.table in ROWS_IN && hasAuthorName(el) ? 'rowgroup' : 'none';
    case 'thead':
    case 'tfoot':
      return place.table in ROWS_IN ? 'rowgroup' : 'none';
    case 'td':
      return ROWS_IN[place.table] || 'none';
    case 'th':
      return place.table in ROWS_IN ? headerRole(el) : 'none';
    case 'object':
      return el.contentDocument || /html/.test(el.type) ? 'iframe' : 'generic';
    default:
      if (TAG_ROLES[tag]) return TAG_ROLES[tag];
      if (names.editing) return 'textbox';
      return names.popover ? 'group' : 'generic';
  }
}

function inputRole(el) {
  if (el.type === 'checkbox' && el.hasAttribute('switch')) return 'switch';
  if (LISTABLE.has(el.type) && el.list) return 'combobox';
  return INPUT_ROLES[el.type] || 'textbox';
}

// alt="" means decoration, unless something else names the image.
function imageRole(el, names) {
  const alt = el.getAttribute('alt');
  if (alt !== null && !alt.trim() && !hasAuthorName(el) && !focusable(el, names)) return 'none';
  return 'image';
}

function headerRole(el) {
  const scope = (el.getAttribute('scope') || '').toLowerCase();
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  const row = el.parentElement;
  if (!row || row.localName !== 'tr') return 'columnheader';
  if (row.parentElement && row.parentElement.localName === 'thead') return 'columnheader';
  for (const cell of row.cells) if (cell.localName === 'td') return 'rowheader';
  return 'columnheader';
}

const SVG_SHAPES = new Set('circle ellipse line path polygon polyline rect use image text tspan textPath'.split(' '));

function svgRole(el, names) {
  switch (names.tag) {
    case 'svg':
      return 'image';
    case 'a':
      return nativeControl(el, 'a') ? 'link' : 'generic';
    case 'image':
      return 'image';
    case 'foreignObject':
    case 'text':
    case 'tspan':
    case 'textPath':
      return 'generic';
    case 'g':
      return svgTitle(el) || hasAuthorName(el) ? 'group' : 'generic';
    default:
      if (!SVG_SHAPES.has(el.localName)) return 'skip';
      return svgTitle(el) || hasAuthorName(el) || names.tabindex ? 'image' : 'none';
  }
}

function svgTitle(el) {
  for (const child of el.children) if (child.localName === 'title') return trimmed(child.textContent);
  return '';
}
