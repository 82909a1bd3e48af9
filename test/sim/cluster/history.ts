/** What clients were told, beside what the logs have: by rules of its own, not by those of the program. */
import { decodeBatch, decodeRecord, digestOf, type StreamRecord } from '../../../src/runtime/cluster/stream-record.ts';

interface Told {
  readonly write: number;
  readonly position: number;
  readonly id: number;
}

interface Stored {
  readonly sequence: number;
  readonly digest: string;
  /** Whether it names the last one that counts. */
  readonly counts: boolean;
  /** What it completes. */
  readonly write: number | undefined;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Writes have the key `w` and their number. */
export function writeOfKey(key: Uint8Array): number | undefined {
  const [, number] = /^w(\d+)$/.exec(Buffer.from(key).toString('latin1')) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** The log of one partition, as it was stored. */
class Counting {
  records: Stored[] = [];
  private pieces: Uint8Array[] = [];

  store(sequence: number, bytes: Uint8Array): Stored {
    const record = decodeRecord(bytes);
    const last = this.records.findLast(({ counts }) => counts)?.digest ?? '';
    const counts = hex(record.previous) === last;
    const stored = {
      sequence,
      digest: hex(digestOf(bytes)),
      counts,
      write: counts ? this.completed(record) : undefined,
    };
    this.records.push(stored);
    return stored;
  }

  private completed({ kind, part, parts, body }: StreamRecord): number | undefined {
    this.pieces = part === 0 ? [body] : [...this.pieces, body];
    if (kind !== 'batch' || part !== parts - 1) return undefined;
    return writeOfKey(decodeBatch(Buffer.concat(this.pieces)).keys[0]!);
  }
}

export class History {
  /** By partition and position. */
  private readonly acknowledgements = new Map<string, Told>();
  private readonly told = new Map<number, 'acknowledged' | 'refused'>();
  private readonly ids = new Set<string>();
  private readonly logs: Counting[];
  /** Writes that counted when they were stored. */
  private readonly counted = new Set<number>();
  /** The highest position that was acknowledged in each partition. */
  readonly highest: number[];
  acknowledgedCount = 0;
  refusedCount = 0;

  constructor(partitions: number) {
    this.logs = Array.from({ length: partitions }, () => new Counting());
    this.highest = Array.from({ length: partitions }, () => 0);
  }

  stored(partition: number, sequence: number, bytes: Uint8Array): void {
    const { write } = this.logs[partition]!.store(sequence, bytes);
    if (write === undefined) return;
    if (this.counted.has(write)) throw new Error(`${write} is in the log twice`);
    this.counted.add(write);
  }

  /** The log has lost what is behind this record. */
  lostEnd(partition: number, last: number): void {
    const log = this.logs[partition]!;
    log.records = log.records.filter(({ sequence }) => sequence <= last);
  }

  /** The log is made anew. */
  emptied(partition: number): void {
    this.logs[partition] = new Counting();
  }

  acknowledged(node: string, partition: number, told: Told): void {
    const { write, position, id } = told;
    const place = `${partition}/${position}`;
    if (this.told.has(write)) throw new Error(`the caller of ${write} was told twice`);
    if (this.acknowledgements.has(place)) throw new Error(`${node} acknowledged another write at ${place}`);
    if (!this.counted.has(write)) throw new Error(`${node} acknowledged ${write}, which its log does not have`);
    if (this.ids.has(`${partition} ${id}`)) throw new Error(`${node} gave the id ${id} a second time`);
    this.told.set(write, 'acknowledged');
    this.ids.add(`${partition} ${id}`);
    this.acknowledgements.set(place, told);
    this.highest[partition] = Math.max(this.highest[partition]!, position);
    this.acknowledgedCount += 1;
  }

  refused(write: number): void {
    if (this.told.has(write)) throw new Error(`the caller of ${write} was told twice`);
    this.told.set(write, 'refused');
    this.refusedCount += 1;
  }

  /** What a copy has: everything that was acknowledged, and nothing that was refused. */
  assertWhole(partition: number, whose: string, has: (write: number) => boolean): void {
    for (const [place, { write }] of this.acknowledgements)
      if (place.startsWith(`${partition}/`) && !has(write))
        throw new Error(`${write}, acknowledged at ${place}, is lost: ${whose} does not have it`);
    for (const [write, told] of this.told)
      if (told === 'refused' && has(write)) throw new Error(`${write} was refused, and ${whose} has it`);
  }
}
