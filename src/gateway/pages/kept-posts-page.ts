/** /bookmarks and /favourites: posts that the visitor has kept, newest first. Nobody else sees these lists. */
import { chooseBookmarks } from '../../actors/account/bookmarks/bookmarks.queries.ts';
import { chooseFavourites } from '../../actors/account/interactions/interactions.queries.ts';
import { memberPage } from './page-handler.ts';
import { siteAnswer } from './parts/frame.ts';
import { html } from './parts/html.ts';
import { tabs } from './parts/tabs.ts';
import { timeline } from './parts/timeline.ts';
import { keptListing } from './statuses.ts';
import { olderThanOf } from './visit.ts';

const lists = {
  bookmarks: {
    path: '/bookmarks',
    title: 'Bookmarks',
    choose: chooseBookmarks,
    empty: 'Nothing yet. With the bookmark below a post you find it again here; nobody is told.',
  },
  favourites: {
    path: '/favourites',
    title: 'Favourites',
    choose: chooseFavourites,
    empty: 'Nothing yet. With the star below a post you tell its author that you like it.',
  },
} as const;

function keptPostsPage(name: keyof typeof lists) {
  return memberPage((visit, { request }) => {
    const { title, choose, empty } = lists[name];
    const links = Object.entries(lists).map(([one, list]) => ({
      words: list.title,
      path: list.path,
      isCurrent: one === name,
    }));
    const main = html`<h1 class="unseen">${title}</h1>
${tabs('Kept posts', links)}
${timeline(visit, keptListing(visit, choose, olderThanOf(request)), { label: title, empty: html`<p>${empty}</p>` })}`;
    return siteAnswer(visit, { title, main, current: name, isIndexed: false });
  });
}

export const bookmarksPage = keptPostsPage('bookmarks');
export const favouritesPage = keptPostsPage('favourites');
