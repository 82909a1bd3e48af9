/**
 * Has old statuses of other servers forgotten that nobody here uses. Runs on network threads, a slice at a time
 * (actors/instance/retention): first it marks what accounts here keep, in memory, then it goes through the statuses of all
 * slots. After a restart the marks are made again, and it goes on with the slot that was next.
 */
import { setTimeout } from 'node:timers/promises';
import { Account } from '../../actors/account/account.messages.ts';
import { soundStatus } from '../../actors/account/everything.queries.ts';
import { viewerStateChanged } from '../../actors/account/interactions/interactions.events.ts';
import { statusesKept } from '../../actors/account/kept.events.ts';
import { notified } from '../../actors/account/notifications/notifications.events.ts';
import { statusImported, statusPublished } from '../../actors/account/statuses/statuses.events.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { readLogged } from '../../actors/events.ts';
import {
  forgetRemoteStatuses,
  type RetentionSlice,
  type SweptSlice,
} from '../../actors/instance/retention/retention.effects.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import { Failure } from '../../runtime/errors.ts';
import { isEvent, type LoggedEvent } from '../../runtime/events/event.ts';
import { eventsFrom, reachesBack } from '../../runtime/events/event-log.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { findKept, slotsFrom } from './find-kept.ts';
import { findUnused, isMarked, type Unused } from './find-unused.ts';
import { Marks } from './marks.ts';
import { Pauses } from './pauses.ts';

export interface RetentionCounters {
  statusesForgotten(count: number): void;
}

type RunnerServices = Pick<Services, 'snapshots' | 'now' | 'monotonic' | 'report'> & {
  readonly resolver: Pick<Services['resolver'], 'resolveAddress'>;
  readonly client: Pick<Services['client'], 'call'>;
};

/** After so long the instance actor stores how far it is. */
const sliceMilliseconds = 5_000;
/** One turn of an author: two or three milliseconds. */
const forgottenPerTurn = 50;
const toldAtOnce = 4;
const commitsAtOnce = 100;
const fetchMilliseconds = 30_000;

export function retentionRunner(
  services: RunnerServices,
  counters: RetentionCounters,
): readonly [number, EffectRunner<unknown, unknown>] {
  let run: Run | undefined;
  return runnerOf(forgetRemoteStatuses, async (asked): Promise<SweptSlice> => {
    if (run?.startedAt !== asked.startedAt || !run.knowsWhatChanged()) run = new Run(services, asked.startedAt);
    const asking = run;
    run = undefined;
    const slice = await asking.sweep(asked);
    counters.statusesForgotten(slice.forgotten);
    if (slice.slot !== undefined) run = asking;
    return slice;
  });
}

/** A run with its marks. */
class Run {
  readonly startedAt: number;
  private readonly services: RunnerServices;
  private readonly marks: Marks;
  private readonly pauses: Pauses;
  /** The last commit of each partition of which the marks know. */
  private readonly seen: number[];
  private readonly marking: Promise<void>;
  private isMarked = false;

  constructor(services: RunnerServices, startedAt: number) {
    this.services = services;
    this.startedAt = startedAt;
    this.marks = new Marks(startedAt | 0);
    this.pauses = new Pauses(services);
    this.seen = services.snapshots.beginReads().commits;
    this.marking = findKept(services.snapshots, this.marks, this.pauses).then(() => {
      this.isMarked = true;
    });
  }

  /** False where the event logs do not tell any more what accounts have done since the marks were made. */
  knowsWhatChanged(): boolean {
    const { partitions } = this.services.snapshots.beginReads();
    return partitions.every((reader, number) => reachesBack(reader, this.seen[number]!, Number.POSITIVE_INFINITY));
  }

  async sweep({ retentionId, before, slot: first }: RetentionSlice): Promise<SweptSlice> {
    const { monotonic } = this.services;
    const end = monotonic() + sliceMilliseconds;
    let [examined, forgotten] = [0, 0];
    if (!this.isMarked) await Promise.race([this.marking, setTimeout(sliceMilliseconds, undefined, { ref: false })]);
    if (!this.isMarked) return { retentionId, slot: first, examined, forgotten };
    for (const slot of slotsFrom(this.services.snapshots, first)) {
      if (monotonic() >= end) return { retentionId, slot, examined, forgotten };
      await this.markChanged();
      const found = await findUnused(this.services.snapshots, { slot, before }, this.marks, this.pauses);
      examined += found.examined;
      forgotten += await this.forget(found.unused, before);
    }
    return { retentionId, examined, forgotten };
  }

  /** What accounts here need since the marks were made. Ends with a read: nothing rests between it and what is done next. */
  private async markChanged(): Promise<void> {
    const { partitions } = this.services.snapshots.beginReads();
    for (const [number, reader] of partitions.entries())
      for (let read = commitsAtOnce; read === commitsAtOnce; ) {
        await this.pauses.ifDue();
        read = 0;
        for (const { commit, events } of eventsFrom(reader, number, this.seen[number]! + 1)) {
          for (const logged of events) this.markInterest(logged);
          this.seen[number] = commit;
          read += 1;
          if (read === commitsAtOnce) break;
        }
      }
  }

  private markInterest(logged: LoggedEvent): void {
    if (!marking.has(logged.event)) return;
    const event = readLogged(logged);
    if (event !== undefined) for (const id of neededBy(event)) if (id !== undefined) this.marks.add(id);
  }

  private async forget(unused: readonly Unused[], before: number): Promise<number> {
    const byAuthor = Map.groupBy(unused, ({ accountId }) => accountId);
    const waiting = [...byAuthor].flatMap(([accountId, theirs]) =>
      parts(theirs.map(({ id }) => id)).map((statusIds) => ({ accountId, statusIds })),
    );
    let forgotten = 0;
    // Those of one author stand in their order: replies go first.
    for (let next = 0; next < waiting.length; next += toldAtOnce) {
      await this.markChanged();
      const told: Status[] = [];
      const answers = waiting.slice(next, next + toldAtOnce).map(async ({ accountId, statusIds }) => {
        const statuses = this.stillUnused(statusIds);
        told.push(...statuses);
        const message = Account.forgetStatuses.to(accountId, { statusIds: statuses.map(({ id }) => id), before });
        const answer = await this.services.client.call(message, 'system').catch(unlessRefused);
        return answer?.forgotten ?? 0;
      });
      for (const count of await Promise.all(answers)) forgotten += count;
      await this.markChanged();
      await this.fetchAgain(told.filter((status) => isMarked(this.marks, status)));
    }
    return forgotten;
  }

  private stillUnused(statusIds: readonly Id[]): Status[] {
    const { snapshots } = this.services;
    const statuses = statusIds.map((id) => soundStatus(snapshots, id)).filter((status) => status !== undefined);
    return statuses.filter((status) => !isMarked(this.marks, status));
  }

  /** What somebody began to need in the milliseconds between the last look and the turn of its author: it comes back with its id. */
  private async fetchAgain(needed: readonly Status[]): Promise<void> {
    const { snapshots, resolver, report } = this.services;
    for (const { id, uri } of needed) {
      if (uri === undefined || soundStatus(snapshots, id) !== undefined) continue;
      await resolver.resolveAddress(uri, fetchMilliseconds).catch((error: unknown) => {
        report({ level: 'warn', message: 'a status that was forgotten and needed at the same moment is gone', error });
      });
    }
  }
}

const marking = new Set(
  [viewerStateChanged, notified, statusesKept, statusPublished, statusImported].map(({ number }) => number),
);

/** The statuses that an event makes accounts here need. */
function neededBy(event: LoggedEvent): readonly (Id | undefined)[] {
  if (isEvent(event, viewerStateChanged) || isEvent(event, notified)) return [event.body.statusId];
  if (isEvent(event, statusesKept)) return event.body.statusIds;
  if (!(isEvent(event, statusPublished) || isEvent(event, statusImported)) || !event.body.local) return [];
  const { threadId, inReplyToId, reblogOfId } = event.body;
  return [threadId, inReplyToId, reblogOfId];
}

function parts(ids: readonly Id[]): Id[][] {
  const count = Math.ceil(ids.length / forgottenPerTurn);
  return Array.from({ length: count }, (_, number) =>
    ids.slice(number * forgottenPerTurn, (number + 1) * forgottenPerTurn),
  );
}

/** A partition that is too busy, or cannot write, keeps what it has until the next run. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error;
}
