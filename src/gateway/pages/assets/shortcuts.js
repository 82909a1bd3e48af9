// Keys of the whole page, for who does not want to move a pointer. They do nothing while somebody writes or a menu is open.

const shortcuts = document.querySelector('dialog.shortcuts');
const shortcutsOff = 'shortcuts-off';

/** Whatever takes keys for itself. */
const takesKeys =
  'input, textarea, select, [contenteditable], video, audio, [role="listbox"], details.menu[open], dialog[open]';

function currentEntry() {
  return document.activeElement?.closest('main .timeline > .entry') ?? null;
}

/** The first one that can be read now, where none has the focus. */
function moveFocus(step) {
  const entries = [...document.querySelectorAll('main .timeline > .entry')];
  const current = entries.indexOf(currentEntry());
  // Where the links are a column, they cover nothing.
  const bar = document.querySelector('header.top')?.getBoundingClientRect();
  const top = bar !== undefined && bar.height < window.innerHeight / 2 ? bar.bottom : 0;
  const inSight = entries.findIndex((entry) => entry.getBoundingClientRect().bottom > top + 1);
  const next = entries[current === -1 ? inSight : current + step];
  const focused = next?.querySelector('article') ?? next;
  if (focused === undefined) return;
  focused.tabIndex = -1;
  focused.focus({ preventScroll: true });
  focused.scrollIntoView({ block: 'center' });
}

/** A button or link of the post that has the focus: the first of these that it has. */
function press(...selectors) {
  const entry = currentEntry();
  const found = selectors.map((one) => entry?.querySelector(one)).find((one) => one);
  found?.click();
}

function goTo(selector, otherwise) {
  const field = document.querySelector(selector);
  if (field === null || field.getClientRects().length === 0) location.assign(otherwise);
  else field.focus();
}

/** What a warning hides. */
function uncover() {
  const covered = currentEntry()?.querySelector('details.covered');
  if (covered) covered.open = !covered.open;
}

/** Posts that wait; else the beginning of the page. */
function showNewest() {
  if (pill.isConnected && !pill.hidden) pill.click();
  else window.scrollTo({ top: 0, behavior: scrolling() });
}

const keys = {
  j: () => moveFocus(1),
  k: () => moveFocus(-1),
  o: () => press('.when a', '.quoted a', 'a.byline'),
  x: uncover,
  r: () => press('a.act[href$="#reply"]'),
  f: () => press('button.act.favourite'),
  b: () => press('button.act.boost'),
  d: () => press('button.act.bookmark'),
  '.': showNewest,
  n: () => goTo('#compose', '/#compose'),
  '/': () => goTo('form.find input:not([type="hidden"])', '/web/find'),
  '?': () => shortcuts.showModal(),
};

const goKey = 'g';
/** How long a page may be named after that key. */
const goMilliseconds = 2_000;
let goUntil = 0;

/** What a key does now. The second of two leads to a page of the list. */
function actOf(key) {
  const isSecond = goUntil > performance.now();
  goUntil = key === goKey && !isSecond ? performance.now() + goMilliseconds : 0;
  if (isSecond) {
    const link = shortcuts.querySelector(`a[data-go="${CSS.escape(key)}"]`);
    return link === null ? undefined : () => location.assign(link.href);
  }
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}

if (shortcuts !== null) {
  const areOff = () => localStorage.getItem(shortcutsOff) !== null;
  const switched = shortcuts.querySelector('[role="switch"]');
  const show = () => switched.setAttribute('aria-checked', String(!areOff()));
  switched.addEventListener('click', () => {
    if (areOff()) localStorage.removeItem(shortcutsOff);
    else localStorage.setItem(shortcutsOff, '');
    show();
  });
  shortcuts.querySelector('.close').addEventListener('click', () => shortcuts.close());
  show();
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest?.(takesKeys) || document.querySelector('dialog[open]')) return;
    const act = !areOff() || event.key === '?' ? actOf(event.key) : undefined;
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}
