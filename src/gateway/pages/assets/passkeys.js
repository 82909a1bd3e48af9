// Passkeys. A button says what the browser shall do, and its form takes the answer in a field; everything else is said by the
// page. Without this script, or in a browser without passkeys, the buttons stay hidden.
const { browserSupportsWebAuthn, startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser;

async function use(fields, options) {
  fields.passkey.value = JSON.stringify(await startAuthentication({ optionsJSON: JSON.parse(options) }));
}

async function make(fields, { options, proof }) {
  if (proof !== undefined && fields.code.value === '') await use(fields, proof);
  fields.made.value = JSON.stringify(await startRegistration({ optionsJSON: JSON.parse(options) }));
}

/** The form is sent once the browser has answered. What its user or its keys refuse is said beside the button. */
async function press(button) {
  const { form, dataset } = button;
  const refused = form.querySelector('[data-passkey-refused]');
  const isNew = dataset.passkey === 'make';
  if (isNew && !form.reportValidity()) return;
  refused.hidden = true;
  button.disabled = true;
  try {
    await (isNew ? make(form.elements, dataset) : use(form.elements, dataset.options));
    form.submit();
  } catch {
    refused.hidden = false;
    button.disabled = false;
  }
}

if (browserSupportsWebAuthn()) {
  for (const part of document.querySelectorAll('[data-passkey], [data-passkeys]')) part.hidden = false;
  for (const button of document.querySelectorAll('[data-passkey]'))
    button.addEventListener('click', () => void press(button));
}
