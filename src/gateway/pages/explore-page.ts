/** /explore: the posts that trend. /explore/tags, /explore/links and /explore/people: hashtags, news, and who is active. */
import { listedAccounts } from '../../actors/account/profile/directory.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import type { DayOfUse } from '../../actors/uses.queries.ts';
import type { OperationContext } from '../../operations/operation.ts';
import { authorOfCard } from '../../operations/presentation/card-authors.ts';
import { findTrendingLinks, type TrendingLink } from '../../operations/trends/trending-links.ts';
import { findTrendingStatuses } from '../../operations/trends/trending-statuses.ts';
import { findTrendingTags } from '../../operations/trends/trending-tags.ts';
import { type Html, html } from '../../services/words/html.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { RawContext } from '../http/context.ts';
import { type Fields, queryFields } from '../oauth/forms.ts';
import { shownStatus } from './filtered.ts';
import { webLimits } from './limits.ts';
import { pageHandler } from './page-handler.ts';
import { siteAnswer } from './parts/frame.ts';
import { elsewhere, linkPagePath } from './parts/links.ts';
import { people } from './parts/people.ts';
import { previewOfCard } from './parts/preview.ts';
import { sparkLine } from './parts/spark-line.ts';
import { tabs } from './parts/tabs.ts';
import { timeline } from './parts/timeline.ts';
import type { Visit } from './visit.ts';

interface Asked {
  readonly visit: Visit;
  readonly operation: OperationContext<OperationContext['caller'] & { kind: 'account' | 'visitor' }>;
  readonly offset: number;
  readonly fields: Fields;
}

/** One kind of what can be explored. */
interface Kind {
  readonly path: string;
  readonly words: 'posts' | 'hashtags' | 'news' | 'people';
  readonly empty: 'noPosts' | 'noHashtags' | 'noNews' | 'noPeople';
  readonly size: number;
  /** One entry more than a page has, where there are as many. */
  readonly find: (asked: Asked) => Promise<Found>;
  /** What its reader may choose, as links. */
  readonly choices?: (visit: Visit, fields: Fields) => Html;
  /** What they have chosen, as parameters. */
  readonly kept?: (fields: Fields) => string;
}

interface Found {
  readonly count: number;
  /** The first ones. */
  show(limit: number, label: string): Html;
}

const kinds: readonly Kind[] = [
  { path: '/explore', words: 'posts', empty: 'noPosts', size: webLimits.pageStatuses, find: findPosts },
  { path: '/explore/tags', words: 'hashtags', empty: 'noHashtags', size: webLimits.pageStatuses, find: findTags },
  { path: '/explore/links', words: 'news', empty: 'noNews', size: webLimits.pageStatuses, find: findNews },
  {
    ...{ path: '/explore/people', words: 'people', empty: 'noPeople', size: webLimits.pagePeople, find: findPeople },
    choices: peopleChoices,
    kept: (fields) => keptOf(directoryIn(fields)),
  },
];

function explorePage(kind: Kind) {
  return pageHandler(async (visit, context) => {
    const words = visit.words.site.explore;
    const fields = queryFields(context.request.query);
    const offset = Number(/^\d{1,4}$/.exec(fields.get('offset') ?? '') ?? 0);
    const found = await kind.find({ visit, operation: operationOf(visit, context), offset, fields });
    const label = words[kind.words];
    const links = kinds.map(({ path, words: name }) => ({ words: words[name], path, isCurrent: path === kind.path }));
    const main = html`<h1 class="list">${words.title}</h1>
${tabs(words.title, links)}
${kind.choices?.(visit, fields)}
${found.count > 0 && found.show(kind.size, label)}
${found.count === 0 && html`<div class="empty"><p>${words[kind.empty]}</p></div>`}
${found.count > kind.size && html`<nav class="paging"><a rel="next" href="?${kind.kept?.(fields)}offset=${offset + kind.size}">${words.more}</a></nav>`}`;
    return siteAnswer(visit, { title: `${label} · ${words.title}`, main, current: 'explore', isIndexed: false });
  });
}

export const explorePages = kinds.map((kind) => ({ path: kind.path, show: explorePage(kind) }));

export function operationOf(
  { services, account, cause }: Visit,
  { limitsOf }: RawContext<GatewayServices>,
): Asked['operation'] {
  const asking = { limits: limitsOf(account?.id), cause };
  if (account === undefined) return { caller: { kind: 'visitor', accountId: undefined, ...asking }, services };
  return { caller: { kind: 'account', accountId: account.id, ...asking }, services };
}

async function findPosts({ visit, operation, offset }: Asked): Promise<Found> {
  const languages = visit.language === undefined ? [] : [visit.language];
  const wanted = offset + webLimits.pageStatuses + 1;
  const views = [];
  for (const id of await findTrendingStatuses(operation, { languages })) {
    const view = shownStatus(visit, id, 'trend');
    if (view !== undefined && views.push(view) === wanted) break;
  }
  const page = views.slice(offset);
  return {
    count: page.length,
    show(limit, label) {
      const listing = { views: page.slice(0, limit), newest: undefined, older: undefined, complete: true };
      return timeline(visit, listing, { label, empty: html`` });
    },
  };
}

async function findTags({ visit, operation, offset }: Asked): Promise<Found> {
  const tags = await findTrendingTags(operation, { offset, limit: webLimits.pageStatuses + 1 });
  return {
    count: tags.length,
    show: (limit, label) =>
      html`<ul class="timeline tags" aria-label="${label}">${tags
        .slice(0, limit)
        .map(
          ({ name, history }) =>
            html`<li class="entry"><a href="/tags/${encodeURIComponent(name)}"><bdi>#${name}</bdi></a> <span class="fine">${useOf(visit, history)}</span>${lineOf(history)}</li>`,
        )}</ul>`,
  };
}

async function findNews({ visit, operation, offset }: Asked): Promise<Found> {
  const links = await findTrendingLinks(operation, { offset, limit: webLimits.pageStatuses + 1 });
  return {
    count: links.length,
    show: (limit, label) =>
      html`<ul class="timeline" aria-label="${label}">${links.slice(0, limit).map((link) => newsEntry(visit, link))}</ul>`,
  };
}

function newsEntry(visit: Visit, { card, history }: TrendingLink): Html {
  const { snapshots } = visit.services;
  const { accountId } = authorOfCard(snapshots, card, visit.viewer);
  const author = accountId === undefined ? undefined : findProfile(snapshots, accountId);
  return html`<li class="entry">${previewOfCard(visit, card, elsewhere(card.url), author)}
<p class="fine use"><a href="${linkPagePath(card.url)}">${useOf(visit, history)}</a>${lineOf(history)}</p></li>`;
}

/** Today and yesterday. */
function useOf({ words }: Visit, history: readonly DayOfUse[]): string {
  const count = history.slice(0, 2).reduce((sum, { accounts }) => sum + accounts, 0);
  return words.site.explore.use({ count });
}

/** Of a week, to today. */
function lineOf(history: readonly DayOfUse[]): Html {
  return sparkLine(history.map(({ accounts }) => accounts).toReversed());
}

type Directory = Pick<Parameters<typeof listedAccounts>[2], 'order' | 'localOnly'>;

function directoryIn(fields: Fields): Directory {
  return { order: fields.get('order') === 'new' ? 'new' : 'active', localOnly: fields.get('local') !== undefined };
}

function keptOf({ order, localOnly }: Directory): string {
  return `${order === 'new' ? 'order=new&' : ''}${localOnly ? 'local=1&' : ''}`;
}

function peopleChoices({ words }: Visit, fields: Fields): Html {
  const { people, active, newest, onlyHere } = words.site.explore;
  const chosen = directoryIn(fields);
  const link = (label: string, change: Partial<Directory>, isChosen: boolean) =>
    html`<a href="?${keptOf({ ...chosen, ...change })}"${isChosen && html` aria-current="true"`}>${label}</a>`;
  return html`<nav class="choices" aria-label="${people}">${link(active, { order: 'active' }, chosen.order === 'active')}${link(newest, { order: 'new' }, chosen.order === 'new')}${link(onlyHere, { localOnly: !chosen.localOnly }, chosen.localOnly)}</nav>`;
}

async function findPeople({ visit, offset, fields }: Asked): Promise<Found> {
  const asked = { ...directoryIn(fields), offset, limit: webLimits.pagePeople + 1 };
  const accounts = listedAccounts(visit.services.snapshots, visit.viewer, asked);
  return { count: accounts.length, show: (limit, label) => people(visit, accounts.slice(0, limit), label) };
}
