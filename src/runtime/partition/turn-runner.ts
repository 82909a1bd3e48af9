/**
 * Runs one message by the handler of its actor into the filling batch: one turn, all or nothing.
 *
 * INVARIANT a handler that throws leaves nothing but its reply or its dead letter: everything that can be refused is
 * refused during the turn, and only a turn that returned is taken over.
 */
import { pack, unpack } from '../codec.ts';
import type { ActorImplementation, Envelope, HandlerEntry } from '../contract.ts';
import { delegatedReply, slotOfActor } from '../contract.ts';
import { Failure } from '../errors.ts';
import { partitionLimits } from '../limits.ts';
import { existingPartition, partitionOfEnvelope } from '../placement.ts';
import { copyOfPlainData, freezePlainData, sizeOfPlainData } from '../plain-data.ts';
import type { PartitionPorts, Placement } from '../ports.ts';
import { DamagedEntry } from '../storage/damaged-entry.ts';
import { StorageFailure } from '../storage/log.ts';
import { effects, inbox as inboxMessages, type StoredMessage, timers } from '../storage/machine.ts';
import { errorTypeOf } from '../tracing/trace.ts';
import type { AskedEffects } from './asked-effects.ts';
import type { DamagedRecords } from './damaged-records.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { DueTimers } from './due-timers.ts';
import type { IdSource } from './id-source.ts';
import type { Inbox } from './inbox.ts';
import type { Work } from './mailboxes.ts';
import type { Postponed } from './postponed.ts';
import { refused } from './refusals.ts';
import type { Staging } from './staging.ts';
import { type StagedMessage, storedMessage, type TurnHost, TurnRun } from './turn.ts';

export interface TurnRunnerOptions {
  readonly partition: number;
  readonly placement: Placement;
  /** By kind. */
  readonly actors: ReadonlyMap<number, ActorImplementation>;
  readonly ports: PartitionPorts;
  readonly staging: Staging;
  readonly dueTimers: DueTimers;
  readonly ids: IdSource;
  readonly postponed: Postponed;
  readonly inbox: Inbox;
  readonly letters: DeadLetters;
  readonly damaged: Pick<DamagedRecords, 'setAside' | 'delete'>;
  readonly asked: Pick<AskedEffects, 'hasRoomFor'>;
  /** True while calls must not send more to this partition. */
  isLagging(destination: number): boolean;
  /** Also checks every turn for mistakes that only a wrong handler makes; see PartitionOptions. */
  readonly isStrict: boolean;
  /** A turn has sent a message within the partition. `continues`: to its own handler, as sliced work does. */
  told(packed: Uint8Array, continues: boolean): void;
}

/** The partition's own actor has no slot. */
const noSlot = -1;

export class TurnRunner {
  private readonly options: TurnRunnerOptions;
  private readonly host: TurnHost;

  constructor(options: TurnRunnerOptions) {
    this.options = options;
    const { partition, placement, ports, staging, ids, isStrict } = options;
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
      setAside: (key) => options.damaged.setAside(key),
      hasRoomForEffects: (asker) => options.asked.hasRoomFor(asker, staging.effectsStaged),
    };
  }

  /** `validate`: an older version may have made it. */
  run(work: Work, validate: boolean): void {
    const { envelope } = work;
    const actor = this.options.actors.get(envelope.kind);
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
    const own = this.causeWithin(work);
    const beganAt = own === undefined ? 0 : this.options.ports.clock.monotonic();
    let failure: unknown;
    let failed = false;
    try {
      if (actor === undefined || handler === undefined)
        throw new Error(`no actor of kind ${envelope.kind} handles the message ${envelope.message}`);
      const body = validate ? handler.body.parse(envelope.body) : envelope.body;
      if (this.options.isStrict) freezePlainData(body);
      this.runTurn(work, own, actor, handler, body);
    } catch (error) {
      if (error instanceof StorageFailure) this.postpone(work, error);
      else this.failed(work, handler, error);
      failed = true;
      failure = error;
    } finally {
      watch?.end(failed);
    }
    if (own === undefined) return;
    if (!failed) this.options.staging.filling.traced.push(own);
    const { kind, key, message } = envelope;
    const text = `turn ${this.nameOf(kind, handler, message)}`;
    const attributes = failed ? { 'error.type': errorTypeOf(failure) } : {};
    this.options.ports.trace?.step(work.cause!, {
      line: { text, details: { actor: String(key), failed } },
      span: { name: text, kind: 'internal', beganAt, own, attributes },
    });
  }

  /** Of what the turn causes; undefined where it is not traced. */
  private causeWithin({ cause }: Work): string | undefined {
    return cause === undefined ? undefined : (this.options.ports.trace?.within(cause) ?? cause);
  }

  private runTurn(
    work: Work,
    cause: string | undefined,
    actor: ActorImplementation,
    handler: HandlerEntry,
    body: unknown,
  ): void {
    const { key, kind } = work.envelope;
    const { staging, ports } = this.options;
    const turn = new TurnRun({
      host: this.host,
      self: { kind, key },
      kindName: actor.kindName,
      slot: actor.routing === 'slot' ? slotOfActor(key) : noSlot,
      flow: work.flow,
      cause,
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
      const bytes = sizeOfPlainData(value);
      if (bytes > partitionLimits.turnBytesMax) throw new Error('the reply of a turn is too large');
      if (this.options.isStrict) assertNoneRepeats(turn.messages, work.envelope);
      this.takeOver(turn, work.envelope);
      const { replyTo } = turn;
      if (replyTo === undefined) return;
      if (reply === delegatedReply) staging.filling.delegateReply(replyTo, work.durable === true);
      else staging.filling.reply(replyTo, { ok: true, value }, work.durable === true, bytes);
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
      filling.ask({ sequence, effect, request, asker, bytes: packed.byteLength, cause: turn.cause });
    }
    for (const message of turn.messages) {
      const { destination, packed } = message;
      if (destination === this.options.partition) this.options.told(packed, isSameHandling(message, handled));
      else filling.send(destination, packed);
    }
  }

  /** The disk is at fault, not the message: a call is refused, anything else waits in the inbox. */
  private postpone(work: Work, error: StorageFailure): void {
    const { staging, postponed, inbox } = this.options;
    if (work.durable !== true) {
      staging.filling.reply(work.replyTo!, refused(new Failure('storageUnavailable', { cause: error })), false);
      postponed.refusedCall(error);
      return;
    }
    const message = storedMessage(work.envelope, work.flow, work.replyTo, work.cause);
    postponed.add(inbox.store(message, inboxMessages.value.encode(message), work), error);
  }

  private nameOf(kind: number, handler: HandlerEntry | undefined, message: number): string {
    return `${this.options.actors.get(kind)?.kindName ?? kind}.${handler?.name ?? message}`;
  }

  private failed(work: Work, handler: HandlerEntry | undefined, error: unknown): void {
    const { staging, ports } = this.options;
    const expected = error instanceof Failure;
    if (error instanceof DamagedEntry) this.options.damaged.setAside(error.key);
    if (work.replyTo !== undefined) staging.filling.reply(work.replyTo, refused(error), work.durable === true);
    const { kind, message } = work.envelope;
    const name = this.nameOf(kind, handler, message);
    if (!expected || work.replyTo === undefined)
      ports.report({ level: 'error', message: `a turn of ${name} failed`, error });
    if (work.replyTo !== undefined && (expected || work.durable !== true)) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.options.letters.add(storedMessage(work.envelope, work.flow, undefined, work.cause), `${name}: ${reason}`);
  }

  private destinationOf(message: Envelope): number {
    const { placement } = this.options;
    return existingPartition(placement, partitionOfEnvelope(placement, message));
  }
}

/** Sent by the same handler of the same actor. */
function isSameHandling({ kind, key, message }: StagedMessage, handled: Envelope): boolean {
  return message === handled.message && key === handled.key && kind === handled.kind;
}

/** Work in slices: one that equals the slice before it would share its fate, should the process die over that twice. */
function assertNoneRepeats(messages: readonly StagedMessage[], handled: Envelope): void {
  for (const message of messages) {
    if (!isSameHandling(message, handled)) continue;
    const [, , , body] = unpack(message.packed) as StoredMessage;
    if (Buffer.from(pack(body)).equals(pack(handled.body)))
      throw new Error('a slice of work has to be another message than the one before it (Slice in contract.ts)');
  }
}
