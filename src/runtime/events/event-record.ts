/** A record of the event log as stored, and what of a damaged one can still be read. */
import { unpack } from '../codec.ts';
import type { CommitEvents } from '../storage/machine.ts';
import type { LoggedEvent } from './event.ts';

export interface ReadEvents extends CommitEvents {
  /** What is wrong with the record; undefined for a sound one. */
  readonly damage: Error | undefined;
}

/** In place of a damaged event, or of those of a damaged record: no version knows this kind of event. */
const unreadable: LoggedEvent = { event: 0, body: undefined };

/** A time that is damaged counts as 0: the record is old. */
export function readEvents(record: Uint8Array): ReadEvents {
  let decoded: Partial<CommitEvents> | null;
  try {
    decoded = unpack(record) as Partial<CommitEvents> | null;
  } catch (error) {
    return { at: 0, events: [unreadable], damage: error as Error };
  }
  const { at, events } = decoded ?? {};
  const hasTime = Number.isFinite(at);
  if (!Array.isArray(events)) return { at: 0, events: [unreadable], damage: new Error('it has no events') };
  const areEvents = events.every(isEvent);
  const damage = areEvents
    ? hasTime
      ? undefined
      : new Error('it has no time')
    : new Error('one of its events is none');
  return { at: hasTime ? at! : 0, events: areEvents ? events : events.map(soundEvent), damage };
}

function soundEvent(event: unknown): LoggedEvent {
  return isEvent(event) ? event : unreadable;
}

function isEvent(value: unknown): value is LoggedEvent {
  return typeof value === 'object' && value !== null && Number.isFinite((value as Partial<LoggedEvent>).event);
}
