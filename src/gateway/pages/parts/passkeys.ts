/**
 * What a form has for passkeys: a button that the script shows where the browser knows them, with what the browser shall do,
 * and the field for its answer (assets/passkeys.js).
 */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { type Html, html } from '../../../services/words/html.ts';
import type { Words } from '../../../services/words/languages.ts';
import { passkeysAddress } from '../assets.ts';

export const passkeyScript: Html = html`<script type="module" src="${passkeysAddress}"></script>`;

/** The browser uses a passkey; the form is sent at once. */
export function usePasskey(words: Words, asked: PublicKeyCredentialRequestOptionsJSON, label: string): Html {
  return html`<input type="hidden" name="passkey" value="">
<button type="button" class="quiet" data-passkey="use" data-options="${JSON.stringify(asked)}" hidden>${label}</button>
${refusedSentence(words)}`;
}

/** The browser makes a passkey. `proof`: one that there is already is used first, where no code is given. */
export function makePasskey(
  words: Words,
  offered: PublicKeyCredentialCreationOptionsJSON,
  proof: PublicKeyCredentialRequestOptionsJSON | undefined,
): Html {
  const first = proof && html` data-proof="${JSON.stringify(proof)}"`;
  return html`<input type="hidden" name="made" value="">
<input type="hidden" name="passkey" value="">
<button type="button" data-passkey="make" data-options="${JSON.stringify(offered)}"${first} hidden>${words.security.passkeys.add}</button>
${refusedSentence(words)}`;
}

function refusedSentence(words: Words): Html {
  return html`<p class="wrong" role="alert" data-passkey-refused hidden>${words.security.passkeys.notDone}</p>`;
}
