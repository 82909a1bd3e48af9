/**
 * Events: visible changes, appended once per partition, in the commit of their cause. Streams, feeds and caches follow
 * them. Numbers are stored: append-only, never reused.
 */
import type { z } from 'zod';
import { packArray, unpack } from '../codec.ts';

declare const keyType: unique symbol;
/** A kind of thing that is kept in caches, each under a key. */
export interface Cacheable<Key> {
  readonly name: string;
  /** Whether threads may show the old state for a moment after the answer to whoever changed it. */
  readonly mayLag: boolean;
  readonly [keyType]?: (key: Key) => void;
}

export function cacheable<Key>(name: string, { mayLag = false } = {}): Cacheable<Key> {
  return { name, mayLag };
}

/** Whatever caches keep under this key is no longer true. */
export interface Invalidation {
  readonly of: Cacheable<never>;
  readonly key: unknown;
}

export function invalidation<Key>(of: Cacheable<Key>, key: NoInfer<Key>): Invalidation {
  return { of, key };
}

export interface EventType<Body> {
  readonly number: number;
  readonly name: string;
  readonly body: z.ZodType<Body>;
  /** What caches drop when the event happens: declared here, so that no cache has to know the events. */
  invalidates(body: Body): readonly Invalidation[];
}

const nothing: readonly Invalidation[] = [];

export function eventType<Body>(
  number: number,
  name: string,
  body: z.ZodType<Body>,
  invalidates: (body: Body) => readonly Invalidation[] = () => nothing,
): EventType<Body> {
  return { number, name, body, invalidates };
}

/** Whether an answer must wait until every thread has dropped what this event invalidates. */
export function invalidatesAtOnce<Body>(type: EventType<Body>, body: Body): boolean {
  return type.invalidates(body).some(({ of }) => !of.mayLag);
}

/** An event as it is stored in the log. */
export interface LoggedEvent {
  readonly event: number;
  readonly body: unknown;
}

/** All events of one commit of one partition; an event's id is (partition, commit, index). */
export interface EventBatch {
  readonly partition: number;
  readonly commit: number;
  readonly events: readonly LoggedEvent[];
}

/** A batch as it leaves its partition. */
export interface PublishedEvents extends EventBatch {
  /** Each of the events, packed as in the log. */
  readonly packed: readonly Uint8Array[];
}

/** Packed events for another thread: cloning them as objects takes more than twice as long (measured). */
export function packEvents(packed: readonly Uint8Array[]): Uint8Array {
  return packArray(packed);
}

export function unpackEvents(bytes: Uint8Array): readonly LoggedEvent[] {
  return unpack(bytes) as readonly LoggedEvent[];
}

/** The recipients of one event of a batch, as a view found them: ids by which the view knows listeners. */
export interface EventRecipients {
  readonly index: number;
  readonly ids: readonly bigint[];
}

/** The validated event; undefined where another version wrote it and these types do not match. */
export function understandEvent(
  { event, body }: LoggedEvent,
  types: ReadonlyMap<number, EventType<unknown>>,
): LoggedEvent | undefined {
  const parsed = types.get(event)?.body.safeParse(body);
  return parsed?.success === true ? { event, body: parsed.data } : undefined;
}

export function isEvent<Body>(logged: LoggedEvent, type: EventType<Body>): logged is { event: number; body: Body } {
  return logged.event === type.number;
}

/** What a thread listens to; undefined for everything. */
export interface WantedEvents {
  readonly numbers: readonly number[];
  /** It gets all events of a commit that has one of these, with their recipients; otherwise these alone. */
  readonly isWhole?: boolean;
}
