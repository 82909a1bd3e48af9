/** The lists that stay up to date on an open page: which channel tells of their entries, and how they are caught up. */
import { readNotifications } from '../../operations/notifications/read-notifications.ts';
import { onBehalfOf } from '../../operations/on-behalf.ts';
import type { PresentedStatus } from '../../operations/presentation/presenter.ts';
import type { Id } from '../../runtime/ids.ts';
import { type Channel, channelOf } from '../streaming/channels.ts';
import { notificationEntry } from './parts/notification.ts';
import { entry } from './parts/status.ts';
import { homeStatus, publicListing } from './statuses.ts';
import type { MemberVisit } from './visit.ts';

export interface LiveEntry {
  readonly id: Id;
  /** Sees more of it than others: to all others it looks the same. */
  readonly ownerId: Id;
  readonly markup: string;
}

export interface LiveList {
  readonly channel: Channel;
  /** Its new entries are the statuses of the channel, and not its notifications. */
  readonly carriesStatuses: boolean;
  /** Ids of entries after `sinceId`, newest first. */
  since(visit: MemberVisit, sinceId: Id, limit: number): readonly Id[] | Promise<readonly Id[]>;
  /** Undefined for what the list does not show to this visitor. */
  entry(visit: MemberVisit, id: Id): LiveEntry | undefined;
  /** The visitor has seen everything up to this entry. */
  seen?(visit: MemberVisit, id: Id): Promise<void>;
}

export const accountChannel = channelOf('user')!;

function statusEntry(visit: MemberVisit, view: PresentedStatus | undefined): LiveEntry | undefined {
  if (view === undefined) return undefined;
  return { id: view.status.id, ownerId: view.status.accountId, markup: entry(visit, view).markup };
}

/** A status that has changed, wherever it is shown. */
export function editedEntry(visit: MemberVisit, id: Id): LiveEntry | undefined {
  return statusEntry(visit, visit.services.presenter.view(id, visit.account.id, 'stream'));
}

function publicList(origin: 'local' | 'all', channelName: string): LiveList {
  return {
    channel: channelOf(channelName)!,
    carriesStatuses: true,
    since: (visit, sinceId, limit) =>
      publicListing(visit, origin, { sinceId, limit }).views.map(({ status }) => status.id),
    entry: (visit, id) => statusEntry(visit, visit.services.presenter.view(id, visit.account.id, 'public')),
  };
}

const lists = {
  home: {
    channel: accountChannel,
    carriesStatuses: true,
    since({ services, account }, sinceId, limit) {
      const home = services.feeds.home(account.id, { sinceId, limit });
      // What is here at once lasts only until another page is read.
      return home instanceof Promise ? home.then(({ ids }) => Array.from(ids)) : Array.from(home.ids);
    },
    entry: (visit, id) => statusEntry(visit, homeStatus(visit, id)),
  },
  notifications: {
    channel: accountChannel,
    carriesStatuses: false,
    since: ({ services, account }, sinceId, limit) =>
      services.notifications.page(account.id, {}, { sinceId, limit }).items.map(({ id }) => id),
    entry(visit, id) {
      const found = visit.services.notifications.one(visit.account.id, id);
      return found && { id, ownerId: visit.account.id, markup: notificationEntry(visit, found, true).markup };
    },
    async seen({ services, account }, newestId) {
      await readNotifications(onBehalfOf(services, account.id), { newestId });
    },
  },
  local: publicList('local', 'public:local'),
  public: publicList('all', 'public'),
} as const satisfies Readonly<Record<string, LiveList>>;

export type LiveListName = keyof typeof lists;

/** Where an open page hears of new entries of a list; the script of the page adds what it shows as unread. */
export function liveAddress(name: LiveListName, newest: Id | undefined): string {
  return `/web/live?list=${name}&since=${newest ?? 0n}`;
}

/** The home timeline where none is named. */
export function liveListOf(name = 'home'): LiveList | undefined {
  return Object.hasOwn(lists, name) ? lists[name as LiveListName] : undefined;
}
