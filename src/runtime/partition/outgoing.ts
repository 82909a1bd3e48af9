/**
 * The sending half of the channels: frames numbered without gaps per destination, kept until acknowledged.
 *
 * INVARIANTS
 * 1. A frame is sent only after the commit that holds its outbox record.
 * 2. The newest outbox record of a channel stays even when acknowledged: it carries the number to go on from.
 * 3. At most `waitingFramesMax` frames of a channel are under way, which is what the receiver keeps; each
 *    acknowledgement makes room for more.
 */
import { packArray } from '../codec.ts';
import { partitionLimits } from '../limits.ts';
import type { Frame } from '../ports.ts';
import { outbox } from '../storage/machine.ts';
import type { Reader } from '../storage/reader.ts';
import type { Batch } from './batch.ts';
import { Fifo } from './fifo.ts';

interface Channel {
  next: number;
  acknowledged: number;
  deleted: number;
  readonly underWay: Fifo<{ frame: Frame; sentAt: number }>;
  /** Durable frames that wait for room. */
  readonly waiting: Fifo<Frame>;
}

const deletesPerCommit = 64;

export class OutgoingChannels {
  private readonly partition: number;
  private readonly channels = new Map<number, Channel>();

  constructor(partition: number) {
    this.partition = partition;
  }

  /** Reads what an earlier run left; returns the frames to send now. */
  open(reader: Reader, destinations: Iterable<number>, now: number): Frame[] {
    this.channels.clear();
    for (const destination of destinations) {
      const channel: Channel = { next: 1, acknowledged: 0, deleted: 0, underWay: new Fifo(), waiting: new Fifo() };
      for (const { key, value } of reader.range(outbox, [destination])) {
        const sequence = key[1];
        if (channel.next === 1) channel.deleted = sequence - 1;
        channel.next = sequence + 1;
        channel.waiting.push({ source: this.partition, destination, sequence, bytes: value, recovered: true });
      }
      channel.acknowledged = channel.deleted;
      this.channels.set(destination, channel);
    }
    return [...this.channels.values()].flatMap((channel) => dispatch(channel, now));
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
    for (const frame of batch.frames) this.channels.get(frame.destination)!.waiting.push(frame);
    return [...batch.outgoing.keys()].flatMap((destination) => dispatch(this.channels.get(destination)!, now));
  }

  /** The receiver has everything up to this frame on disk; returns the frames that have room now. */
  acknowledged(destination: number, sequence: number, now: number): Frame[] {
    const channel = this.channels.get(destination);
    if (channel === undefined || sequence <= channel.acknowledged || sequence >= channel.next) return [];
    channel.acknowledged = sequence;
    while ((channel.underWay.peek()?.frame.sequence ?? Number.POSITIVE_INFINITY) <= sequence) channel.underWay.shift();
    // After a restart the receiver may know frames that have not been sent again.
    while ((channel.waiting.peek()?.sequence ?? Number.POSITIVE_INFINITY) <= sequence) channel.waiting.shift();
    return dispatch(channel, now);
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

  private dropAcknowledged(batch: Batch): void {
    for (const [destination, channel] of this.channels) {
      const last = Math.min(channel.acknowledged, channel.next - 2, channel.deleted + deletesPerCommit);
      for (let sequence = channel.deleted + 1; sequence <= last; sequence += 1)
        batch.delete(outbox, [destination, sequence]);
      if (last > channel.deleted) channel.deleted = last;
    }
  }
}

/** Puts waiting frames under way, as many as there is room for. */
function dispatch(channel: Channel, now: number): Frame[] {
  const frames: Frame[] = [];
  while (channel.underWay.length < partitionLimits.waitingFramesMax) {
    const frame = channel.waiting.shift();
    if (frame === undefined) break;
    channel.underWay.push({ frame, sentAt: now });
    frames.push(frame);
  }
  return frames;
}

/** A clock that went back must not put a frame off: what was sent in the future is due at once. */
function resendTime(sentAt: number, now: number): number {
  return sentAt > now ? now : sentAt + partitionLimits.resendAfterMilliseconds;
}
