/** The Admin::Machine entity, our own: what the machine did in the last second, for streams of those who operate it. */
import { z } from 'zod';
import type { MachineView, Times } from '../../operator/machine/machine-view.ts';
import { count, flag, text, time, timestamp } from '../values.ts';

const number = z.number().min(0);
/** Seconds; null where nothing was measured. `p99` is null as well where it is above everything that is told apart. */
const times = { per_second: number, mean_seconds: number.nullable(), p99_seconds: number.nullable(), p99_beyond: flag };

export const AdminMachineEntity = z
  .strictObject({
    at: time,
    /** Over which rates are taken. */
    seconds: number,
    uptime_seconds: number,
    /** In use, and how many more would have been. */
    processors: number,
    processors_waited: number,
    /** Bytes; `max` is the bound of `anonymous`, 0 where it is not known. */
    memory: z.strictObject({ anonymous: number, mapped: number, heaps: number, buffers: number, max: number }),
    requests: z.strictObject({ ...times, in_flight: count }),
    events_per_second: number,
    commits_per_second: number,
    turns_per_second: number,
    streams: count,
    /** Open ones, the most first; `bytes` wait for their clients. */
    channels: z.array(z.strictObject({ name: text, count, bytes: number })),
    /** By their kind: what waits in all their mailboxes and in the longest of them, and what share of one processor they take. */
    actors: z.array(
      z.strictObject({ kind: text, waiting: count, longest: count, turns_per_second: number, share: number }),
    ),
    /** What actors spend their time with, the most first: `share` of one processor. */
    turns: z.array(z.strictObject({ message: text, ...times, share: number })),
    partitions: z.array(
      z.strictObject({
        number: text,
        ...times,
        entries_per_commit: number.nullable(),
        calls: count,
        oldest_call_seconds: number,
        inbox: count,
        effects: count,
        oldest_message_seconds: number,
      }),
    ),
    caches: z.array(z.strictObject({ name: text, bytes: number, bytes_max: number })),
    /** Deliveries to other servers, those in trouble first; `lanes_more` are not shown. */
    lanes: z.array(
      z.strictObject({
        host: text,
        state: text,
        pending: count,
        has_more: flag,
        failures: count,
        failing_since: time.nullable(),
        next_attempt_at: time.nullable(),
        last_refusal: z.strictObject({ status: count, at: time }).nullable(),
        /** When the oldest of what waits was written. */
        waiting_since: time.nullable(),
        /** Of a refusal as well; `status` is null where the host did not answer. */
        last_error: z.strictObject({ status: count.nullable(), fault: text.nullable(), at: time }).nullable(),
      }),
    ),
    lanes_more: count,
  })
  .meta({ id: 'Admin.Machine' });

const timeOrNull = (at: number | undefined) => (at === undefined ? null : timestamp(at));

function timesOf({ perSecond, mean, p99 }: Times) {
  const isBeyond = p99 === Number.POSITIVE_INFINITY;
  return {
    per_second: perSecond,
    mean_seconds: mean ?? null,
    p99_seconds: isBeyond ? null : (p99 ?? null),
    p99_beyond: isBeyond,
  };
}

export function adminMachineEntity(view: MachineView): z.output<typeof AdminMachineEntity> {
  return {
    at: timestamp(view.at),
    seconds: view.seconds,
    uptime_seconds: view.uptimeSeconds,
    processors: view.processors,
    processors_waited: view.processorsWaited,
    memory: view.memory,
    requests: { ...timesOf(view.requests), in_flight: view.requestsInFlight },
    events_per_second: view.eventsPerSecond,
    commits_per_second: view.commitsPerSecond,
    turns_per_second: view.turnsPerSecond,
    streams: view.streams,
    channels: [...view.channels],
    actors: view.actors.map(({ turnsPerSecond, ...actor }) => ({ ...actor, turns_per_second: turnsPerSecond })),
    turns: view.turns.map(({ message, share, ...times }) => ({ message, ...timesOf(times), share })),
    partitions: view.partitions.map(({ number: partition, calls, inbox, effects, ...others }) => ({
      number: partition,
      ...timesOf(others),
      entries_per_commit: others.entriesPerCommit ?? null,
      ...{ calls, inbox, effects, oldest_call_seconds: others.oldestCallSeconds },
      oldest_message_seconds: others.oldestMessageSeconds,
    })),
    caches: view.caches.map(({ name, bytes, bytesMax }) => ({ name, bytes, bytes_max: bytesMax })),
    lanes: view.lanes.map(({ host, state, pending, failures, lastError, ...lane }) => ({
      ...{ host, state, pending, failures, has_more: lane.hasMore },
      failing_since: timeOrNull(lane.failingSince),
      next_attempt_at: timeOrNull(lane.nextAttemptAt),
      last_refusal: lane.lastRefusal === undefined ? null : { ...lane.lastRefusal, at: timestamp(lane.lastRefusal.at) },
      waiting_since: timeOrNull(lane.waitingSince),
      last_error:
        lastError === undefined
          ? null
          : { status: lastError.status ?? null, fault: lastError.fault ?? null, at: timestamp(lastError.at) },
    })),
    lanes_more: view.lanesMore,
  };
}
