/**
 * Events: visible changes, appended once per partition in the commit of their cause. Streams, feeds and caches follow
 * them. Numbers reach the disk: append-only, never reused.
 */
import type { z } from 'zod';

export interface EventType<Body> {
  readonly number: number;
  readonly name: string;
  readonly body: z.ZodType<Body>;
}

export function eventType<Body>(number: number, name: string, body: z.ZodType<Body>): EventType<Body> {
  return { number, name, body };
}

/** An event as it stands in the log. */
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

/** The listening accounts that one event of a batch concerns, as a view found them. */
export interface Audience {
  readonly index: number;
  readonly accounts: readonly bigint[];
}

export function isEvent<Body>(logged: LoggedEvent, type: EventType<Body>): logged is { event: number; body: Body } {
  return logged.event === type.number;
}
