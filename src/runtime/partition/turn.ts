/**
 * A turn: one message handled by one actor; synchronous, deterministic, all or nothing. The turn is everything a
 * handler can reach. Writes, messages, timers, events and effects are staged here, and enter the batch only if the
 * handler returns.
 */
import { pack } from '../codec.ts';
import type { ActorKey, ActorReference, DelegatedReply, Envelope, MessageType } from '../contract.ts';
import { delegatedReply } from '../contract.ts';
import type { EffectType } from '../effects.ts';
import { Failure } from '../errors.ts';
import { type EventType, invalidatesAtOnce, type LoggedEvent } from '../events/event.ts';
import type { Id } from '../ids.ts';
import { partitionLimits } from '../limits.ts';
import { copyOfPlainData, freezePlainData } from '../plain-data.ts';
import type { Committed } from '../storage/committed.ts';
import type { DamagedEntry } from '../storage/damaged-entry.ts';
import type { Keyspace } from '../storage/keyspace.ts';
import { Layer } from '../storage/layer.ts';
import type { PendingEffect, ReplyHandle, StoredMessage } from '../storage/machine.ts';
import {
  type DamageHandling,
  type Entry,
  LayeredReader,
  type RangeQuery,
  type Reached,
  type Reader,
} from '../storage/reader.ts';
import { OwnEmpties } from './own-empties.ts';

/** A turn that may only read. */
export interface ReadTurn extends Reader {
  readonly self: ActorReference;
  /** The partition of the actor. */
  readonly partition: number;
  readonly partitions: number;
  /** The partition of a slot. */
  partitionOf(slot: number): number;
  /** Who caused this work: `account:<id>`, `domain:<host>`, `visitors`, `relay` or `system`. */
  readonly flow: string;
  /** Of what this turn causes, where the request that caused it is traced. */
  readonly cause: string | undefined;
  /** Milliseconds since 1970; constant during a turn. */
  readonly now: number;
}

export interface Turn<Key extends ActorKey = ActorKey> extends ReadTurn {
  readonly self: ActorReference & { readonly key: Key };
  put<K extends readonly unknown[], V>(space: Keyspace<K, V>, key: K, value: V): void;
  delete<K extends readonly unknown[], V>(space: Keyspace<K, V>, key: K): void;
  /** A new id in this actor's slot. */
  nextId(): Id;
  randomBytes(count: number): Uint8Array;
  /** Sends a message: durable with this turn, run exactly once. */
  tell(message: Envelope): void;
  /** Sends a message whose handler replies to this call instead: `return turn.delegateReply(…)`. */
  delegateReply(message: Envelope): DelegatedReply;
  /** Sends a message to its actor at a time (milliseconds since 1970); at once when that has passed. */
  schedule(at: number, message: Envelope): void;
  /** Asks for I/O after the commit; the answer arrives as the message `answer` to this actor. */
  effect<Request, Answer>(
    type: EffectType<Request, Answer>,
    request: Request,
    answer: MessageType<Key, Answer, undefined>,
  ): void;
  /** Before `delegateReply`, so that the reply tells whether caches must follow first. */
  emit<Body>(type: EventType<Body>, body: Body): void;
}

/** What a partition provides to all its turns. */
export interface TurnHost {
  readonly partition: number;
  readonly partitions: number;
  partitionOf(slot: number): number;
  readonly committed: Committed;
  nextId(slot: number, now: number): Id;
  randomBytes(count: number): Uint8Array;
  /** Whether everything that leaves a turn is checked and frozen: for tests. */
  readonly isStrict: boolean;
  /** The partition that a message goes to. Throws when there is none. */
  destinationOf(message: Envelope): number;
  /** True while that partition lags so far behind that calls that send it more are refused. */
  isLagging(destination: number): boolean;
  /** Makes a dead letter of a damaged record that the turn deletes. */
  setAside(key: Uint8Array): void;
  /** False while there are too many unsettled effects for another. */
  hasRoomForEffects(asker: Pick<TurnContext, 'mayBeRefused'>): boolean;
}

export interface TurnContext {
  readonly host: TurnHost;
  readonly self: ActorReference;
  readonly kindName: string;
  /**
   * Negative for the partition's own actor, which has no slot: it writes only partition-wide keyspaces and gives no
   * ids.
   */
  readonly slot: number;
  readonly flow: string;
  readonly cause: string | undefined;
  readonly replyTo: ReplyHandle | undefined;
  /** True for a call: it may be refused and repeated, which a durable message may not. */
  readonly mayBeRefused: boolean;
  readonly now: number;
  /** Newest first. */
  readonly layers: readonly Layer[];
}

/** Packed at once: what cannot be packed fails its own turn. */
export interface StagedMessage {
  readonly destination: number;
  readonly kind: number;
  readonly key: ActorKey;
  readonly message: number;
  readonly packed: Uint8Array;
}

export interface StagedTimer {
  readonly at: number;
  readonly packed: Uint8Array;
}

export interface StagedEffect {
  readonly effect: number;
  readonly request: unknown;
  readonly packed: Uint8Array;
}

export interface StagedEvent {
  readonly logged: LoggedEvent;
  readonly packed: Uint8Array;
}

function* nothing(): Generator<never> {
  // Has no entries.
}

export class TurnRun extends LayeredReader implements Turn {
  readonly self: ActorReference;
  readonly partition: number;
  readonly partitions: number;
  readonly flow: string;
  readonly cause: string | undefined;
  readonly now: number;
  readonly writes = new Layer();
  readonly messages: StagedMessage[] = [];
  readonly timers: StagedTimer[] = [];
  readonly effects: StagedEffect[] = [];
  readonly events: StagedEvent[] = [];
  hasDelegatedReply = false;
  private readonly context: TurnContext;
  private readonly sources: readonly Layer[];
  private readonly ownEmpties: OwnEmpties;
  private invalidates = false;
  /** Bytes of all that is packed, written values excluded. */
  private stagedBytes = 0;
  private isOver = false;

  constructor(context: TurnContext) {
    super(context.host.committed);
    this.context = context;
    this.sources = [this.writes, ...context.layers];
    this.ownEmpties = new OwnEmpties(context.host.committed);
    this.self = context.self;
    this.partition = context.host.partition;
    this.partitions = context.host.partitions;
    this.flow = context.flow;
    this.cause = context.cause;
    this.now = context.now;
  }

  partitionOf(slot: number): number {
    return this.context.host.partitionOf(slot);
  }

  override get<K extends readonly unknown[], V>(space: Keyspace<K, V>, key: K): V | undefined {
    return this.isKnownEmpty(space, key) ? undefined : super.get(space, key);
  }

  override range<K extends readonly unknown[], V>(
    space: Keyspace<K, V>,
    prefix: readonly unknown[],
    query?: RangeQuery,
  ): Generator<Entry<K, V>> {
    return this.isKnownEmpty(space, prefix) ? nothing() : super.range(space, prefix, query);
  }

  /** Whether this actor has nothing in the keyspace, as far as that is known without looking for the key. */
  private isKnownEmpty<K extends readonly unknown[], V>(space: Keyspace<K, V>, key: readonly unknown[]): boolean {
    const { self, kindName } = this.context;
    if (!space.sparse || space.reach !== 'actor' || key[0] !== self.key || space.owner !== kindName) return false;
    this.checkUse();
    for (const layer of this.sources) if (layer.hasSparseValues) return false;
    return this.ownEmpties.has(space, key);
  }

  /** The caller, who learns whether this turn has invalidated anything. */
  get replyTo(): ReplyHandle | undefined {
    const { replyTo } = this.context;
    if (replyTo === undefined || !this.invalidates) return replyTo;
    const [boot, thread, call] = replyTo;
    return [boot, thread, call, true];
  }

  /** Ends the turn: any further use throws. */
  end(): void {
    this.isOver = true;
  }

  put<K extends readonly unknown[], V>(space: Keyspace<K, V>, key: K, value: V): void {
    const encoded = space.value.encode(value);
    if (encoded.byteLength > partitionLimits.valueBytesMax) throw new Error(`a value of ${space.name} is too large`);
    this.write(space, key, encoded);
  }

  delete<K extends readonly unknown[], V>(space: Keyspace<K, V>, key: K): void {
    this.write(space, key, undefined);
  }

  nextId(): Id {
    this.checkUse();
    if (this.context.slot < 0) throw new Error('an actor without a slot cannot generate ids');
    return this.context.host.nextId(this.context.slot, this.now);
  }

  randomBytes(count: number): Uint8Array {
    this.checkUse();
    return this.context.host.randomBytes(count);
  }

  tell(message: Envelope): void {
    this.stage(message, undefined);
  }

  delegateReply(message: Envelope): DelegatedReply {
    this.checkUse();
    if (this.hasDelegatedReply) throw new Error('a reply can only be delegated once');
    this.hasDelegatedReply = true;
    this.stage(message, this.replyTo);
    return delegatedReply;
  }

  schedule(at: number, message: Envelope): void {
    this.checkUse();
    assertRoom(this.timers, 'plans too many timers');
    if (!(at <= Number.MAX_SAFE_INTEGER)) throw new Error('a timer needs a time');
    this.context.host.destinationOf(message);
    const packed = this.packed(storedMessage(message, this.flow, undefined, this.cause));
    this.timers.push({ at: Math.max(0, Math.floor(at)), packed });
  }

  effect<Request, Answer>(
    type: EffectType<Request, Answer>,
    request: Request,
    answer: MessageType<never, Answer, undefined>,
  ): void {
    this.checkUse();
    assertRoom(this.effects, 'asks for too much');
    if (!this.context.host.hasRoomForEffects(this.context)) throw new Failure('overloaded');
    this.giveAway(request);
    const { kind, key } = this.self;
    const { flow, cause } = this;
    const asked: PendingEffect = { effect: type.number, request, kind, key, message: answer.number, flow };
    const pending = cause === undefined ? asked : { ...asked, cause };
    this.effects.push({ effect: type.number, request, packed: this.packed(pending) });
  }

  emit<Body>(type: EventType<Body>, body: Body): void {
    this.checkUse();
    assertRoom(this.events, 'emits too many events');
    if (this.hasDelegatedReply) throw new Error('events come before the reply is delegated');
    this.invalidates ||= this.context.replyTo !== undefined && invalidatesAtOnce(type, body);
    this.giveAway(body);
    const logged = { event: type.number, body };
    this.events.push({ logged, packed: this.packed(logged) });
  }

  protected override layers(): readonly Layer[] {
    return this.sources;
  }

  protected override checkUse(): void {
    if (this.isOver) throw new Error('the turn is over');
  }

  protected override leftOut(key: Uint8Array): void {
    this.context.host.setAside(key);
  }

  /** The letter with the bytes is kept even when the turn fails; the record is deleted only when it returns. */
  protected override damaged({ scopeBytes, beginsAnewIfDamaged }: DamageHandling, entry: DamagedEntry): undefined {
    if (!beginsAnewIfDamaged) throw entry;
    const { key } = entry;
    this.context.host.setAside(key);
    this.writes.set(Buffer.from(key).toString('latin1'), scopeBytes, undefined);
  }

  /** An actor reaches its own entries, and keyspaces that its kind shares in the partition. */
  protected override checkReach(space: Reached, key: readonly unknown[], bytes: Uint8Array): void {
    this.checkUse();
    const { self, kindName, slot } = this.context;
    const isOwn =
      (space.owner === kindName || space.sharedWith.includes(kindName)) &&
      (space.reach === 'partition' ||
        (space.reach === 'actor' ? key[0] === self.key : ((bytes[0]! << 8) | bytes[1]!) === slot));
    if (!isOwn) throw new Error(`${kindName} ${self.key} cannot reach these ${space.name}`);
  }

  private write<K extends readonly unknown[], V>(space: Keyspace<K, V>, key: K, value: Uint8Array | undefined): void {
    if (space.appendOnly) this.checkAppends(space, key, value);
    const bytes = space.encodeTransient(key);
    this.checkReach(space, key, bytes);
    if (this.writes.size >= partitionLimits.turnWritesMax) throw new Error('a turn makes too many writes');
    this.writes.set(bytes.toString('latin1'), space.scopeBytes, value);
  }

  private checkAppends<K extends readonly unknown[], V>(space: Keyspace<K, V>, key: K, value: unknown): void {
    if (value === undefined || this.get(space, key) !== undefined) throw new Error(`${space.name} are written once`);
  }

  /** Packed for the disk now and sent as an object later: nobody may change it in between. */
  private giveAway(value: unknown): void {
    if (!this.context.host.isStrict) return;
    copyOfPlainData(value);
    freezePlainData(value);
  }

  private packed(value: unknown): Uint8Array {
    const bytes = pack(value);
    this.stagedBytes += bytes.byteLength;
    if (this.stagedBytes > partitionLimits.turnBytesMax)
      throw new Error('the messages, timers, effects and events of a turn are too large');
    return bytes;
  }

  private stage(message: Envelope, replyTo: ReplyHandle | undefined): void {
    this.checkUse();
    assertRoom(this.messages, 'sends too many messages');
    const { host, mayBeRefused } = this.context;
    const destination = host.destinationOf(message);
    if (mayBeRefused && host.isLagging(destination)) throw new Failure('overloaded');
    if (host.isStrict) copyOfPlainData(message.body);
    const { kind, key, message: number } = message;
    const packed = this.packed(storedMessage(message, this.flow, replyTo, this.cause));
    this.messages.push({ destination, kind, key, message: number, packed });
  }
}

function assertRoom(staged: readonly unknown[], excess: string): void {
  if (staged.length >= partitionLimits.turnMessagesMax) throw new Error(`a turn ${excess}`);
}

export function storedMessage(
  envelope: Envelope,
  flow: string,
  replyTo: ReplyHandle | undefined,
  cause: string | undefined,
): StoredMessage {
  const { kind, key, message, body } = envelope;
  if (cause !== undefined) return [kind, key, message, body, flow, replyTo, cause];
  return replyTo === undefined ? [kind, key, message, body, flow] : [kind, key, message, body, flow, replyTo];
}
