/**
 * Grouped notifications, as in version 2 of the Mastodon API. A page ends with the notification that begins its last
 * group; older members of its groups come on later pages, under the same key, and are included in the count here.
 */

import { isChosen, type NotificationChoice } from '../../actors/account/notifications/notifications.queries.ts';
import { type Page, type PageBounds, PageInMaking, readsUpwards } from '../../actors/pages.ts';
import {
  type Group,
  type GroupedType,
  groupOfKey,
  isGroupedType,
  isInGroup,
  rangeOfGroup,
} from '../../actors/policy/notification-groups.ts';
import type { Id } from '../../runtime/ids.ts';
import type { CachedNotification } from './cached-notification.ts';
import type { CachedAccount, EncodedForms } from './cached-status.ts';
import { presentationLimits } from './limits.ts';
import type { NotificationReading } from './notification-reading.ts';
import type { NotificationPresenter } from './notifications.ts';
import { groupOfOne, ShownGroup, type ShownNotification } from './shown-notification.ts';
import { atOnce } from './slice.ts';
import type { CachedList } from './versioned-lists.ts';

type Shown<Forms extends EncodedForms> = ShownNotification<Forms>;
type Reading<Forms extends EncodedForms> = NotificationReading<Shown<Forms>, CachedAccount<Forms> | undefined>;

/** What is counted, up to so many groups, among so many notifications. */
interface Counting {
  readonly choice: NotificationChoice;
  readonly grouped: ReadonlySet<GroupedType>;
  /** Those after this one. */
  readonly sinceId: Id | undefined;
  readonly countMax: number;
  readonly lookedMax: number;
}

interface CountedGroups {
  readonly count: number;
  /** False where more notifications were left than may be looked at. */
  readonly isWhole: boolean;
}

export class NotificationGroups<Forms extends EncodedForms> {
  private readonly presenter: NotificationPresenter<Forms>;

  constructor(presenter: NotificationPresenter<Forms>) {
    this.presenter = presenter;
  }

  /** Types other than `grouped` are not grouped. */
  page(
    accountId: Id,
    choice: NotificationChoice,
    grouped: ReadonlySet<GroupedType>,
    bounds: PageBounds,
  ): Page<ShownGroup<Forms>> {
    const reading = this.presenter.reading(this.presenter.newest(accountId), choice, false);
    return atOnce(new GroupedPage(reading, choice, grouped, bounds).made());
  }

  /** The same in slices (see TimeSlices). `newest`: the current list, where it was asked for already. */
  *pageInSlices(
    accountId: Id,
    choice: NotificationChoice,
    grouped: ReadonlySet<GroupedType>,
    bounds: PageBounds,
    newest: CachedList<CachedNotification<Shown<Forms>>> | undefined = undefined,
  ): Generator<undefined, Page<ShownGroup<Forms>>> {
    const reading = this.presenter.reading(newest ?? this.presenter.newest(accountId), choice, true);
    const page = yield* new GroupedPage(reading, choice, grouped, bounds).made();
    return reading.hasPaused ? yield* new GroupedPage(reading.again(), choice, grouped, bounds).made() : page;
  }

  /** As `oneInSlices`, all at once, and with a few of the accounts. */
  one(accountId: Id, key: string, accountsMax: number): ShownGroup<Forms> | undefined {
    return atOnce(this.oneWhile(false, accountId, key, accountsMax));
  }

  /**
   * In slices (see TimeSlices). Undefined for a group of which the account may see nothing. Filtered notifications are not
   * part of it, unless all are filtered.
   */
  oneInSlices(
    accountId: Id,
    key: string,
    accountsMax: number = presentationLimits.groupEntriesMax,
  ): Generator<undefined, ShownGroup<Forms> | undefined> {
    return this.oneWhile(true, accountId, key, accountsMax);
  }

  private *oneWhile(
    pauses: boolean,
    accountId: Id,
    key: string,
    accountsMax: number,
  ): Generator<undefined, ShownGroup<Forms> | undefined> {
    const group = groupOfKey(key);
    if (group === undefined) return undefined;
    if ('aloneId' in group) {
      const shown = this.presenter.one(accountId, group.aloneId);
      return shown && new ShownGroup(key, shown, accountsMax);
    }
    for (const choice of [{}, { includeFiltered: true }]) {
      const reading = this.presenter.reading(this.presenter.newest(accountId), choice, pauses);
      const found = yield* wholeGroup(reading, key, group, accountsMax);
      const decided = reading.hasPaused ? yield* wholeGroup(reading.again(), key, group, accountsMax) : found;
      if (decided !== undefined) return decided;
    }
    return undefined;
  }

  /** How many groups are newer than an id. */
  countNewer(accountId: Id, counting: Counting): CountedGroups {
    return atOnce(this.countWhile(false, accountId, counting));
  }

  /** The same in slices (see TimeSlices). */
  countNewerInSlices(accountId: Id, counting: Counting): Generator<undefined, CountedGroups> {
    return this.countWhile(true, accountId, counting);
  }

  private *countWhile(
    pauses: boolean,
    accountId: Id,
    { choice, grouped, sinceId, countMax, lookedMax }: Counting,
  ): Generator<undefined, CountedGroups> {
    const reading = this.presenter.reading(this.presenter.newest(accountId), choice, pauses);
    const keys = new Set<string>();
    let looked = 0;
    let isWhole = true;
    yield* reading.each({ sinceId, limit: lookedMax }, (known) => {
      if (looked === lookedMax) {
        isWhole = false;
        return true;
      }
      looked += 1;
      if (isChosen(known.notification, choice) && reading.viewer.isShown(known)) keys.add(keyIn(grouped, known));
      return keys.size === countMax;
    });
    return { count: keys.size, isWhole };
  }
}

/** A group with all visible members, and so many of their accounts. */
function* wholeGroup<Forms extends EncodedForms>(
  reading: Reading<Forms>,
  key: string,
  group: Group,
  accountsMax: number,
): Generator<undefined, ShownGroup<Forms> | undefined> {
  const limit = presentationLimits.groupEntriesMax;
  const { from, until } = rangeOfGroup(group);
  let found: ShownGroup<Forms> | undefined;
  let looked = 0;
  yield* reading.each({ sinceId: from - 1n, maxId: until, limit }, (known) => {
    looked += 1;
    if (isInGroup(known.notification, group)) {
      if (found === undefined) {
        const shown = reading.viewer.show(known);
        found = shown && new ShownGroup(key, shown, accountsMax);
      } else if (reading.viewer.isHeard(known)) found.add(known, true, reading.viewer);
    }
    return looked === limit;
  });
  return found;
}

/** A page while it is made. */
class GroupedPage<Forms extends EncodedForms> {
  private readonly reading: Reading<Forms>;
  private readonly choice: NotificationChoice;
  private readonly grouped: ReadonlySet<GroupedType>;
  private readonly bounds: PageBounds;
  /** Those that may have several members. */
  private readonly groups = new Map<string, ShownGroup<Forms>>();
  /** The group of the notification before: members stand beside each other. */
  private last: ShownGroup<Forms> | undefined;
  private lastType: string | undefined;
  private isLastChosen = false;
  private isLastGrouped = false;

  constructor(
    reading: Reading<Forms>,
    choice: NotificationChoice,
    grouped: ReadonlySet<GroupedType>,
    bounds: PageBounds,
  ) {
    this.reading = reading;
    this.choice = choice;
    this.grouped = grouped;
    this.bounds = bounds;
  }

  *made(): Generator<undefined, Page<ShownGroup<Forms>>> {
    const page = readsUpwards(this.bounds) ? yield* this.readUpwards() : yield* this.readDownwards();
    yield* this.addOlder(page.oldest);
    return page;
  }

  private *readDownwards(): Generator<undefined, Page<ShownGroup<Forms>>> {
    const making = new PageInMaking<ShownGroup<Forms>>(this.bounds);
    yield* this.reading.each(this.bounds, (known) =>
      making.take(known.id, this.isChosen(known) ? this.add(known) : undefined),
    );
    return making.page;
  }

  /** Notifications are added when the newest one is known. */
  private *readUpwards(): Generator<undefined, Page<ShownGroup<Forms>>> {
    const { reading, grouped } = this;
    const making = new PageInMaking<string>(this.bounds);
    const found: CachedNotification<Shown<Forms>>[] = [];
    const keys = new Set<string>();
    yield* reading.each(this.bounds, (known) => {
      if (!this.isChosen(known) || !reading.viewer.isShown(known)) return making.take(known.id, undefined);
      found.push(known);
      const key = keyIn(grouped, known);
      return making.take(known.id, keys.size === keys.add(key).size ? undefined : key);
    });
    const items = found.reverse().flatMap((known) => this.add(known) ?? []);
    return { ...making.page, items };
  }

  /** Adds the members that are older than the page. */
  private *addOlder(oldest: Id | undefined): Generator<undefined, void> {
    const { reading, groups } = this;
    if (oldest === undefined || groups.size === 0) return;
    const hours = Array.from(groups.values(), ({ newest }) => newest.notification.groupHour!);
    const { from } = rangeOfGroup({ hour: Math.min(...hours) });
    const limit = presentationLimits.groupEntriesMax;
    let looked = 0;
    yield* reading.each({ sinceId: from - 1n, maxId: oldest, limit }, (known) => {
      looked += 1;
      if (this.isChosen(known)) {
        const group = this.groupOf(known);
        if (group !== undefined && reading.viewer.isHeard(known)) group.add(known, false, reading.viewer);
      }
      return looked === limit;
    });
  }

  /** Newest first. Answers a group that begins, undefined otherwise. */
  private add(known: CachedNotification<Shown<Forms>>): ShownGroup<Forms> | undefined {
    const { viewer } = this.reading;
    const group = this.groupOf(known);
    if (group !== undefined) {
      if (viewer.isHeard(known)) group.add(known, true, viewer);
      return undefined;
    }
    const shown = viewer.show(known);
    if (shown === undefined) return undefined;
    const key = keyIn(this.grouped, known);
    if (!this.isOfMany(known)) return groupOfOne(key, shown);
    const begun = new ShownGroup(key, shown, presentationLimits.groupSamplesMax);
    this.groups.set(key, begun);
    return begun;
  }

  /** The group that it may be added to. */
  private groupOf(known: CachedNotification<Shown<Forms>>): ShownGroup<Forms> | undefined {
    if (!this.isOfMany(known)) return undefined;
    const { groupKey } = known;
    if (this.last?.key === groupKey) return this.last;
    const group = this.groups.get(groupKey);
    if (group !== undefined) this.last = group;
    return group;
  }

  /** Whether it was asked for. */
  private isChosen(known: CachedNotification<Shown<Forms>>): boolean {
    if (this.choice.fromId !== undefined) return isChosen(known.notification, this.choice);
    this.lookAtType(known);
    return this.isLastChosen;
  }

  /** Whether others may belong to the same group. */
  private isOfMany(known: CachedNotification<Shown<Forms>>): boolean {
    this.lookAtType(known);
    return this.isLastGrouped && known.isOfGroup;
  }

  /** Those of a type often stand beside each other. */
  private lookAtType({ type, notification }: CachedNotification<Shown<Forms>>): void {
    if (type === this.lastType) return;
    this.lastType = type;
    this.isLastChosen = isChosen(notification, this.choice);
    this.isLastGrouped = isGroupedType(type) && this.grouped.has(type);
  }
}

type Keyed = Pick<CachedNotification<unknown>, 'id' | 'type' | 'notification' | 'groupKey'>;

function keyIn(grouped: ReadonlySet<GroupedType>, { id, type, notification, groupKey }: Keyed): string {
  const isGrouped = notification.groupHour === undefined || (isGroupedType(type) && grouped.has(type));
  return isGrouped ? groupKey : `ungrouped-${id}`;
}
