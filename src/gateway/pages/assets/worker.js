/**
 * The service worker of members (gateway/pages/app/worker.ts). It keeps scripts, style and icons, and the page that is
 * shown without a connection. What somebody reads is never kept: it stays on the server. And it shows push messages, whose
 * words the server wrote in the language of their reader.
 */

const cacheName = `pages-${facts.version}`;
const offlinePath = '/offline';

self.addEventListener('install', (event) => {
  event.waitUntil(keep());
  self.skipWaiting();
});

async function keep() {
  const cache = await caches.open(cacheName);
  await cache.addAll(facts.kept);
  const offline = await fetch(offlinePath, { cache: 'reload', redirect: 'error' });
  if (!offline.ok) throw new Error(`${offlinePath} is answered with ${offline.status}`);
  await cache.put(offlinePath, offline);
}

self.addEventListener('activate', (event) => {
  event.waitUntil(begin());
});

/** Pages are asked for while the worker starts. */
async function begin() {
  await self.registration.navigationPreload?.enable();
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name);
  await self.clients.claim();
}

/** Signing in and out, and what applications ask for, are left to the browser. */
const alone = /^\/(?:auth|oauth|api|media)\b/;

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (facts.kept.includes(pathname + search)) event.respondWith(asset(request));
  else if (request.mode === 'navigate' && !alone.test(pathname)) event.respondWith(page(event));
});

async function asset(request) {
  return (await caches.match(request)) ?? fetch(request);
}

async function page({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    // No connection: what a browser throws has no code.
    return (await caches.match(offlinePath)) ?? Response.error();
  }
}

// Push messages.

self.addEventListener('push', (event) => {
  const message = messageIn(event.data?.text() ?? '');
  if (message !== undefined) event.waitUntil(show(message));
});

/** The id of the notification is larger than the numbers of JavaScript: it is taken from the text. */
function messageIn(text) {
  try {
    const { title, body, icon } = JSON.parse(text);
    return { title, body, icon, id: /"notification_id":(\d+)/.exec(text)?.[1] ?? '' };
  } catch {
    // Not from this server.
    return undefined;
  }
}

function show({ title, body, icon = facts.icon, id }) {
  const options = { body, icon, badge: facts.badge, tag: id, data: { path: `/web/notifications/${id}` }, dir: 'auto' };
  return self.registration.showNotification(title, options);
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

/** In the window that is open already, where there is one. */
async function open(path) {
  const [client] = await self.clients.matchAll({ type: 'window' });
  if (client === undefined) return self.clients.openWindow(path);
  // A browser may refuse to bring it to the front; the page is opened all the same.
  await client.focus().catch(() => client);
  return client.navigate(path);
}

// A browser, or the service of its maker, may replace a subscription: the server would send to nobody.

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renew(event.newSubscription));
});

/** Whoever has signed out since is asked to sign in by the first answer, and is told nothing more. */
async function renew(given) {
  const answer = await fetch('/web/settings/push/renewal', { redirect: 'error' });
  if (!answer.ok) return;
  const { key, form_token } = await answer.json();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const made = (given ?? (await self.registration.pushManager.subscribe(options))).toJSON();
  const { p256dh, auth } = made.keys;
  const body = new URLSearchParams({ form_token, endpoint: made.endpoint, p256dh, auth });
  await fetch('/web/settings/push/renew', { method: 'POST', body, redirect: 'manual' });
}
