// Older entries are added when the reader comes near the end of a list. The link stays for whoever prefers it.

const nearTheEnd = '800px 0px';
const againMilliseconds = 5_000;

const isBusy = ({ status }) => status === 429 || status >= 500;

/** The text is undefined where the answer is a failure, or the connection ended within it. */
async function read(address) {
  const response = await fetch(address, { redirect: 'error' }).catch(() => undefined);
  return { response, text: response?.ok ? await response.text().catch(() => undefined) : undefined };
}

function watchEnd(paging) {
  const link = paging.querySelector('a[rel="next"]');
  const shown = paging.previousElementSibling;
  if (link === null || !shown?.matches('.timeline')) return;
  const observer = new IntersectionObserver(
    async (seen) => {
      // A busy browser tells several changes at once: the last one is how things are.
      if (!seen.at(-1).isIntersecting) return;
      observer.disconnect();
      paging.setAttribute('aria-busy', 'true');
      const { response, text } = await read(link.href);
      paging.removeAttribute('aria-busy');
      if (text === undefined) {
        // For whatever else is wrong the link leads to it.
        if (!response || response.ok || isBusy(response)) setTimeout(watchEnd, againMilliseconds, paging);
        return;
      }
      const page = new DOMParser().parseFromString(text, 'text/html');
      const next = page.querySelector('nav.paging:has(a[rel="next"])');
      const older = page.querySelector('main .timeline');
      if (older === null) return;
      for (const one of [...older.children]) if (one.id === '' || !document.getElementById(one.id)) shown.append(one);
      watchReading();
      if (next === null) paging.remove();
      else {
        paging.replaceWith(next);
        watchEnd(next);
      }
    },
    { rootMargin: nearTheEnd },
  );
  observer.observe(paging);
}

for (const paging of document.querySelectorAll('main nav.paging')) watchEnd(paging);
