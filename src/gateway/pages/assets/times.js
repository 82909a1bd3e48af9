// Times are those of the browser, also in what comes to an open page. Without a script they are in UTC, and stay as they were.

const moments = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
  dateStyle: 'long',
  timeStyle: 'short',
});

/** What the server wrote stays in the title. */
function showTimes(place) {
  for (const time of place.querySelectorAll('time.exact:not([title])')) {
    time.title = time.textContent;
    time.textContent = moments.format(Date.parse(time.dateTime));
  }
}

showTimes(document);
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof Element) showTimes(node);
}).observe(document.getElementById('content') ?? document.body, { childList: true, subtree: true });

// How long ago.

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });

function inUnits(unit, value) {
  return value.toLocaleString(language, { style: 'unit', unit, unitDisplay: 'narrow' });
}

/** As the server writes it (services/words/formats.ts). */
function ago(milliseconds) {
  const minutes = Math.floor((Date.now() - milliseconds) / 60_000);
  if (minutes < 1) return relative.format(0, 'second');
  if (minutes < 60) return inUnits('minute', minutes);
  if (minutes < 24 * 60) return inUnits('hour', Math.floor(minutes / 60));
  return minutes < 7 * 24 * 60 ? inUnits('day', Math.floor(minutes / (24 * 60))) : undefined;
}

setInterval(() => {
  for (const time of document.querySelectorAll('time.ago')) {
    const words = ago(Date.parse(time.dateTime));
    if (words !== undefined && time.textContent !== words) time.textContent = words;
  }
}, 60_000);
