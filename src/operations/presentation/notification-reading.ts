/**
 * Reads the notifications of an account in slices (see TimeSlices): a group may have thousands of members, and of each the
 * sender has to be looked up.
 *
 * What a slice has found is kept until the last one, so that everything is decided at once there, without reading it
 * again: a list that has paused is made a second time, by a reading over what the first has found (`again`).
 */
import type { NotificationChoice } from '../../actors/account/notifications/notifications.queries.ts';
import { type PageBounds, readsUpwards } from '../../actors/pages.ts';
import type { Id } from '../../runtime/ids.ts';
import type { CachedNotification } from './cached-notification.ts';
import { presentationLimits } from './limits.ts';
import { Slice, type SliceMeter } from './slice.ts';
import type { CachedList, Stretch } from './versioned-lists.ts';

/** What one account may see, for many questions in a row; valid until other work of the thread begins. */
export interface NotificationViewer<Shown, From> {
  /** Undefined where it is not shown to the account. The decision is cached with the notification. */
  show(known: CachedNotification<Shown>): Shown | undefined;
  /** Whether it is shown, without finding out what. */
  isShown(known: CachedNotification<Shown>): boolean;
  /** The same where another one of its group is shown: groups have many members. */
  isHeard(known: CachedNotification<Shown>): boolean;
  /** The sender of a notification that is shown. */
  senderOf(known: CachedNotification<Shown>): From;
}

export interface NotificationSource<Shown, From> {
  readonly meter: SliceMeter;
  newest(accountId: Id): CachedList<CachedNotification<Shown>>;
  stretches(
    newest: CachedList<CachedNotification<Shown>>,
    choice: NotificationChoice,
    bounds: PageBounds,
  ): Iterable<Stretch<CachedNotification<Shown>>>;
  viewer(accountId: Id): NotificationViewer<Shown, From>;
}

/** The notifications of one range, in its order, as far as they were asked for. */
interface Found<Shown> {
  readonly bounds: PageBounds;
  readonly stretches: Looked<Shown>[];
  isWhole: boolean;
}

/** A stretch, until where it was looked at. */
interface Looked<Shown> extends Stretch<CachedNotification<Shown>> {
  until: number;
}

const { notificationsAtOnce, notificationsPerStatus } = presentationLimits;

export class NotificationReading<Shown, From> {
  /** As of this slice. */
  viewer: NotificationViewer<Shown, From>;
  hasPaused = false;
  private readonly source: NotificationSource<Shown, From>;
  private readonly choice: NotificationChoice;
  private newest: CachedList<CachedNotification<Shown>>;
  /** Undefined for a reading that never pauses. */
  private readonly slice: Slice | undefined;
  private readonly found: Found<Shown>[] = [];
  private readonly before: readonly Found<Shown>[];

  constructor(
    source: NotificationSource<Shown, From>,
    newest: CachedList<CachedNotification<Shown>>,
    choice: NotificationChoice,
    pauses: boolean,
    before: readonly Found<Shown>[] = [],
  ) {
    this.source = source;
    this.newest = newest;
    this.choice = choice;
    this.slice = pauses ? new Slice(source.meter) : undefined;
    this.before = before;
    this.viewer = source.viewer(newest.accountId);
  }

  /** The same notifications once more, without pauses. */
  again(): NotificationReading<Shown, From> {
    const { source, choice, found } = this;
    return new NotificationReading(source, source.newest(this.newest.accountId), choice, false, found);
  }

  /** Shows the notifications within the bounds (their limit is ignored) to `look`, until it answers true. */
  *each(bounds: PageBounds, look: (known: CachedNotification<Shown>) => boolean): Generator<undefined, void> {
    const found: Found<Shown> = { bounds, stretches: [], isWhole: false };
    this.found.push(found);
    const before = this.before.find((range) => areSame(range.bounds, bounds));
    if (before !== undefined && (looksAgain(before, look) || before.isWhole)) return;
    let last = before && lastOf(before);
    while (!this.readOn(found, behind(bounds, last), look)) {
      yield;
      this.resume();
      last = lastOf(found);
    }
  }

  /** False where the slice was over first. */
  private readOn(
    found: Found<Shown>,
    bounds: PageBounds,
    look: (known: CachedNotification<Shown>) => boolean,
  ): boolean {
    let left: number = notificationsAtOnce;
    for (const { entries, from, until } of this.source.stretches(this.newest, this.choice, bounds)) {
      const looked = { entries, from, until: from };
      found.stretches.push(looked);
      while (looked.until < until) {
        looked.until += 1;
        if (look(entries[looked.until - 1]!)) return true;
        left -= 1;
        if (left > 0) continue;
        if (this.slice?.isOver(notificationsAtOnce / notificationsPerStatus)) return false;
        left = notificationsAtOnce;
      }
    }
    found.isWhole = true;
    return true;
  }

  private resume(): void {
    const { accountId } = this.newest;
    this.hasPaused = true;
    this.slice?.begin();
    this.newest = this.source.newest(accountId);
    this.viewer = this.source.viewer(accountId);
  }
}

/** Shows what was found to `look` once more, until it answers true. */
function looksAgain<Shown>({ stretches }: Found<Shown>, look: (known: CachedNotification<Shown>) => boolean): boolean {
  for (const { entries, from, until } of stretches)
    for (let index = from; index < until; index += 1) if (look(entries[index]!)) return true;
  return false;
}

function lastOf<Shown>({ stretches }: Found<Shown>): Id | undefined {
  const last = stretches.at(-1);
  return last?.entries[last.until - 1]?.id;
}

function areSame(one: PageBounds, other: PageBounds): boolean {
  return one.maxId === other.maxId && one.sinceId === other.sinceId && one.minId === other.minId;
}

/** What is left of a range behind the entry that was read last. */
function behind(bounds: PageBounds, last: Id | undefined): PageBounds {
  if (last === undefined) return bounds;
  return readsUpwards(bounds) ? { ...bounds, minId: last } : { ...bounds, maxId: last };
}
