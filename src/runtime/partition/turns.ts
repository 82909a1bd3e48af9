/**
 * Runs turns into the filling batch: one message, one handler, all or nothing; then the messages it sent to actors of
 * the same partition.
 *
 * INVARIANTS
 * 1. A handler that throws leaves nothing but its reply or its dead letter: everything that can be refused is refused
 *    during the turn, and only a turn that returned is taken over.
 * 2. A message to an actor that has durable messages waiting queues behind them.
 */
import { pack, unpack } from '../codec.ts';
import type { ActorImplementation, ActorKey, Envelope, HandlerEntry } from '../contract.ts';
import { delegatedReply, slotOfActor } from '../contract.ts';
import { Failure, toWireFailure } from '../errors.ts';
import type { LetterOrder, LetterOutcome } from '../letters.ts';
import { partitionLimits } from '../limits.ts';
import { partitionOfEnvelope } from '../placement.ts';
import { copyOfPlainData, freezePlainData } from '../plain-data.ts';
import type { CallResult, Frame, PartitionPorts, Placement } from '../ports.ts';
import { StorageFailure } from '../storage/log.ts';
import { effectRecords, effects, inbox, type PendingEffect, type StoredMessage, timers } from '../storage/machine.ts';
import type { AskedEffects, SettledEffect } from './asked-effects.ts';
import { DeadLetters } from './dead-letters.ts';
import type { DueTimers } from './due-timers.ts';
import { Fifo } from './fifo.ts';
import { messagesOfFrame } from './frame-record.ts';
import type { IdSource } from './id-source.ts';
import type { Mailboxes, Work } from './mailboxes.ts';
import type { Postponed } from './postponed.ts';
import type { Staging } from './staging.ts';
import { type StagedMessage, storedMessage, type TurnHost, TurnRun } from './turn.ts';
import { decodeMessage, decodeRecord, isMessage, letterOfRecord } from './undecodable.ts';

export interface TurnsOptions {
  readonly partition: number;
  readonly placement: Placement;
  readonly actors: readonly ActorImplementation[];
  readonly ports: PartitionPorts;
  readonly staging: Staging;
  readonly mailboxes: Mailboxes;
  readonly dueTimers: DueTimers;
  readonly ids: IdSource;
  readonly postponed: Postponed;
  readonly asked: Pick<AskedEffects, 'hasRoomFor'>;
  /** True while calls must not send more to this partition. */
  isLagging(destination: number): boolean;
  /** Also checks every turn for mistakes that only a wrong handler makes; see PartitionOptions. */
  readonly isStrict: boolean;
}

/** A message within the partition, packed when it was sent. */
interface Told {
  readonly packed: Uint8Array;
  /** Sent by the same handler that will handle it: work in slices. */
  readonly continues: boolean;
}

/** The partition's own actor has no slot. */
const noSlot = -1;

export class Turns {
  private readonly options: TurnsOptions;
  private readonly host: TurnHost;
  private readonly actors = new Map<number, ActorImplementation>();
  private readonly letters: DeadLetters;
  private readonly told = new Fifo<Told>();
  private toldBytes = 0;

  constructor(options: TurnsOptions) {
    this.options = options;
    for (const actor of options.actors) this.actors.set(actor.kind, actor);
    const { partition, placement, ports, staging, ids, isStrict } = options;
    this.letters = new DeadLetters(staging, ports.clock);
    this.host = {
      partition,
      partitions: placement.partitions,
      partitionOf: (slot) => placement.partitionOf(slot),
      committed: staging.committed,
      nextId: (slot, now) => ids.next(slot, now),
      randomBytes: (count) => ports.random.bytes(count),
      isStrict,
      destinationOf: (message) => this.destinationOf(message),
      isLagging: (destination) => options.isLagging(destination),
      hasRoomForEffects: (asker) => options.asked.hasRoomFor(asker),
    };
  }

  /** Runs a call or an inbox message. The latter is validated, because an older version may have stored it. */
  runWork(work: Work): void {
    if (work.inboxSequence !== undefined) this.options.staging.filling.delete(inbox, [work.inboxSequence]);
    this.run(work, work.inboxSequence !== undefined);
    this.runTold();
  }

  /** Runs durable messages addressed to this partition; those above `runsMax` go to the inbox. */
  runDurable(messages: readonly StoredMessage[], validate: boolean, runsMax: number): void {
    for (let index = 0; index < messages.length; index += 1) {
      if (index < runsMax && this.hasInboxRoom) this.runOrKeep(messages[index]!, validate);
      else this.keep(messages[index]!);
    }
    this.runTold();
  }

  /** Messages of a frame that cannot be decoded become dead letters; the rest runs. */
  runFrame({ source, sequence, bytes, recovered }: Frame): void {
    const place = `frame ${sequence} of partition ${source}`;
    let values: unknown;
    try {
      values = messagesOfFrame(bytes);
      if (!Array.isArray(values)) throw new Error('it is not a list of messages');
    } catch (error) {
      this.setAside(place, bytes, error);
      return;
    }
    const messages: StoredMessage[] = [];
    for (const [index, value] of values.entries())
      if (isMessage(value)) messages.push(value);
      else this.setAside(`message ${index} of ${place}`, pack(value), new Error('it is not a message'));
    this.runDurable(messages, recovered, partitionLimits.frameRunsMax);
  }

  /** Queues a stored inbox message again, after a start. */
  resume(inboxSequence: number, bytes: Uint8Array): void {
    const message = this.decoded(`inbox ${inboxSequence}`, bytes, decodeMessage);
    if (message === undefined) this.options.staging.filling.delete(inbox, [inboxSequence]);
    else this.options.mailboxes.addDurable(this.workInInbox(message, inboxSequence, bytes.byteLength));
  }

  /** A timer's message runs here, or goes to the partition of its actor. */
  runTimer(bytes: Uint8Array, place: string): void {
    const message = this.decoded(place, bytes, decodeMessage);
    if (message === undefined) return;
    const destination = this.homeOf(message[0], message[1]);
    if (destination === this.options.partition) this.runDurable([message], true, 1);
    else this.options.staging.filling.send(destination, bytes);
  }

  /** Carries out the operator's command on dead letters. */
  runLetters({ what, sequences }: LetterOrder): LetterOutcome {
    const { letters } = this;
    const last = letters.lastSequence;
    let taken = 0;
    for (const sequence of sequences) {
      const letter = letters.take(sequence, what === 'retry');
      if (letter === undefined) continue;
      taken += 1;
      if (what !== 'retry') continue;
      if (letter.effect === undefined) this.runDurable([letter.message], true, 1);
      else this.askAgain(letter.effect);
    }
    return { taken, failed: letters.lastSequence - last };
  }

  /** The outcome of an effect: an answer is a message to the actor that asked, a failure becomes a dead letter. */
  runOutcome({ sequence, outcome }: SettledEffect): void {
    const { filling, reader } = this.options.staging;
    const record = reader.get(effectRecords, [sequence]);
    filling.settledEffects.push(sequence);
    if (record === undefined) return;
    filling.delete(effects, [sequence]);
    const pending = this.decoded(`effect ${sequence}`, record, (bytes) => decodeRecord(effects, bytes));
    if (pending === undefined) return;
    const { kind, key, message, flow, cause } = pending;
    if ('answer' in outcome)
      this.runDurable([storedMessage({ kind, key, message, body: outcome.answer }, flow, undefined, cause)], false, 1);
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
    filling.effects.push({ sequence, effect, request, asker, bytes: packed.byteLength, cause });
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
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${place} of partition ${this.options.partition} cannot be decoded and is set aside as a dead letter`;
    this.options.ports.report({ level: 'error', message, error });
    this.letters.add(letterOfRecord(place, bytes), `it cannot be decoded: ${reason}`);
  }

  private destinationOf(message: Envelope): number {
    const { placement } = this.options;
    const destination = partitionOfEnvelope(placement, message);
    if (!Number.isInteger(destination) || destination < 0 || destination >= placement.partitions)
      throw new Error(`there is no partition ${destination}`);
    return destination;
  }

  private homeOf(kind: number, key: ActorKey): number {
    if (this.actors.get(kind)?.routing === 'partition') return Number(key);
    return this.options.placement.partitionOf(slotOfActor(key));
  }

  /**
   * Messages within the partition run in the batch of the turn that sent them, except those above the bound and those
   * by which an actor continues sliced work: these go to the inbox, so that others get their turn.
   */
  private runTold(): void {
    for (let count = 0; this.told.length > 0; count += 1) {
      const { packed, continues } = this.told.shift()!;
      this.toldBytes -= packed.byteLength;
      // Decoded as frames are: an actor sees the same message wherever its sender lives.
      const message = unpack(packed) as StoredMessage;
      if (count < partitionLimits.localRunsMax && !continues && this.hasInboxRoom) this.runOrKeep(message, false);
      else this.keep(message, packed);
    }
  }

  /** Sent messages that have not run may all have to enter the inbox: nothing runs that might send more than fits. */
  private get hasInboxRoom(): boolean {
    return this.options.staging.hasInboxRoom(this.told.length, this.toldBytes);
  }

  private runOrKeep(message: StoredMessage, validate: boolean): void {
    if (this.options.mailboxes.hasBacklog(message[0], message[1])) this.keep(message);
    else this.run(workOf(message), validate);
  }

  private keep(message: StoredMessage, packed = inbox.value.encode(message)): void {
    this.options.mailboxes.addDurable(this.putInInbox(message, packed));
  }

  /** Under its former sequence, where it had one. */
  private putInInbox(message: StoredMessage, packed: Uint8Array, formerSequence?: number): Work {
    const { filling, meta } = this.options.staging;
    if (formerSequence === undefined) meta.inboxSequence += 1;
    const sequence = formerSequence ?? meta.inboxSequence;
    filling.putEncoded(inbox, [sequence], packed);
    filling.inboxMessages += 1;
    filling.inboxBytes += packed.byteLength;
    return this.workInInbox(message, sequence, packed.byteLength);
  }

  /** An inbox message of this size. */
  private workInInbox(stored: StoredMessage, inboxSequence: number, inboxBytes: number): Work {
    return { ...workOf(stored), inboxSequence, inboxBytes, inboxSince: this.options.ports.clock.now() };
  }

  private run(work: Work, validate: boolean): void {
    const { envelope } = work;
    const actor = this.actors.get(envelope.kind);
    const handler = actor?.handlers.get(envelope.message);
    const { watch } = this.options.ports;
    this.options.staging.filling.turns += 1;
    if (watch !== undefined && !watch.begin(envelope)) {
      this.failed(
        work,
        handler,
        new Error('its thread died twice while it ran, or it ran for too long; "poison list" shows it'),
      );
      return;
    }
    let failed = false;
    try {
      if (actor === undefined || handler === undefined)
        throw new Error(`no actor of kind ${envelope.kind} handles the message ${envelope.message}`);
      const body = validate ? handler.body.parse(envelope.body) : envelope.body;
      if (this.options.isStrict) freezePlainData(body);
      this.runTurn(work, actor, handler, body);
    } catch (error) {
      if (error instanceof StorageFailure) this.postpone(work, error);
      else this.failed(work, handler, error);
      failed = true;
    } finally {
      watch?.end(failed);
    }
    if (work.cause !== undefined) this.trace(work.cause, work, handler, failed);
  }

  private trace(
    cause: string,
    { envelope: { kind, key, message } }: Work,
    handler: HandlerEntry | undefined,
    failed: boolean,
  ): void {
    this.options.ports.trace?.(cause, `turn ${this.nameOf(kind, handler, message)}`, { actor: String(key), failed });
  }

  private runTurn(work: Work, actor: ActorImplementation, handler: HandlerEntry, body: unknown): void {
    const { key, kind } = work.envelope;
    const { staging, ports } = this.options;
    const turn = new TurnRun({
      host: this.host,
      self: { kind, key },
      kindName: actor.kindName,
      slot: actor.routing === 'slot' ? slotOfActor(key) : noSlot,
      flow: work.flow,
      cause: work.cause,
      replyTo: work.replyTo,
      mayBeRefused: work.durable !== true,
      now: ports.clock.now(),
      layers: staging.layers(),
    });
    try {
      const reply = handler.run(turn as never, body as never);
      if ((reply === delegatedReply) !== turn.hasDelegatedReply)
        throw new Error('a handler that delegates its reply returns what turn.delegateReply gave it');
      const value = reply === delegatedReply || work.replyTo === undefined ? undefined : copyOfPlainData(reply);
      this.takeOver(turn, work.envelope);
      if (work.replyTo === undefined) return;
      if (reply === delegatedReply) staging.filling.delegateReply(work.replyTo, work.durable === true);
      else staging.filling.reply(work.replyTo, { ok: true, value }, work.durable === true);
    } finally {
      turn.end();
    }
  }

  private takeOver(turn: TurnRun, handled: Envelope): void {
    const { staging, dueTimers } = this.options;
    const { filling, meta } = staging;
    filling.layer.absorb(turn.writes);
    for (const { logged, packed } of turn.events) filling.emit(logged, packed);
    for (const { at, packed } of turn.timers) {
      meta.timerSequence += 1;
      filling.putEncoded(timers, [at, meta.timerSequence], packed);
      dueTimers.planned(at);
    }
    for (const { effect, request, packed } of turn.effects) {
      meta.effectSequence += 1;
      filling.putEncoded(effects, [meta.effectSequence], packed);
      const { key: asker } = turn.self;
      const { effectSequence: sequence } = meta;
      filling.effects.push({ sequence, effect, request, asker, bytes: packed.byteLength, cause: turn.cause });
    }
    for (const message of turn.messages) {
      const { destination, packed } = message;
      if (destination === this.options.partition) this.toldHere(packed, isSameHandling(message, handled));
      else filling.send(destination, packed);
    }
  }

  /** The disk is at fault, not the message: a call is refused, anything else waits in the inbox. */
  private postpone(work: Work, error: StorageFailure): void {
    const { staging, postponed } = this.options;
    if (work.durable !== true) {
      staging.filling.reply(work.replyTo!, refused(new Failure('storageUnavailable', { cause: error })), false);
      postponed.refusedCall(error);
      return;
    }
    const message = storedMessage(work.envelope, work.flow, work.replyTo, work.cause);
    postponed.add(this.putInInbox(message, inbox.value.encode(message), work.inboxSequence), error);
  }

  private toldHere(packed: Uint8Array, continues: boolean): void {
    this.toldBytes += packed.byteLength;
    this.told.push({ packed, continues });
  }

  private nameOf(kind: number, handler: HandlerEntry | undefined, message: number): string {
    return `${this.actors.get(kind)?.kindName ?? kind}.${handler?.name ?? message}`;
  }

  private failed(work: Work, handler: HandlerEntry | undefined, error: unknown): void {
    const { staging, ports } = this.options;
    const expected = error instanceof Failure;
    if (work.replyTo !== undefined) staging.filling.reply(work.replyTo, refused(error), work.durable === true);
    const { kind, message } = work.envelope;
    const name = this.nameOf(kind, handler, message);
    if (!expected || work.replyTo === undefined)
      ports.report({ level: 'error', message: `a turn of ${name} failed`, error });
    if (work.replyTo !== undefined && (expected || work.durable !== true)) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.letters.add(storedMessage(work.envelope, work.flow, undefined, work.cause), `${name}: ${reason}`);
  }
}

/** Why a call was not run. */
export type Refusal = 'overloaded' | 'expired' | 'storageUnavailable';

export function refused(error: unknown): CallResult {
  return { ok: false, failure: toWireFailure(error) };
}

/** Sent by the same handler of the same actor. */
function isSameHandling({ kind, key, message }: StagedMessage, handled: Envelope): boolean {
  return message === handled.message && key === handled.key && kind === handled.kind;
}

function workOf([kind, key, message, body, flow, replyTo, cause]: StoredMessage): Work {
  return { envelope: { kind, key, message, body }, flow, replyTo, cause, durable: true };
}
