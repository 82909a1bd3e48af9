/**
 * The receiving half of the channels: takes only the next frame of each source, whatever was lost, repeated or delayed.
 *
 * INVARIANTS
 * 1. The cursor of a source advances in the commit in which every message of the frame has run or is in the inbox, so
 *    each message takes effect exactly once.
 * 2. A frame is the next one only if it names the digest of the frame before it. A source whose frames contradict the
 *    ones taken earlier is reported and frozen: nothing of it is taken or acknowledged until the partition is opened
 *    again.
 * 3. A frame that cannot be decoded contradicts nothing. Where the last frame that was taken is damaged at its source,
 *    the cursor gets the digest of what stands there now, which the next frame names.
 */
import { partitionLimits } from '../limits.ts';
import type { Frame, PartitionPorts } from '../ports.ts';
import { type Cursor, countedEpoch, cursorRecords, cursors } from '../storage/machine.ts';
import type { Reader } from '../storage/reader.ts';
import type { Batch } from './batch.ts';
import { Fifo } from './fifo.ts';
import { headerOfFrame, isReadable } from './frame-record.ts';
import { type Regression, regressionProblem } from './regression.ts';
import { decodeRecord } from './undecodable.ts';

interface Source {
  readonly number: number;
  /** Last frame accepted into the waiting queue, and its digest. */
  accepted: number;
  acceptedDigest: number | undefined;
  /** Last frame whose commit is durable. */
  durable: Cursor;
  readonly waiting: Fifo<Frame>;
  isFrozen: boolean;
}

const beginning: Cursor = { sequence: 0, epoch: 0, digest: undefined };

export class IncomingChannels {
  private readonly partition: number;
  private readonly report: PartitionPorts['report'];
  private readonly sources = new Map<number, Source>();
  private readonly ready = new Fifo<Source>();

  constructor(partition: number, report: PartitionPorts['report']) {
    this.partition = partition;
    this.report = report;
  }

  open(reader: Reader): void {
    this.sources.clear();
    this.ready.clear();
    for (const { key, value } of reader.range(cursorRecords, [])) this.resume(key[0], value);
  }

  /** Freezes a source whose cursor cannot be decoded: nothing more is taken from it. */
  private resume(number: number, record: Uint8Array): void {
    try {
      const cursor = decodeRecord(cursors, record);
      this.source(number, { ...cursor, epoch: countedEpoch(cursor.epoch) });
    } catch (error) {
      this.source(number, beginning).isFrozen = true;
      const message = `Partition ${this.partition} cannot read what it has taken of partition ${number}. Messages from there stand still and none is lost. Stop the server and restore the whole data folder from one backup, made while the server was stopped.`;
      this.report({ level: 'error', message, error });
    }
  }

  /**
   * Accepts the next frame. Returns what to acknowledge again for a frame that was taken before, otherwise undefined.
   */
  offer(frame: Frame): Cursor | undefined {
    const source = this.sources.get(frame.source) ?? this.source(frame.source, beginning);
    if (source.isFrozen) return undefined;
    const regression = this.contradiction(frame, source);
    if (regression !== undefined) {
      source.isFrozen = true;
      this.report(regressionProblem(regression));
      return undefined;
    }
    if (frame.sequence <= source.durable.sequence) return this.offeredAgain(frame, source);
    if (frame.sequence !== source.accepted + 1 || source.waiting.length >= partitionLimits.waitingFramesMax)
      return undefined;
    this.accept(frame, source);
    return undefined;
  }

  private accept(frame: Frame, source: Source): void {
    source.accepted = frame.sequence;
    source.acceptedDigest = frame.digest;
    if (source.waiting.length === 0) this.ready.push(source);
    source.waiting.push(frame);
  }

  /** Returns what to acknowledge for a frame that was taken before; undefined where that follows. */
  private offeredAgain(frame: Frame, source: Source): Cursor | undefined {
    const { sequence, digest } = frame;
    const { number, durable, accepted, acceptedDigest } = source;
    if (sequence < durable.sequence || durable.digest === undefined || digest === durable.digest) return durable;
    if (sequence < accepted || digest === acceptedDigest) return undefined;
    const message = `frame ${sequence} of partition ${number} was taken, and is damaged in the outbox there: nothing of it is needed`;
    this.report({ level: 'warn', message });
    this.accept(frame, source);
    return undefined;
  }

  /** The frozen sources. */
  get frozen(): number[] {
    return [...this.sources.values()].filter(({ isFrozen }) => isFrozen).map(({ number }) => number);
  }

  get hasWork(): boolean {
    return this.ready.length > 0;
  }

  /** The next frame to run, sources in turn. The cursor moves with the batch; undefined where nothing is to run. */
  take(batch: Batch): Frame | undefined {
    const source = this.ready.shift();
    if (source === undefined) return undefined;
    const frame = source.waiting.shift()!;
    if (source.waiting.length > 0) this.ready.push(source);
    const { sequence, digest } = frame;
    const { durable } = source;
    const isNew = sequence > durable.sequence;
    const epoch = (isNew ? headerOfFrame(frame.bytes)?.epoch : undefined) ?? durable.epoch;
    batch.taken.set(frame.source, { sequence, epoch, digest });
    return isNew ? frame : this.take(batch);
  }

  seal(batch: Batch): void {
    for (const [source, cursor] of batch.taken) batch.put(cursors, [source], cursor);
  }

  released(batch: Batch): void {
    for (const [source, cursor] of batch.taken) this.sources.get(source)!.durable = cursor;
  }

  /**
   * Detects that one of the two partitions was restored from an older copy. Frames of earlier versions carry less
   * evidence.
   */
  private contradiction(frame: Frame, { number, durable, accepted, acceptedDigest }: Source): Regression | undefined {
    const { sequence, digest, acknowledged } = frame;
    const ours = this.partition;
    const older = (evidence: string): Regression | undefined =>
      isReadable(frame.bytes) ? { older: number, other: ours, evidence } : undefined;
    if (acknowledged > durable.sequence) {
      const evidence = `it has taken ${durable.sequence} frames of that one and had acknowledged ${acknowledged}`;
      return { older: ours, other: number, evidence };
    }
    if (sequence === durable.sequence && durable.digest !== undefined && digest !== durable.digest)
      return older(`it sends a frame ${sequence} that differs from the one that was taken`);
    const header = headerOfFrame(frame.bytes);
    if (header === undefined) return undefined;
    if (sequence < durable.sequence && header.epoch > durable.epoch)
      return older(`it sends frame ${sequence} anew, and ${durable.sequence} frames of it were taken`);
    if (sequence === accepted + 1 && acceptedDigest !== undefined && header.previous !== acceptedDigest)
      return older(`its frame ${sequence} does not follow the frame ${accepted} that was taken`);
    return undefined;
  }

  private source(number: number, durable: Cursor): Source {
    const { sequence: accepted, digest: acceptedDigest } = durable;
    const source: Source = { number, accepted, acceptedDigest, durable, waiting: new Fifo(), isFrozen: false };
    this.sources.set(number, source);
    return source;
  }
}
