/**
 * Reading the public and the tag timelines: each partition keeps its own index, newest first, and a page merges them.
 * What a viewer hides is decided by the facts in the index, so that no status is read for nothing.
 */
import type { Id } from '../runtime/ids.ts';
import { mergeIds } from '../runtime/merge.ts';
import type { Entry, Reader } from '../runtime/storage/reader.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';
import { type Page, type PageBounds, rangeOf, readsUpwards, takePage } from './pages.ts';
import type { Viewer } from './policy/visibility.ts';
import { localTimeline, publicTimeline, type TimelineEntry, tagTimeline } from './timelines.state.ts';

export interface TimelineChoice {
  readonly origin: 'all' | 'local' | 'remote';
  readonly onlyMedia: boolean;
  /** The languages that the viewer wants to read; a status without one is always shown. */
  readonly languages?: readonly string[] | undefined;
}

/** Normalised names: statuses with one of `any`, with each of `all`, and with none of `none`. */
export interface TagChoice {
  readonly any: readonly string[];
  readonly all: readonly string[];
  readonly none: readonly string[];
}

interface Found {
  readonly entry: TimelineEntry;
  /** Where the status lives, with all its index entries. */
  readonly partition: Reader;
}

type FoundById = Map<Id, Found>;

/** Ids of a page of the public timeline. */
export function readPublicTimeline(
  snapshots: Snapshots,
  choice: TimelineChoice,
  viewer: Viewer,
  bounds: PageBounds,
): Page<Id> {
  const found: FoundById = new Map();
  const range = rangeOf(bounds);
  const space = choice.origin === 'local' ? localTimeline : publicTimeline;
  const sources = snapshots.partitions.map((partition) =>
    note(found, partition, partition.range(space, [], range), publicId),
  );
  return mergePage(sources, found, bounds, (one) => isWanted(one.entry, choice, viewer));
}

/** Ids of a page of the timeline of a tag, or of a combination of tags. */
export function readTagTimeline(
  snapshots: Snapshots,
  tags: TagChoice,
  choice: TimelineChoice,
  viewer: Viewer,
  bounds: PageBounds,
): Page<Id> {
  const found: FoundById = new Map();
  const range = rangeOf(bounds);
  const sources = snapshots.partitions.flatMap((partition) =>
    tags.any.map((tag) => note(found, partition, partition.range(tagTimeline, [tag], range), tagId)),
  );
  const hasTag =
    (id: Id, { partition }: Found) =>
    (tag: string) =>
      partition.get(tagTimeline, [tag, id]) !== undefined;
  return mergePage(
    sources,
    found,
    bounds,
    (one, id) =>
      isWanted(one.entry, choice, viewer) && tags.all.every(hasTag(id, one)) && !tags.none.some(hasTag(id, one)),
  );
}

const publicId = (key: readonly [Id]) => key[0];
const tagId = (key: readonly [string, Id]) => key[1];

/** Hands on the ids of a range and remembers what stands there: the merge looks one ahead in each source. */
function* note<Key>(
  found: FoundById,
  partition: Reader,
  range: Iterable<Entry<Key, TimelineEntry>>,
  idOf: (key: Key) => Id,
): Generator<Id> {
  for (const { key, value } of range) {
    const id = idOf(key);
    found.set(id, { entry: value, partition });
    yield id;
  }
}

function mergePage(
  sources: readonly Iterable<Id>[],
  found: FoundById,
  bounds: PageBounds,
  isKept: (found: Found, id: Id) => boolean,
): Page<Id> {
  const merged = mergeIds(sources, readsUpwards(bounds) ? 'oldest first' : 'newest first');
  return takePage(
    merged,
    bounds,
    (id) => id,
    (id) => (isKept(found.get(id)!, id) ? id : undefined),
  );
}

function isWanted(entry: TimelineEntry, choice: TimelineChoice, viewer: Viewer): boolean {
  if (choice.origin !== 'all' && entry.local !== (choice.origin === 'local')) return false;
  if (choice.onlyMedia && !entry.hasMedia) return false;
  const { accountId, language } = entry;
  if (accountId === viewer.accountId) return true;
  if (choice.languages !== undefined && language !== undefined && !choice.languages.includes(language)) return false;
  return viewer.accountId === undefined || !(viewer.blocks(accountId) || viewer.mutes(accountId));
}
