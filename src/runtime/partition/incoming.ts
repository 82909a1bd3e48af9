/**
 * The receiving half of the channels: takes only the next frame of each source, whatever is lost, repeated or delayed.
 *
 * INVARIANT the cursor of a source advances in the commit in which every message of the frame has run or stands in the
 * inbox, so each message takes effect exactly once.
 */
import { partitionLimits } from '../limits.ts';
import type { Frame } from '../ports.ts';
import { cursors } from '../storage/machine.ts';
import type { Reader } from '../storage/reader.ts';
import type { Batch } from './batch.ts';
import { Fifo } from './fifo.ts';

interface Source {
  /** Last frame accepted into the waiting queue. */
  accepted: number;
  /** Last frame whose commit is durable. */
  durable: number;
  readonly waiting: Fifo<Frame>;
}

export class IncomingChannels {
  private readonly sources = new Map<number, Source>();
  private readonly ready = new Fifo<Source>();

  open(reader: Reader): void {
    this.sources.clear();
    while (this.ready.shift() !== undefined);
    for (const { key, value } of reader.range(cursors, [])) this.source(key[0], value);
  }

  /** Accepts a frame if it is the next; returns what to acknowledge again if it came before, otherwise undefined. */
  offer(frame: Frame): number | undefined {
    const source = this.sources.get(frame.source) ?? this.source(frame.source, 0);
    if (frame.sequence <= source.durable) return source.durable;
    if (frame.sequence !== source.accepted + 1 || source.waiting.length >= partitionLimits.waitingFramesMax)
      return undefined;
    source.accepted = frame.sequence;
    if (source.waiting.length === 0) this.ready.push(source);
    source.waiting.push(frame);
    return undefined;
  }

  get hasWork(): boolean {
    return this.ready.length > 0;
  }

  /** The next frame to run, the sources taking turns; the cursor moves with the batch. */
  take(batch: Batch): Frame | undefined {
    const source = this.ready.shift();
    if (source === undefined) return undefined;
    const frame = source.waiting.shift()!;
    if (source.waiting.length > 0) this.ready.push(source);
    batch.taken.set(frame.source, frame.sequence);
    return frame;
  }

  seal(batch: Batch): void {
    for (const [source, sequence] of batch.taken) batch.put(cursors, [source], sequence);
  }

  released(batch: Batch): void {
    for (const [source, sequence] of batch.taken) this.sources.get(source)!.durable = sequence;
  }

  private source(number: number, durable: number): Source {
    const source: Source = { accepted: durable, durable, waiting: new Fifo() };
    this.sources.set(number, source);
    return source;
  }
}
