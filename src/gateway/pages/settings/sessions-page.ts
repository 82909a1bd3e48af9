/** /settings/sessions: where the visitor is signed in, and the history of sign-ins. */
import { signInsOf } from '../../../actors/account/sign-ins/sign-ins.queries.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { queryFields } from '../../oauth/forms.ts';
import { webLimits } from '../limits.ts';
import { memberPage } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { signInRow } from '../parts/sign-in-row.ts';
import { signIns } from '../parts/sign-ins.ts';
import { type MemberVisit, olderThanOf } from '../visit.ts';
import { settingsHead } from './settings-head.ts';

export const sessionsPage = memberPage((visit, { request }) => {
  const { title } = visit.words.settings.signedIn;
  const done = queryFields(request.query).get('done') ?? '';
  const sentences: Readonly<Record<string, string>> = visit.words.settings.done;
  const olderThan = olderThanOf(request);
  const main = html`${settingsHead(visit, title)}
${Object.hasOwn(sentences, done) && html`<p class="card done" role="status">${sentences[done]}</p>`}
${olderThan === undefined && signIns(visit)}
${history(visit, olderThan)}`;
  return siteAnswer(visit, { title, main, current: 'settings', isIndexed: false });
});

function history(visit: MemberVisit, maxId: bigint | undefined): Html {
  const words = visit.words.settings.history;
  const { snapshots } = visit.services;
  const { items, full, oldest } = signInsOf(snapshots, visit.account.id, { limit: webLimits.pageSignIns, maxId });
  return html`<section class="card plain settings" id="history"><h2>${words.title}</h2>
<p>${items.length === 0 ? words.none : words.introduction}</p>
${items.length > 0 && html`<ul class="rows">${items.map((one) => signInRow(visit, one))}</ul>`}
${full && oldest !== undefined && html`<p><a href="/settings/sessions?max_id=${oldest}">${words.older}</a></p>`}
</section>`;
}
