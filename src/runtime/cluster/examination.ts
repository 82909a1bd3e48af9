/** How far a stream is a chain, and what it has come to by then: for those who look for the copy that has the most. */
import { countedEpoch } from '../storage/machine.ts';
import { BrokenChain, Chain, type ChainPlace, type Counted } from './chain.ts';
import type { LogStream, StoredRecord } from './stream.ts';
import { areSame, decodeRecord, digestOf, UnreadableRecord } from './stream-record.ts';
import { countersIn } from './view.ts';

/**
 * How much a copy of a partition has. A later epoch has more, whatever it has: who began it had read everything that the log
 * had then, and has served since.
 */
export interface Standing {
  readonly epoch: number;
  readonly commit: number;
}

/** Positive where the first one has more. */
export function compareStandings(one: Standing, other: Standing): number {
  return one.epoch - other.epoch || one.commit - other.commit;
}

export interface Examination {
  readonly first: number;
  /** The last position up to which it is a chain; below `first` where nothing is kept. */
  readonly last: number;
  /** Undefined where it has no whole state. */
  readonly standing: Standing | undefined;
  /** The last batch of each epoch in it. */
  readonly ends: ReadonlyMap<number, number>;
  /** Why it is no chain from there on, as a sentence. */
  readonly broken: string | undefined;
  /** Those of the records that were asked for, as far as it has them. */
  readonly digests: ReadonlyMap<number, Uint8Array>;
}

/** Reads all of it. Rejects with StreamUnanswered. */
export async function examine(stream: LogStream, asked: ReadonlySet<number>): Promise<Examination> {
  const { first, last } = await stream.bounds();
  const reading = new Reading(first);
  const broken = await reading.read(stream, last, asked);
  const { chain, standing, ends, digests } = reading;
  return { first, last: chain?.sequence ?? first - 1, standing, ends, broken, digests };
}

class Reading {
  chain: Chain | undefined;
  standing: Standing | undefined;
  readonly ends = new Map<number, number>();
  readonly digests = new Map<number, Uint8Array>();
  private readonly first: number;

  constructor(first: number) {
    this.first = first;
  }

  /** Returns why it is no chain to its end. */
  async read(stream: LogStream, last: number, asked: ReadonlySet<number>): Promise<string | undefined> {
    try {
      for await (const stored of stream.replay(this.first, last)) {
        this.take(stored);
        if (this.standing !== undefined) this.ends.set(this.standing.epoch, this.standing.commit);
        if (asked.has(stored.sequence)) this.digests.set(stored.sequence, digestOf(stored.bytes));
      }
      return undefined;
    } catch (error) {
      if (error instanceof BrokenChain) return error.message;
      if (error instanceof UnreadableRecord) return `Record ${this.first} of the log cannot be read: ${error.message}.`;
      throw error;
    }
  }

  private take(stored: StoredRecord): void {
    if (this.chain === undefined && this.first > 1) {
      // What was before it is gone: it is taken as it is, as a copy does that goes on behind it.
      const record = decodeRecord(stored.bytes);
      this.chain = new Chain({ sequence: stored.sequence, digest: digestOf(stored.bytes) }, record);
      if (record.part === record.parts - 1) this.standing = { epoch: record.epoch, commit: record.position };
      return;
    }
    this.chain ??= new Chain();
    this.standing = standingOf(this.chain.take(stored)) ?? this.standing;
  }
}

/** A state has its counters in the last piece. */
function standingOf(counted: Counted | undefined): Standing | undefined {
  if (counted?.batch === undefined) return undefined;
  const { record, batch } = counted;
  if (record.kind !== 'state') return { epoch: record.epoch, commit: record.position };
  const counters = countersIn(batch);
  return counters && { epoch: countedEpoch(counters.epoch), commit: counters.commit };
}

/** Whether the log goes on where a copy is. */
export function goesOnAt({ digests }: Examination, { sequence, digest }: ChainPlace): boolean {
  const stored = digests.get(sequence);
  return stored !== undefined && areSame(stored, digest);
}
