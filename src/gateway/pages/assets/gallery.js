// Pictures large, one by one; and what replaces a GIF.

const lightbox = document.querySelector('dialog.lightbox');

/** The links of the post that is being looked at, and which of them is shown. */
let shown = { links: [], index: 0 };

function showPicture(index) {
  const { links } = shown;
  const link = links[(index + links.length) % links.length];
  shown.index = links.indexOf(link);
  const small = link.querySelector('img:not(.blurred)');
  const large = lightbox.querySelector('img');
  large.src = link.href;
  large.alt = small.alt;
  lightbox.querySelector('figcaption').textContent = small.alt;
  lightbox.querySelector('a').href = link.href;
  lightbox.querySelector('.position').textContent = links.length > 1 ? `${shown.index + 1} / ${links.length}` : '';
  for (const button of lightbox.querySelectorAll('.earlier, .later')) button.hidden = links.length < 2;
}

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('figure.image > a');
  // With these keys the reader wants a tab or a window of its own.
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  shown = { links: [...link.closest('.media').querySelectorAll('figure.image > a')], index: 0 };
  showPicture(shown.links.indexOf(link));
  lightbox.showModal();
});

lightbox.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button?.matches('.earlier')) showPicture(shown.index - 1);
  else if (button?.matches('.later')) showPicture(shown.index + 1);
  else if (button !== null || event.target === lightbox) lightbox.close();
});

lightbox.addEventListener('close', () => {
  lightbox.querySelector('img').removeAttribute('src');
  shown.links[shown.index]?.focus();
});

lightbox.addEventListener('keydown', (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  showPicture(shown.index + (document.dir === 'rtl' ? -step : step));
});

/** A finger that moves so far sideways turns the page. */
const swipePixels = 40;
let touched;
lightbox.addEventListener('pointerdown', (event) => {
  touched = event.pointerType === 'mouse' ? undefined : event;
});
lightbox.addEventListener('pointerup', (event) => {
  if (touched === undefined) return;
  const distance = event.clientX - touched.clientX;
  const isSideways = Math.abs(distance) > swipePixels && Math.abs(distance) > Math.abs(event.clientY - touched.clientY);
  touched = undefined;
  if (isSideways) showPicture(shown.index + (distance < 0 ? 1 : -1));
});

// Silent films play while they are seen, for readers who like motion.

const calm = matchMedia('(prefers-reduced-motion: reduce)');
const watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) target.pause();
    // A browser may refuse; then the reader has its controls.
    else if (!calm.matches)
      target.play().then(
        () => target.removeAttribute('controls'),
        () => undefined,
      );
  }
});

function watchFilms(place) {
  for (const film of place.querySelectorAll('video[data-plays]')) {
    film.muted = true;
    watcher.observe(film);
  }
}

watchFilms(document);
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof Element) watchFilms(node);
}).observe(document.getElementById('content') ?? document.body, { childList: true, subtree: true });
