/**
 * Lists of accounts: followers and followed accounts (/@NAME/followers, /@NAME/following), those that a profile features
 * (/@NAME/endorsements), the visitor's own lists (/follow_requests, /mutes, /blocks), and suggestions (/suggestions).
 */
import { endorsementsOf } from '../../actors/account/endorsements/endorsements.queries.ts';
import type { AccountView } from '../../actors/account/profile/profiles.queries.ts';
import type { RelationshipView } from '../../actors/account/relationship-views.queries.ts';
import {
  allAccounts,
  blocksOf,
  followedBy,
  followersOf,
  followRequestsOf,
  hidesLists,
  isKeptFrom,
  type Muted,
  mutesOf,
  shownAccounts,
} from '../../actors/account/relationships/relationships.queries.ts';
import { suggestedAccounts } from '../../actors/account/suggestions/suggestions.queries.ts';
import type { Page, PageBounds } from '../../actors/pages.ts';
import { anonymous } from '../../actors/policy/visibility.ts';
import { type Html, html } from '../../services/words/html.ts';
import type { Answer } from '../http/answers.ts';
import { webLimits } from './limits.ts';
import { memberPage, pageHandler } from './page-handler.ts';
import { byline, plainName } from './parts/account.ts';
import { type SitePage, siteAnswer } from './parts/frame.ts';
import { handleOf } from './parts/links.ts';
import { type OfPerson, people } from './parts/people.ts';
import { relationTo } from './parts/relations.ts';
import { tabs } from './parts/tabs.ts';
import { fullTime } from './parts/time.ts';
import { accountOfPage } from './profile-page.ts';
import { type MemberVisit, olderThanOf, type Visit } from './visit.ts';

interface PeopleList {
  readonly title: string;
  /** Shown above the list. */
  readonly before: Html;
  readonly page: Page<AccountView>;
  readonly empty: string;
  readonly current?: SitePage['current'];
  readonly more?: OfPerson | undefined;
}

function peopleAnswer(visit: Visit, { title, before, page, empty, current, more }: PeopleList): Answer {
  const { items, full, oldest } = page;
  const main = html`${before}
${items.length > 0 && people(visit, items, title, more)}
${items.length === 0 && !full && html`<div class="empty"><p>${empty}</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">${visit.words.people.lists.more}</a></nav>`}`;
  return siteAnswer(visit, { title, main, isIndexed: false, ...(current === undefined ? {} : { current }) });
}

const nobody: Page<AccountView> = { items: [], newest: undefined, oldest: undefined, full: false };

const followLists = {
  followers: { list: followersOf, titleOf: 'followersOf' },
  following: { list: followedBy, titleOf: 'followingOf' },
} as const;

function followListPage(name: keyof typeof followLists) {
  return pageHandler((visit, { request, pathParameters, services }) => {
    const { profile } = accountOfPage(services, pathParameters.name ?? '');
    const words = visit.words.people.lists;
    const { list, titleOf } = followLists[name];
    const title = words[titleOf]({ name: plainName(profile) });
    const isHidden = hidesLists(profile, visit.viewer);
    const bounds = { maxId: olderThanOf(request), limit: webLimits.pagePeople };
    const path = `/@${handleOf(profile)}`;
    const before = html`<h1 class="unseen">${title}</h1>
<div class="card">${byline(visit, profile)}</div>
${tabs(
  words.people,
  (['followers', 'following'] as const).map((one) => ({
    words: words[one],
    path: `${path}/${one}`,
    isCurrent: one === name,
  })),
)}
${profile.remote !== undefined && !isHidden && html`<p class="fine hint">${words.onlyKnown}</p>`}`;
    return peopleAnswer(visit, {
      title,
      before,
      page: isHidden
        ? nobody
        : list(services.snapshots, profile.id, shownAccounts(services.snapshots, visit.viewer), bounds),
      empty: isHidden ? words.hidden : words.nobody,
      ...(profile.id === visit.account?.id ? { current: 'profile' as const } : {}),
    });
  });
}

export const followersPage = followListPage('followers');
export const followingPage = followListPage('following');

export const featuredPage = pageHandler((visit, { request, pathParameters, services }) => {
  const { profile } = accountOfPage(services, pathParameters.name ?? '');
  const words = visit.words.people.lists;
  const title = words.featuredBy({ name: plainName(profile) });
  const isHidden = profile.showFeatured === false || isKeptFrom(profile, visit.viewer);
  const bounds = { maxId: olderThanOf(request), limit: webLimits.pagePeople };
  return peopleAnswer(visit, {
    title,
    before: html`<h1 class="list">${title}</h1>
<div class="card">${byline(visit, profile)}</div>`,
    page: isHidden
      ? nobody
      : endorsementsOf(services.snapshots, profile.id, shownAccounts(services.snapshots, visit.viewer), bounds),
    empty: isHidden ? words.hidden : words.nobody,
    ...(profile.id === visit.account?.id ? { current: 'profile' as const } : {}),
  });
});

interface OwnList {
  readonly title: 'requests' | 'suggestions' | 'mutes' | 'blocks';
  readonly empty: 'noRequests' | 'noSuggestions' | 'noMutes' | 'noBlocks';
  list(visit: MemberVisit, bounds: PageBounds): Page<AccountView>;
  readonly more?: (visit: MemberVisit) => OfPerson;
}

/** All on one page. */
function suggestedPage({ services, account, viewer, now }: MemberVisit): Page<AccountView> {
  return { ...nobody, items: suggestedAccounts(services.snapshots, account.id, viewer, now, webLimits.pagePeople) };
}

function mutedPage({ items, ...page }: Page<Muted<AccountView>>): Page<AccountView> {
  return { ...page, items: items.map(({ account }) => account) };
}

/** Until when, and what else it does. */
function muteOf(visit: MemberVisit, { mute }: RelationshipView): Html {
  const { until, notifying } = visit.words.people.muting;
  if (mute === undefined) return html``;
  const { expiresAt, hideNotifications } = mute;
  const facts = [
    ...(expiresAt === undefined ? [] : [until({ time: fullTime(visit, expiresAt) })]),
    ...(hideNotifications ? [] : [notifying]),
  ];
  return html`${facts.length > 0 && html`<p class="fine">${facts.map((fact, index) => html`${index > 0 && ' · '}${fact}`)}</p>`}`;
}

const ownLists: Readonly<Record<string, OwnList>> = {
  '/follow_requests': {
    title: 'requests',
    empty: 'noRequests',
    list: ({ services, account }, bounds) =>
      followRequestsOf(services.snapshots, account.id, shownAccounts(services.snapshots, anonymous), bounds),
  },
  '/suggestions': {
    title: 'suggestions',
    empty: 'noSuggestions',
    list: suggestedPage,
    more:
      ({ words }) =>
      ({ id }) =>
        html`<button class="quiet" form="acts" formaction="/web/suggestions/${id}/dismiss">${words.people.lists.dismiss}</button>`,
  },
  '/mutes': {
    title: 'mutes',
    empty: 'noMutes',
    list: ({ services, account, now }, bounds) =>
      mutedPage(mutesOf(services.snapshots, account.id, allAccounts(services.snapshots), bounds, now)),
    more: (visit) => (profile) => muteOf(visit, relationTo(visit, profile.id)),
  },
  '/blocks': {
    title: 'blocks',
    empty: 'noBlocks',
    list: ({ services, account }, bounds) =>
      blocksOf(services.snapshots, account.id, allAccounts(services.snapshots), bounds),
  },
};

function ownListPage(path: string, { title, empty, list, more }: OwnList) {
  const show = memberPage((visit, { request }) => {
    const words = visit.words.people.lists;
    const links = Object.entries(ownLists).map(([one, { title: label }]) => ({
      words: words[label],
      path: one,
      isCurrent: one === path,
    }));
    const page = list(visit, { maxId: olderThanOf(request), limit: webLimits.pagePeople });
    const before = html`<h1 class="unseen">${words[title]}</h1>${tabs(words.people, links)}`;
    return peopleAnswer(visit, {
      title: words[title],
      before,
      page,
      empty: words[empty],
      current: 'settings',
      more: more?.(visit),
    });
  });
  return { path, show };
}

export const ownListPages = Object.entries(ownLists).map(([path, list]) => ownListPage(path, list));
