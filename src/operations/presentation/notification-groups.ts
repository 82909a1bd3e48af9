/**
 * Grouped notifications, as in version 2 of the Mastodon API. A page ends with the notification that begins its last
 * group; older members of its groups come on later pages, under the same key, and are included in the count here.
 */

import {
  chooseNotifications,
  isChosen,
  type NotificationChoice,
} from '../../actors/account/notifications/notifications.queries.ts';
import { type Page, type PageBounds, readsUpwards } from '../../actors/pages.ts';
import {
  type Group,
  type GroupedType,
  groupOfKey,
  isGroupedType,
  isInGroup,
  rangeOfGroup,
} from '../../actors/policy/notification-groups.ts';
import type { Id } from '../../runtime/ids.ts';
import type { KnownNotification } from './known-notification.ts';
import type { Encoded, KnownAccount } from './known-status.ts';
import { presentationLimits } from './limits.ts';
import type { NotificationPresenter, ShownNotification } from './notifications.ts';
import type { Source } from './sources.ts';
import type { KeptList } from './versioned-lists.ts';

type Shown<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> = ShownNotification<
  StatusBody,
  AccountBody,
  StateBody
>;

/** A group. Members are added newest first. */
export class ShownGroup<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  readonly key: string;
  readonly newest: Shown<StatusBody, AccountBody, StateBody>;
  count = 0;
  /** The oldest notification on the page. */
  oldestId: Id;
  /** The accounts in the group, newest first, with their ids. */
  readonly accounts: KnownAccount<AccountBody>[] = [];
  readonly accountIds: Id[] = [];
  private readonly accountsMax: number;
  /** The same ids, where they may be many. */
  private readonly idSet: Set<Id> | undefined;

  constructor(key: string, newest: Shown<StatusBody, AccountBody, StateBody>, accountsMax: number) {
    this.key = key;
    this.newest = newest;
    this.oldestId = newest.id;
    this.accountsMax = accountsMax;
    this.idSet = accountsMax > presentationLimits.groupSamplesMax ? new Set() : undefined;
  }

  get newestId(): Id {
    return this.newest.id;
  }

  /** `isOnPage`: false for one that is only counted. */
  add(
    { id, notification }: KnownNotification<Shown<StatusBody, AccountBody, StateBody>>,
    from: KnownAccount<AccountBody>,
    isOnPage: boolean,
  ): void {
    this.count += 1;
    if (isOnPage) this.oldestId = id;
    if (this.accounts.length === this.accountsMax) return;
    const { accountId } = notification;
    if (this.idSet?.has(accountId) ?? this.accountIds.includes(accountId)) return;
    this.accounts.push(from);
    this.accountIds.push(accountId);
    this.idSet?.add(accountId);
  }
}

type Groups<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> = Map<
  string,
  ShownGroup<StatusBody, AccountBody, StateBody>
>;

export class NotificationGroups<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  private readonly presenter: NotificationPresenter<StatusBody, AccountBody, StateBody>;

  constructor(presenter: NotificationPresenter<StatusBody, AccountBody, StateBody>) {
    this.presenter = presenter;
  }

  /** Types other than `grouped` are not grouped. */
  page(
    accountId: Id,
    choice: NotificationChoice,
    grouped: ReadonlySet<GroupedType>,
    bounds: PageBounds,
    newest = this.presenter.newest(accountId),
  ): Page<ShownGroup<StatusBody, AccountBody, StateBody>> {
    const viewer = this.presenter.viewer(accountId);
    const groups: Groups<StatusBody, AccountBody, StateBody> = new Map();
    /** Newest first. Answers the key of a group that begins, undefined otherwise. */
    const add = (known: KnownNotification<Shown<StatusBody, AccountBody, StateBody>>): string | undefined => {
      const sender = viewer.senderOf(known);
      if (sender === undefined) return undefined;
      const key = keyIn(grouped, known);
      const begun = groups.get(key);
      const group = begun ?? new ShownGroup(key, viewer.show(known)!, presentationLimits.groupSamplesMax);
      if (begun === undefined) groups.set(key, group);
      group.add(known, sender, true);
      return begun === undefined ? key : undefined;
    };
    const entries = this.presenter.entries(newest, choice, bounds);
    const upwards: KnownNotification<Shown<StatusBody, AccountBody, StateBody>>[] = [];
    const keys = new Set<string>();
    /** The same without adding the notification, while the newest one is not known. */
    const find = (known: KnownNotification<Shown<StatusBody, AccountBody, StateBody>>): string | undefined => {
      if (viewer.senderOf(known) === undefined) return undefined;
      upwards.push(known);
      const key = keyIn(grouped, known);
      return keys.size === keys.add(key).size ? undefined : key;
    };
    const page = chooseNotifications(entries, choice, bounds, readsUpwards(bounds) ? find : add);
    for (const known of upwards.reverse()) add(known);
    this.addOlder(newest, choice, grouped, groups, page.oldest);
    return { newest: page.newest, oldest: page.oldest, full: page.full, items: [...groups.values()] };
  }

  /**
   * Undefined for a group of which the account may see nothing. Filtered notifications are not part of it, unless all
   * are filtered.
   */
  one(accountId: Id, key: string): ShownGroup<StatusBody, AccountBody, StateBody> | undefined {
    const group = groupOfKey(key);
    if (group === undefined) return undefined;
    if ('aloneId' in group) {
      const shown = this.presenter.one(accountId, group.aloneId);
      const alone = shown && new ShownGroup(key, shown, presentationLimits.groupEntriesMax);
      alone?.add(shown!.known, shown!.from, true);
      return alone;
    }
    return this.whole(accountId, key, group, {}) ?? this.whole(accountId, key, group, { includeFiltered: true });
  }

  /** How many groups are newer than an id, counted up to a bound. */
  countNewer(
    accountId: Id,
    choice: NotificationChoice,
    grouped: ReadonlySet<GroupedType>,
    sinceId: Id | undefined,
    countMax: number,
  ): number {
    const viewer = this.presenter.viewer(accountId);
    const newest = this.presenter.newest(accountId);
    const keys = new Set<string>();
    let maxId: Id | undefined;
    for (let reading = 0; reading < presentationLimits.notificationReadingsMax; reading += 1) {
      const bounds = { limit: presentationLimits.notificationsCountedPerReading, sinceId, maxId };
      const entries = this.presenter.entries(newest, choice, bounds);
      const page = chooseNotifications(entries, choice, bounds, (known) =>
        viewer.senderOf(known) === undefined ? undefined : keyIn(grouped, known),
      );
      for (const key of page.items) if (keys.add(key).size === countMax) return countMax;
      if (!page.full || page.oldest === undefined) break;
      maxId = page.oldest;
    }
    return keys.size;
  }

  /** A group with all visible members. */
  private whole(
    accountId: Id,
    key: string,
    group: Group,
    choice: NotificationChoice,
  ): ShownGroup<StatusBody, AccountBody, StateBody> | undefined {
    const viewer = this.presenter.viewer(accountId);
    const { from, until } = rangeOfGroup(group);
    let found: ShownGroup<StatusBody, AccountBody, StateBody> | undefined;
    for (const known of this.someBetween(this.presenter.newest(accountId), choice, from, until)) {
      const sender = isInGroup(known.notification, group) ? viewer.senderOf(known) : undefined;
      if (sender === undefined) continue;
      found ??= new ShownGroup(key, viewer.show(known)!, presentationLimits.groupEntriesMax);
      found.add(known, sender, true);
    }
    return found;
  }

  /** Adds the members that are older than the page. */
  private addOlder(
    newest: KeptList<KnownNotification<Shown<StatusBody, AccountBody, StateBody>>>,
    choice: NotificationChoice,
    grouped: ReadonlySet<GroupedType>,
    groups: Groups<StatusBody, AccountBody, StateBody>,
    oldest: Id | undefined,
  ): void {
    const hours = [...groups.values()].flatMap(({ newest }) => newest.notification.groupHour ?? []);
    if (oldest === undefined || hours.length === 0) return;
    const viewer = this.presenter.viewer(newest.accountId);
    const { from } = rangeOfGroup({ hour: Math.min(...hours) });
    for (const known of this.someBetween(newest, choice, from, oldest)) {
      if (known.notification.groupHour === undefined || !isChosen(known.notification, choice)) continue;
      const group = groups.get(keyIn(grouped, known));
      const sender = group === undefined ? undefined : viewer.senderOf(known);
      if (sender !== undefined) group!.add(known, sender, false);
    }
  }

  /** From the newest on, up to the bound of a group. */
  private *someBetween(
    newest: KeptList<KnownNotification<Shown<StatusBody, AccountBody, StateBody>>>,
    choice: NotificationChoice,
    from: Id,
    until: Id,
  ): Generator<KnownNotification<Shown<StatusBody, AccountBody, StateBody>>> {
    let count = 0;
    const limit = presentationLimits.groupEntriesMax;
    for (const known of this.presenter.entries(newest, choice, { sinceId: from - 1n, maxId: until, limit })) {
      yield known;
      count += 1;
      if (count === limit) return;
    }
  }
}

function keyIn(
  grouped: ReadonlySet<GroupedType>,
  {
    id,
    notification,
    groupKey,
  }: Pick<KnownNotification<{ readonly from: Source }>, 'id' | 'notification' | 'groupKey'>,
): string {
  const { type, groupHour } = notification;
  return groupHour === undefined || (isGroupedType(type) && grouped.has(type)) ? groupKey : `ungrouped-${id}`;
}
