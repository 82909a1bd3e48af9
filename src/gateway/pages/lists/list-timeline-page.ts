/** /lists/:id: the posts of a list's members, updated live. */
import { ownList } from '../../../operations/lists/own-list.ts';
import { html } from '../../../services/words/html.ts';
import { liveAddress } from '../live/live-lists.ts';
import { memberPage } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { linkTo } from '../parts/slots.ts';
import { timeline } from '../parts/timeline.ts';
import { memberListing } from '../statuses.ts';
import { idInPath, olderThanOf } from '../visit.ts';
import { listHead, listPath } from './list-head.ts';

export const listTimelinePage = memberPage(async (visit, context) => {
  const list = ownList(visit.services, visit.account.id, idInPath(context));
  const maxId = olderThanOf(context.request);
  const listing = await memberListing(visit, list.id, maxId);
  const words = visit.words.lists;
  const main = html`${listHead(visit, list, 'posts')}
${timeline(visit, listing, {
  label: list.title,
  live: maxId === undefined ? liveAddress('list', listing.newest, list.id) : undefined,
  empty: html`<h2>${words.nothing}</h2>
<p>${words.nothingHint({ link: linkTo(`${listPath(list)}/people`) })}</p>`,
})}`;
  return siteAnswer(visit, { title: list.title, main, current: 'lists', isIndexed: false });
});
