/** The button that opens the list of emojis (assets/emojis.js). Without a script it is not there. */
import { type Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';
import { icon } from './icons.ts';

/** What is chosen goes into the text of the form, or is the answer that the form sends. */
export function emojiButton({ words: { emojis } }: Visit, chosen: 'written' | 'sent'): Html {
  return html`<button type="button" class="quiet" data-emojis="${chosen}" aria-expanded="false" hidden>${icon('smile')}${emojis.open}</button>`;
}
