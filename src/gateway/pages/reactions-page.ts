/** /@NAME/ID/favourites and /@NAME/ID/reblogs: who has favourited and who has boosted a post, latest first. */
import { favouritersOf, rebloggersOf } from '../../actors/account/interactions/interactions.queries.ts';
import type { AccountView } from '../../actors/account/profile/profiles.queries.ts';
import { shownAccounts } from '../../actors/account/relationships/relationships.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { html } from '../../services/words/html.ts';
import { shownStatus } from './filtered.ts';
import { webLimits } from './limits.ts';
import { pageHandler } from './page-handler.ts';
import { plainName } from './parts/account.ts';
import { siteAnswer } from './parts/frame.ts';
import { statusPath } from './parts/links.ts';
import { people } from './parts/people.ts';
import { reactionTabs } from './parts/reaction-tabs.ts';
import { linkTo } from './parts/slots.ts';
import { accountOfPage } from './profile-page.ts';
import { idInPath, olderThanOf } from './visit.ts';

const lists = { favourites: favouritersOf<AccountView>, reblogs: rebloggersOf<AccountView> } as const;

function reactionsPage(name: keyof typeof lists) {
  return pageHandler((visit, context) => {
    const { profile } = accountOfPage(visit.services, context.pathParameters.name ?? '');
    const view = shownStatus(visit, idInPath(context), 'single');
    if (view === undefined || view.reblog !== undefined || view.status.accountId !== profile.id)
      throw new Failure('notFound');
    const words = visit.words.posts.reactions;
    const { snapshots } = visit.services;
    const bounds = { maxId: olderThanOf(context.request), limit: webLimits.pagePeople };
    const choose = shownAccounts(snapshots, visit.viewer);
    const { items, full, oldest } = lists[name](snapshots, view.status.id, choose, bounds, visit.viewer);
    const title = words[name];
    const link = linkTo(statusPath(visit, view));
    const main = html`<h1 class="unseen">${title}</h1>
<p class="list">${words.of({ link, name: html`<bdi>${plainName(profile)}</bdi>` })}</p>
${reactionTabs(visit, view, name)}
${items.length > 0 && people(visit, items, title)}
${items.length === 0 && !full && html`<div class="empty"><p>${words.nobody}</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">${visit.words.people.lists.more}</a></nav>`}`;
    return siteAnswer(visit, { title, main, isIndexed: false });
  });
}

export const favouritersPage = reactionsPage('favourites');
export const rebloggersPage = reactionsPage('reblogs');
