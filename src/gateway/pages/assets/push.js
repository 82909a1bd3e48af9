// Push messages in this browser: its address at the service of its maker, and its keys, go with the form.

const form = document.querySelector('form[data-push]');
const refused = form.querySelector('[data-push-refused]');

/** The subscription that the server knows, or a new one. Throws where the browser or its user refuses. */
async function subscription() {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('not granted');
  const { pushManager } = await navigator.serviceWorker.ready;
  const present = await pushManager.getSubscription();
  if (present !== null && present.endpoint === form.dataset.endpoint) return undefined;
  // It may be of another key, or of somebody who was signed in before.
  await present?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.push });
}

async function turnOn() {
  const made = (await subscription())?.toJSON();
  if (made === undefined) return;
  const { endpoint, p256dh, auth } = form.elements;
  endpoint.value = made.endpoint;
  p256dh.value = made.keys.p256dh;
  auth.value = made.keys.auth;
}

async function turnOff() {
  const registration = await navigator.serviceWorker.getRegistration('/');
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** Sent once the browser has answered. */
async function send(button) {
  const isOff = button?.dataset.pushOff !== undefined;
  refused.hidden = true;
  try {
    await (isOff ? turnOff() : turnOn());
    if (isOff) form.action = button.formAction;
    form.submit();
  } catch {
    refused.hidden = false;
  }
}

if (navigator.serviceWorker !== undefined && 'PushManager' in window && 'Notification' in window) {
  form.querySelector('[data-push-missing]').hidden = true;
  form.querySelector('button').disabled = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(event.submitter);
  });
}
