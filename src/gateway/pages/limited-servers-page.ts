/** /about/servers: the servers that staff have limited or suspended, for those to whom they show them. */
import { type PublishedBlock, publishedBlocks } from '../../operations/instance/published-blocks.ts';
import { Failure } from '../../runtime/errors.ts';
import { type Html, html } from '../../services/words/html.ts';
import { queryFields } from '../oauth/forms.ts';
import { webLimits } from './limits.ts';
import { pageHandler } from './page-handler.ts';
import { siteAnswer } from './parts/frame.ts';
import type { Visit } from './visit.ts';

export const limitedServersPath = '/about/servers';

export const limitedServersPage = pageHandler((visit, { request }) => {
  const blocks = publishedBlocks(visit.services, visit.account !== undefined);
  if (blocks === undefined) throw new Failure('notFound');
  const { limitedServers: title, limitedServersHint, noLimitedServers } = visit.words.site.aboutServer;
  const offset = Number(/^\d{1,6}$/.exec(queryFields(request.query).get('offset') ?? '') ?? 0);
  const end = offset + webLimits.pageServers;
  const rows = blocks.slice(offset, end).map((block) => row(visit, block));
  const main = html`<h1 class="list">${title}</h1>
<p class="fine hint">${limitedServersHint}</p>
${rows.length > 0 && html`<ul class="timeline lists" aria-label="${title}">${rows}</ul>`}
${rows.length === 0 && html`<div class="empty"><p>${noLimitedServers}</p></div>`}
${end < blocks.length && html`<nav class="paging"><a rel="next" href="?offset=${end}">${visit.words.people.lists.more}</a></nav>`}`;
  return siteAnswer(visit, { title, main, current: 'about', isIndexed: false });
});

function row({ words: { site } }: Visit, { shownDomain, severity, reason }: PublishedBlock): Html {
  const { limited, suspended } = site.aboutServer;
  return html`<li class="entry"><bdi>${shownDomain}</bdi> <span class="fine">${severity === 'suspend' ? suspended : limited}</span>${reason !== undefined && reason !== '' && html` <p class="fine" dir="auto">${reason}</p>`}</li>`;
}
