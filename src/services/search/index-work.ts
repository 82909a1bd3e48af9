/**
 * Keeps an open index up to date: follows the event logs of the partitions, reads partitions as a whole whose logs do not
 * reach back far enough, and reads the statuses of accounts that want to be found from now on, or no longer.
 */
import { soundStatus, statusIdsOf } from '../../actors/account/everything.queries.ts';
import { eventsFrom, reachesBack } from '../../runtime/events/event-log.ts';
import { type Id, slotOfId, timeOfId } from '../../runtime/ids.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import { Changes } from './followed-events.ts';
import type { IndexFile } from './index-file.ts';
import { Indexer } from './indexer.ts';
import { searchLimits } from './limits.ts';
import { readScan, type Scan, scanPhases, writtenScan } from './scan.ts';
import { Scanner } from './scanner.ts';
import type { SearchState } from './search.ts';

/** How far a partition was read. */
interface Progress {
  readonly commit: number;
  /** Where the reading of the whole stands; undefined when it is complete. */
  readonly scan: Scan | undefined;
}

/** Cards come soon after their status; later its counters only change. */
const cardMilliseconds = 60 * 60 * 1_000;
/** So many commits without anything to read are read again after a crash. */
const unstoredCommitsMax = 1_000;

export class IndexWork {
  private readonly file: IndexFile;
  private readonly snapshots: Snapshots;
  private readonly clock: Clock;
  private readonly indexer: Indexer;
  private readonly scanner: Scanner;
  private readonly stored: number[];
  private progress: (Progress | undefined)[];

  constructor(file: IndexFile, snapshots: Snapshots, clock: Clock) {
    this.file = file;
    this.snapshots = snapshots;
    this.clock = clock;
    this.indexer = new Indexer(snapshots, file);
    const readsLater = (partition: number) => this.readsLater(partition);
    this.scanner = new Scanner({ snapshots, file, indexer: this.indexer, readsLater });
    this.progress = snapshots.partitions.map((_reader, number) => {
      const known = file.partition(number);
      return known && { commit: known.commit, scan: readScan(known.scan) };
    });
    this.stored = this.progress.map((known) => known?.commit ?? 0);
  }

  /** Some of it has to be read as a whole. */
  get isScanning(): boolean {
    return this.progress.some((known) => known === undefined || known.scan !== undefined);
  }

  /** Reads what the logs have new, up to a bound; true where more is left. */
  follow(): boolean {
    this.snapshots.beginReads();
    const changes = new Changes();
    let left: number = searchLimits.commitsMax;
    const next = this.progress.map((known, partition) => {
      if (left === 0) return known;
      const { progress, commits } = this.followed(partition, known, changes, left);
      left -= commits;
      return progress;
    });
    const isNew = next.some((now, partition) => now?.scan !== this.progress[partition]?.scan);
    const isLong = next.some((now, partition) => (now?.commit ?? 0) - this.stored[partition]! > unstoredCommitsMax);
    if (isNew || isLong || !changes.areNone) this.store(next, () => this.apply(changes));
    else this.progress = next;
    return left === 0;
  }

  /** Goes on with what has to be read as a whole until the slice is over; true where more is left. */
  readOn(isOver: () => boolean): boolean {
    const author = this.file.authorToRead();
    if (author !== undefined) {
      this.file.transact(() => this.readAuthor(author.account, author.after, isOver));
      return true;
    }
    const orderOf = (known: Progress | undefined) =>
      known?.scan === undefined ? scanPhases.length : scanPhases.indexOf(known.scan.phase);
    const partition = this.progress.reduce(
      (first, known, number) => (orderOf(known) < orderOf(this.progress[first]) ? number : first),
      0,
    );
    const known = this.progress[partition];
    if (known?.scan === undefined) return false;
    const { commit, scan } = known;
    this.progress[partition] = this.file.transact(() => {
      const read = this.scanner.read(partition, scan, isOver);
      this.file.setPartition(partition, commit, writtenScan(read));
      return { commit, scan: read };
    });
    return true;
  }

  /** Everything is read again; where that is under way, it goes on. */
  rebuild(): void {
    if (this.progress.some((known) => known?.scan !== undefined)) return;
    const next = this.progress.map((known, partition) => known && { ...known, scan: this.scanner.begin(partition) });
    this.store(next, () => undefined);
  }

  state(): Omit<SearchState, 'problem'> {
    this.snapshots.beginReads();
    const newest = this.snapshots.commits;
    const done = this.progress.map((known, partition) => {
      if (known === undefined) return 0;
      return known.scan === undefined ? 1 : this.scanner.done(partition, known.scan);
    });
    return {
      statuses: this.file.countEntries(),
      bytes: this.file.bytes(),
      rebuilt: this.isScanning ? done.reduce((sum, part) => sum + part, 0) / done.length : undefined,
      commitsBehind: newest.reduce((sum, commit, number) => sum + commit - (this.progress[number]?.commit ?? 0), 0),
    };
  }

  private followed(
    partition: number,
    known: Progress | undefined,
    changes: Changes,
    commitsMax: number,
  ): { readonly progress: Progress | undefined; readonly commits: number } {
    const reader = this.snapshots.partitions[partition]!;
    const newest = this.snapshots.commits[partition]!;
    // 0: it cannot be read now.
    if (newest === 0 || known?.commit === newest) return { progress: known, commits: 0 };
    if (known === undefined || known.commit > newest || !reachesBack(reader, known.commit, Number.POSITIVE_INFINITY))
      return { progress: { commit: newest, scan: this.scanner.begin(partition) }, commits: 0 };
    let commits = 0;
    for (const { commit, events } of eventsFrom(reader, partition, known.commit + 1)) {
      for (const event of events) changes.add(event);
      commits += 1;
      if (commits === commitsMax) return { progress: { ...known, commit }, commits };
    }
    return { progress: { ...known, commit: newest }, commits };
  }

  /** What `write` changes and how far was read, or neither. */
  private store(next: readonly (Progress | undefined)[], write: () => void): void {
    this.file.transact(() => {
      write();
      for (const [partition, known] of next.entries())
        if (known !== undefined) this.file.setPartition(partition, known.commit, writtenScan(known.scan));
    });
    this.progress = [...next];
    for (const [partition, known] of next.entries()) this.stored[partition] = known?.commit ?? 0;
  }

  private apply({ statuses: changed, counted, accounts, interests }: Changes): void {
    for (const accountId of accounts) this.indexer.account(accountId, this.readsLater(this.partitionOf(accountId)));
    for (const { accountId, statusId } of interests.values())
      this.indexer.interest(accountId, statusId, this.readsLater(this.partitionOf(statusId)));
    for (const statusId of changed) this.indexer.status(statusId);
    const cardsFrom = this.clock.now() - cardMilliseconds;
    for (const statusId of counted) {
      if (changed.has(statusId) || timeOfId(statusId) < cardsFrom) continue;
      const status = soundStatus(this.snapshots, statusId);
      if (status?.card !== undefined) this.indexer.store(status);
    }
  }

  private readAuthor(account: Id, after: Id, isOver: () => boolean): void {
    for (const statusId of statusIdsOf(this.snapshots, account, after)) {
      this.indexer.status(statusId);
      if (!isOver()) continue;
      this.file.setAuthorToRead(account, statusId);
      return;
    }
    this.file.setAuthorToRead(account, undefined);
  }

  /** The statuses of the partition are still to be read as a whole. All partitions are read phase by phase. */
  private readsLater(partition: number): boolean {
    const scan = this.progress[partition]?.scan;
    return scan !== undefined && (scan.phase === 'accounts' || this.scanner.isAtStatuses(partition, scan));
  }

  private partitionOf(id: Id): number {
    return this.snapshots.placement.partitionOf(slotOfId(id));
  }
}
