/**
 * The messages that actors accept, as values. A contract is a kind of actor with its messages; each message is one
 * line. Numbers are stored (outbox, inbox, timers) and sent between threads: they are append-only and never reused.
 */
import { z } from 'zod';
import { slotOfId, slotOfKey } from './ids.ts';
import { type AnyKeyspace, keyspacesOf } from './storage/keyspace.ts';
import type { Rule } from './storage/rules.ts';

/** An id for actors that have one, a name (handle, URI, host, tag) for the others. */
export type ActorKey = bigint | string;

export interface ActorReference {
  readonly kind: number;
  readonly key: ActorKey;
}

/** A message with its address: kind of actor, key, number of the message, body. `Reply` exists in the types only. */
export interface Envelope<Reply = unknown> {
  readonly kind: number;
  readonly key: ActorKey;
  readonly message: number;
  readonly body: unknown;
  /** Set for actors that belong to a partition instead of a slot. */
  readonly partition?: number;
  readonly replyType?: Reply;
}

interface MessageShape<Body, Reply> {
  readonly mode: 'call' | 'cast';
  readonly number: number;
  readonly body: z.ZodType<Body>;
  readonly replyType?: Reply;
}

export interface MessageType<Key extends ActorKey, Body, Reply> {
  readonly kind: number;
  readonly kindName: string;
  readonly name: string;
  readonly number: number;
  readonly mode: 'call' | 'cast';
  readonly body: z.ZodType<Body>;
  /** Addresses the message to an actor. Bodies are plain data: they are copied between threads and stored. */
  to(key: Key, body: Body): Envelope<Reply>;
}

/** A message that expects a reply. The reply leaves after the commit of the turn that gave it. */
export function call<Body, Reply = undefined>(
  number: number,
  body: z.ZodType<Body>,
  _reply?: z.ZodType<Reply>,
): MessageShape<Body, Reply> {
  return { mode: 'call', number, body };
}

/** A message nobody waits for: durable, delivered exactly once. */
export function cast<Body>(number: number, body: z.ZodType<Body>): MessageShape<Body, undefined> {
  return { mode: 'cast', number, body };
}

/** The empty body, for messages whose number says everything. */
export const Nothing = z.object({});
/**
 * Of work that goes on in messages to the same actor: how many came before. One over which the process dies twice is not run
 * again, so that each has to be another message.
 */
export const Slice = z.object({ slice: z.number().optional() });
/** The reply of a message that only confirms that it was carried out. */
export const Done = z.undefined();

type Messages = Record<string, MessageShape<never, unknown> | MessageShape<unknown, unknown>>;

/** The body of a message. */
export type BodyOf<Shape> = Shape extends { readonly body: z.ZodType<infer Body> } ? Body : never;
type ReplyOf<Shape> = Shape extends { readonly replyType?: infer Reply } ? Reply : never;

export type Contract<Key extends ActorKey, M> = {
  readonly [Name in keyof M]: MessageType<Key, BodyOf<M[Name]>, ReplyOf<M[Name]>>;
} & { readonly actor: DeclaredActor };

export interface DeclaredActor {
  readonly kind: number;
  readonly kindName: string;
  readonly routing: 'slot' | 'partition';
}

export interface ActorKind<Key extends ActorKey> {
  readonly kind: number;
  readonly name: string;
  /** 'partition': one actor in every partition; its key is the number of the partition. */
  readonly routing?: 'slot' | 'partition';
  readonly keyType?: Key;
}

/** Declares a kind of actor. Kind numbers are append-only: see src/actors/kinds.ts. */
export function contract<Key extends ActorKey, const M extends { [Name in keyof M]: { number: number } }>(
  actor: ActorKind<Key>,
  messages: M,
): Contract<Key, M> {
  const declared: Record<string, unknown> = {
    actor: { kind: actor.kind, kindName: actor.name, routing: actor.routing ?? 'slot' } satisfies DeclaredActor,
  };
  const numbers = new Set<number>();
  // `M` is known by its numbers alone, so that message types keep their own bodies and replies.
  for (const [name, shape] of Object.entries(messages as unknown as Messages)) {
    if (numbers.has(shape.number)) throw new Error(`${actor.name}.${name} reuses the message number ${shape.number}`);
    numbers.add(shape.number);
    declared[name] = {
      kind: actor.kind,
      kindName: actor.name,
      name,
      number: shape.number,
      mode: shape.mode,
      body: shape.body,
      to:
        actor.routing === 'partition'
          ? (key: Key, body: unknown) => ({
              kind: actor.kind,
              key,
              message: shape.number,
              body,
              partition: Number(key),
            })
          : (key: Key, body: unknown) => ({ kind: actor.kind, key, message: shape.number, body }),
    };
  }
  return declared as Contract<Key, M>;
}

type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (part: infer All) => void
  ? All
  : never;

/** One object of many: messages, or handlers, of the features of an actor. Throws when two of them share a name. */
export function joined<const Parts extends readonly object[]>(...parts: Parts): Intersection<Parts[number]> {
  const whole: Record<string, unknown> = {};
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    if (name in whole) throw new Error(`two parts of an actor have the name ${name}`);
    whole[name] = value;
  }
  return whole as Intersection<Parts[number]>;
}

export function slotOfActor(key: ActorKey): number {
  return typeof key === 'bigint' ? slotOfId(key) : slotOfKey(key);
}

/** Returned by a handler whose reply another actor will give; see `turn.delegateReply`. */
export const delegatedReply = Symbol('delegated reply');
export type DelegatedReply = typeof delegatedReply;

export type Handler<TurnType, Body, Reply> = (turn: TurnType, body: Body) => Reply | DelegatedReply;

export interface HandlerEntry {
  readonly name: string;
  readonly mode: 'call' | 'cast';
  readonly body: z.ZodType;
  readonly run: Handler<never, never, unknown>;
}

/** A contract with its handlers: what owner threads load. */
export interface ActorImplementation extends DeclaredActor {
  readonly handlers: ReadonlyMap<number, HandlerEntry>;
}

type HandlersOf<TurnType, C> = {
  readonly [Name in Exclude<keyof C, 'actor'>]: C[Name] extends MessageType<infer _Key, infer Body, infer Reply>
    ? Handler<TurnType, Body, Reply>
    : never;
};

type HandlersOfMessages<TurnType, M> = {
  readonly [Name in keyof M]: Handler<TurnType, BodyOf<M[Name]>, ReplyOf<M[Name]>>;
};

/** A part of an actor that has a folder of its own: the handlers of its messages, and the keyspaces of its state. */
interface Feature<Handlers> {
  readonly handlers: Handlers;
  readonly keyspaces: readonly AnyKeyspace[];
  readonly rules: readonly Rule[];
}

interface FeatureDeclaration<M, Handlers> {
  readonly messages: M;
  /** The modules of the feature. Their functions that are named after a message are its handlers, one per message. */
  readonly handlers: Handlers;
  /** The files that declare its keyspaces. */
  readonly state: readonly object[];
  /** What must hold between their entries. */
  readonly rules?: readonly Rule[];
}

export function feature<TurnType>() {
  return <M extends object>({
    messages,
    handlers,
    state,
    rules = [],
  }: FeatureDeclaration<M, HandlersOfMessages<TurnType, M>>): Feature<HandlersOfMessages<TurnType, M>> => {
    const names = Object.keys(messages) as (keyof M)[];
    const named = Object.fromEntries(names.map((name) => [name, handlers[name]]));
    return { handlers: named as HandlersOfMessages<TurnType, M>, keyspaces: keyspacesOf(...state), rules };
  };
}

/** Binds handlers to a contract: the compiler asks for one per message. */
export function implement<TurnType>() {
  return <C extends { readonly actor: DeclaredActor }>(
    declared: C,
    handlers: HandlersOf<TurnType, C>,
  ): ActorImplementation => {
    const byNumber = new Map<number, HandlerEntry>();
    for (const [name, run] of Object.entries(handlers as Record<string, HandlerEntry['run']>)) {
      const message = (declared as Record<string, unknown> as Record<string, MessageType<ActorKey, unknown, unknown>>)[
        name
      ]!;
      byNumber.set(message.number, { name, mode: message.mode, body: message.body, run });
    }
    return { ...declared.actor, handlers: byNumber };
  };
}
