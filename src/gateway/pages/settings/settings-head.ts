/** The head of each page of settings but the first: a way back to all of them, and its title. */
import { type Html, type HtmlPart, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';

export function settingsHead({ words }: Pick<Visit, 'words'>, title: HtmlPart): Html {
  return html`<p class="list"><a href="/settings">${words.settings.title}</a></p>
<h1 class="list">${title}</h1>`;
}
