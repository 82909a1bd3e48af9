/** The lists that are updated on open pages: which channel carries their entries, and how missed ones are found. */
import type { TimelineChoice } from '../../../actors/timelines.queries.ts';
import { threadProgress } from '../../../federation/remote-objects/fetch-thread-when-old.ts';
import { readNotifications } from '../../../operations/notifications/read-notifications.ts';
import { onBehalfOf } from '../../../operations/on-behalf.ts';
import type { PresentationContext } from '../../../operations/presentation/contexts.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import { walkThread } from '../../../operations/presentation/threads.ts';
import type { ReaderFeed } from '../../../operations/timelines/repeated-reblogs.ts';
import { type Id, parseId } from '../../../runtime/ids.ts';
import type { HomePage } from '../../../services/feeds.ts';
import type { Html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Channel, channelOf } from '../../streaming/channels.ts';
import { placeOfThread, shownStatus } from '../filtered.ts';
import { webLimits } from '../limits.ts';
import { conversationListing, conversationWith } from '../notifications/conversations.ts';
import { answerDepth, answerDepths, answerEntry, threadNotice } from '../parts/answers.ts';
import { conversationEntry } from '../parts/conversation.ts';
import { readsOtherwise } from '../parts/covered.ts';
import { groupEntry, groupedHere } from '../parts/notification.ts';
import { entry } from '../parts/status.ts';
import { accountListing, homeStatus, publicListing } from '../statuses.ts';
import type { MemberVisit } from '../visit.ts';

export interface LiveEntry {
  readonly id: Id;
  /** An account that sees more of it than others. */
  readonly ownerId: Id;
  /** Entries look the same to all viewers without filters, unless they quote a post with a limited audience. */
  readonly isShared?: boolean;
  readonly markup: string;
}

export interface LiveList {
  /** The channel that carries its entries. */
  readonly channel?: Channel;
  /** Ids of authors and statuses whose events concern it; each read of the list may add some. */
  watched?(): Iterable<Id>;
  /** Decides what is shown, and how filters apply. */
  place(visit: MemberVisit): PresentationContext;
  /** Its new entries are the statuses of the channel, not its notifications. */
  readonly carriesStatuses: boolean;
  /** Ids of entries after `sinceId`, newest first. */
  since(visit: MemberVisit, sinceId: Id, limit: number): readonly Id[] | Promise<readonly Id[]>;
  /** Undefined for an entry that the list does not show to this visitor. */
  entry(visit: MemberVisit, id: Id): LiveEntry | undefined;
  /** What is said beside the list of entries that may still come: an open page replaces it by its id. */
  progress?(visit: MemberVisit): Html;
  /** The visitor has seen everything up to this entry. */
  seen?(visit: MemberVisit, id: Id): Promise<void>;
}

export const accountChannel = channelOf('user')!;

function statusEntry(visit: MemberVisit, view: PresentedStatus | undefined): LiveEntry | undefined {
  if (view === undefined) return undefined;
  const { status, reblog } = view;
  const { quote, collections } = reblog ?? view;
  const isShared = quote === undefined && collections === undefined && !hasOwnLook(visit);
  return { id: status.id, ownerId: status.accountId, isShared, markup: entry(visit, view).markup };
}

/** Whether entries look otherwise to the visitor than to most: by filters, or by what they want covered. */
export function hasOwnLook(visit: MemberVisit): boolean {
  return visit.services.presenter.hasFilters(visit.account.id) || readsOtherwise(visit);
}

/** A changed status of the list, or the changed original of a reblog in it. */
export function editedEntry(visit: MemberVisit, list: LiveList, id: Id): LiveEntry | undefined {
  return statusEntry(visit, shownStatus(visit, id, list.place(visit)));
}

const home: LiveList = {
  place: () => 'home',
  channel: accountChannel,
  carriesStatuses: true,
  since(visit, sinceId, limit) {
    const feed = { accountId: visit.account.id };
    return entriesOf(visit, feed, visit.services.homeTimeline.page(feed.accountId, { sinceId, limit }));
  },
  entry: (visit, id) => statusEntry(visit, homeStatus(visit, id)),
};

/** Without repetitions. */
function entriesOf(
  { services }: MemberVisit,
  feed: ReaderFeed,
  page: HomePage | Promise<HomePage>,
): readonly Id[] | Promise<readonly Id[]> {
  const entries = (read: HomePage) => services.repeatedReblogs.without(feed, read);
  return page instanceof Promise ? page.then(entries) : entries(page);
}

/** The posts of a list's members. The channel checks whose list it is. */
function memberList(listId: Id): LiveList {
  return {
    ...home,
    channel: channelOf('list', { list: listId.toString() })!,
    since(visit, sinceId, limit) {
      const feed = { accountId: visit.account.id, listId };
      return entriesOf(visit, feed, visit.services.feeds.list(listId, { sinceId, limit }));
    },
  };
}

const notifications: LiveList = {
  place: () => 'notification',
  channel: accountChannel,
  carriesStatuses: false,
  async since({ services, account }, sinceId, limit) {
    const { notificationGroups, notificationSlices } = services;
    const bounds = { sinceId, limit };
    const steps = () => notificationGroups.pageInSlices(account.id, {}, groupedHere, bounds);
    const { items } = await notificationSlices.run(steps);
    return items.map(({ newestId }) => newestId);
  },
  entry(visit, id) {
    const { services, account } = visit;
    const key = services.notifications.one(account.id, id)?.known.groupKey;
    const group =
      key === undefined ? undefined : services.notificationGroups.one(account.id, key, webLimits.picturedPeopleMax);
    return group && { id, ownerId: account.id, markup: groupEntry(visit, group, true).markup };
  },
  async seen({ services, account, cause }, newestId) {
    await readNotifications(onBehalfOf(services, account.id, cause), { newestId });
  },
};

/** Entries are identified by the last post of each conversation. */
const conversations: LiveList = {
  place: () => 'single',
  channel: channelOf('direct')!,
  carriesStatuses: false,
  since: (visit, sinceId, limit) =>
    conversationListing(visit, { sinceId, limit }).items.map(({ last }) => last.status.id),
  entry(visit, id) {
    const found = conversationWith(visit, id);
    return found && { id, ownerId: visit.account.id, markup: conversationEntry(visit, found).markup };
  },
};

function publicList(choice: TimelineChoice, channelName: string): LiveList {
  return {
    place: () => 'public',
    channel: channelOf(channelName)!,
    carriesStatuses: true,
    since: (visit, sinceId, limit) =>
      publicListing(visit, choice, { sinceId, limit }).views.map(({ status }) => status.id),
    entry: (visit, id) => statusEntry(visit, shownStatus(visit, id, 'public')),
  };
}

const publicLists = {
  local: publicList({ origin: 'local', onlyMedia: false }, 'public:local'),
  localMedia: publicList({ origin: 'local', onlyMedia: true }, 'public:local:media'),
  remote: publicList({ origin: 'remote', onlyMedia: false }, 'public:remote'),
  remoteMedia: publicList({ origin: 'remote', onlyMedia: true }, 'public:remote:media'),
  public: publicList({ origin: 'all', onlyMedia: false }, 'public'),
  publicMedia: publicList({ origin: 'all', onlyMedia: true }, 'public:media'),
} as const;

/** The posts of an account. */
function profileList(accountId: Id, withReplies: boolean): LiveList {
  return {
    place: () => 'account',
    watched: () => [accountId],
    carriesStatuses: true,
    since: (visit, sinceId, limit) =>
      accountListing(visit, accountId, { withReplies }, { sinceId, limit }).views.map(({ status }) => status.id),
    entry(visit, id) {
      // Asks the list itself whether it contains this id.
      const bounds = { sinceId: id - 1n, maxId: id + 1n, limit: 1 };
      return statusEntry(visit, accountListing(visit, accountId, { withReplies }, bounds).views[0]);
    },
  };
}

/** The replies below a status, and replies to these. */
function threadList(rootId: Id): LiveList {
  const depths = new Map<Id, number>([[rootId, -1]]);
  const isFetched = (services: GatewayServices) => threadProgress(services, rootId)?.isRunning === true;
  const place = (visit: MemberVisit) => {
    const root = visit.services.presenter.status(rootId);
    return root === undefined ? 'thread' : placeOfThread(visit, root.accountId);
  };
  return {
    place,
    watched: () => depths.keys(),
    carriesStatuses: true,
    progress: (visit) => threadNotice(visit, isFetched(visit.services)),
    async since(visit, sinceId, limit) {
      const { services, account, asker } = visit;
      const { presenter } = services;
      const root = presenter.status(rootId);
      if (root === undefined || presenter.view(rootId, account.id, 'single') === undefined) return [];
      const { descendants } = await services.slices.run(walkThread(presenter.threads, root), asker);
      // What is fetched from other servers is old when it comes. Which of it the page had at first is not known here: it
      // leaves out what it shows.
      const isNew = (id: Id) =>
        depths.size === 1 ? isFetched(services) && descendants.length < limit : !depths.has(id);
      const news = descendants.map(({ id }) => id).filter((id) => id > sinceId || isNew(id));
      for (const [id, depth] of answerDepths(rootId, descendants)) depths.set(id, depth);
      const shown = news.filter((id) => shownStatus(visit, id, place(visit)) !== undefined);
      return shown.sort((one, other) => (one < other ? 1 : -1)).slice(0, limit);
    },
    entry(visit, id) {
      const view = shownStatus(visit, id, place(visit));
      const parentId = view?.status.inReplyToId;
      if (view === undefined || parentId === undefined || !depths.has(parentId)) return undefined;
      const depth = answerDepth(depths, parentId);
      depths.set(id, depth);
      return { id, ownerId: view.status.accountId, markup: answerEntry(visit, view, depth).markup };
    },
  };
}

/** `of` is the account, status or list that the live list belongs to. */
const lists = {
  home: () => home,
  notifications: () => notifications,
  conversations: () => conversations,
  list: (of) => (of === undefined ? undefined : memberList(of)),
  local: () => publicLists.local,
  localMedia: () => publicLists.localMedia,
  remote: () => publicLists.remote,
  remoteMedia: () => publicLists.remoteMedia,
  public: () => publicLists.public,
  publicMedia: () => publicLists.publicMedia,
  profile: (of) => (of === undefined ? undefined : profileList(of, false)),
  profileWithReplies: (of) => (of === undefined ? undefined : profileList(of, true)),
  thread: (of) => (of === undefined ? undefined : threadList(of)),
} as const satisfies Readonly<Record<string, (of: Id | undefined) => LiveList | undefined>>;

export type LiveListName = keyof typeof lists;

/**
 * The address from which an open page gets new entries of a list; the page's script adds the number of unread ones it
 * shows.
 */
export function liveAddress(name: LiveListName, newest: Id | undefined, of?: Id): string {
  return `/web/live?list=${name}${of === undefined ? '' : `&of=${of}`}&since=${newest ?? 0n}`;
}

/** The home timeline by default. */
export function liveListOf(name = 'home', of = ''): LiveList | undefined {
  return Object.hasOwn(lists, name) ? lists[name as LiveListName](parseId(of)) : undefined;
}
