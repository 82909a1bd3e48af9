/**
 * The sending half of the channels: frames numbered without gaps per destination, kept until acknowledged.
 *
 * INVARIANTS
 * 1. A frame is sent only after the commit that holds its outbox record.
 * 2. The newest outbox record of a channel stays even when acknowledged: it carries the number to go on from.
 * 3. At most `waitingFramesMax` frames of a channel are under way, which is what the receiver keeps, and about
 *    `underWayBytesMax`; each acknowledgement makes room for more.
 * 4. Frames that wait for room are on disk only: a receiver that takes nothing costs disk and no memory.
 */
import { packArray } from '../codec.ts';
import { partitionLimits } from '../limits.ts';
import type { Frame } from '../ports.ts';
import { outbox } from '../storage/machine.ts';
import type { Reader } from '../storage/reader.ts';
import type { Batch } from './batch.ts';
import { Fifo } from './fifo.ts';

interface Channel {
  readonly destination: number;
  /** The number of the next frame. */
  next: number;
  /** The last frame on disk, of these the last put under way, of these the last acknowledged, of these the last deleted. */
  durable: number;
  sent: number;
  acknowledged: number;
  deleted: number;
  /** The last frame of an earlier run. */
  readonly recovered: number;
  readonly underWay: Fifo<{ frame: Frame; sentAt: number }>;
  underWayBytes: number;
}

const deletesPerCommit = 64;

export class OutgoingChannels {
  /** True while a receiver lags so far behind that callers should wait. */
  isFull = false;
  private readonly partition: number;
  private readonly reader: Reader;
  private readonly channels = new Map<number, Channel>();

  constructor(partition: number, reader: Reader) {
    this.partition = partition;
    this.reader = reader;
  }

  /** Reads what an earlier run left. */
  open(destinations: Iterable<number>): void {
    this.channels.clear();
    for (const destination of destinations) {
      const last = this.outermost(destination, true) ?? 0;
      const deleted = (this.outermost(destination, false) ?? 1) - 1;
      this.channels.set(destination, {
        destination,
        next: last + 1,
        durable: last,
        sent: deleted,
        acknowledged: deleted,
        deleted,
        recovered: last,
        underWay: new Fifo(),
        underWayBytes: 0,
      });
    }
    this.measure();
  }

  /** Numbers the batch's messages and puts them into it as outbox records; drops what was acknowledged. */
  seal(batch: Batch): void {
    for (const [destination, messages] of batch.outgoing) {
      const channel = this.channels.get(destination);
      if (channel === undefined) throw new Error(`there is no partition ${destination}`);
      for (let first = 0; first < messages.length; first += partitionLimits.frameMessagesMax) {
        const bytes = packArray(messages.slice(first, first + partitionLimits.frameMessagesMax));
        const sequence = channel.next;
        channel.next += 1;
        batch.put(outbox, [destination, sequence], bytes);
        batch.frames.push({ source: this.partition, destination, sequence, bytes, recovered: false });
      }
    }
    this.dropAcknowledged(batch);
  }

  /** The batch is durable: its frames may leave, those that have room at once. */
  released(batch: Batch, now: number): Frame[] {
    const frames: Frame[] = [];
    for (const frame of batch.frames) {
      const channel = this.channels.get(frame.destination)!;
      const isNext = channel.sent === channel.durable;
      channel.durable = frame.sequence;
      if (!isNext || !hasRoom(channel)) continue;
      putUnderWay(channel, frame, now);
      frames.push(frame);
    }
    if (batch.frames.length > 0) this.measure();
    return frames;
  }

  /** The receiver has everything up to this frame on disk; returns the frames that have room now. */
  acknowledged(destination: number, sequence: number, now: number): Frame[] {
    const channel = this.channels.get(destination);
    if (channel === undefined || sequence <= channel.acknowledged || sequence > channel.durable) return [];
    channel.acknowledged = sequence;
    // After a restart the receiver may know frames that have not been sent again.
    channel.sent = Math.max(channel.sent, sequence);
    while ((channel.underWay.peek()?.frame.sequence ?? Number.POSITIVE_INFINITY) <= sequence)
      channel.underWayBytes -= channel.underWay.shift()!.frame.bytes.byteLength;
    if (this.isFull) this.measure();
    return this.dispatch(channel, now);
  }

  /** Puts frames that waited under way, as many as there is room for. */
  dispatched(now: number): Frame[] {
    return [...this.channels.values()].flatMap((channel) => this.dispatch(channel, now));
  }

  /** When the oldest frame under way is to be sent again; undefined when there is none. */
  resendAt(now: number): number | undefined {
    let due: number | undefined;
    for (const channel of this.channels.values()) {
      const head = channel.underWay.peek();
      if (head === undefined) continue;
      const at = resendTime(head.sentAt, now);
      if (due === undefined || at < due) due = at;
    }
    return due;
  }

  /** The frames under way of every channel whose oldest one waited too long: the receiver takes them in order. */
  overdue(now: number): Frame[] {
    return this.sendAgain(now, (sentAt) => resendTime(sentAt, now) <= now);
  }

  /** All frames under way: a receiver came up that may have seen none of them. */
  underWay(now: number): Frame[] {
    return this.sendAgain(now, () => true);
  }

  private sendAgain(now: number, isDue: (sentAt: number) => boolean): Frame[] {
    const frames: Frame[] = [];
    for (const { underWay } of this.channels.values()) {
      const head = underWay.peek();
      if (head === undefined || !isDue(head.sentAt)) continue;
      for (let count = underWay.length; count > 0; count -= 1) {
        const sent = underWay.shift()!;
        sent.sentAt = now;
        underWay.push(sent);
        frames.push(sent.frame);
      }
    }
    return frames;
  }

  private dispatch(channel: Channel, now: number): Frame[] {
    const frames: Frame[] = [];
    while (channel.sent < channel.durable && hasRoom(channel)) {
      const frame = this.stored(channel, channel.sent + 1);
      putUnderWay(channel, frame, now);
      frames.push(frame);
    }
    return frames;
  }

  private stored({ destination, recovered }: Channel, sequence: number): Frame {
    const bytes = this.reader.get(outbox, [destination, sequence]);
    if (bytes === undefined) throw new Error(`frame ${sequence} to partition ${destination} is not in the outbox`);
    return { source: this.partition, destination, sequence, bytes, recovered: sequence <= recovered };
  }

  /** The number of the first or last outbox record of a channel. */
  private outermost(destination: number, reverse: boolean): number | undefined {
    for (const { key } of this.reader.range(outbox, [destination], { reverse, limit: 1 })) return key[1];
    return undefined;
  }

  private measure(): void {
    this.isFull = false;
    for (const { durable, acknowledged } of this.channels.values())
      if (durable - acknowledged > partitionLimits.outboxFramesMax) this.isFull = true;
  }

  private dropAcknowledged(batch: Batch): void {
    for (const [destination, channel] of this.channels) {
      const last = Math.min(channel.acknowledged, channel.next - 2, channel.deleted + deletesPerCommit);
      for (let sequence = channel.deleted + 1; sequence <= last; sequence += 1)
        batch.delete(outbox, [destination, sequence]);
      if (last > channel.deleted) channel.deleted = last;
    }
  }
}

function hasRoom({ underWay, underWayBytes }: Channel): boolean {
  return underWay.length < partitionLimits.waitingFramesMax && underWayBytes < partitionLimits.underWayBytesMax;
}

function putUnderWay(channel: Channel, frame: Frame, sentAt: number): void {
  channel.sent = frame.sequence;
  channel.underWay.push({ frame, sentAt });
  channel.underWayBytes += frame.bytes.byteLength;
}

/** A clock that went back must not put a frame off: what was sent in the future is due at once. */
function resendTime(sentAt: number, now: number): number {
  return sentAt > now ? now : sentAt + partitionLimits.resendAfterMilliseconds;
}
