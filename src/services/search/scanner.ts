/** Reads a whole partition into the index, a slice at a time. */
import {
  type EntryKey,
  type EveryEntry,
  everyAccount,
  everyInterest,
  everyStatus,
  soundStatus,
} from '../../actors/account/everything.queries.ts';
import { type Id, slotOfId } from '../../runtime/ids.ts';
import { type SlotRange, slotsOfPartitions } from '../../runtime/placement.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { IndexFile } from './index-file.ts';
import type { Indexer } from './indexer.ts';
import { beginningOf, doneOf, type Scan, type ScanPhase, scanPhases } from './scan.ts';

const rowsMax = 500;

export interface ScannerOptions {
  readonly snapshots: Snapshots;
  readonly file: IndexFile;
  readonly indexer: Indexer;
  /** Whether the statuses of this partition are still to be read. */
  readsLater(partition: number): boolean;
}

/** The entries of a list in a slot, beginning after this key; each can be read into the index. */
type List = (
  slot: number,
  after: EntryKey | undefined,
) => Generator<{ readonly key: EntryKey; readonly read: () => void }>;

export class Scanner {
  private readonly options: ScannerOptions;
  private readonly accountLists: readonly List[];
  private readonly statusLists: readonly List[];
  private readonly slots: readonly SlotRange[];
  /** The account of the latest interest, and whether it is one of this server. */
  private latest: { accountId: Id; isLocal: boolean } = { accountId: 0n, isLocal: false };

  constructor(options: ScannerOptions) {
    const { snapshots, indexer } = options;
    this.options = options;
    this.accountLists = [
      listOf(snapshots, everyAccount, (accountId) => indexer.account(accountId, true)),
      ...everyInterest.map((every) =>
        listOf(snapshots, every, ({ accountId, statusId }) => this.interest(accountId, statusId)),
      ),
    ];
    this.statusLists = [listOf(snapshots, everyStatus, (status) => indexer.store(status))];
    this.slots = slotsOfPartitions(snapshots.placement);
  }

  begin(partition: number): Scan {
    return beginningOf(scanPhases[0], this.slots[partition]!.first);
  }

  /** None of the statuses was read yet. */
  isAtStatuses(partition: number, { phase, slot, after }: Scan): boolean {
    return phase === 'statuses' && slot === this.slots[partition]!.first && after === undefined;
  }

  /** From 0 to 1. */
  done(partition: number, scan: Scan): number {
    return doneOf(scan, this.slots[partition]!);
  }

  /** Goes on until the slice is over, or the phase: others may be behind. Undefined when everything was read. */
  read(partition: number, begun: Scan, isOver: () => boolean): Scan | undefined {
    let scan: Scan | undefined = begun;
    do scan = this.step(partition, scan, isOver);
    while (scan?.phase === begun.phase && !isOver());
    return scan;
  }

  private step(partition: number, scan: Scan, isOver: () => boolean): Scan | undefined {
    switch (scan.phase) {
      case 'accounts':
        return this.readList(partition, scan, this.accountLists, isOver);
      case 'statuses':
        return this.readList(partition, scan, this.statusLists, isOver);
      case 'entries':
        return this.sweepEntries(partition, scan);
      case 'interests':
        return this.sweepInterests(partition, scan);
    }
  }

  /** What is left of a list of a slot. */
  private readList(partition: number, scan: Scan, lists: readonly List[], isOver: () => boolean): Scan | undefined {
    for (const { key, read } of lists[scan.list]!(scan.slot, scan.after)) {
      read();
      if (isOver()) return { ...scan, after: key };
    }
    if (scan.list + 1 < lists.length) return { ...scan, list: scan.list + 1, after: undefined };
    const { first, count } = this.slots[partition]!;
    if (scan.slot + 1 < first + count) return { ...scan, slot: scan.slot + 1, list: 0, after: undefined };
    return this.next(partition, scan.phase);
  }

  private next(partition: number, phase: ScanPhase): Scan | undefined {
    const next = scanPhases[scanPhases.indexOf(phase) + 1];
    return next && beginningOf(next, this.slots[partition]!.first);
  }

  private interest(accountId: Id, statusId: Id): void {
    const { indexer, snapshots } = this.options;
    if (this.latest.accountId !== accountId) this.latest = { accountId, isLocal: indexer.isLocal(accountId) };
    if (!this.latest.isLocal) return;
    indexer.interest(accountId, statusId, this.options.readsLater(snapshots.placement.partitionOf(slotOfId(statusId))));
  }

  private sweepEntries(partition: number, scan: Scan): Scan | undefined {
    const { file, snapshots, indexer } = this.options;
    const [shard = 0n, status = -1n] = scan.after ?? [];
    const entries = file.entriesAfter({ shard: Number(shard), status }, rowsMax);
    for (const entry of entries)
      if (this.isOf(partition, entry.status) && soundStatus(snapshots, entry.status) === undefined)
        indexer.status(entry.status);
    const last = entries.at(-1);
    if (last === undefined || entries.length < rowsMax) return this.next(partition, scan.phase);
    return { ...scan, after: [BigInt(last.shard), last.status] };
  }

  private sweepInterests(partition: number, scan: Scan): Scan | undefined {
    const { file, indexer } = this.options;
    const [status = 0n, account = 0n] = scan.after ?? [];
    const rows = file.interestsAfter(status, account, rowsMax);
    for (const row of rows) if (this.isOf(partition, row.account)) indexer.interest(row.account, row.status, false);
    const last = rows.at(-1);
    return last === undefined || rows.length < rowsMax ? undefined : { ...scan, after: [last.status, last.account] };
  }

  private isOf(partition: number, id: Id): boolean {
    return this.options.snapshots.placement.partitionOf(slotOfId(id)) === partition;
  }
}

function listOf<Item>(snapshots: Snapshots, every: EveryEntry<Item>, read: (item: Item) => void): List {
  return function* (slot, after) {
    for (const { key, item } of every(snapshots, slot, after)) yield { key, read: () => read(item) };
  };
}
