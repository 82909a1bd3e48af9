/** /settings/sessions: where the visitor is signed in, and the history of sign-ins. */
import { type StoredSignIn, signInsOf } from '../../../actors/account/sign-ins/sign-ins.queries.ts';
import { applicationOfClient } from '../../../actors/session/session.queries.ts';
import { browserName } from '../../../services/browser-name.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { queryFields } from '../../oauth/forms.ts';
import { webLimits } from '../limits.ts';
import { memberPage } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { signIns } from '../parts/sign-ins.ts';
import { fullTime } from '../parts/time.ts';
import { type MemberVisit, olderThanOf } from '../visit.ts';

export const sessionsPage = memberPage((visit, { request }) => {
  const { title } = visit.words.settings.signedIn;
  const done = queryFields(request.query).get('done') ?? '';
  const sentences: Readonly<Record<string, string>> = visit.words.settings.done;
  const olderThan = olderThanOf(request);
  const main = html`<h1 class="list">${title}</h1>
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
${items.length > 0 && html`<ul class="rows">${items.map((one) => row(visit, one))}</ul>`}
${full && oldest !== undefined && html`<p><a href="/settings/sessions?max_id=${oldest}">${words.older}</a></p>`}
</section>`;
}

function row(visit: MemberVisit, { way, succeeded, at, address, userAgent, clientId }: StoredSignIn): Html {
  const words = visit.words.settings.history;
  const application = clientId === undefined ? undefined : applicationOfClient(visit.services.snapshots, clientId);
  const software = application?.name ?? (browserName(userAgent) || userAgent);
  const where = [address, software].filter((part) => part !== undefined && part !== '');
  return html`<li><p><strong>${succeeded ? words.ways[way] : words.failed[way]}</strong><span class="fine">${fullTime(visit, at)}${where.map((part) => html` · <bdi>${part}</bdi>`)}</span></p></li>`;
}
