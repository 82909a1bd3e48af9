// Older entries are added when the reader comes near the end of a list. The link stays for whoever prefers it.

const nearTheEnd = '800px 0px';
const againMilliseconds = 5_000;

const isBusy = ({ status }) => status === 429 || status >= 500;

function watchEnd(paging) {
  const link = paging.querySelector('a[rel="next"]');
  const shown = paging.previousElementSibling;
  if (link === null || !shown?.matches('.timeline')) return;
  const observer = new IntersectionObserver(
    async ([entry]) => {
      if (!entry.isIntersecting) return;
      observer.disconnect();
      paging.setAttribute('aria-busy', 'true');
      const response = await fetch(link.href, { redirect: 'error' }).catch(() => undefined);
      paging.removeAttribute('aria-busy');
      if (!response?.ok) {
        // For whatever else is wrong the link leads to it.
        if (response === undefined || isBusy(response)) setTimeout(watchEnd, againMilliseconds, paging);
        return;
      }
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
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
