/** /public/local, /public/remote and /public: public posts of this server, of others, and of all; with `media=1` those with media. */

import { shorten } from '../../actors/text/shorten.ts';
import { html } from '../../services/words/html.ts';
import type { Answer } from '../http/answers.ts';
import type { IncomingRequest } from '../http/request.ts';
import { queryFields } from '../oauth/forms.ts';
import { webLimits } from './limits.ts';
import { liveAddress } from './live/live-lists.ts';
import { pageHandler } from './page-handler.ts';
import { closedPart, emptyFeed } from './parts/closed-feeds.ts';
import { siteAnswer } from './parts/frame.ts';
import { icon } from './parts/icons.ts';
import { tabs } from './parts/tabs.ts';
import { timeline } from './parts/timeline.ts';
import { publicListing } from './statuses.ts';
import { olderThanOf, type Visit } from './visit.ts';

const pages = {
  local: { origin: 'local', path: '/public/local', title: 'localPosts', words: 'thisServer' },
  remote: { origin: 'remote', path: '/public/remote', title: 'remotePosts', words: 'otherServers' },
  public: { origin: 'all', path: '/public', title: 'allPosts', words: 'everywhere' },
} as const;

type PublicPage = keyof typeof pages;

export const localPage = pageHandler((visit, { request }) => show(visit, request, 'local'));

export const remotePage = pageHandler((visit, { request }) => show(visit, request, 'remote'));

export const publicPage = pageHandler((visit, { request }) => show(visit, request, 'public'));

function show(visit: Visit, request: IncomingRequest, name: PublicPage): Answer {
  const words = visit.words.site.timeline;
  const { origin, path: here } = pages[name];
  const onlyMedia = queryFields(request.query).get('media') !== undefined;
  const title = words[pages[name].title];
  const maxId = olderThanOf(request);
  const listing = publicListing(visit, { origin, onlyMedia }, { maxId, limit: webLimits.pageStatuses });
  const links = Object.entries(pages).map(([one, { path, words: label }]) => ({
    words: words[label],
    path: onlyMedia ? `${path}?media=1` : path,
    isCurrent: one === name,
  }));
  const main = html`<h1 class="unseen">${title}</h1>
${tabs(words.publicPosts, links)}
${closedPart(visit, 'live', origin)}
<p class="choices"><a href="${onlyMedia ? here : `${here}?media=1`}"${onlyMedia && html` aria-current="true"`}>${icon('media')} ${words.onlyMedia}</a></p>
${timeline(visit, listing, {
  label: title,
  kept: onlyMedia ? 'media=1&' : '',
  live:
    visit.account !== undefined && maxId === undefined
      ? liveAddress(onlyMedia ? `${name}Media` : name, listing.newest)
      : undefined,
  empty: emptyFeed(visit, 'live', origin, words.noneYet),
})}`;
  const { description } = visit.settings;
  const about = description === '' ? visit.words.site.defaultDescription : description;
  const head = html`<meta name="description" content="${shorten(about, webLimits.descriptionCharactersMax)}">`;
  return siteAnswer(visit, { title, main, head, current: 'local', isIndexed: false });
}
