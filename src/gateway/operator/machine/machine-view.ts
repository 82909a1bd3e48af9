/** What happened between two samples of the machine, or since its start: rates, times, shares. */
import type { MachineSample, Timed } from './sample.ts';

export interface Times {
  readonly perSecond: number;
  /** Seconds; undefined where nothing was measured. */
  readonly mean: number | undefined;
  /** The bound within which nearly all were done; infinite above the largest. */
  readonly p99: number | undefined;
}

export interface TurnView extends Times {
  readonly message: string;
  /** Of one processor. */
  readonly share: number;
}

/** What waits for the actors of one kind, and what they take. */
export interface ActorsView {
  readonly kind: string;
  /** Calls and durable messages, in all mailboxes. */
  readonly waiting: number;
  /** In the mailbox that has the most. */
  readonly longest: number;
  readonly turnsPerSecond: number;
  /** Of one processor. */
  readonly share: number;
}

export interface PartitionView extends Times {
  readonly number: string;
  readonly entriesPerCommit: number | undefined;
  readonly calls: number;
  readonly oldestCallSeconds: number;
  readonly inbox: number;
  readonly effects: number;
  readonly oldestMessageSeconds: number;
}

export interface CacheView {
  readonly name: string;
  readonly bytes: number;
  readonly bytesMax: number;
}

export interface MachineView {
  readonly at: number;
  /** Over which rates are taken. */
  readonly seconds: number;
  readonly uptimeSeconds: number;
  readonly processors: number;
  readonly processorsWaited: number;
  readonly memory: MachineSample['memory'];
  readonly requests: Times;
  readonly requestsInFlight: number;
  readonly eventsPerSecond: number;
  readonly commitsPerSecond: number;
  readonly streams: number;
  /** Those that are open, the most first, with the bytes that wait for their clients. */
  readonly channels: readonly { readonly name: string; readonly count: number; readonly bytes: number }[];
  /** Those for which the most waits first, then those that took the most time. */
  readonly actors: readonly ActorsView[];
  /** Those that took the most time first. */
  readonly turns: readonly TurnView[];
  readonly turnsPerSecond: number;
  readonly partitions: readonly PartitionView[];
  /** The fullest first. */
  readonly caches: readonly CacheView[];
  readonly lanes: MachineSample['lanes'];
  readonly lanesMore: number;
}

const turnsShownMax = 12;

export function machineView(now: MachineSample, before?: MachineSample): MachineView {
  const seconds = Math.max(0.001, before === undefined ? now.uptimeSeconds : (now.at - before.at) / 1_000);
  const { bounds } = now;
  // A thread that was replaced begins again.
  const grown = (current: number, earlier = 0) => Math.max(0, current - earlier);
  const timesOf = (current: Timed, earlier: Timed | undefined): Times & { spent: number; count: number } => {
    const count = grown(current.count, earlier?.count);
    const spent = grown(current.seconds, earlier?.seconds);
    const counts = current.counts.map((one, index) => grown(one, earlier?.counts[index]));
    const mean = count === 0 ? undefined : spent / count;
    return { perSecond: count / seconds, mean, p99: boundOf(counts, bounds, 0.99), spent, count };
  };
  const turns = Object.entries(now.turns).map(([message, timed]) => {
    const { spent, count: _count, ...times } = timesOf(timed, before?.turns[message]);
    return { message, ...times, share: spent / seconds };
  });
  const partitions = Object.entries(now.partitions).map(([number, { commits, entries, ...waiting }]): PartitionView => {
    const earlier = before?.partitions[number];
    const { spent: _spent, count, ...times } = timesOf(commits, earlier?.commits);
    const entriesPerCommit = count === 0 ? undefined : grown(entries, earlier?.entries) / count;
    return { number, ...times, entriesPerCommit, ...waiting };
  });
  const actors = new Map<string, ActorsView>(
    Object.entries(now.mailboxes).map(([kind, mailbox]) => [kind, { kind, ...mailbox, turnsPerSecond: 0, share: 0 }]),
  );
  for (const { message, perSecond, share } of turns) {
    const [kind = ''] = message.split('.');
    const { turnsPerSecond = 0, ...known } = actors.get(kind) ?? { kind, waiting: 0, longest: 0, share: 0 };
    actors.set(kind, { ...known, turnsPerSecond: turnsPerSecond + perSecond, share: known.share + share });
  }
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const { spent: _spent, count: _count, ...requests } = timesOf(now.requests, before?.requests);
  return {
    at: now.at,
    seconds,
    uptimeSeconds: now.uptimeSeconds,
    processors: grown(now.cpuSeconds, before?.cpuSeconds) / seconds,
    processorsWaited: grown(now.cpuWaitSeconds, before?.cpuWaitSeconds) / seconds,
    memory: now.memory,
    requests,
    requestsInFlight: now.requestsInFlight,
    eventsPerSecond: grown(now.events, before?.events) / seconds,
    commitsPerSecond: sum(partitions.map(({ perSecond }) => perSecond)),
    streams: now.streams,
    channels: Object.entries(now.channels)
      .filter(([, { count }]) => count > 0)
      .map(([name, channel]) => ({ name, ...channel }))
      .sort((one, other) => other.count - one.count),
    actors: [...actors.values()].sort((one, other) => other.waiting - one.waiting || other.share - one.share),
    turns: turns
      .filter(({ perSecond }) => perSecond > 0)
      .sort((one, other) => other.share - one.share)
      .slice(0, turnsShownMax),
    turnsPerSecond: sum(turns.map(({ perSecond }) => perSecond)),
    partitions,
    caches: Object.entries(now.caches)
      .map(([name, { bytes, bytesMax }]) => ({ name, bytes, bytesMax }))
      .sort((one, other) => fullness(other) - fullness(one)),
    lanes: now.lanes,
    lanesMore: now.lanesMore,
  };
}

/** Seconds for which the oldest of what waits for a partition has waited. */
export function oldestOf({ oldestCallSeconds, oldestMessageSeconds }: PartitionView): number {
  return Math.max(oldestCallSeconds, oldestMessageSeconds);
}

/** How far a lane is behind, in seconds; undefined where nothing waits. */
export function lagOf({ waitingSince }: MachineView['lanes'][number], at: number): number | undefined {
  return waitingSince === undefined ? undefined : Math.max(0, at - waitingSince) / 1_000;
}

export function fullness({ bytes, bytesMax }: CacheView): number {
  return bytesMax === 0 ? 0 : bytes / bytesMax;
}

function boundOf(counts: readonly number[], bounds: readonly number[], share: number): number | undefined {
  const wanted = counts.reduce((sum, count) => sum + count, 0) * share;
  if (wanted === 0) return undefined;
  let seen = 0;
  for (const [index, count] of counts.entries()) {
    seen += count;
    if (seen >= wanted) return bounds[index] ?? Number.POSITIVE_INFINITY;
  }
  return undefined;
}
