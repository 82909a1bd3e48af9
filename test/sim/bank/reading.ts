/**
 * A gateway of the bank: journals and their lengths, read from snapshots and cached until an event invalidates them.
 */
import type { EventBatch } from '../../../src/runtime/events/event.ts';
import type { Reader } from '../../../src/runtime/storage/reader.ts';
import type { Complaint, EventListener, Town } from '../workload.ts';
import type { Receipt } from './account.messages.ts';
import { journal, ledgers } from './account.state.ts';

export class Reading implements EventListener {
  private readonly town: Town;
  private readonly kept = new Map<bigint, number>();
  /** The newest entry of each journal known from events and answers. */
  private readonly heardOf = new Map<bigint, number>();

  constructor(town: Town) {
    this.town = town;
  }

  heard({ events }: EventBatch): Complaint {
    for (const { body } of events) {
      const { account, position } = body as Receipt;
      this.kept.delete(account);
      const complaint = this.answered(account, position);
      if (complaint !== undefined) return complaint;
    }
    return undefined;
  }

  lost(): void {
    this.kept.clear();
  }

  /** After an answer about an entry, reads must include it. */
  answered(account: bigint, position: number): Complaint {
    this.heardOf.set(account, Math.max(position, this.heardOf.get(account) ?? 0));
    const { snapshots } = this.town;
    const found = snapshots.get(ledgers, [account])?.position ?? 0;
    if (found < this.heardOf.get(account)!)
      return `reads ${found} entries of ${account} after it was told of ${this.heardOf.get(account)}`;
    if (snapshots.get(journal, [account, position]) === undefined) return `cannot read entry ${position} of ${account}`;
    return undefined;
  }

  /** Reads the journal for a viewer. */
  show(account: bigint): void {
    if (!this.kept.has(account)) this.kept.set(account, this.town.snapshots.get(ledgers, [account])?.position ?? 0);
  }

  /** Once all events have arrived, the cache must equal the storage. */
  compare(diskOf: (account: bigint) => Reader): Complaint {
    for (const [account, kept] of this.kept) {
      const position = diskOf(account).get(ledgers, [account])?.position ?? 0;
      if (kept !== position) return `shows ${kept} entries of ${account}, which has ${position}`;
    }
    return undefined;
  }
}
