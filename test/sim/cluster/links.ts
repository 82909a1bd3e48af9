/** How a node reaches the streams and the lease: slowly, with losses, and not at all while it is cut off. */
import type { Holder, LeaseEntry, LeaseNews, LeaseStore } from '../../../src/runtime/cluster/lease.ts';
import { LeaseUnanswered } from '../../../src/runtime/cluster/lease.ts';
import {
  type LogStream,
  type Published,
  type StoredRecord,
  StreamUnanswered,
} from '../../../src/runtime/cluster/stream.ts';
import type { MemoryLease } from '../../runtime/support/leases.ts';
import type { MemoryStream } from '../../support/memory-stream.ts';
import type { SeededRandom } from '../random.ts';

/** What a link needs of the node at its end. */
export interface End {
  /** Runs later on the side of the servers, whatever becomes of the node. */
  arrive(milliseconds: number, run: () => void): void;
  /** Runs on the node: not while it sleeps, and never once it is dead. */
  after(milliseconds: number, run: () => void): void;
  /** It is cut off, or nobody on the other side answers. */
  readonly isCut: boolean;
  readonly random: SeededRandom;
  readonly faults: LinkFaults;
}

export interface LinkFaults {
  /** Chance that a request never arrives, and that its answer does not. */
  readonly lost: number;
  readonly unheard: number;
  /** Chance that a record that was lost comes much later all the same. */
  readonly late: number;
}

const answerMilliseconds = { stream: 3_000, lease: 2_000 } as const;
const silence = new Error('silence');

/** A question: answered soon, or not before the node stops waiting. */
function asked<Value>(
  end: End,
  waits: number,
  ask: () => Value,
  unanswered: (cause: unknown) => Error,
): Promise<Value> {
  const { random, faults } = end;
  return new Promise((resolve, reject) => {
    let isOver = false;
    const settle = (finish: () => void) => {
      if (isOver) return;
      isOver = true;
      finish();
    };
    end.after(waits, () => settle(() => reject(unanswered(silence))));
    if (end.isCut || random.chance(faults.lost)) return;
    end.arrive(random.between(1, 8), () => {
      const value = ask();
      if (end.isCut || random.chance(faults.unheard)) return;
      end.after(random.between(1, 8), () => settle(() => resolve(value)));
    });
  });
}

/** A node's way to the stream of one partition. Records arrive in the order in which they were sent, or not at all. */
export class LinkedStream implements LogStream {
  private readonly stream: MemoryStream;
  private readonly end: End;
  private clearAt = 0;
  private readonly now: () => number;

  constructor(stream: MemoryStream, end: End, now: () => number) {
    this.stream = stream;
    this.end = end;
    this.now = now;
  }

  recordBytesMax(): Promise<number> {
    return this.stream.recordBytesMax();
  }

  publish(record: Uint8Array, last: number): Promise<Published> {
    const { end, stream } = this;
    const { random, faults } = end;
    return new Promise((resolve) => {
      let isOver = false;
      const settle = (published: Published) => {
        if (!isOver) resolve(published);
        isOver = true;
      };
      end.after(answerMilliseconds.stream, () => settle({ kind: 'unanswered', cause: silence }));
      const isLost = end.isCut || random.chance(faults.lost);
      if (isLost && !random.chance(faults.late)) return;
      const delay = isLost ? random.between(3_000, 25_000) : random.between(1, 12);
      const at = Math.max(this.clearAt, this.now() + delay);
      this.clearAt = at;
      end.arrive(at - this.now(), () => {
        const published = stream.store(record, last);
        if (end.isCut || random.chance(faults.unheard)) return;
        end.after(random.between(1, 8), () => settle(published));
      });
    });
  }

  bounds(): Promise<{ readonly first: number; readonly last: number }> {
    return this.asked(() => ({ first: this.stream.first, last: this.stream.last }));
  }

  get(sequence: number): Promise<StoredRecord | undefined> {
    return this.asked(() => this.stream.records.find((stored) => stored.sequence === sequence));
  }

  async *replay(from: number, to: number): AsyncGenerator<StoredRecord> {
    if (from > to) return;
    const { records } = this.stream;
    yield* await this.asked(() => records.filter(({ sequence }) => sequence >= from && sequence <= to));
  }

  truncate(before: number): Promise<void> {
    return this.asked(() => void this.stream.truncate(before));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private asked<Value>(ask: () => Value): Promise<Value> {
    return asked(this.end, answerMilliseconds.stream, ask, (cause) => new StreamUnanswered(cause));
  }
}

/** A node's way to the lease. */
export class LinkedLease implements LeaseStore {
  private readonly lease: MemoryLease;
  private readonly end: End;

  constructor(lease: MemoryLease, end: End) {
    this.lease = lease;
    this.end = end;
  }

  read(): Promise<LeaseEntry | undefined> {
    return this.asked(() => this.lease.read());
  }

  write(holder: Holder | undefined, revision: number): Promise<number | undefined> {
    return this.asked(() => this.lease.write(holder, revision));
  }

  tell(news: LeaseNews): void {
    this.passed(() => this.end.arrive(this.end.random.between(1, 8), () => this.lease.tell(news)));
  }

  whenTold(told: (news: LeaseNews) => void): () => void {
    const { end, lease } = this;
    return lease.whenTold((news) => this.passed(() => end.after(end.random.between(1, 8), () => told(news))));
  }

  /** A plain message is lost where nobody hears it. */
  private passed(pass: () => void): void {
    const { isCut, random, faults } = this.end;
    if (!isCut && !random.chance(faults.lost)) pass();
  }

  private asked<Value>(ask: () => Value): Promise<Value> {
    return asked(this.end, answerMilliseconds.lease, ask, (cause) => new LeaseUnanswered(cause));
  }
}
