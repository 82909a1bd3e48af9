/** The sending half of one channel: the state of the frames to one other partition. */
import { partitionLimits } from '../limits.ts';
import type { Frame } from '../ports.ts';
import { outbox } from '../storage/machine.ts';
import type { Reader } from '../storage/reader.ts';
import { Fifo } from './fifo.ts';
import { digestAsWritten, digestOfFrame, headerOfFrame, isReadable, noDigest } from './frame-record.ts';

interface SentFrame {
  readonly frame: Frame;
  sentAt: number;
}

/** Frames that the receiver has not acknowledged. */
export interface Unacknowledged {
  readonly frames: number;
  readonly bytes: number;
}

/** Bytes under way on all channels of a partition. */
export interface UnderWayBytes {
  total: number;
}

export class OutgoingChannel {
  readonly source: number;
  readonly destination: number;
  /** Number of the next frame, digest of the previous one, and bytes of all earlier ones. */
  next: number;
  previous: number;
  channelBytes: number;
  /** The last frame on disk; the last one sent; the last one acknowledged; the last one deleted. */
  durable: number;
  sent: number;
  acknowledged: number;
  deleted: number;
  /** Bytes of all acknowledged frames. */
  acknowledgedBytes: number;
  private readonly underWay = new Fifo<SentFrame>();
  private readonly underWayBytes: UnderWayBytes;
  /** How many resend times in a row have passed without an acknowledgement. */
  private silences = 0;
  /** How many frames to send again with the next acknowledgement, after such a silence. */
  private resendsNext = 0;
  /**
   * The receiver has shown that one of the two partitions was restored from an older copy, or the next frame is missing:
   * nothing is sent any more.
   */
  isFrozen = false;
  private readonly reader: Reader;
  /** The last frame of an earlier run, and whether its record cannot be decoded: then its header tells nothing. */
  private readonly recovered: number;
  private readonly isLastDamaged: boolean;

  /** Reads what an earlier run left. */
  constructor(source: number, destination: number, reader: Reader, underWayBytes: UnderWayBytes) {
    this.underWayBytes = underWayBytes;
    this.source = source;
    this.destination = destination;
    this.reader = reader;
    const first = this.outermost(false);
    const last = this.outermost(true);
    this.recovered = last?.sequence ?? 0;
    this.next = this.recovered + 1;
    this.previous = last === undefined ? noDigest : digestOfFrame(last.bytes);
    this.isLastDamaged = last !== undefined && !isReadable(last.bytes);
    this.channelBytes = last === undefined || this.isLastDamaged ? 0 : (headerOfFrame(last.bytes)?.channelBytes ?? 0);
    this.durable = this.recovered;
    this.deleted = (first?.sequence ?? 1) - 1;
    this.sent = this.deleted;
    this.acknowledged = this.deleted;
    this.acknowledgedBytes = first === undefined || this.isLastDamaged ? 0 : bytesBefore(first.bytes);
  }

  /** True while the receiver lags so far behind that calls that send it more should be refused. */
  get isLagging(): boolean {
    const { outboxFramesMax, outboxBytesMax } = partitionLimits;
    const { frames, bytes } = this.unacknowledged;
    return frames > outboxFramesMax || bytes > outboxBytesMax;
  }

  /** Frames on disk that are not acknowledged; the bytes may be one commit ahead. */
  get unacknowledged(): Unacknowledged {
    return { frames: this.durable - this.acknowledged, bytes: this.channelBytes - this.acknowledgedBytes };
  }

  get hasFramesToSend(): boolean {
    return this.sent < this.durable && !this.isFrozen;
  }

  /**
   * Every channel may have one frame under way, however much the others have. Nothing follows a damaged frame before the
   * receiver has seen what became of it.
   */
  get hasRoom(): boolean {
    const { waitingFramesMax, underWayBytesMax } = partitionLimits;
    if (this.isLastDamaged && this.sent >= this.recovered && this.acknowledged < this.recovered) return false;
    if (this.underWay.length === 0) return true;
    return this.underWay.length < waitingFramesMax && this.underWayBytes.total < underWayBytesMax;
  }

  /** The digest of an unacknowledged frame; undefined where it is missing. */
  digestOf(sequence: number): number | undefined {
    return this.sentFrame(sequence)?.digest ?? this.stored(sequence)?.digest;
  }

  /** Whether it is the last frame of an earlier run, and cannot be decoded. */
  isDamaged(sequence: number): boolean {
    return this.isLastDamaged && sequence === this.recovered;
  }

  putUnderWay(frame: Frame, sentAt: number): void {
    this.sent = frame.sequence;
    this.underWay.push({ frame, sentAt });
    this.underWayBytes.total += frame.bytes.byteLength;
  }

  /** The frame of this number, read from the outbox; undefined where it is missing, because the outbox is damaged. */
  stored(sequence: number): Frame | undefined {
    const { source, destination, acknowledged } = this;
    const bytes = this.reader.get(outbox, [destination, sequence]);
    if (bytes === undefined) return undefined;
    const recovered = sequence <= this.recovered;
    // Of a damaged record too: the receiver sets it aside and goes on with the next one.
    const digest = digestAsWritten(bytes, this.sound(sequence + 1));
    return { source, destination, sequence, bytes, digest, recovered, acknowledged };
  }

  /** The receiver has everything up to this frame. Returns frames to send again because they may have been lost. */
  confirm(sequence: number, now: number): Frame[] {
    const { underWay } = this;
    this.acknowledged = sequence;
    // After a restart the receiver may know frames that this run has not sent yet.
    this.sent = Math.max(this.sent, sequence);
    const record = this.sentFrame(sequence)?.bytes ?? this.reader.get(outbox, [this.destination, sequence]);
    const header = record === undefined || this.isDamaged(sequence) ? undefined : headerOfFrame(record);
    if (header !== undefined) this.acknowledgedBytes = header.channelBytes;
    while ((underWay.peek()?.frame.sequence ?? Number.POSITIVE_INFINITY) <= sequence)
      this.underWayBytes.total -= underWay.shift()!.frame.bytes.byteLength;
    this.silences = 0;
    const again = this.sendAgain(this.resendsNext, now);
    this.resendsNext = again.length < this.underWay.length ? this.resendsNext * 2 : 0;
    return again;
  }

  /** When to send the oldest frame under way again; undefined when there is none. */
  get resendAt(): number | undefined {
    const head = this.underWay.peek();
    if (head === undefined || this.isFrozen) return undefined;
    const { resendAfterMilliseconds, resendAfterMillisecondsMax } = partitionLimits;
    return head.sentAt + Math.min(resendAfterMilliseconds * 2 ** this.silences, resendAfterMillisecondsMax);
  }

  /**
   * The receiver was silent for too long. The first time all frames under way are sent again, afterwards only the
   * oldest: once it is acknowledged the others follow, twice as many each time. A slow receiver is not sent everything
   * again for each frame that it takes.
   */
  resend(now: number): Frame[] {
    const isFirst = this.silences === 0;
    this.silences += 1;
    this.resendsNext = isFirst ? 0 : 1;
    return this.sendAgain(isFirst ? this.underWay.length : 1, now);
  }

  /** All frames under way: a restarted receiver may have seen none of them. */
  resendAll(now: number): Frame[] {
    this.silences = 0;
    this.resendsNext = 0;
    return this.sendAgain(this.underWay.length, now);
  }

  /** The oldest frames under way. */
  private sendAgain(count: number, now: number): Frame[] {
    if (count === 0 || this.isFrozen) return [];
    const { acknowledged } = this;
    const frames: Frame[] = [];
    for (let index = 0; index < Math.min(count, this.underWay.length); index += 1) {
      const sent = this.underWay.at(index)!;
      sent.sentAt = now;
      frames.push({ ...sent.frame, acknowledged });
    }
    return frames;
  }

  /** Frames under way have consecutive numbers. */
  private sentFrame(sequence: number): Frame | undefined {
    const head = this.underWay.peek();
    return head === undefined ? undefined : this.underWay.at(sequence - head.frame.sequence)?.frame;
  }

  /** The record of a frame, unless it is damaged. */
  private sound(sequence: number): Uint8Array | undefined {
    return this.isDamaged(sequence) ? undefined : this.reader.get(outbox, [this.destination, sequence]);
  }

  /** The first or last outbox record of the channel. */
  private outermost(reverse: boolean): { sequence: number; bytes: Uint8Array } | undefined {
    for (const { key, value } of this.reader.range(outbox, [this.destination], { reverse, limit: 1 }))
      return { sequence: key[1], bytes: value };
    return undefined;
  }
}

/** Bytes of the channel before this record; 0 for a record of an earlier version, which does not tell. */
function bytesBefore(record: Uint8Array): number {
  const header = headerOfFrame(record);
  return header === undefined ? 0 : header.channelBytes - record.byteLength;
}
