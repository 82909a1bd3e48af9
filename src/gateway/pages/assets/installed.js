// The service worker (worker.js) is for members. Its page without a connection is in the language of the pages.

const workerPath = `/sw.js?language=${encodeURIComponent(language)}`;

/** Whoever signed out, here or elsewhere, leaves nothing behind: no push messages, none that are shown, nothing kept. */
async function removeWorker() {
  const registration = await navigator.serviceWorker.getRegistration('/');
  if (registration === undefined) return;
  await (await registration.pushManager?.getSubscription())?.unsubscribe();
  for (const shown of await registration.getNotifications()) shown.close();
  for (const name of await caches.keys()) await caches.delete(name);
  await registration.unregister();
}

async function keepWorker() {
  await navigator.serviceWorker.register(workerPath, { scope: '/', updateViaCache: 'none' });
  document.documentElement.dataset.worker = 'on';
}

// Absent where the connection is not secure, or the browser is private.
if (navigator.serviceWorker !== undefined) {
  const isMember = document.body.classList.contains('member');
  // A browser may refuse: the pages work without it.
  (isMember ? keepWorker() : removeWorker()).catch(() => undefined);
}
