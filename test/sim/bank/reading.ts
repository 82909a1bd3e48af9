/** What a gateway shows of the bank: journals and their length, read from snapshots and kept until an event says otherwise. */
import type { EventBatch } from '../../../src/runtime/events/event.ts';
import type { Reader } from '../../../src/runtime/storage/reader.ts';
import type { Complaint, EventListener, Town } from '../workload.ts';
import type { Receipt } from './account.messages.ts';
import { journal, ledgers } from './account.state.ts';

export class Reading implements EventListener {
  private readonly town: Town;
  private readonly kept = new Map<bigint, number>();
  /** The newest entry of each journal that an event or an answer has told of. */
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

  /** Whoever is told of an entry finds it, and nothing older afterwards. */
  answered(account: bigint, position: number): Complaint {
    this.heardOf.set(account, Math.max(position, this.heardOf.get(account) ?? 0));
    const { snapshots } = this.town;
    const found = snapshots.get(ledgers, [account])?.position ?? 0;
    if (found < this.heardOf.get(account)!)
      return `reads ${found} entries of ${account} after it was told of ${this.heardOf.get(account)}`;
    if (snapshots.get(journal, [account, position]) === undefined) return `cannot read entry ${position} of ${account}`;
    return undefined;
  }

  /** Somebody wants to see it. */
  show(account: bigint): void {
    if (!this.kept.has(account)) this.kept.set(account, this.town.snapshots.get(ledgers, [account])?.position ?? 0);
  }

  /** Once every event has come, what is kept is true. */
  compare(diskOf: (account: bigint) => Reader): Complaint {
    for (const [account, kept] of this.kept) {
      const position = diskOf(account).get(ledgers, [account])?.position ?? 0;
      if (kept !== position) return `shows ${kept} entries of ${account}, which has ${position}`;
    }
    return undefined;
  }
}
