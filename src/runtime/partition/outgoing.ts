/**
 * The sending half of the channels: frames numbered without gaps per destination, kept until acknowledged.
 *
 * 1. A frame is sent only after the commit of its outbox record.
 * 2. The newest outbox record of a channel is kept even when acknowledged: it holds the number and digest from which to
 *    continue.
 * 3. At most `waitingFramesMax` frames of a channel are under way, which is what the receiver buffers, and about
 *    `underWayBytesMax` on all channels together; each acknowledgement makes room for more.
 * 4. Frames that wait for room are on disk only: a receiver that takes nothing costs disk, not memory.
 * 5. A receiver that has taken other frames than this partition sent is reported, and its channel frozen.
 */
import { partitionLimits } from '../limits.ts';
import type { Acknowledgement, Frame, PartitionPorts } from '../ports.ts';
import { outbox } from '../storage/machine.ts';
import type { Reader } from '../storage/reader.ts';
import type { Batch } from './batch.ts';
import { digestOfFrame, frameRecord } from './frame-record.ts';
import { OutgoingChannel, type Unacknowledged } from './outgoing-channel.ts';
import { regressionProblem } from './regression.ts';

export class OutgoingChannels {
  private readonly partition: number;
  private readonly reader: Reader;
  private readonly report: PartitionPorts['report'];
  private readonly channels = new Map<number, OutgoingChannel>();

  constructor(partition: number, reader: Reader, report: PartitionPorts['report']) {
    this.partition = partition;
    this.reader = reader;
    this.report = report;
  }

  /** Reads what an earlier run left. */
  open(partitions: number): void {
    this.channels.clear();
    const underWayBytes = { total: 0 };
    for (let destination = 0; destination < partitions; destination += 1)
      if (destination !== this.partition)
        this.channels.set(destination, new OutgoingChannel(this.partition, destination, this.reader, underWayBytes));
  }

  /** True while this receiver lags so far behind that calls that send it more should be refused. */
  isLagging(destination: number): boolean {
    return this.channels.get(destination)?.isLagging ?? false;
  }

  /** For metrics. */
  get loads(): ({ destination: number } & Unacknowledged)[] {
    return Array.from(this.channels, ([destination, channel]) => ({ destination, ...channel.unacknowledged }));
  }

  /** Destinations to which nothing is sent any more. */
  get frozen(): number[] {
    return [...this.channels].filter(([, { isFrozen }]) => isFrozen).map(([destination]) => destination);
  }

  /** Writes the batch's messages into it as numbered outbox records, and deletes acknowledged ones. */
  seal(batch: Batch, epoch: number): void {
    for (const [destination, messages] of batch.outgoing) {
      const channel = this.channels.get(destination);
      if (channel === undefined) throw new Error(`there is no partition ${destination}`);
      for (const part of partsOf(messages)) this.sealFrame(batch, channel, epoch, part);
    }
    this.dropAcknowledged(batch);
  }

  /** The batch is durable: its frames may leave. Returns those that have room now. */
  released(batch: Batch, now: number): Frame[] {
    const frames: Frame[] = [];
    for (const frame of batch.frames) {
      const channel = this.channels.get(frame.destination)!;
      const isNext = channel.sent === channel.durable;
      channel.durable = frame.sequence;
      if (!isNext || channel.isFrozen || !channel.hasRoom) continue;
      channel.putUnderWay(frame, now);
      frames.push(frame);
    }
    return frames;
  }

  /** The receiver has everything up to this frame on disk; returns the frames that have room now. */
  acknowledged({ destination, sequence, digest }: Acknowledgement, now: number): Frame[] {
    const channel = this.channels.get(destination);
    if (channel === undefined || channel.isFrozen || sequence <= channel.acknowledged) return [];
    if (isOfSoundFrame(channel, sequence, digest)) return [];
    const evidence = contradiction(channel, sequence, digest);
    if (evidence !== undefined) {
      channel.isFrozen = true;
      this.report(regressionProblem({ older: this.partition, other: destination, evidence }));
      return [];
    }
    return [...channel.confirm(sequence, now), ...this.dispatched(now)];
  }

  /** Sends waiting frames, as many as there is room for. */
  dispatched(now: number): Frame[] {
    const frames: Frame[] = [];
    for (const channel of this.channels.values()) {
      while (channel.hasFramesToSend && channel.hasRoom) {
        const frame = channel.stored(channel.sent + 1);
        if (frame === undefined) {
          this.freezeForMissing(channel);
          break;
        }
        channel.putUnderWay(frame, now);
        frames.push(frame);
      }
    }
    return frames;
  }

  /** The receiver takes nothing that does not follow: without this frame all behind it wait. */
  private freezeForMissing(channel: OutgoingChannel): void {
    channel.isFrozen = true;
    const message = `Partition ${this.partition} has no frame ${channel.sent + 1} to partition ${channel.destination} in its outbox. Messages to that one stand still. Stop the server and restore the whole data folder from one backup, made while the server was stopped.`;
    this.report({ level: 'error', message });
  }

  /** When the oldest frame under way is to be sent again; undefined when there is none. */
  get resendAt(): number | undefined {
    let due: number | undefined;
    for (const { resendAt: at } of this.channels.values()) {
      if (at !== undefined && (due === undefined || at < due)) due = at;
    }
    return due;
  }

  /** Frames of every channel whose receiver was silent for too long. */
  overdue(now: number): Frame[] {
    const due = [...this.channels.values()].filter(({ resendAt }) => resendAt !== undefined && resendAt <= now);
    return due.flatMap((channel) => channel.resend(now));
  }

  /** All frames under way: a restarted receiver may have seen none of them. */
  underWay(now: number): Frame[] {
    return [...this.channels.values()].flatMap((channel) => channel.resendAll(now));
  }

  private sealFrame(batch: Batch, channel: OutgoingChannel, epoch: number, messages: readonly Uint8Array[]): void {
    const { destination, next: sequence, previous, acknowledged } = channel;
    const bytes = frameRecord({ epoch, previous }, channel.channelBytes, messages);
    const digest = digestOfFrame(bytes);
    channel.next += 1;
    channel.previous = digest;
    channel.channelBytes += bytes.byteLength;
    batch.put(outbox, [destination, sequence], bytes);
    batch.frames.push({ source: this.partition, destination, sequence, bytes, digest, recovered: false, acknowledged });
  }

  /** A commit deletes more frames than it adds, so that the outbox shrinks at the pace of the commits. */
  private dropAcknowledged(batch: Batch): void {
    const dropsMax = partitionLimits.outboxDropsPerCommit + 2 * batch.frames.length;
    for (const [destination, channel] of this.channels) {
      const last = Math.min(channel.acknowledged, channel.next - 2, channel.deleted + dropsMax);
      for (let sequence = channel.deleted + 1; sequence <= last; sequence += 1)
        batch.delete(outbox, [destination, sequence]);
      if (last > channel.deleted) channel.deleted = last;
    }
  }
}

/**
 * The receiver has taken a frame that was damaged here afterwards. It is sent what stands here now, and acknowledges
 * that.
 */
function isOfSoundFrame(channel: OutgoingChannel, sequence: number, digest: number | undefined): boolean {
  return digest !== undefined && channel.isDamaged(sequence) && digest !== channel.digestOf(sequence);
}

/** Detects that this partition was restored from an older copy; undefined when all is well. */
function contradiction(channel: OutgoingChannel, sequence: number, digest: number | undefined): string | undefined {
  if (sequence > channel.durable)
    return `it has sent ${channel.durable} frames to that one, which has taken ${sequence}`;
  const own = channel.digestOf(sequence);
  if (digest === undefined || own === undefined || digest === own) return undefined;
  return `its frame ${sequence} to that one differs from the one that was taken`;
}

/** Splits messages into frames, bounded by number and about by bytes. */
function* partsOf(messages: readonly Uint8Array[]): Generator<readonly Uint8Array[]> {
  const { frameMessagesMax, frameBytesMax } = partitionLimits;
  let first = 0;
  let bytes = 0;
  for (let index = 0; index < messages.length; index += 1) {
    const size = messages[index]!.byteLength;
    if (index > first && (index - first >= frameMessagesMax || bytes + size > frameBytesMax)) {
      yield messages.slice(first, index);
      first = index;
      bytes = 0;
    }
    bytes += size;
  }
  if (first < messages.length) yield messages.slice(first);
}
