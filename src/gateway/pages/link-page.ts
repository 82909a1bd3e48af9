/** /public/link?url=…: public posts with a link that trends (operations/trends/trending-links.ts). */
import { isTrendingLink } from '../../operations/trends/trending-links.ts';
import { Failure } from '../../runtime/errors.ts';
import { html } from '../../services/words/html.ts';
import { queryFields } from '../oauth/forms.ts';
import { operationOf } from './explore-page.ts';
import { pageHandler } from './page-handler.ts';
import { closedPart, emptyFeed } from './parts/closed-feeds.ts';
import { siteAnswer } from './parts/frame.ts';
import { timeline } from './parts/timeline.ts';
import { linkListing } from './statuses.ts';
import { olderThanOf } from './visit.ts';

export const linkPage = pageHandler(async (visit, context) => {
  const url = URL.parse(queryFields(context.request.query).get('url') ?? '')?.href;
  if (url === undefined || !(await isTrendingLink(operationOf(visit, context), { url }))) throw new Failure('notFound');
  const words = visit.words.site.explore;
  const title = words.postsAbout({ server: new URL(url).hostname });
  const main = html`<h1 class="list">${title}</h1>
${closedPart(visit, 'topic', 'all')}
${timeline(visit, linkListing(visit, url, olderThanOf(context.request)), {
  label: title,
  kept: `url=${encodeURIComponent(url)}&`,
  empty: emptyFeed(visit, 'topic', 'all', words.noPostsAbout),
})}`;
  return siteAnswer(visit, { title, main, current: 'explore', isIndexed: false });
});
