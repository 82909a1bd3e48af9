/**
 * /web/find: finds known accounts and hashtags by prefix, and posts by their text; all kinds on one page, or more of one;
 * with `of` only posts of one account.
 * A complete handle, or the address of a post or profile, is looked up at its server, and the visitor is redirected there.
 */
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { type AccountView, findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { findStatus } from '../../actors/account/status-views.queries.ts';
import { textLimits } from '../../actors/text/limits.ts';
import { onlyUnreachable } from '../../federation/failures.ts';
import { resolveHandle } from '../../operations/accounts/resolve-handle.ts';
import type { AccountCaller } from '../../operations/caller.ts';
import type { OperationContext } from '../../operations/operation.ts';
import { isWebAddress } from '../../operations/search/resolve-address.ts';
import { type SearchedKind, type SearchResults, search, searchedKinds } from '../../operations/search/search.ts';
import { isTimeZone } from '../../operations/search/time-zones.ts';
import type { Id } from '../../runtime/ids.ts';
import { type Html, html } from '../../services/words/html.ts';
import { type Answer, redirect } from '../http/answers.ts';
import type { IncomingRequest } from '../http/request.ts';
import { queryFields } from '../oauth/forms.ts';
import { shownStatus } from './filtered.ts';
import { webLimits } from './limits.ts';
import { pageHandler } from './page-handler.ts';
import { findForm, findFormOf } from './parts/aside.ts';
import { siteAnswer } from './parts/frame.ts';
import { handleOf, pathOfStatus, signInPath } from './parts/links.ts';
import { people } from './parts/people.ts';
import { code } from './parts/slots.ts';
import { tabs } from './parts/tabs.ts';
import { timeline } from './parts/timeline.ts';
import { accountOfPage } from './profile-page.ts';
import { olderThanOf, type Visit } from './visit.ts';

/** What the visitor asks for. */
interface Asked {
  readonly words: string;
  /** Undefined for some of each. */
  readonly kind: SearchedKind | undefined;
  readonly offset: number;
  readonly limit: number;
  readonly maxId: Id | undefined;
  /** Of the days in the words; a script tells it. */
  readonly timeZone: string | undefined;
  /** Whose posts. */
  readonly author: Profile | undefined;
}

/** For signed-in visitors only: an anonymous request must not make this server contact others. */
export const findPage = pageHandler(async (visit, { request, cause, limitsOf }) => {
  if (visit.account === undefined) return redirect(signInPath(visit), 303);
  const asked = askedIn(visit, request);
  const { words, kind } = asked;
  if (words === '') return answer(visit, asked, html``);
  const { services, account: visitor } = visit;
  const caller: AccountCaller = { kind: 'account', accountId: visitor.id, limits: limitsOf(visitor.id), cause };
  const isAddress = isWebAddress(words);
  const path = isAddress || kind !== undefined ? undefined : await pathOfHandle({ caller, services }, words);
  if (path !== undefined) return redirect(path, 303);
  const { author, ...given } = asked;
  const wanted = { ...given, authorId: author?.id, resolve: isAddress, followedOnly: false };
  const results = await search({ caller, services }, wanted);
  const found = isAddress ? pathOfResult(visit, results) : undefined;
  return found === undefined ? listed(visit, asked, results) : redirect(found, 303);
});

/** Throws Failure notFound or gone for posts of an account that nobody is shown here. */
function askedIn({ services }: Visit, request: Pick<IncomingRequest, 'query'>): Asked {
  const fields = queryFields(request.query);
  const zone = fields.get('zone') ?? '';
  const of = fields.get('of');
  const author = of === undefined ? undefined : accountOfPage(services, of).profile;
  const kind = author === undefined ? searchedKinds.find((one) => one === fields.get('kind')) : 'statuses';
  return {
    words: (fields.get('handle') ?? '').trim().slice(0, textLimits.searchCharactersMax),
    kind,
    offset: kind === undefined ? 0 : Number(/^\d{1,4}$/.exec(fields.get('offset') ?? '') ?? 0),
    limit: kind === 'statuses' || kind === undefined ? webLimits.pageStatuses : webLimits.pagePeople,
    maxId: kind === 'statuses' ? olderThanOf(request) : undefined,
    timeZone: isTimeZone(zone) ? zone : undefined,
    author,
  };
}

async function pathOfHandle(context: OperationContext<AccountCaller>, handle: string): Promise<string | undefined> {
  const accountId = await resolveHandle(context, { handle }).catch(onlyUnreachable);
  const account = accountId === undefined ? undefined : findAccount(context.services.snapshots, accountId);
  return account && `/@${handleOf(account.profile)}`;
}

function accountsOf({ snapshots }: Visit['services'], accountIds: readonly Id[]): AccountView[] {
  return accountIds.flatMap((accountId) => findAccount(snapshots, accountId) ?? []);
}

/** An address has one result. */
function pathOfResult({ services }: Visit, { accountIds, statusIds }: SearchResults): string | undefined {
  const [account] = accountsOf(services, accountIds);
  if (account !== undefined) return `/@${handleOf(account.profile)}`;
  const [statusId] = statusIds;
  const view = statusId === undefined ? undefined : findStatus(services.snapshots, statusId);
  return view && pathOfStatus(view.author.profile, view.status.id);
}

function listed(visit: Visit, asked: Asked, results: SearchResults): Answer {
  const { kind, offset, maxId } = asked;
  const found = [peopleSection, tagsSection, postsSection].map((section) => section(visit, asked, results));
  const isEmpty = found.every((one) => one === undefined);
  const isFirstPage = offset === 0 && maxId === undefined;
  const main = html`${(!isEmpty || kind !== undefined) && asked.author === undefined && kindTabs(visit, asked)}
${isEmpty && isFirstPage ? nothing(visit, asked) : found}`;
  return answer(visit, asked, main, isEmpty && isFirstPage ? 404 : 200);
}

/** Undefined where none is found. */
type Section = (visit: Visit, asked: Asked, results: SearchResults) => Html | undefined;

const peopleSection: Section = (visit, asked, { accountIds }) => {
  const accounts = accountsOf(visit.services, shownOf(asked, accountIds));
  if (accounts.length === 0) return undefined;
  const words = visit.words.site.find;
  return html`${headed(asked, words.kinds.accounts)}${people(visit, accounts, words.people({ words: asked.words }))}
${furtherLink(asked, 'accounts', accountIds, words.more.accounts)}`;
};

const tagsSection: Section = ({ words: { site } }, asked, { tags }) => {
  const { kinds, more } = site.find;
  if (tags.length === 0) return undefined;
  return html`${headed(asked, kinds.hashtags)}${tagLinks(shownOf(asked, tags))}
${furtherLink(asked, 'hashtags', tags, more.hashtags)}`;
};

const postsSection: Section = (visit, asked, { statusIds }) => {
  const views = statusIds.flatMap((id) => shownStatus(visit, id, 'search') ?? []);
  if (statusIds.length === 0) return undefined;
  const label = visit.words.site.find.kinds.statuses;
  const older = statusIds.length < asked.limit ? undefined : statusIds.at(-1);
  const listing = { views, newest: undefined, older, complete: true };
  const kept = `${placeOf(asked, 'statuses')}&`;
  return html`${headed(asked, label)}${timeline(visit, listing, { label, empty: html``, kept })}`;
};

function headed({ kind }: Asked, title: string): Html | false {
  return kind === undefined && html`<h2 class="list">${title}</h2>`;
}

/** Of people and hashtags, the page of all kinds has some. */
function shownOf<Item>({ kind }: Asked, all: readonly Item[]): readonly Item[] {
  return kind === undefined ? all.slice(0, webLimits.foundOfKind) : all;
}

/** To the rest of a kind, or to its next page. */
function furtherLink(asked: Asked, of: SearchedKind, { length }: readonly unknown[], label: string): Html | false {
  const { kind, offset, limit } = asked;
  if (kind === undefined)
    return length > webLimits.foundOfKind && html`<p class="further"><a href="?${placeOf(asked, of)}">${label}</a></p>`;
  const next = `${placeOf(asked, of)}&offset=${offset + limit}`;
  return length === limit && html`<nav class="paging"><a rel="next" href="?${next}">${label}</a></nav>`;
}

function kindTabs({ words: { site } }: Visit, asked: Asked): Html {
  const { all, ofEachKind, kinds } = site.find;
  const links = [undefined, ...searchedKinds].map((one) => ({
    words: one === undefined ? all : kinds[one],
    path: `?${placeOf(asked, one)}`,
    isCurrent: one === asked.kind,
  }));
  return tabs(ofEachKind, links);
}

/** The parameters of a page. */
function placeOf({ words, timeZone, author }: Asked, kind: SearchedKind | undefined): string {
  const given = { handle: words, kind, of: author && handleOf(author), zone: timeZone };
  const parameters = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return parameters.join('&');
}

/** What the language of searches in posts has (operations/search/query-language.ts). */
function operatorsHelp({ services, words: { site } }: Visit): Html | false {
  if (services.search === undefined) return false;
  const { helpTitle, helpScope, operators } = site.find;
  const rows = Object.entries(operators).map(
    ([example, meaning]) => html`<div><dt><code>${example}</code></dt><dd>${meaning}</dd></div>`,
  );
  return html`<details class="card help"><summary>${helpTitle}</summary>
<dl>${rows}</dl>
<p>${helpScope}</p></details>`;
}

/** Filled by a script, which keeps them in the browser. */
function recentSearches({ words: { site } }: Visit): Html {
  const { recent, forget } = site.find;
  return html`<section class="card recent" id="recent" hidden><h2>${recent}</h2>
<ul></ul>
<button type="button" class="quiet">${forget}</button></section>`;
}

function tagLinks(tags: readonly string[]): Html {
  const links = tags.map(
    (tag) => html`<li class="entry"><a href="/tags/${encodeURIComponent(tag)}"><bdi>#${tag}</bdi></a></li>`,
  );
  return html`<ul class="timeline tags">${links}</ul>`;
}

function nothing({ words: { site } }: Visit, { words, kind }: Asked): Html {
  const { nothing: title, nothingHint, noPosts } = site.find;
  const typed = html`<bdi><strong>${words}</strong></bdi>`;
  return html`<div class="empty"><h2>${title}</h2>
<p>${kind === 'statuses' ? noPosts({ words: typed, code }) : nothingHint({ words: typed, code })}</p></div>`;
}

function answer(visit: Visit, { words: given, author }: Asked, found: Html, status = 200): Answer {
  const { title, label, everywhere } = visit.words.site.find;
  const focus = given === '' ? html` autofocus` : undefined;
  const form = author === undefined ? findForm(visit, label, given, focus) : findFormOf(visit, author, given, focus);
  const main = html`<h1 class="list">${title}</h1>
${form}
${author !== undefined && html`<p class="further"><a href="?handle=${encodeURIComponent(given)}">${everywhere}</a></p>`}
${operatorsHelp(visit)}
${given === '' && author === undefined && recentSearches(visit)}
${found}`;
  return siteAnswer(visit, { title, main, status, current: 'find', isIndexed: false });
}
