/** What the keys of the page do (assets/shortcuts.js), for who is signed in: shown by one of them. */
import { type Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';

export function shortcuts({ account, words }: Visit): Html | undefined {
  if (account === undefined) return undefined;
  const { title, next, previous, reply, favourite, boost, write, find, help, areOn, close } = words.site.shortcuts;
  const rows = { j: next, k: previous, r: reply, f: favourite, b: boost, n: write, '/': find, '?': help };
  return html`<dialog class="shortcuts" aria-labelledby="shortcuts-title"><h2 id="shortcuts-title">${title}</h2>
<dl>${Object.entries(rows).map(([key, words]) => html`<dt><kbd>${key}</kbd></dt><dd>${words}</dd>`)}</dl>
<p class="line"><button type="button" class="quiet" role="switch" aria-checked="true">${areOn}</button> <button type="button" class="close">${close}</button></p></dialog>`;
}
