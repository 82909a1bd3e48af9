/**
 * Timelines without an owner: each partition has its own index by time of the public statuses it holds, written by the
 * publishing turn; a read merges the few partitions, newest first. Numbers 80 to 89.
 */
import { z } from 'zod';
import { record } from '../runtime/codec.ts';
import { hashedString, id, keyspace } from '../runtime/storage/keyspace.ts';

export const TimelineEntry = z.object({
  accountId: z.bigint(),
  local: z.boolean(),
  hasMedia: z.boolean(),
  language: z.string().optional(),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/** Public statuses of other servers. Together with the local timeline this is the public timeline. */
export const remoteTimeline = keyspace<[bigint], TimelineEntry>({
  number: 80,
  name: 'remote timeline',
  owner: 'account',
  partitionWide: true,
  derived: true,
  absentIfDamaged: true,
  key: [id('status')],
  value: record(TimelineEntry),
  bound: { by: 'owner', reason: 'as long as the status' },
});

export const tagTimeline = keyspace<[string, bigint], TimelineEntry>({
  number: 81,
  name: 'tag timeline',
  owner: 'account',
  partitionWide: true,
  derived: true,
  scopeParts: 1,
  absentIfDamaged: true,
  key: [hashedString('tag'), id('status')],
  value: record(TimelineEntry),
  bound: { by: 'owner', reason: 'as long as the status' },
});

/** The list of all statuses whose links may trend. No page has this address. */
export const trendingList = '';

/** Statuses by the page that their card shows, and once more those that may trend: linkListsOf. */
export const linkTimeline = keyspace<[string, bigint], TimelineEntry>({
  number: 84,
  name: 'link timeline',
  owner: 'account',
  partitionWide: true,
  derived: true,
  scopeParts: 1,
  absentIfDamaged: true,
  key: [hashedString('link'), id('status')],
  value: record(TimelineEntry),
  bound: { by: 'owner', reason: 'as long as the status shows the card' },
});

/** The others: on a well-connected server a scan of all would rarely find one. */
export const localTimeline = keyspace<[bigint], TimelineEntry>({
  number: 82,
  name: 'local timeline',
  owner: 'account',
  partitionWide: true,
  derived: true,
  absentIfDamaged: true,
  key: [id('status')],
  value: record(TimelineEntry),
  bound: { by: 'owner', reason: 'as long as the status' },
});

/** The lists of the public timeline are `local` and `remote`. */
export function mediaListOfTag(name: string): string {
  return `#${name}`;
}

/**
 * The statuses with media once more, in lists of their own (mediaListsOf): where few have any, a scan of the timeline would
 * hardly find them.
 */
export const mediaTimelines = keyspace<[string, bigint], TimelineEntry>({
  number: 83,
  name: 'media timelines',
  owner: 'account',
  partitionWide: true,
  derived: true,
  scopeParts: 1,
  absentIfDamaged: true,
  key: [hashedString('list'), id('status')],
  value: record(TimelineEntry),
  bound: { by: 'owner', reason: 'as long as the status' },
});
