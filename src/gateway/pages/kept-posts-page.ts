/** /bookmarks and /favourites: posts that the visitor has kept, newest first. Nobody else sees these lists. */
import { chooseBookmarks } from '../../actors/account/bookmarks/bookmarks.queries.ts';
import { chooseFavourites } from '../../actors/account/interactions/interactions.queries.ts';
import { html } from '../../services/words/html.ts';
import { memberPage } from './page-handler.ts';
import { siteAnswer } from './parts/frame.ts';
import { tabs } from './parts/tabs.ts';
import { timeline } from './parts/timeline.ts';
import { keptListing } from './statuses.ts';
import { olderThanOf } from './visit.ts';

const lists = {
  bookmarks: {
    path: '/bookmarks',
    title: 'bookmarks',
    choose: chooseBookmarks,
    empty: 'noBookmarks',
  },
  favourites: {
    path: '/favourites',
    title: 'favourites',
    choose: chooseFavourites,
    empty: 'noFavourites',
  },
} as const;

function keptPostsPage(name: keyof typeof lists) {
  return memberPage((visit, { request }) => {
    const words = visit.words.posts.kept;
    const { choose, empty } = lists[name];
    const title = words[lists[name].title];
    const links = Object.entries(lists).map(([one, list]) => ({
      words: words[list.title],
      path: list.path,
      isCurrent: one === name,
    }));
    const main = html`<h1 class="unseen">${title}</h1>
${tabs(words.title, links)}
${timeline(visit, keptListing(visit, choose, olderThanOf(request)), { label: title, empty: html`<p>${words[empty]}</p>` })}`;
    return siteAnswer(visit, { title, main, current: name, isIndexed: false });
  });
}

export const bookmarksPage = keptPostsPage('bookmarks');
export const favouritesPage = keptPostsPage('favourites');
