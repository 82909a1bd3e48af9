/**
 * Reads the public and tag timelines: each partition has its own index, newest first, and a page merges them. Hidden
 * statuses are skipped by facts in the index, without reading them.
 */
import type { Id } from '../runtime/ids.ts';
import type { Entry, Reader } from '../runtime/storage/reader.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';
import { mergeIds } from './merge.ts';
import { type Page, type PageBounds, rangeOf, readsUpwards, takePage } from './pages.ts';
import type { Viewer } from './policy/visibility.ts';
import {
  linkTimeline,
  localTimeline,
  mediaListOfTag,
  mediaTimelines,
  remoteTimeline,
  type TimelineEntry,
  tagTimeline,
  trendingList,
} from './timelines.state.ts';

export type Origin = 'all' | 'local' | 'remote';

export interface TimelineChoice {
  readonly origin: Origin;
  readonly onlyMedia: boolean;
  /** The languages that the viewer reads; a status without a language is always shown. */
  readonly languages?: readonly string[] | undefined;
}

/** Normalised names: statuses with one of `any`, each of `all`, and none of `none`. */
export interface TagChoice {
  readonly any: readonly string[];
  readonly all: readonly string[];
  readonly none: readonly string[];
}

/** A status as listed in the index of a timeline. */
export interface ListedStatus {
  readonly id: Id;
  readonly entry: TimelineEntry;
  /** The partition of the status, with all its index entries. */
  readonly partition: Reader;
}

type FoundById = Map<Id, ListedStatus>;

const mediaListsOfOrigin = { all: ['local', 'remote'], local: ['local'], remote: ['remote'] };
const spacesOf = { all: [localTimeline, remoteTimeline], local: [localTimeline], remote: [remoteTimeline] };

/** The public timeline, or the part of it with this origin, within the bounds. */
export function publicEntries(snapshots: Snapshots, origin: Origin, bounds: PageBounds): Iterable<ListedStatus> {
  const found: FoundById = new Map();
  const range = rangeOf(bounds);
  const sources = snapshots.partitions.flatMap((partition) =>
    spacesOf[origin].map((space) => note(found, partition, partition.range(space, [], range), publicId)),
  );
  return merged(sources, found, bounds);
}

/** The timelines of several tags, merged, within the bounds. */
export function tagEntries(snapshots: Snapshots, tags: readonly string[], bounds: PageBounds): Iterable<ListedStatus> {
  return listEntries(snapshots, tagTimeline, tags, bounds);
}

/** The timeline of a link, within the bounds. `page`: that of the card. */
export function linkEntries(snapshots: Snapshots, page: string, bounds: PageBounds): Iterable<ListedStatus> {
  return listEntries(snapshots, linkTimeline, [page], bounds);
}

/** The statuses whose links may trend, within the bounds. */
export function trendingLinkEntries(snapshots: Snapshots, bounds: PageBounds): Iterable<ListedStatus> {
  return listEntries(snapshots, linkTimeline, [trendingList], bounds);
}

/** Of the public timeline, those with media. */
export function publicMediaEntries(snapshots: Snapshots, origin: Origin, bounds: PageBounds): Iterable<ListedStatus> {
  return listEntries(snapshots, mediaTimelines, mediaListsOfOrigin[origin], bounds);
}

/** Of the timelines of several tags, those with media. */
export function tagMediaEntries(
  snapshots: Snapshots,
  tags: readonly string[],
  bounds: PageBounds,
): Iterable<ListedStatus> {
  return listEntries(snapshots, mediaTimelines, tags.map(mediaListOfTag), bounds);
}

function listEntries(
  snapshots: Snapshots,
  space: typeof tagTimeline,
  lists: readonly string[],
  bounds: PageBounds,
): Iterable<ListedStatus> {
  const found: FoundById = new Map();
  const range = rangeOf(bounds);
  const sources = snapshots.partitions.flatMap((partition) =>
    lists.map((list) => note(found, partition, partition.range(space, [list], range), listedId)),
  );
  return merged(sources, found, bounds);
}

/** Whether a status has each tag of `all` and none of `none`. */
export function hasTags({ id, partition }: ListedStatus, { all, none }: TagChoice): boolean {
  const hasTag = (tag: string) => partition.get(tagTimeline, [tag, id]) !== undefined;
  return all.every(hasTag) && !none.some(hasTag);
}

/** A page of the entries that the viewer wants; `show` maps each to an item, undefined for one not shown. */
export function chooseListed<Item>(
  entries: Iterable<ListedStatus>,
  choice: TimelineChoice,
  viewer: Viewer,
  bounds: PageBounds,
  show: (listed: ListedStatus) => Item | undefined,
): Page<Item> {
  return takePage(
    entries,
    bounds,
    ({ id }) => id,
    (listed) => (isWanted(listed.entry, choice, viewer) ? show(listed) : undefined),
  );
}

const publicId = (key: readonly [Id]) => key[0];
/** Of an entry in a list of statuses. */
const listedId = (key: readonly [string, Id]) => key[1];

/** Yields the ids of a range and records their entries: the merge looks one ahead in each source. */
function* note<Key>(
  found: FoundById,
  partition: Reader,
  range: Iterable<Entry<Key, TimelineEntry>>,
  idOf: (key: Key) => Id,
): Generator<Id> {
  for (const { key, value } of range) {
    const id = idOf(key);
    found.set(id, { id, entry: value, partition });
    yield id;
  }
}

function* merged(sources: readonly Iterable<Id>[], found: FoundById, bounds: PageBounds): Generator<ListedStatus> {
  for (const id of mergeIds(sources, readsUpwards(bounds) ? 'oldest first' : 'newest first')) {
    yield found.get(id)!;
    found.delete(id);
  }
}

function isWanted(entry: TimelineEntry, choice: TimelineChoice, viewer: Viewer): boolean {
  if (choice.origin !== 'all' && entry.local !== (choice.origin === 'local')) return false;
  const { accountId, language } = entry;
  if (accountId === viewer.accountId) return true;
  if (choice.languages !== undefined && language !== undefined && !choice.languages.includes(language)) return false;
  return viewer.accountId === undefined || !(viewer.blocks(accountId) || viewer.mutes(accountId));
}
