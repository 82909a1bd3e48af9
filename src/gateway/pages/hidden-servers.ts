/** /domain_blocks: servers that the visitor has blocked. And POST /web/servers/:domain/hide and show. */
import { domainBlocksOf } from '../../actors/account/domain-blocks/domain-blocks.queries.ts';
import { blockDomain, unblockDomain } from '../../operations/relationships/block-domain.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { redirect } from '../http/answers.ts';
import type { RawRoute } from '../route.ts';
import { webLimits } from './limits.ts';
import { memberPage } from './page-handler.ts';
import { siteAnswer } from './parts/frame.ts';
import { html } from './parts/html.ts';
import { serverPath } from './parts/links.ts';
import { formRoute } from './signed-in-form.ts';
import { olderThanOf } from './visit.ts';

export const hiddenServersPage = memberPage((visit, { request }) => {
  const { services, account } = visit;
  const bounds = { maxId: olderThanOf(request), limit: webLimits.pagePeople };
  const { items, full, oldest } = domainBlocksOf(services.snapshots, account.id, bounds);
  const rows = items.map(
    (domain) =>
      html`<li class="entry"><bdi>${domain}</bdi><button class="quiet" form="acts" formaction="${serverPath(domain)}/show">Show again</button></li>`,
  );
  const main = html`<h1 class="list">Hidden servers</h1>
${rows.length > 0 && html`<ul class="timeline lists" aria-label="Hidden servers">${rows}</ul>`}
${rows.length === 0 && !full && html`<div class="empty"><p>You have hidden no server. The menu on the profile of somebody elsewhere hides theirs: nobody there is shown to you, and none of them follows you any more.</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">More</a></nav>`}`;
  return siteAnswer(visit, { title: 'Hidden servers', main, current: 'settings', isIndexed: false });
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
