// Older entries are added when the reader comes near the end of a list. The link stays for whoever prefers it.

const nearTheEnd = '800px 0px';

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
      // The link leads to whatever is wrong.
      if (!response?.ok) return;
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const next = page.querySelector('nav.paging');
      const older = page.querySelector('main .timeline');
      if (older === null) return;
      for (const one of [...older.children]) if (one.id === '' || !document.getElementById(one.id)) shown.append(one);
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
