/**
 * The replies to cached statuses, and the threads that were walked: what is cached with a status leaves the cache with
 * it, and any reply to it does that.
 */

import { type RepliesQuery, repliesTo } from '../../actors/account/statuses/threads.queries.ts';
import { readingLimits } from '../../actors/limits.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { CachedObjects } from './cached-objects.ts';
import type { CachedStatus, EncodedForms } from './cached-status.ts';
import { highHalf, lowHalf } from './id-map.ts';
import type { Slice } from './slice.ts';
import type { ThreadSource, Walk } from './threads.ts';

/** An id in a list of replies (measured); and the list of a thread, and each of its statuses. */
const idBytes = 32;
const walkBytes = 150;
const walkedBytes = 24;
/** Looking up what was walked is less work than looking at a status anew. */
const lookUpsPerStatus = 8;

interface CachedThreadsOptions<Forms extends EncodedForms> {
  readonly known: CachedObjects<Forms>;
  readonly snapshots: Snapshots;
  now(): number;
}

export class CachedThreads<Forms extends EncodedForms> implements ThreadSource<CachedStatus<Forms>> {
  readonly underWay = new Map<Id, Walk>();
  private readonly options: CachedThreadsOptions<Forms>;

  constructor(options: CachedThreadsOptions<Forms>) {
    this.options = options;
  }

  get readCount(): number {
    return this.options.snapshots.readCount;
  }

  now(): number {
    return this.options.now();
  }

  status(statusId: Id): CachedStatus<Forms> | undefined {
    return this.options.known.status(statusId);
  }

  repliesTo({ id }: CachedStatus<Forms>, query: RepliesQuery): readonly Id[] {
    return repliesTo(this.options.snapshots, id, query);
  }

  keepReplies(status: CachedStatus<Forms>, replies: readonly Id[]): void {
    status.replies = replies;
    this.options.known.keptWith(status, replies.length * idBytes);
  }

  /** Found by looking each of them up: if all are the versions that were walked, none has another reply. */
  *walked(
    { walk }: CachedStatus<Forms>,
    slice: Slice,
  ): Generator<undefined, readonly CachedStatus<Forms>[] | undefined> {
    if (walk === undefined) return undefined;
    const { known } = this.options;
    const found: CachedStatus<Forms>[] = [];
    for (let index = 0; index < walk.length; index += 3) {
      const status = known.cached(walk[index]!, walk[index + 1]!);
      if (status === undefined || status.serial !== walk[index + 2]!) return undefined;
      found.push(status);
      if (!slice.isOver(1 / lookUpsPerStatus)) continue;
      yield;
      slice.begin();
    }
    return found;
  }

  /** Keeps numbers: references would keep old versions in memory. */
  keepWalked(status: CachedStatus<Forms>, descendants: readonly CachedStatus<Forms>[]): void {
    if (descendants.length === 0 || descendants.length > readingLimits.descendantsMax) return;
    const before = bytesOf(status.walk);
    const walk = new Float64Array(3 * descendants.length);
    for (const [index, { id, serial }] of descendants.entries())
      walk.set([lowHalf(id), highHalf(id), serial], 3 * index);
    status.walk = walk;
    this.options.known.keptWith(status, bytesOf(walk) - before);
  }
}

function bytesOf(walk: Float64Array | undefined): number {
  return walk === undefined ? 0 : walkBytes + (walk.length / 3) * walkedBytes;
}
