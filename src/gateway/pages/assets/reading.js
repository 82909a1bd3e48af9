// How far somebody has read. The marker of notifications moves when the page is visible, not when a browser prefetches it;
// that of the home when its reader comes to the button, which stands where they were.

let readButton = null;
let isTold = false;

async function tellRead() {
  if (isTold || document.visibilityState !== 'visible') return;
  isTold = true;
  readButton.hidden = true;
  const body = new URLSearchParams(new FormData(readButton.form));
  const response = await fetch(readButton.formAction, { method: 'POST', body, redirect: 'manual' }).catch(
    () => undefined,
  );
  isTold = response?.type === 'opaqueredirect';
  readButton.hidden = isTold;
  if (isTold && readButton.dataset.read === '') unread.hidden = true;
}

/** What has come to an open home since, when its reader leaves. */
function tellArrived() {
  const newest = list?.querySelector('.entry')?.id.replace('status-', '');
  if (document.visibilityState === 'visible' || !isTold || readButton.dataset.read === '' || !newest) return;
  const address = new URL(readButton.formAction);
  if (address.searchParams.get('newest') === newest) return;
  address.searchParams.set('newest', newest);
  readButton.formAction = address;
  const body = new URLSearchParams(new FormData(readButton.form));
  fetch(address, { method: 'POST', body, redirect: 'manual', keepalive: true }).catch(() => undefined);
}

/** Also in what was added to a list. */
function watchReading() {
  if (readButton !== null) return;
  readButton = document.querySelector('button[data-read]');
  if (readButton === null) return;
  document.addEventListener('visibilitychange', tellArrived);
  if (readButton.dataset.read === 'seen') {
    new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && tellRead()).observe(readButton);
    return;
  }
  document.addEventListener('visibilitychange', tellRead);
  tellRead();
}

watchReading();
