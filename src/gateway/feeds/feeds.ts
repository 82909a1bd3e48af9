/**
 * Home timelines as a gateway reads them: from the account's ring where it is warm, by merging where it is not or where
 * the page is older than the ring. A cold home is answered at once and warmed behind the answer.
 */
import { homeStatusIds } from '../../actors/account/home.queries.ts';
import type { PageBounds } from '../../actors/pages.ts';
import type { FeedAnswer } from '../../actors/partition/feeds.messages.ts';
import type { Id } from '../../runtime/ids.ts';
import { slotOfId } from '../../runtime/ids.ts';
import type { Problem } from '../../runtime/ports.ts';
import { type RingCopy, type RingMemory, RingReader } from '../../runtime/shared-rings.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Client } from '../../runtime/threads/client.ts';

export interface HomePage {
  /** Newest first. */
  readonly ids: readonly Id[];
  /** False while the home is being rebuilt: the answer is 206 (specification 3). */
  readonly complete: boolean;
}

export interface FeedsOptions {
  readonly client: Client;
  readonly snapshots: Snapshots;
  /** One per partition. */
  readonly rings: readonly RingMemory[];
  now(): number;
  report(problem: Problem): void;
}

export class Feeds {
  private readonly options: FeedsOptions;
  private readonly readers: readonly RingReader[];
  private readonly warming = new Set<Id>();

  constructor(options: FeedsOptions) {
    this.options = options;
    this.readers = options.rings.map((memory) => new RingReader(memory));
  }

  home(accountId: Id, bounds: PageBounds): HomePage {
    const ring = this.readers[this.partitionOf(accountId)]!.read(accountId, Math.floor(this.options.now() / 1000));
    if (ring === undefined) {
      this.warm(accountId);
      return { ids: homeStatusIds(this.options.snapshots, accountId, bounds), complete: true };
    }
    return { ids: this.pageOf(accountId, ring, bounds), complete: true };
  }

  partitionOf(accountId: Id): number {
    return this.options.client.placement.partitionOf(slotOfId(accountId));
  }

  /** Fills the account's ring, unless that is under way already. */
  warm(accountId: Id): void {
    if (this.warming.has(accountId)) return;
    this.warming.add(accountId);
    this.fill(accountId)
      .catch((error: unknown) =>
        this.options.report({ level: 'warn', message: 'a home feed could not be warmed', error }),
      )
      .finally(() => this.warming.delete(accountId));
  }

  private async fill(accountId: Id): Promise<void> {
    const { client, snapshots } = this.options;
    const partition = this.partitionOf(accountId);
    const { generation } = await client.control<FeedAnswer>(partition, 'feeds', { kind: 'open', accountId });
    if (generation === undefined) return;
    const limit = this.readers[partition]!.entries;
    const ids = homeStatusIds(snapshots.fresh(), accountId, { limit });
    await client.control<FeedAnswer>(partition, 'feeds', {
      kind: 'fill',
      accountId,
      generation,
      ids: ids.reverse(),
      whole: ids.length < limit,
    });
  }

  private pageOf(accountId: Id, ring: RingCopy, bounds: PageBounds): readonly Id[] {
    return bounds.minId === undefined
      ? this.olderPage(accountId, ring, bounds)
      : this.newerPage(accountId, ring, bounds, bounds.minId);
  }

  private olderPage(accountId: Id, ring: RingCopy, bounds: PageBounds): readonly Id[] {
    const ids: Id[] = [];
    const after = bounds.sinceId ?? -1n;
    let index = bounds.maxId === undefined ? ring.ids.length : lowerBound(ring.ids, bounds.maxId);
    while (index > 0 && ids.length < bounds.limit) {
      index -= 1;
      const id = ring.ids[index]!;
      if (id <= after) return ids;
      ids.push(id);
    }
    if (ids.length === bounds.limit || ring.whole) return ids;
    const maxId = ids.at(-1) ?? bounds.maxId;
    return [
      ...ids,
      ...homeStatusIds(this.options.snapshots, accountId, { ...bounds, maxId, limit: bounds.limit - ids.length }),
    ];
  }

  private newerPage(accountId: Id, ring: RingCopy, bounds: PageBounds, minId: Id): readonly Id[] {
    const oldest = ring.ids[0];
    if (!ring.whole && (oldest === undefined || minId < oldest))
      return homeStatusIds(this.options.snapshots, accountId, bounds);
    const ids: Id[] = [];
    for (
      let index = lowerBound(ring.ids, minId + 1n);
      index < ring.ids.length && ids.length < bounds.limit;
      index += 1
    ) {
      const id = ring.ids[index]!;
      if (bounds.maxId !== undefined && id >= bounds.maxId) break;
      ids.push(id);
    }
    return ids.reverse();
  }
}

function lowerBound(ids: BigUint64Array, id: Id): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
