/** /lists/:id: the posts of a list's members, updated live. */
import { ownList } from '../../../operations/lists/own-list.ts';
import { liveAddress } from '../live/live-lists.ts';
import { memberPage } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { html } from '../parts/html.ts';
import { timeline } from '../parts/timeline.ts';
import { memberListing } from '../statuses.ts';
import { idInPath, olderThanOf } from '../visit.ts';
import { listHead, listPath } from './list-head.ts';

export const listTimelinePage = memberPage(async (visit, context) => {
  const list = ownList(visit.services, visit.account.id, idInPath(context));
  const maxId = olderThanOf(context.request);
  const listing = await memberListing(visit, list.id, maxId);
  const main = html`${listHead(list, 'posts')}
${timeline(visit, listing, {
  label: list.title,
  live: maxId === undefined ? liveAddress('list', listing.newest, list.id) : undefined,
  empty: html`<h2>Nothing yet</h2>
<p>Posts of the <a href="${listPath(list)}/people">people on this list</a> will appear here.</p>`,
})}`;
  return siteAnswer(visit, { title: list.title, main, current: 'lists', isIndexed: false });
});
