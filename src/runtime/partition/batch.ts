/**
 * A batch: what the turns since the last commit have produced. It is encoded fully before the first call to the log,
 * and everything that may leave (replies, frames, events, effects) waits in it for the commit: the gate.
 */
import type { ActorKey } from '../contract.ts';
import type { LoggedEvent } from '../events/event.ts';
import { sizeOfPlainData } from '../plain-data.ts';
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
  /** Size of its record. */
  readonly bytes: number;
  readonly cause?: string | undefined;
}

export interface Caller {
  readonly handle: ReplyHandle;
  /** The answered message was durable before this batch: if the batch is lost, the message runs again. */
  readonly isKept: boolean;
}

export class Batch {
  readonly layer = new Layer();
  replies: { handle: ReplyHandle; result: CallResult; bytes: number }[] = [];
  /** The callers that wait for these replies, or for replies that turns of this batch have delegated. */
  callers: Caller[] = [];
  /** Packed StoredMessages, by destination partition. */
  readonly outgoing = new Map<number, Uint8Array[]>();
  readonly events: LoggedEvent[] = [];
  /** Each of the events. */
  readonly packedEvents: Uint8Array[] = [];
  readonly effects: EffectToRun[] = [];
  /** Effects whose outcome has run, with the size of the record that goes with it. */
  readonly settledEffects: { readonly sequence: number; readonly bytes: number }[] = [];
  /** The new cursors of sources: the last frame that is durable with this batch. */
  readonly taken = new Map<number, Cursor>();
  /** The causes of what its traced turns have caused. */
  readonly traced: string[] = [];
  /** When it went to the log, by the monotonic clock; of a batch with traced turns. */
  sealedAt = 0;
  /** A record is deleted by command, of which no event tells. */
  deletesUntold = false;
  /** Filled when the batch is sealed. */
  frames: Frame[] = [];
  commit = 0;
  turns = 0;
  /** Messages that this batch adds to the inbox. */
  inboxMessages = 0;
  inboxBytes = 0;
  /** Bytes of the records of its effects. */
  effectBytes = 0;
  /**
   * Of what becomes entries only when the batch is sealed: messages to other partitions, and events. And of replies, which
   * wait for the commit as well.
   */
  private unsealedBytes = 0;

  /** True when there is something to commit. */
  get hasWrites(): boolean {
    return this.layer.size > 0 || this.outgoing.size > 0 || this.events.length > 0 || this.taken.size > 0;
  }

  get isEmpty(): boolean {
    return !this.hasWrites && this.replies.length === 0;
  }

  get bytes(): number {
    return this.layer.bytes + this.unsealedBytes;
  }

  put<K extends readonly unknown[], V>(space: Keyspace<K, V>, key: K, value: V): void {
    this.putEncoded(space, key, space.value.encode(value));
  }

  putEncoded<K extends readonly unknown[], V>(space: Keyspace<K, V>, key: K, value: Uint8Array): void {
    this.layer.set(space.encodeTransient(key).toString('latin1'), space.scopeBytes, value);
  }

  delete<K extends readonly unknown[], V>(space: Keyspace<K, V>, key: K): void {
    this.layer.set(space.encodeTransient(key).toString('latin1'), space.scopeBytes, undefined);
  }

  /** `bytes`: about the size of the value. */
  reply(
    handle: ReplyHandle,
    result: CallResult,
    isKept: boolean,
    bytes = result.ok ? sizeOfPlainData(result.value) : 0,
  ): void {
    this.unsealedBytes += bytes;
    this.replies.push({ handle, result, bytes });
    this.callers.push({ handle, isKept });
  }

  delegateReply(handle: ReplyHandle, isKept: boolean): void {
    this.callers.push({ handle, isKept });
  }

  /** For refusing them: the batch then no longer answers them. */
  takeCallers(): readonly Caller[] {
    const { callers } = this;
    this.callers = [];
    this.replies = [];
    return callers;
  }

  send(destination: number, message: Uint8Array): void {
    this.unsealedBytes += message.byteLength;
    const messages = this.outgoing.get(destination);
    if (messages === undefined) this.outgoing.set(destination, [message]);
    else messages.push(message);
  }

  emit(event: LoggedEvent, packed: Uint8Array): void {
    this.unsealedBytes += packed.byteLength;
    this.events.push(event);
    this.packedEvents.push(packed);
  }

  ask(effect: EffectToRun): void {
    this.effectBytes += effect.bytes;
    this.effects.push(effect);
  }

  /** Writes the event log's record of this batch, once it has its number. Returns its size in bytes. */
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
