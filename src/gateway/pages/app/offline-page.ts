/**
 * GET /offline: what the installed app shows where the server does not answer. Browsers keep it (assets/worker.js), so it
 * says nothing about its reader, and has no script.
 */
import { html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { RawContext } from '../../http/context.ts';
import { pageAnswer } from '../page.ts';
import { visitWithoutForms } from '../visit.ts';

export async function offlinePage(context: RawContext<GatewayServices>) {
  const { words } = visitWithoutForms(context);
  const { title, explanation, drafts, again } = words.app.offline;
  // A link to nowhere leads to the page that was asked for.
  const body = html`<p>${explanation}</p>
<p>${drafts}</p>
<p><a class="button" href="">${again}</a></p>`;
  return pageAnswer({ words, title, body }, { headers: { Vary: 'Accept-Language, Cookie' } });
}
