/**
 * The one script of the pages. Everything works without it, by forms and links; with it new posts arrive on an open home
 * page, buttons change in place, and a writer sees how much room is left. It builds no HTML of its own: what it inserts
 * was made by the server, by the same code as the page.
 */

const list = document.querySelector('ol[data-live]');

const language = document.documentElement.lang;
const pluralRules = new Intl.PluralRules(language);

/** A message of the server: texts by plural form, as JSON. */
function say(source, values) {
  const texts = JSON.parse(source);
  const text = texts[pluralRules.select(values.count ?? 0)] ?? texts.other;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name] ?? whole;
    return typeof value === 'number' ? value.toLocaleString(language) : value;
  });
}

/** Fragments of the server, as elements. */
function elementsOf(markup) {
  const template = document.createElement('template');
  template.innerHTML = markup;
  return [...template.content.children];
}

function elementOf(markup) {
  return elementsOf(markup)[0] ?? null;
}

/** Posts that wait until their reader looks at the top of the list. */
let waiting = [];

/** What shows a post, or will: itself, and boosts of it. */
function articlesOf(statusId) {
  const places = [document, ...waiting];
  const articles = places.flatMap((place) => [...place.querySelectorAll('article[data-status]')]);
  return articles.filter((one) => one.dataset.status === statusId);
}

// New posts.

const pill = document.createElement('button');
pill.className = 'pill';
pill.type = 'button';
pill.hidden = true;
pill.setAttribute('aria-live', 'polite');
pill.addEventListener('click', () => {
  if (pill.dataset.reload === undefined) {
    showWaiting();
    window.scrollTo({ top: 0, behavior: scrolling() });
  } else {
    location.reload();
  }
});

/** Who wants less motion is taken there at once. */
function scrolling() {
  return calm.matches ? 'instant' : 'smooth';
}

function isAtTop() {
  return window.scrollY < 120;
}

function arrived(entry) {
  const same = document.getElementById(entry.id) ?? waiting.find((one) => one.id === entry.id);
  if (same !== undefined && same !== null) return;
  if (entry.dataset.answers !== undefined) {
    showAnswer(entry);
    return;
  }
  if (entry.dataset.subject !== undefined)
    waiting = waiting.filter((one) => one.dataset.subject !== entry.dataset.subject);
  waiting.push(entry);
  if (isAtTop()) showWaiting();
  else tellWaiting();
}

function tellWaiting() {
  if (pill.dataset.reload !== undefined) return;
  pill.textContent = say(list.dataset.arrivals, { count: waiting.length });
  pill.hidden = waiting.length === 0;
}

function showWaiting() {
  const entries = waiting;
  waiting = [];
  for (const entry of entries) {
    entry.classList.add('new');
    replaced(entry)?.remove();
    const next = [...list.children].find((one) => isOlder(one.id, entry.id));
    list.insertBefore(entry, next ?? null);
  }
  document.querySelector('.empty')?.remove();
  tellWaiting();
}

/** What the list has of the same conversation, or of the same group of notifications. */
function replaced({ dataset }) {
  if (dataset.subject === undefined) return undefined;
  return list.querySelector(`[data-subject="${dataset.subject}"]`);
}

/** Below what it answers, behind the answers that are there already. */
function showAnswer(entry) {
  entry.classList.add('new');
  let before = document.getElementById(entry.dataset.answers);
  if (before?.parentElement !== list) {
    list.append(entry);
    return;
  }
  const depth = depthOf(before);
  while (before.nextElementSibling && depthOf(before.nextElementSibling) > depth) before = before.nextElementSibling;
  before.after(entry);
}

function depthOf(entry) {
  return Number(/depth-(\d)/.exec(entry.className)?.[1] ?? 0);
}

/** By the numbers in element ids, which are too large for numbers of JavaScript. */
function isOlder(one, other) {
  return one.length === other.length ? one < other : one.length < other.length;
}

function edited(entry) {
  const article = entry.querySelector('article');
  for (const old of articlesOf(article.dataset.status)) old.replaceWith(article.cloneNode(true));
}

function deleted(statusId) {
  const entries = articlesOf(statusId).map((article) => article.closest('.entry'));
  for (const entry of entries) entry?.remove();
  document.getElementById(`status-${statusId}`)?.remove();
  waiting = waiting.filter((one) => one.id !== `status-${statusId}` && !entries.includes(one));
  tellWaiting();
}

/** Missed more than can be sent one by one. */
function gap() {
  pill.dataset.reload = '';
  pill.textContent = list.dataset.many;
  pill.hidden = false;
}

const unread = document.querySelector('[data-unread]');

/** What the server has to know when it is asked again. */
function liveParameter(name, value) {
  const address = new URL(list.dataset.live, location.href);
  address.searchParams.set(name, value);
  list.dataset.live = address.pathname + address.search;
}

let source;

/** How long until a stream is asked for again that was refused, as by a proxy whose server is starting. */
const pauseMillisecondsMin = 5_000;
const pauseMillisecondsMax = 300_000;
let pauseMilliseconds = pauseMillisecondsMin;

/** A page that nobody sees needs no stream; it says where it was when it is seen again. */
function listen() {
  if (document.visibilityState === 'hidden') {
    source?.close();
    source = undefined;
    return;
  }
  if (source !== undefined && source.readyState !== EventSource.CLOSED) return;
  if (list.dataset.entries === 'posts') liveParameter('unread', unread.textContent || '0');
  source = new EventSource(list.dataset.live);
  source.addEventListener('open', () => {
    document.documentElement.dataset.live = 'on';
    pauseMilliseconds = pauseMillisecondsMin;
  });
  source.addEventListener('error', (event) => {
    delete document.documentElement.dataset.live;
    // A browser comes back to a lost connection by itself, but not to an answer that is no stream.
    if (event.target.readyState !== EventSource.CLOSED) return;
    setTimeout(listen, pauseMilliseconds);
    pauseMilliseconds = Math.min(pauseMilliseconds * 2, pauseMillisecondsMax);
  });
  source.addEventListener('arrival', (event) => {
    liveParameter('since', event.lastEventId);
    arrived(elementOf(event.data));
  });
  source.addEventListener('edit', (event) => edited(elementOf(event.data)));
  source.addEventListener('delete', (event) => deleted(event.data));
  source.addEventListener('piece', (event) => showPieces(elementsOf(event.data)));
  source.addEventListener('gap', gap);
  source.addEventListener('unread', (event) => {
    unread.textContent = event.data;
    unread.hidden = event.data === '';
  });
}

if (list !== null) {
  tellWaiting();
  document.body.append(pill);
  document.addEventListener('visibilitychange', listen);
  window.addEventListener('scroll', () => isAtTop() && waiting.length > 0 && showWaiting(), { passive: true });
  listen();
}

// Buttons that change in place.

document.addEventListener('click', async (event) => {
  const button = event.target.closest?.('button[form="acts"]');
  const article = button?.closest('article[data-status]');
  if (button?.dataset.changes === undefined || event.defaultPrevented) return;
  // The page of a post is left with it: the server says where to.
  if (button.closest('.entry.focus') && new URL(button.formAction).pathname.endsWith('/delete')) return;
  event.preventDefault();
  if (button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  const form = new URLSearchParams(new FormData(button.form));
  form.set('answer', 'fragment');
  const response = await fetch(button.formAction, { method: 'POST', body: form }).catch(() => undefined);
  if (!response?.ok) {
    button.removeAttribute('aria-busy');
    await tellFailure(response);
    return;
  }
  // To sign in, as by submitting the form normally.
  if (response.redirected) {
    button.form.requestSubmit(button);
    return;
  }
  if (button.dataset.removes !== undefined) {
    removeEntry(button.closest('.entry'));
    return;
  }
  const pieces = elementsOf(await response.text());
  showPieces(pieces.filter((piece) => piece.id !== ''));
  if (article) showChanged(article.dataset.status, pieces.find((piece) => piece.matches('article')) ?? null, button);
});

const failure = document.getElementById('failure');
const failureMilliseconds = 12_000;
let failureTimer;

/** What the page of the failure says; the reader stays where they are. */
async function tellFailure(response) {
  const page = new DOMParser().parseFromString((await response?.text().catch(() => '')) ?? '', 'text/html');
  failure.textContent = page.getElementById('problem')?.textContent ?? failure.dataset.unreached;
  failure.hidden = false;
  clearTimeout(failureTimer);
  failureTimer = setTimeout(hideFailure, failureMilliseconds);
}

function hideFailure() {
  failure.hidden = true;
}

failure.addEventListener('click', hideFailure);

/** The reader goes on with the next one. */
function removeEntry(entry) {
  const next = entry.nextElementSibling ?? entry.previousElementSibling;
  entry.remove();
  next?.querySelector('[data-removes]')?.focus();
}

/** Replaces the parts that are on the page. */
function showPieces(pieces) {
  const [focused, look] = [document.activeElement?.closest('[id]')?.id, document.activeElement?.className];
  for (const piece of pieces) document.getElementById(piece.id)?.replaceWith(piece);
  if (document.activeElement !== document.body || focused === undefined) return;
  const buttons = [...(document.getElementById(focused)?.querySelectorAll('button[data-changes]') ?? [])];
  (buttons.find((one) => one.className === look) ?? buttons[0])?.focus();
}

/** What its reader has uncovered, or covered again. */
function keepOpen(old, fresh) {
  const covers = [...fresh.querySelectorAll('details.covered')];
  for (const [index, { open }] of [...old.querySelectorAll('details.covered')].entries())
    if (covers[index] !== undefined) covers[index].open = open;
}

/** Wherever the post is shown; gone where there is no piece of it. */
function showChanged(statusId, changed, button) {
  if (changed === null) {
    deleted(statusId);
    return;
  }
  const kind = [...button.classList].join('.');
  const here = button.closest('article');
  for (const old of articlesOf(statusId)) {
    const fresh = changed.cloneNode(true);
    keepOpen(old, fresh);
    old.replaceWith(fresh);
    if (old === here) fresh.querySelector(`button.${kind}`)?.focus();
  }
}

// Writing.

const segmenter = new Intl.Segmenter(language, { granularity: 'grapheme' });

/** Nearly as the server counts: a link is 23 characters, and of a mention only the name counts. */
function countCharacters(text) {
  const counted = text.replace(/https?:\/\/\S+/g, '-'.repeat(23)).replace(/(@\w+)@[\w.-]+/g, '$1');
  return [...segmenter.segment(counted)].length;
}

for (const form of document.querySelectorAll('form.compose')) {
  const text = form.querySelector('textarea');
  const warning = form.querySelector('input[name="spoiler_text"]');
  const left = form.querySelector('.left');
  const button = form.querySelector('button.send');
  const show = () => {
    const room = Number(text.dataset.charactersMax) - countCharacters(text.value) - countCharacters(warning.value);
    left.textContent = text.value === '' ? '' : String(room);
    left.classList.toggle('over', room < 0);
    button.disabled = room < 0 || form.dataset.waits === 'true';
  };
  form.addEventListener('input', show);
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !button.disabled) form.requestSubmit();
  });
  // Pressed twice is meant once.
  form.addEventListener('submit', () => {
    button.disabled = true;
  });
  window.addEventListener('pageshow', show);
  show();
}

// A closed section is not submitted.
for (const extra of document.querySelectorAll('details[data-extra]')) {
  const fields = extra.querySelector('fieldset');
  const show = () => {
    fields.disabled = !extra.open;
  };
  extra.addEventListener('toggle', show);
  show();
}

// Moments are chosen in the time of the browser.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** In minutes. */
function offsetAt(moment) {
  return new Date(moment).getTimezoneOffset();
}

for (const field of document.querySelectorAll('.moment')) {
  const chosen = field.querySelector('input[type="datetime-local"]');
  const offset = field.querySelector('input[type="hidden"]');
  const at = Number(chosen.dataset.at);
  if (chosen.dataset.at !== undefined) chosen.value = new Date(at - offsetAt(at) * 60_000).toISOString().slice(0, 16);
  const hint = field.querySelector('.fine');
  hint.textContent = say(hint.dataset.inZone, { zone });
  const show = () => {
    offset.value = chosen.value === '' ? '' : String(offsetAt(chosen.value));
  };
  chosen.addEventListener('input', show);
  show();
}

// A link to a form leads into its text, behind the names that are in it.
const formMark = /#(?:reply|compose)$/;

function writeHere() {
  const [mark] = formMark.exec(location.hash) ?? [];
  const text = mark && document.querySelector(mark);
  text?.focus();
  text?.setSelectionRange(text.value.length, text.value.length);
}

document.addEventListener('click', (event) => {
  // Pressed again, the link changes nothing in the address: the browser tells nobody.
  if (formMark.test(event.target.closest?.('a[href]')?.hash)) setTimeout(writeHere);
});
window.addEventListener('hashchange', writeHere);
writeHere();

// A menu closes when its reader goes elsewhere.
document.addEventListener('click', (event) => {
  for (const menu of document.querySelectorAll('details.menu[open]'))
    if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener('keydown', (event) => {
  const menu = event.key === 'Escape' ? document.activeElement?.closest('details.menu[open]') : undefined;
  if (!menu) return;
  menu.open = false;
  menu.querySelector('summary').focus();
});
