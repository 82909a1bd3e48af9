/**
 * Decides which of the arriving messages run in this batch and which wait in the inbox: calls, frames, timers, outcomes
 * of effects, retried dead letters, and messages within the partition.
 *
 * INVARIANT a message to an actor that has durable messages waiting queues behind them.
 */
import { pack, unpack } from '../codec.ts';
import type { ActorImplementation, ActorKey } from '../contract.ts';
import { slotOfActor } from '../contract.ts';
import { holdsRecord, type LetterOrder, type LetterOutcome } from '../letters.ts';
import { partitionLimits } from '../limits.ts';
import { existingPartition } from '../placement.ts';
import type { Frame } from '../ports.ts';
import { type DeadLetter, effectRecords, effects, type PendingEffect, type StoredMessage } from '../storage/machine.ts';
import type { SettledEffect } from './asked-effects.ts';
import type { DeadLetters } from './dead-letters.ts';
import { Fifo } from './fifo.ts';
import { messagesOfFrame } from './frame-record.ts';
import { Inbox, workOf } from './inbox.ts';
import type { Mailboxes, Work } from './mailboxes.ts';
import type { SliceTime } from './slice-time.ts';
import { storedMessage } from './turn.ts';
import { TurnRunner, type TurnRunnerOptions } from './turn-runner.ts';
import { decodeMessage, decodeRecord, isMessage, letterOfRecord } from './undecodable.ts';

export interface TurnsOptions extends Omit<TurnRunnerOptions, 'actors' | 'inbox' | 'told'> {
  readonly actors: readonly ActorImplementation[];
  readonly mailboxes: Mailboxes;
  readonly sliceTime: SliceTime;
}

/** A message within the partition, packed when it was sent. */
interface Told {
  readonly packed: Uint8Array;
  /** Sent by the handler that will handle it: sliced work continues. */
  readonly continues: boolean;
}

export class Turns {
  private readonly options: TurnsOptions;
  private readonly actors: ReadonlyMap<number, ActorImplementation>;
  private readonly runner: TurnRunner;
  private readonly inbox: Inbox;
  private readonly letters: DeadLetters;
  private readonly told = new Fifo<Told>();
  private toldBytes = 0;

  constructor(options: TurnsOptions) {
    this.options = options;
    const { staging, mailboxes, ports } = options;
    this.actors = new Map(options.actors.map((actor) => [actor.kind, actor]));
    this.inbox = new Inbox(staging, mailboxes, ports.clock);
    this.letters = options.letters;
    const { actors, inbox } = this;
    const told = (packed: Uint8Array, continues: boolean) => this.toldHere(packed, continues);
    this.runner = new TurnRunner({ ...options, actors, inbox, told });
  }

  /** Runs a call or an inbox message. The latter is validated, because an older version may have stored it. */
  runWork(work: Work): void {
    if (work.inboxSequence !== undefined) this.inbox.remove(work.inboxSequence);
    this.runner.run(work, work.inboxSequence !== undefined);
    this.runTold();
  }

  /** Runs durable messages addressed to this partition. Those for which the slice has no time go to the inbox. */
  runDurable(messages: readonly StoredMessage[], validate: boolean): void {
    for (let index = 0; index < messages.length; index += 1) {
      if (this.hasTime(index) && this.hasInboxRoom) this.runOrKeep(messages[index]!, validate);
      else this.inbox.keep(messages[index]!);
    }
    this.runTold();
  }

  /** Messages of a frame that cannot be decoded become dead letters; the rest runs. */
  runFrame({ source, sequence, bytes, recovered }: Frame): void {
    const place = `frame ${sequence} of partition ${source}`;
    let values: readonly unknown[];
    try {
      values = messagesOfFrame(bytes);
    } catch (error) {
      this.setAside(place, bytes, error);
      return;
    }
    const messages: StoredMessage[] = [];
    for (const [index, value] of values.entries())
      if (isMessage(value)) messages.push(value);
      else this.setAside(`message ${index} of ${place}`, pack(value), new Error('it is not a message'));
    this.runDurable(messages, recovered);
  }

  /** Queues a stored inbox message again, after a start. */
  resume(inboxSequence: number, bytes: Uint8Array): void {
    const message = this.decoded(`inbox ${inboxSequence}`, bytes, decodeMessage);
    if (message === undefined) this.inbox.remove(inboxSequence);
    else this.inbox.resume(message, inboxSequence, bytes.byteLength);
  }

  /** A timer's message runs here, or goes to the partition of its actor. */
  runTimer(bytes: Uint8Array, place: string): void {
    const timer = this.decoded(place, bytes, () => {
      const message = decodeMessage(bytes);
      return { message, destination: this.homeOf(message[0], message[1]) };
    });
    if (timer === undefined) return;
    if (timer.destination === this.options.partition) this.runDurable([timer.message], true);
    else this.options.staging.filling.send(timer.destination, bytes);
  }

  /** Carries out an order of the operator, until its end or that of the slice or the batch. */
  runLetters({ what, sequences }: LetterOrder): LetterOutcome {
    const { letters } = this;
    const { sliceTime, staging } = this.options;
    const last = letters.lastSequence;
    const counts = { handled: 0, taken: 0, records: 0 };
    for (const sequence of sequences) {
      if (counts.handled > 0 && (sliceTime.isOver || !staging.hasRoom)) break;
      counts.handled += 1;
      const letter = what === 'drop' ? undefined : letters.find(sequence);
      if (letter !== undefined && what === 'retry' && holdsRecord(letter)) counts.records += 1;
      else if (this.mayRemove(what, letter) && letters.remove(sequence)) {
        counts.taken += 1;
        if (what === 'retry') this.retry(letter!);
      }
    }
    return { ...counts, failed: letters.lastSequence - last };
  }

  /** A letter that is dropped is not read. */
  private mayRemove(what: LetterOrder['what'], letter: DeadLetter | undefined): boolean {
    return what === 'drop' || (letter !== undefined && (what === 'retry' || this.deleteRecord(letter)));
  }

  private retry({ effect, message }: DeadLetter): void {
    if (effect === undefined) this.runDurable([message], true);
    else this.askAgain(effect);
  }

  private deleteRecord({ recordKey, message: [, , , bytes] }: DeadLetter): boolean {
    return recordKey !== undefined && this.options.damaged.delete(recordKey, bytes as Uint8Array);
  }

  /** The outcome of an effect: an answer is a message to the actor that asked, a failure becomes a dead letter. */
  runOutcome({ sequence, outcome }: SettledEffect): void {
    const { filling, reader } = this.options.staging;
    const record = reader.get(effectRecords, [sequence]);
    filling.settledEffects.push({ sequence, bytes: record?.byteLength ?? 0 });
    if (record === undefined) return;
    filling.delete(effects, [sequence]);
    const pending = this.decoded(`effect ${sequence}`, record, (bytes) => decodeRecord(effects, bytes));
    if (pending === undefined) return;
    const { kind, key, message, flow, cause } = pending;
    if ('answer' in outcome)
      this.runDurable([storedMessage({ kind, key, message, body: outcome.answer }, flow, undefined, cause)], false);
    else
      this.letters.add([kind, key, message, undefined, flow], `effect ${pending.effect}: ${outcome.failure}`, pending);
  }

  private askAgain(pending: PendingEffect): void {
    const { filling, meta } = this.options.staging;
    meta.effectSequence += 1;
    const sequence = meta.effectSequence;
    const packed = effects.value.encode(pending);
    const { effect, request, key: asker, cause } = pending;
    filling.putEncoded(effects, [sequence], packed);
    filling.ask({ sequence, effect, request, asker, bytes: packed.byteLength, cause });
  }

  /** Undefined for bytes that cannot be decoded: they become a dead letter. */
  private decoded<Value>(place: string, bytes: Uint8Array, decode: (bytes: Uint8Array) => Value): Value | undefined {
    try {
      return decode(bytes);
    } catch (error) {
      this.setAside(place, bytes, error);
      return undefined;
    }
  }

  private setAside(place: string, bytes: Uint8Array, error: unknown): void {
    const message = `${place} of partition ${this.options.partition} cannot be decoded and is set aside as a dead letter`;
    this.options.ports.report({ level: 'error', message, error });
    this.letters.addRecord(letterOfRecord(place, bytes), error);
  }

  /** Throws for the actor of a partition that does not exist. */
  private homeOf(kind: number, key: ActorKey): number {
    const { placement } = this.options;
    if (this.actors.get(kind)?.routing === 'partition') return existingPartition(placement, Number(key));
    return placement.partitionOf(slotOfActor(key));
  }

  /**
   * Messages within the partition run in the batch of the turn that sent them. Exceptions go to the inbox, so that
   * other work runs in between: messages above the bound, those for which the slice has no time, and those by which an
   * actor continues sliced work.
   */
  private runTold(): void {
    for (let count = 0; this.told.length > 0; count += 1) {
      const { packed, continues } = this.told.shift()!;
      this.toldBytes -= packed.byteLength;
      // Decoded as frames are: an actor sees the same message wherever its sender lives.
      const message = unpack(packed) as StoredMessage;
      if (count < partitionLimits.localRunsMax && !continues && this.hasTime(count) && this.hasInboxRoom)
        this.runOrKeep(message, false);
      else this.inbox.keep(message, packed);
    }
  }

  /**
   * Whether one more message runs at once, after `count` of them. Some run in any case, because the inbox costs writes.
   */
  private hasTime(count: number): boolean {
    return count < partitionLimits.messagesPerRound || !this.options.sliceTime.isOver;
  }

  /** All sent messages that have not run may have to enter the inbox: nothing runs that might send more than fits. */
  private get hasInboxRoom(): boolean {
    return this.options.staging.hasInboxRoom(this.told.length, this.toldBytes);
  }

  private runOrKeep(message: StoredMessage, validate: boolean): void {
    if (this.options.mailboxes.hasBacklog(message[0], message[1])) this.inbox.keep(message);
    else this.runner.run(workOf(message), validate);
  }

  /** A turn has sent this within the partition. */
  private toldHere(packed: Uint8Array, continues: boolean): void {
    this.toldBytes += packed.byteLength;
    this.told.push({ packed, continues });
  }
}
