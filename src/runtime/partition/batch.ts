/**
 * A batch: what the turns since the last commit have produced. It is encoded fully before the first call to the log,
 * and everything that may leave (replies, frames, events, effects) waits in it for the commit: the gate.
 */
import type { ActorKey } from '../contract.ts';
import type { LoggedEvent } from '../events/event.ts';
import type { CallResult, Frame } from '../ports.ts';
import type { Keyspace } from '../storage/keyspace.ts';
import { Layer } from '../storage/layer.ts';
import type { LogBatch } from '../storage/log.ts';
import { type Cursor, events, packCommitEvents, type ReplyHandle } from '../storage/machine.ts';

export interface EffectToRun {
  readonly sequence: number;
  readonly effect: number;
  readonly asker: ActorKey;
  readonly request: unknown;
  /** Of its record. */
  readonly bytes: number;
  readonly cause?: string | undefined;
}

export interface Caller {
  readonly handle: ReplyHandle;
  /** The message that is answered was durable before this batch: should the batch be lost, it runs again. */
  readonly isKept: boolean;
}

export class Batch {
  readonly layer = new Layer();
  replies: { handle: ReplyHandle; result: CallResult }[] = [];
  /** Who waits for these replies, or for those that turns of this batch have delegated. */
  callers: Caller[] = [];
  /** Packed StoredMessages for other partitions. */
  readonly outgoing = new Map<number, Uint8Array[]>();
  readonly events: LoggedEvent[] = [];
  private readonly packedEvents: Uint8Array[] = [];
  readonly effects: EffectToRun[] = [];
  /** Whose outcome has run. */
  readonly settledEffects: number[] = [];
  /** Sources whose cursor moved, to the frame that is durable with this batch. */
  readonly taken = new Map<number, Cursor>();
  /** Filled when the batch is sealed. */
  frames: Frame[] = [];
  commit = 0;
  turns = 0;
  /** What this batch puts into the inbox. */
  inboxMessages = 0;
  inboxBytes = 0;
  private outgoingBytes = 0;

  /** True when there is something to make durable. */
  get hasWrites(): boolean {
    return this.layer.size > 0 || this.outgoing.size > 0 || this.events.length > 0 || this.taken.size > 0;
  }

  get isEmpty(): boolean {
    return !this.hasWrites && this.replies.length === 0;
  }

  get bytes(): number {
    return this.layer.bytes + this.outgoingBytes;
  }

  put<K extends readonly unknown[], V>(space: Keyspace<K, V>, key: K, value: V): void {
    this.putEncoded(space, key, space.value.encode(value));
  }

  putEncoded<K extends readonly unknown[], V>(space: Keyspace<K, V>, key: K, value: Uint8Array): void {
    this.layer.set(space.encode(key).toString('latin1'), space.scopeBytes, value);
  }

  delete<K extends readonly unknown[], V>(space: Keyspace<K, V>, key: K): void {
    this.layer.set(space.encode(key).toString('latin1'), space.scopeBytes, undefined);
  }

  reply(handle: ReplyHandle, result: CallResult, isKept: boolean): void {
    this.replies.push({ handle, result });
    this.callers.push({ handle, isKept });
  }

  delegateReply(handle: ReplyHandle, isKept: boolean): void {
    this.callers.push({ handle, isKept });
  }

  /** They are told something else: this batch has nothing more to say to them. */
  takeCallers(): readonly Caller[] {
    const { callers } = this;
    this.callers = [];
    this.replies = [];
    return callers;
  }

  send(destination: number, message: Uint8Array): void {
    this.outgoingBytes += message.byteLength;
    const messages = this.outgoing.get(destination);
    if (messages === undefined) this.outgoing.set(destination, [message]);
    else messages.push(message);
  }

  emit(event: LoggedEvent, packed: Uint8Array): void {
    this.events.push(event);
    this.packedEvents.push(packed);
  }

  /** The event log's record of this batch, once it has its number. Returns how many bytes it takes. */
  putEvents(now: number): number {
    if (this.events.length === 0) return 0;
    const record = packCommitEvents(now, this.packedEvents);
    this.putEncoded(events, [this.commit], record);
    return record.byteLength;
  }

  encode(): LogBatch {
    const keys: Uint8Array[] = [];
    const values: (Uint8Array | undefined)[] = [];
    for (const [key, value] of this.layer.entries) {
      keys.push(Buffer.from(key, 'latin1'));
      values.push(value);
    }
    return { keys, values };
  }
}
