/** What the keys of the page do (assets/shortcuts.js), for who is signed in: shown by one of them. */
import { type Html, html } from '../../../services/words/html.ts';
import { memberOf, type Visit } from '../visit.ts';
import { handleOf } from './links.ts';

export function shortcuts(visit: Visit): Html | undefined {
  const member = memberOf(visit);
  if (member === undefined) return undefined;
  const { site, notifications } = visit.words;
  const { title, pages, sendKeys, closeKey, ...words } = site.shortcuts;
  const { next, previous, open, uncover, reply, favourite, boost, bookmark, newest, write, send, find, leave, help } =
    words;
  const ofPosts = { j: next, k: previous, o: open, x: uncover, r: reply, f: favourite, b: boost, d: bookmark };
  const ofPage = { '.': newest, n: write, [sendKeys]: send, '/': find, [closeKey]: leave, '?': help };
  const places: readonly (readonly [key: string, path: string, name: string])[] = [
    ['h', '/', site.home],
    ['n', '/notifications', notifications.title],
    ['c', '/conversations', site.conversations],
    ['e', '/explore', site.explore.title],
    ['l', '/public/local', site.local],
    ['t', '/lists', site.lists],
    ['b', '/bookmarks', site.bookmarks],
    ['f', '/favourites', site.favourites],
    ['d', '/scheduled', site.scheduled],
    ['u', `/@${handleOf(member.account.profile)}`, site.profile],
    ['s', '/settings', site.settings],
  ];
  return html`<dialog class="shortcuts" aria-labelledby="shortcuts-title"><h2 id="shortcuts-title">${title}</h2>
<div class="sections"><dl>${Object.entries({ ...ofPosts, ...ofPage }).map(([key, label]) => html`<dt><kbd>${key}</kbd></dt><dd>${label}</dd>`)}</dl>
<section aria-label="${pages}"><h3>${pages}</h3><dl>${places.map(([key, path, name]) => html`<dt><kbd>g</kbd> <kbd>${key}</kbd></dt><dd><a href="${path}" data-go="${key}">${name}</a></dd>`)}</dl></section></div>
<p class="line"><button type="button" class="quiet" role="switch" aria-checked="true">${words.areOn}</button> <button type="button" class="close">${words.close}</button></p></dialog>`;
}
