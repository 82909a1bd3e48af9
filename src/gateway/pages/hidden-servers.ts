/** /domain_blocks: servers that the visitor has blocked. And POST /web/servers/:domain/hide and show. */
import { domainBlocksOf } from '../../actors/account/domain-blocks/domain-blocks.queries.ts';
import { blockDomain, unblockDomain } from '../../operations/relationships/block-domain.ts';
import { html } from '../../services/words/html.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { redirect } from '../http/answers.ts';
import type { RawRoute } from '../route.ts';
import { webLimits } from './limits.ts';
import { memberPage } from './page-handler.ts';
import { siteAnswer } from './parts/frame.ts';
import { serverPath } from './parts/links.ts';
import { formRoute } from './signed-in-form.ts';
import { olderThanOf } from './visit.ts';

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
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">${visit.words.people.lists.more}</a></nav>`}`;
  return siteAnswer(visit, { title: words.title, main, current: 'settings', isIndexed: false });
});

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
