/**
 * /domain_blocks: servers that the visitor has blocked; /domain_blocks/new: what it would end to block one. And POST
 * /web/servers/:domain/hide and show.
 */
import { domainBlocksOf } from '../../actors/account/domain-blocks/domain-blocks.queries.ts';
import { blockDomain, previewDomainBlock, unblockDomain } from '../../operations/relationships/block-domain.ts';
import { asFailure } from '../../runtime/errors.ts';
import { type Html, html } from '../../services/words/html.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { redirect } from '../http/answers.ts';
import { formField, queryFields } from '../oauth/forms.ts';
import { accountContext } from '../oauth/own-form.ts';
import type { RawRoute } from '../route.ts';
import { refusalSentence } from './failure-sentence.ts';
import { webLimits } from './limits.ts';
import { memberPage } from './page-handler.ts';
import { siteAnswer } from './parts/frame.ts';
import { hidingPath, serverPath } from './parts/links.ts';
import { formRoute } from './signed-in-form.ts';
import { olderThanOf, type Visit } from './visit.ts';

export const hiddenServersPage = memberPage((visit, { request }) => {
  const { services, account } = visit;
  const words = visit.words.people.servers;
  const bounds = { maxId: olderThanOf(request), limit: webLimits.pagePeople };
  const { items, full, oldest } = domainBlocksOf(services.snapshots, account.id, bounds);
  const rows = items.map(
    (domain) =>
      html`<li class="entry"><bdi>${domain}</bdi><button class="quiet" form="acts" formaction="${serverPath(domain)}/show">${words.show}</button></li>`,
  );
  const main = html`<h1 class="list">${words.title}</h1>
${rows.length > 0 && html`<ul class="timeline lists" aria-label="${words.title}">${rows}</ul>`}
${rows.length === 0 && !full && html`<div class="empty"><p>${words.none}</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">${visit.words.people.lists.more}</a></nav>`}
${nameForm(visit, '')}`;
  return siteAnswer(visit, { title: words.title, main, current: 'settings', isIndexed: false });
});

/** Asks which one. */
function nameForm({ words: { people } }: Visit, given: string, problem?: string): Html {
  const { hide, hideHint, name, nameHint, next } = people.servers;
  return html`<form class="card plain settings" action="${hidingPath}">
<h2>${hide}</h2>
<p>${hideHint}</p>
${formField({
  name: 'domain',
  label: name,
  hint: nameHint,
  problem,
  control: (described) =>
    html`<input name="domain" value="${given}" dir="ltr" autocapitalize="none" spellcheck="false" required${described}>`,
})}
<button type="submit" class="quiet">${next}</button>
</form>`;
}

export const hidingServerPage = memberPage(async (visit, context) => {
  const given = (queryFields(context.request.query).get('domain') ?? '').trim();
  const { hide } = visit.words.people.servers;
  const answer = (main: Html, status = 200) =>
    siteAnswer(visit, { title: hide, main, status, current: 'settings', isIndexed: false });
  const ask = (problem?: string) =>
    answer(html`<h1 class="unseen">${hide}</h1>${nameForm(visit, given, problem)}`, problem === undefined ? 200 : 422);
  if (given === '') return ask();
  if (visit.services.addresses.isOwnHost(given)) return ask(visit.words.problems.refusals.notAServer);
  try {
    const ended = await previewDomainBlock(accountContext(context, visit.account.id), { domain: given });
    return answer(question(visit, given, ended));
  } catch (error) {
    const failure = asFailure(error);
    if (failure.code !== 'validation') throw failure;
    return ask(refusalSentence(visit.words, failure));
  }
});

interface Ended {
  readonly following: number;
  readonly followers: number;
}

function question({ words: { people, formats } }: Visit, domain: string, { following, followers }: Ended): Html {
  const words = people.servers;
  const lost = [
    ...(following === 0 ? [] : [words.lostFollowing({ count: following })]),
    ...(followers === 0 ? [] : [words.lostFollowers({ count: followers })]),
  ];
  return html`<section class="card plain settings"><h1>${words.question({ server: html`<bdi>${domain}</bdi>` })}</h1>
<p>${words.hideHint}</p>
<p>${lost.length === 0 ? words.nothingLost : words.lost({ these: formats.list(lost) })}</p>
<button class="danger" form="acts" formaction="${serverPath(domain)}/hide">${words.confirm}</button></section>`;
}

function serverForm(verb: 'hide' | 'show', change: typeof blockDomain): RawRoute<GatewayServices> {
  return formRoute(`/web/servers/:domain/${verb}`, async (form, { pathParameters }) => {
    await change(form, { domain: pathParameters.domain ?? '' });
    return redirect('/domain_blocks', 303);
  });
}

export const serverForms: readonly RawRoute<GatewayServices>[] = [
  serverForm('hide', blockDomain),
  serverForm('show', unblockDomain),
];
