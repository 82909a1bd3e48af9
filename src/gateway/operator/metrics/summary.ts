/** The state of a server on one screen: the metrics of all threads combined. */
import { z } from 'zod';
import type { Family, Series } from '../../../runtime/metrics/reading.ts';
import { laneConditions } from '../../../services/delivery-lanes.ts';

const Distribution = z.object({
  /** Upper bounds; there is one more count than bounds. */
  bounds: z.array(z.number()),
  counts: z.array(z.number()),
  sum: z.number(),
});
type Distribution = z.infer<typeof Distribution>;

/** Small enough for one line of the admin socket. */
export const Summary = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  values: z.record(z.string(), z.number()),
  distributions: z.record(z.string(), Distribution),
});
export type Summary = z.infer<typeof Summary>;

const prefix = 'murmuration_';
/** Summed over threads and labels, except the label named as the second element, which is kept separate. */
const summed: readonly (readonly [name: string, by?: string])[] = [
  ['uptime_seconds'],
  ['cpu_seconds'],
  ['cpu_wait_seconds'],
  ['memory_bytes', 'kind'],
  ['heap_used_bytes'],
  ['external_memory_bytes'],
  ['cache_bytes'],
  ['cache_max_bytes'],
  ['requests_total', 'status'],
  ['requests_in_flight'],
  ['http_connections'],
  ['streams'],
  ['event_listeners', 'state'],
  ['calls_unanswered'],
  ['mailbox_calls'],
  ['inbox_messages'],
  ['turn_failures_total'],
  ['append_failures_total'],
  ['append_repeats_total'],
  ['channel_unacknowledged_frames'],
  ['effects_pending'],
  ['effects_pending_bytes'],
  ['effects_repeated_total'],
  ['events_total'],
  ['dead_letters_written'],
  ['dead_letters'],
  ['damaged_records'],
  ['channels_frozen'],
  ['counters_damaged'],
  ['lanes', 'state'],
  ['deliveries_pending'],
  ['delivery_attempts_total', 'outcome'],
  ['push_lanes', 'state'],
  ['pushes_pending'],
  ['push_attempts_total', 'outcome'],
  ['pushes_dropped_total'],
  ['mail_lanes', 'state'],
  ['mails_pending'],
  ['mail_attempts_total', 'outcome'],
  ['mails_dropped_total'],
  ['webhook_lanes', 'state'],
  ['webhooks_pending'],
  ['webhook_attempts_total', 'outcome'],
  ['webhooks_dropped_total'],
  ['link_unread_bytes'],
  ['threads_silent'],
  ['thread_deaths_total'],
  ['poisonous_messages'],
  ['poisonous_messages_forgotten'],
];
const largest = ['mailbox_oldest_call_seconds', 'inbox_oldest_message_seconds'];
const distributions = [
  'request_seconds',
  'turn_seconds',
  'append_seconds',
  'batch_entries',
  'event_loop_delay_seconds',
];

export function summarize(families: ReadonlyMap<string, Family>, at: number): Summary {
  const values: Record<string, number> = {};
  const seriesOf = (name: string): readonly Series[] => families.get(prefix + name)?.series ?? [];
  for (const [name, by] of summed) {
    for (const { labels, value } of seriesOf(name)) {
      const label = labels.find(([label]) => label === by)?.[1];
      const key = label === undefined ? name : `${name} ${label}`;
      values[key] = (values[key] ?? 0) + value;
    }
  }
  for (const name of largest) values[name] = Math.max(0, ...seriesOf(name).map(({ value }) => value));
  return {
    at,
    values,
    distributions: Object.fromEntries(
      distributions.map((name) => [name, together(families.get(prefix + name)?.metric.buckets ?? [], seriesOf(name))]),
    ),
  };
}

function together(buckets: readonly number[], series: readonly Series[]): Distribution {
  const counts: number[] = Array.from({ length: buckets.length + 1 }, () => 0);
  let sum = 0;
  for (const one of series) {
    for (const [index, count] of one.counts.entries()) counts[index]! += count;
    sum += one.value;
  }
  return { bounds: [...buckets], counts, sum };
}

/** One line per subject, for the time since `before`; without it since the start of the server. */
export function summaryLines(now: Summary, before?: Summary): string[] {
  const value = (name: string) => now.values[name] ?? 0;
  const seconds = before === undefined ? value('uptime_seconds') : (now.at - before.at) / 1_000;
  const rate = (name: string) =>
    perSecond((value(name) - (before?.values[name] ?? 0)) / Math.max(seconds, Number.EPSILON));
  const grown = (name: string) => difference(now.distributions[name], before?.distributions[name]);
  const [request, turn, append, batch, delay] = distributions.map(grown) as [
    Distribution,
    Distribution,
    Distribution,
    Distribution,
    Distribution,
  ];
  const frequency = (distribution: Distribution) =>
    perSecond(countOf(distribution) / Math.max(seconds, Number.EPSILON));
  const statuses = ['2xx', '3xx', '4xx', '5xx', 'left'].map(
    (status) => `${status} ${rate(`requests_total ${status}`)}`,
  );
  const lanes = (name: string) => laneConditions.map((state) => `${state} ${value(`${name} ${state}`)}`).join(', ');
  const attempts = (name: string, outcomes: readonly string[]) =>
    outcomes.map((outcome) => `${outcome} ${rate(`${name} ${outcome}`)}`).join(', ');
  // Threads that ended take what they waited with them.
  const processors = (name: string) =>
    (Math.max(0, value(name) - (before?.values[name] ?? 0)) / Math.max(seconds, Number.EPSILON)).toFixed(2);
  return [
    `Uptime: ${duration(value('uptime_seconds'))}, processors in use: ${processors('cpu_seconds')}, waited for: ${processors('cpu_wait_seconds')}`,
    `Memory: anonymous ${megabytes(value('memory_bytes anonymous'))}, mapped ${megabytes(value('memory_bytes mapped'))}, heaps ${megabytes(value('heap_used_bytes'))}, buffers ${megabytes(value('external_memory_bytes'))}, caches ${megabytes(value('cache_bytes'))} of ${megabytes(value('cache_max_bytes'))}`,
    `Requests: ${frequency(request)} (${statuses.join(', ')}), ${times(request)}, ${value('requests_in_flight')} under way, ${value('http_connections')} connections`,
    `Streams: ${value('streams')} open, events ${rate('events_total')}, threads that listen ${value('event_listeners following')}, left behind ${value('event_listeners behind')}`,
    `Turns: ${frequency(turn)}, ${times(turn)}, failed ${rate('turn_failures_total')}`,
    `Commits: ${frequency(append)}, ${times(append)}, ${mean(batch).toFixed(1)} entries each, repeated ${rate('append_repeats_total')}, failed ${rate('append_failures_total')}`,
    `Waiting: ${value('mailbox_calls')} calls (oldest ${value('mailbox_oldest_call_seconds').toFixed(1)} s), ${value('calls_unanswered')} unanswered, ${value('inbox_messages')} in inboxes (oldest ${value('inbox_oldest_message_seconds').toFixed(1)} s), ${value('channel_unacknowledged_frames')} frames unacknowledged, ${megabytes(value('link_unread_bytes'))} unread`,
    `Effects: ${value('effects_pending')} pending, ${megabytes(value('effects_pending_bytes'))} on disk, repeated ${value('effects_repeated_total')}`,
    `Deliveries: ${value('deliveries_pending')} pending, ${attempts('delivery_attempts_total', ['delivered', 'refused', 'dropped', 'failed'])}, lanes ${lanes('lanes')}`,
    `Push: ${value('pushes_pending')} pending, ${attempts('push_attempts_total', ['delivered', 'dropped', 'throttled', 'failed'])}, dropped by bounds ${value('pushes_dropped_total')}, lanes ${lanes('push_lanes')}`,
    `Mail: ${value('mails_pending')} pending, ${attempts('mail_attempts_total', ['delivered', 'failed'])}, refused or dropped ${value('mails_dropped_total')}, lanes ${lanes('mail_lanes')}`,
    `Webhooks: ${value('webhooks_pending')} pending, ${attempts('webhook_attempts_total', ['delivered', 'dropped', 'failed'])}, dropped by bounds ${value('webhooks_dropped_total')}, lanes ${lanes('webhook_lanes')}`,
    `Threads: ${value('threads_silent')} silent, ${value('thread_deaths_total')} replaced, event loops late ${times(delay)}`,
    ...(value('channels_frozen') === 0
      ? []
      : [
          'Frozen: some partitions no longer exchange messages, because one of them is an older copy; the log names it.',
        ]),
    ...(value('counters_damaged') === 0
      ? []
      : ['Damaged: some partitions stand still, because their counters cannot be decoded; the log says what to do.']),
    `Dead letters: ${value('dead_letters_written')} so far, ${value('dead_letters')} kept; damaged records met: ${value('damaged_records')}; poison messages: ${value('poisonous_messages')}${forgotten(value('poisonous_messages_forgotten'))}`,
  ];
}

function forgotten(count: number): string {
  return count === 0 ? '' : `, and ${count} that the list had no room for`;
}

function difference(now: Distribution | undefined, before: Distribution | undefined): Distribution {
  if (now === undefined) return { bounds: [], counts: [], sum: 0 };
  if (before === undefined) return now;
  const counts = now.counts.map((count, index) => count - (before.counts[index] ?? 0));
  return { bounds: now.bounds, counts, sum: now.sum - before.sum };
}

function countOf({ counts }: Distribution): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function mean(distribution: Distribution): number {
  return distribution.sum / Math.max(1, countOf(distribution));
}

/** The time within which half of all, and nearly all, were done. */
function times(distribution: Distribution): string {
  return `p50 ${bound(distribution, 0.5)}, p99 ${bound(distribution, 0.99)}`;
}

function bound(distribution: Distribution, share: number): string {
  const { bounds, counts } = distribution;
  const wanted = countOf(distribution) * share;
  if (wanted === 0) return '-';
  let count = 0;
  for (const [index, inBucket] of counts.entries()) {
    count += inBucket;
    if (count >= wanted && index < bounds.length) return `≤ ${milliseconds(bounds[index]!)}`;
  }
  return `> ${milliseconds(bounds.at(-1) ?? 0)}`;
}

function milliseconds(seconds: number): string {
  return seconds >= 1 ? `${seconds} s` : `${Number((seconds * 1_000).toPrecision(3))} ms`;
}

function perSecond(rate: number): string {
  return `${rate >= 10 || rate === 0 ? rate.toFixed(0) : rate.toFixed(1)}/s`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MB`;
}

function duration(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const time = new Date((seconds % 86_400) * 1_000).toISOString().slice(11, 19);
  return days === 0 ? time : `${days} days ${time}`;
}
