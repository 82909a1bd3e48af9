/** Notifications, and groups of them, as their owner is shown them. */

import type { Notification } from '../../actors/account/notifications/notifications.records.ts';
import type { Id } from '../../runtime/ids.ts';
import type { CachedNotification } from './cached-notification.ts';
import type { CachedAccount, EncodedForms } from './cached-status.ts';
import type { ShownCollection } from './collections.ts';
import { presentationLimits } from './limits.ts';
import type { NotificationViewer } from './notification-reading.ts';
import type { ShownReport } from './reports.ts';
import type { ShownStatus } from './shown-status.ts';

export interface ShownNotification<Forms extends EncodedForms> {
  readonly id: Id;
  readonly notification: Notification;
  /** It waits until its sender is accepted. */
  readonly isFiltered: boolean;
  readonly from: CachedAccount<Forms>;
  readonly status: ShownStatus<Forms> | undefined;
  readonly known: CachedNotification<ShownNotification<Forms>>;
  /** Where it is about a collection. */
  readonly collection?: ShownCollection;
  readonly report?: ShownReport;
  /** See `groupOfOne`. */
  alone: ShownGroup<Forms> | undefined;
}

/** A group. Members are added newest first. */
export class ShownGroup<Forms extends EncodedForms> {
  readonly key: string;
  readonly newest: ShownNotification<Forms>;
  count = 1;
  /** The oldest notification on the page. */
  oldestId: Id;
  /** The accounts in the group, newest first, with their ids. */
  readonly accounts: CachedAccount<Forms>[];
  readonly accountIds: Id[];
  private readonly accountsMax: number;
  /** The same ids, where they may be many. */
  private readonly idSet: Set<Id> | undefined;

  constructor(key: string, newest: ShownNotification<Forms>, accountsMax: number) {
    const { accountId } = newest.notification;
    this.key = key;
    this.newest = newest;
    this.oldestId = newest.id;
    this.accounts = [newest.from];
    this.accountIds = [accountId];
    this.accountsMax = accountsMax;
    this.idSet = accountsMax > presentationLimits.groupSamplesMax ? new Set([accountId]) : undefined;
  }

  get newestId(): Id {
    return this.newest.id;
  }

  /** `isOnPage`: false for one that is only counted. */
  add(
    known: CachedNotification<ShownNotification<Forms>>,
    isOnPage: boolean,
    viewer: Pick<NotificationViewer<unknown, CachedAccount<Forms> | undefined>, 'senderOf'>,
  ): void {
    this.count += 1;
    if (isOnPage) this.oldestId = known.id;
    if (this.accounts.length === this.accountsMax) return;
    const { accountId } = known.notification;
    if (this.idSet?.has(accountId) ?? this.accountIds.includes(accountId)) return;
    const from = viewer.senderOf(known);
    if (from === undefined) return;
    this.accounts.push(from);
    this.accountIds.push(accountId);
    this.idSet?.add(accountId);
  }
}

/** The group of a notification to which no others belong: cached with it, because it stays as it is. */
export function groupOfOne<Forms extends EncodedForms>(
  key: string,
  shown: ShownNotification<Forms>,
): ShownGroup<Forms> {
  if (shown.alone?.key !== key) shown.alone = new ShownGroup(key, shown, presentationLimits.groupSamplesMax);
  return shown.alone;
}
