/**
 * Which status each entry of a timeline shows: itself, or the original of a reblog. That never changes, so that no event
 * has to be followed.
 *
 * The cache is a table of ids in which an entry takes the place of another with the same hash: a look-up compares
 * numbers, where a map would hash bigints (see IdMap). Whole windows of homes are looked up.
 */
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Caches } from '../../services/caches.ts';
import { highHalf, lowHalf } from '../presentation/id-map.ts';

export interface Reblog {
  readonly id: Id;
  readonly reblogOfId: Id;
}

/** Two ids. */
const placeBytes = 16;

export class Originals {
  private readonly snapshots: Snapshots;
  /** At each place the halves of an id, then those of the status that it shows. */
  private readonly table: Int32Array;
  private readonly hashShift: number;
  private used = 0;

  constructor(snapshots: Snapshots, caches: Caches) {
    this.snapshots = snapshots;
    const bits = Math.max(1, Math.floor(Math.log2(caches.bytesMax('originals') / placeBytes)));
    this.table = new Int32Array(4 * 2 ** bits);
    this.hashShift = 32 - bits;
    caches.measure('originals', this);
  }

  get bytes(): number {
    return this.used * placeBytes;
  }

  /** In the order of `ids`. One that is not there shows itself. */
  of(ids: BigUint64Array): BigUint64Array {
    const shown = ids.slice();
    const halves = new Int32Array(shown.buffer);
    const table = this.table;
    for (let index = 0; index < halves.length; index += 2) {
      const low = halves[index]!;
      const high = halves[index + 1]!;
      // The highest bits depend on all others: ids of the same slot and minute differ in a few bits only.
      const place = 4 * ((Math.imul(low, 0x9e37_79b1) ^ Math.imul(high, 0x85eb_ca77)) >>> this.hashShift);
      if ((table[place] === low && table[place + 1] === high) || this.read(place, ids[index / 2]!)) {
        halves[index] = table[place + 2]!;
        halves[index + 1] = table[place + 3]!;
      }
    }
    return shown;
  }

  /** The reblogs among `ids`, in the same order. */
  reblogsAmong(ids: BigUint64Array): Reblog[] {
    const originals = this.of(ids);
    return Array.from(ids, (id, index) => ({ id, reblogOfId: originals[index]! })).filter(
      ({ id, reblogOfId }) => id !== reblogOfId,
    );
  }

  /** False for a status that is not there: it may be on its way from another thread. */
  private read(place: number, id: Id): boolean {
    const status = findStatusRecord(this.snapshots, id);
    if (status === undefined) return false;
    if (this.table[place] === 0 && this.table[place + 1] === 0) this.used += 1;
    const shown = status.reblogOfId ?? id;
    this.table.set([lowHalf(id), highHalf(id), lowHalf(shown), highHalf(shown)], place);
    return true;
  }
}
