/** Where the script shows pictures large: empty until one is opened. Without a script a picture is a link. */
import { type Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';
import { icon } from './icons.ts';

export function lightbox({ words }: Visit): Html {
  const { viewer, close, previous, next, original } = words.posts.media;
  const button = (name: 'remove' | 'earlier' | 'later', label: string, drawing: 'close' | 'earlier' | 'later') =>
    html`<button type="button" class="${name}" aria-label="${label}" title="${label}">${icon(drawing)}</button>`;
  return html`<dialog class="lightbox" aria-label="${viewer}"><figure><img alt=""><figcaption dir="auto"></figcaption></figure>
<p class="line"><span class="position" aria-live="polite"></span><a target="_blank" rel="noopener noreferrer">${original}</a></p>
${button('earlier', previous, 'earlier')}${button('later', next, 'later')}${button('remove', close, 'close')}</dialog>`;
}
