/**
 * Notifications in groups, as version 2 of the Mastodon API lists them. A page ends with the notification that begins its
 * last group; what is older of its groups comes with later pages, under the same key, and is counted here already.
 */

import {
  chooseNotifications,
  type NotificationChoice,
} from '../../actors/account/notifications/notifications.queries.ts';
import type { Notification } from '../../actors/account/notifications/notifications.records.ts';
import { type Page, type PageBounds, readsUpwards } from '../../actors/pages.ts';
import {
  type Group,
  type GroupedType,
  groupKeyOf,
  groupOfKey,
  isGroupedType,
  isInGroup,
  rangeOfGroup,
} from '../../actors/policy/notification-groups.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import type { Encoded, KnownAccount } from './known-status.ts';
import { presentationLimits } from './limits.ts';
import type { NotificationPresenter, ShownNotification } from './notifications.ts';

type Shown<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> = ShownNotification<
  StatusBody,
  AccountBody,
  StateBody
>;

export class ShownGroup<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  readonly key: string;
  count = 0;
  /** Ids of the newest and the oldest notification on the page. */
  newestId: Id;
  oldestId: Id;
  newest: Shown<StatusBody, AccountBody, StateBody>;
  /** Who acted, by id; the newest first once it is complete. */
  readonly accounts = new Map<Id, KnownAccount<AccountBody>>();

  constructor(key: string, first: Shown<StatusBody, AccountBody, StateBody>) {
    this.key = key;
    this.newest = first;
    this.newestId = first.id;
    this.oldestId = first.id;
  }

  /** `isOnPage`: it is not only counted. */
  add(shown: Shown<StatusBody, AccountBody, StateBody>, isOnPage: boolean): void {
    this.count += 1;
    const { accountId } = shown.notification;
    if (shown.id > this.newestId) {
      this.newest = shown;
      this.newestId = shown.id;
    }
    if (isOnPage && shown.id < this.oldestId) this.oldestId = shown.id;
    this.accounts.delete(accountId);
    this.accounts.set(accountId, shown.from);
  }
}

export class NotificationGroups<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  private readonly services: Pick<Services, 'snapshots'>;
  private readonly presenter: NotificationPresenter<StatusBody, AccountBody, StateBody>;

  constructor(
    services: Pick<Services, 'snapshots'>,
    presenter: NotificationPresenter<StatusBody, AccountBody, StateBody>,
  ) {
    this.services = services;
    this.presenter = presenter;
  }

  /** Other types than `grouped` stand alone. */
  page(
    accountId: Id,
    choice: NotificationChoice,
    grouped: ReadonlySet<GroupedType>,
    bounds: PageBounds,
  ): Page<ShownGroup<StatusBody, AccountBody, StateBody>> {
    const groups = new Map<string, ShownGroup<StatusBody, AccountBody, StateBody>>();
    const read: Shown<StatusBody, AccountBody, StateBody>[] = [];
    const page = chooseNotifications(
      this.services.snapshots,
      accountId,
      choice,
      bounds,
      (id, notification, isFiltered) => {
        const shown = this.presenter.show(accountId, { id, notification, isFiltered });
        if (shown === undefined) return undefined;
        read.push(shown);
        const key = keyIn(grouped, id, notification);
        if (groups.has(key)) return undefined;
        const group = new ShownGroup(key, shown);
        groups.set(key, group);
        return group;
      },
    );
    if (!readsUpwards(bounds)) read.reverse();
    this.addOlder(accountId, choice, grouped, groups, page.oldest);
    for (const shown of read) groups.get(keyIn(grouped, shown.id, shown.notification))!.add(shown, true);
    page.items.sort((one, other) => (one.newestId > other.newestId ? -1 : 1));
    return page;
  }

  /**
   * Undefined for a group of which nothing is left that the account is shown. What is filtered is no part of it, unless
   * all of it is.
   */
  one(accountId: Id, key: string): ShownGroup<StatusBody, AccountBody, StateBody> | undefined {
    const group = groupOfKey(key);
    if (group === undefined) return undefined;
    if ('aloneId' in group) return groupOf(key, this.alone(accountId, group.aloneId));
    return (
      groupOf(key, this.members(accountId, group, {})) ??
      groupOf(key, this.members(accountId, group, { includeFiltered: true }))
    );
  }

  /** How many groups are newer than an id, counted up to a bound. */
  countNewer(
    accountId: Id,
    choice: NotificationChoice,
    grouped: ReadonlySet<GroupedType>,
    sinceId: Id | undefined,
    countMax: number,
  ): number {
    const keys = new Set<string>();
    let maxId: Id | undefined;
    for (let reading = 0; reading < presentationLimits.notificationReadingsMax; reading += 1) {
      const bounds = { limit: presentationLimits.notificationsCountedPerReading, sinceId, maxId };
      const page = chooseNotifications(
        this.services.snapshots,
        accountId,
        choice,
        bounds,
        (id, notification, isFiltered) =>
          this.presenter.show(accountId, { id, notification, isFiltered }) === undefined
            ? undefined
            : keyIn(grouped, id, notification),
      );
      for (const key of page.items) if (keys.add(key).size === countMax) return countMax;
      if (!page.full || page.oldest === undefined) break;
      maxId = page.oldest;
    }
    return keys.size;
  }

  private *alone(accountId: Id, notificationId: Id) {
    const shown = this.presenter.one(accountId, notificationId);
    if (shown !== undefined) yield shown;
  }

  private *members(accountId: Id, group: Group, choice: NotificationChoice) {
    const range = { ...rangeOfGroup(group), limit: presentationLimits.groupEntriesMax };
    for (const stored of this.presenter.stored(accountId, choice, range)) {
      const shown = isInGroup(stored.notification, group) ? this.presenter.show(accountId, stored) : undefined;
      if (shown !== undefined) yield shown;
    }
  }

  /** What belongs to the groups and lies before the page, the oldest first. */
  private addOlder(
    accountId: Id,
    choice: NotificationChoice,
    grouped: ReadonlySet<GroupedType>,
    groups: ReadonlyMap<string, ShownGroup<StatusBody, AccountBody, StateBody>>,
    oldest: Id | undefined,
  ): void {
    const hours = [...groups.values()].flatMap(({ newest }) => newest.notification.groupHour ?? []);
    if (oldest === undefined || hours.length === 0) return;
    const { from } = rangeOfGroup({ hour: Math.min(...hours) });
    const range = { from, until: oldest, reverse: true, limit: presentationLimits.groupEntriesMax };
    const older: Shown<StatusBody, AccountBody, StateBody>[] = [];
    for (const stored of this.presenter.stored(accountId, choice, range)) {
      const { id, notification } = stored;
      if (notification.groupHour === undefined || !groups.has(keyIn(grouped, id, notification))) continue;
      const shown = this.presenter.show(accountId, stored);
      if (shown !== undefined) older.push(shown);
    }
    for (const shown of older.reverse()) groups.get(keyIn(grouped, shown.id, shown.notification))?.add(shown, false);
  }
}

function groupOf<StatusBody extends Encoded, AccountBody extends Encoded, StateBody>(
  key: string,
  members: Iterable<Shown<StatusBody, AccountBody, StateBody>>,
): ShownGroup<StatusBody, AccountBody, StateBody> | undefined {
  let found: ShownGroup<StatusBody, AccountBody, StateBody> | undefined;
  for (const shown of members) {
    found ??= new ShownGroup(key, shown);
    found.add(shown, true);
  }
  return found;
}

function keyIn(grouped: ReadonlySet<GroupedType>, id: Id, notification: Notification): string {
  const { type } = notification;
  const isGrouped = isGroupedType(type) && grouped.has(type);
  return isGrouped ? groupKeyOf(id, notification) : `ungrouped-${id}`;
}
