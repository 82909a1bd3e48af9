/**
 * What the machine does, at one moment: counts since the start, of which two samples make rates (machine-view.ts). Made of
 * the metrics of all threads, which are in shared memory: no thread is asked.
 */
import { z } from 'zod';
import type { Family, Series } from '../../../runtime/metrics/reading.ts';
import { type LaneReport, laneConditions, lastErrorOf, worstFirst } from '../../../services/delivery-lanes.ts';

/** How often, how long in all (seconds), and how often per bucket, whose bounds `bounds` has. */
const Timed = z.object({ count: z.number(), seconds: z.number(), counts: z.array(z.number()) });
export type Timed = z.infer<typeof Timed>;

const Partition = z.object({
  commits: Timed,
  entries: z.number(),
  calls: z.number(),
  oldestCallSeconds: z.number(),
  inbox: z.number(),
  effects: z.number(),
  /** Of the inbox. */
  oldestMessageSeconds: z.number(),
});

const Lane = z.object({
  host: z.string(),
  state: z.enum(laneConditions),
  pending: z.number(),
  hasMore: z.boolean(),
  failures: z.number(),
  /** Milliseconds since 1970, here and below. */
  failingSince: z.number().optional(),
  nextAttemptAt: z.number().optional(),
  lastRefusal: z.object({ status: z.number(), at: z.number() }).optional(),
  /** When the oldest of what waits was written. */
  waitingSince: z.number().optional(),
  /** What last went wrong: a refusal as well. Without a status where the host did not answer. */
  lastError: z.object({ status: z.number().optional(), fault: z.string().optional(), at: z.number() }).optional(),
});

/** Of all actors of one kind: what waits for them, and for the one of them for which the most does. */
const Mailbox = z.object({ waiting: z.number(), longest: z.number() });

/** A channel of streams: how many are open, and what waits for their clients. */
const Channel = z.object({ count: z.number(), bytes: z.number() });

export const MachineSample = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Upper bounds of the buckets of times. */
  bounds: z.array(z.number()),
  uptimeSeconds: z.number(),
  cpuSeconds: z.number(),
  cpuWaitSeconds: z.number(),
  memory: z.object({
    anonymous: z.number(),
    mapped: z.number(),
    heaps: z.number(),
    buffers: z.number(),
    /** What `anonymous` may come to; 0 where it is not known. */
    max: z.number(),
  }),
  requests: Timed,
  requestsInFlight: z.number(),
  events: z.number(),
  streams: z.number(),
  /** By the kind of channel. */
  channels: z.record(z.string(), Channel),
  /** By the message: `account.publish`. */
  turns: z.record(z.string(), Timed),
  /** By the kind of actor. */
  mailboxes: z.record(z.string(), Mailbox),
  /** By the number of the partition. */
  partitions: z.record(z.string(), Partition),
  caches: z.record(z.string(), z.object({ bytes: z.number(), bytesMax: z.number() })),
  /** The worst first. */
  lanes: z.array(Lane),
  lanesMore: z.number(),
});
export type MachineSample = z.infer<typeof MachineSample>;

/** Of the whole process, which any of its threads can read. */
export interface ProcessFigures {
  readonly uptimeSeconds: number;
  readonly cpuSeconds: number;
  readonly cpuWaitSeconds: number;
  readonly anonymousBytes: number;
  readonly mappedBytes: number;
}

export interface Sampled {
  readonly metrics: ReadonlyMap<string, Family>;
  readonly figures: ProcessFigures;
  readonly lanes: readonly LaneReport[];
  readonly at: number;
}

const prefix = 'murmuration_';
const lanesShownMax = 30;

class Families {
  private readonly families: ReadonlyMap<string, Family>;

  constructor(families: ReadonlyMap<string, Family>) {
    this.families = families;
  }

  series(name: string): readonly Series[] {
    return this.families.get(prefix + name)?.series ?? [];
  }

  sum(name: string): number {
    return this.series(name).reduce((sum, { value }) => sum + value, 0);
  }

  /** Over all threads, by a label. */
  by<Value>(
    name: string,
    label: string,
    add: (before: Value | undefined, series: Series) => Value,
  ): Map<string, Value> {
    const found = new Map<string, Value>();
    for (const one of this.series(name)) {
      const key = one.labels.find(([key]) => key === label)?.[1];
      if (key !== undefined) found.set(key, add(found.get(key), one));
    }
    return found;
  }

  bounds(name: string): number[] {
    return [...(this.families.get(prefix + name)?.metric.buckets ?? [])];
  }
}

function timed(before: Timed | undefined, { counts, value }: Series): Timed {
  const sums = counts.map((count, index) => count + (before?.counts[index] ?? 0));
  return {
    count: sums.reduce((sum, count) => sum + count, 0),
    seconds: (before?.seconds ?? 0) + value,
    counts: sums,
  };
}

const added = (before: number | undefined, { value }: Series) => (before ?? 0) + value;
const largest = (before: number | undefined, { value }: Series) => Math.max(before ?? 0, value);
const nothing: Timed = { count: 0, seconds: 0, counts: [] };

export function sampleOf({ metrics, figures, lanes, at }: Sampled): MachineSample {
  const all = new Families(metrics);
  const sorted = [...lanes].sort(worstFirst);
  const most = all.by('cache_max_bytes', 'cache', added);
  return {
    at,
    bounds: all.bounds('turn_seconds'),
    uptimeSeconds: figures.uptimeSeconds,
    cpuSeconds: figures.cpuSeconds,
    cpuWaitSeconds: figures.cpuWaitSeconds,
    memory: {
      anonymous: figures.anonymousBytes,
      mapped: figures.mappedBytes,
      heaps: all.sum('heap_used_bytes'),
      buffers: all.sum('external_memory_bytes'),
      max: all.sum('memory_max_bytes'),
    },
    requests: all.series('request_seconds').reduce<Timed>(timed, nothing),
    requestsInFlight: all.sum('requests_in_flight'),
    events: all.sum('events_total'),
    streams: all.sum('streams'),
    channels: channelsOf(all),
    turns: Object.fromEntries(all.by('turn_seconds', 'message', timed)),
    mailboxes: mailboxesOf(all),
    partitions: partitionsOf(all),
    caches: Object.fromEntries(
      Array.from(all.by('cache_bytes', 'cache', added), ([name, bytes]) => [
        name,
        { bytes, bytesMax: most.get(name) ?? 0 },
      ]),
    ),
    lanes: sorted.slice(0, lanesShownMax).map(laneOf),
    lanesMore: Math.max(0, sorted.length - lanesShownMax),
  };
}

function channelsOf(all: Families): MachineSample['channels'] {
  const bytes = all.by('stream_channel_bytes', 'channel', added);
  return Object.fromEntries(
    Array.from(all.by('stream_channels', 'channel', added), ([name, count]) => [
      name,
      { count, bytes: bytes.get(name) ?? 0 },
    ]),
  );
}

function mailboxesOf(all: Families): MachineSample['mailboxes'] {
  const longest = all.by('mailbox_longest', 'actor', largest);
  return Object.fromEntries(
    Array.from(all.by('mailbox_messages', 'actor', added), ([actor, waiting]) => [
      actor,
      { waiting, longest: longest.get(actor) ?? 0 },
    ]),
  );
}

function partitionsOf(all: Families): MachineSample['partitions'] {
  const commits = all.by('append_seconds', 'partition', timed);
  const entries = all.by('batch_entries', 'partition', added);
  const calls = all.by('mailbox_calls', 'partition', added);
  const oldest = all.by('mailbox_oldest_call_seconds', 'partition', largest);
  const inbox = all.by('inbox_messages', 'partition', added);
  const oldestMessage = all.by('inbox_oldest_message_seconds', 'partition', largest);
  const effects = all.by('effects_pending', 'partition', added);
  const numbers = [...commits.keys()].sort((one, other) => Number(one) - Number(other));
  return Object.fromEntries(
    numbers.map((number) => [
      number,
      {
        commits: commits.get(number)!,
        entries: entries.get(number) ?? 0,
        calls: calls.get(number) ?? 0,
        oldestCallSeconds: oldest.get(number) ?? 0,
        inbox: inbox.get(number) ?? 0,
        effects: effects.get(number) ?? 0,
        oldestMessageSeconds: oldestMessage.get(number) ?? 0,
      },
    ]),
  );
}

function laneOf(lane: LaneReport): MachineSample['lanes'][number] {
  const { host, state, pending, hasMore, failures, failingSince, nextAttemptAt, lastRefusal, waitingSince } = lane;
  const lastError = lastErrorOf(lane);
  return {
    ...{ host, state, pending, hasMore, failures },
    ...(failingSince !== undefined && { failingSince }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt }),
    ...(lastRefusal !== undefined && { lastRefusal }),
    ...(waitingSince !== undefined && { waitingSince }),
    ...(lastError !== undefined && { lastError }),
  };
}
