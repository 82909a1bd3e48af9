/**
 * The migrations that fold the names of stored tags (foldTagName): formats before 10 kept their accents. Tags of an
 * account that differed only in accents become one, the one that has the name already.
 */
import { collections } from '../../actors/account/collections/collections.state.ts';
import { featuredTagOf, featuredTags } from '../../actors/account/featured-tags/featured-tags.state.ts';
import { countsFor } from '../../actors/account/featured-tags/tagged-status.ts';
import { followedTagOf, followedTags } from '../../actors/account/followed-tags/followed-tags.state.ts';
import { isLocal, type Status, type Tag } from '../../actors/account/statuses/statuses.records.ts';
import { statuses } from '../../actors/account/statuses/statuses.state.ts';
import { announcements } from '../../actors/instance/announcements/announcements.state.ts';
import { settings } from '../../actors/instance/instance.state.ts';
import { isInTagTimelines } from '../../actors/policy/visibility.ts';
import { tagNames } from '../../actors/search.state.ts';
import { foldTagName, tagPath } from '../../actors/text/hashtags.ts';
import { tagTimeline } from '../../actors/timelines.state.ts';
import { damageOf } from '../../runtime/storage/damaged-entry.ts';
import type { Keyspace } from '../../runtime/storage/keyspace.ts';
import type { LogBatch, StorageEntry, StorageReader } from '../../runtime/storage/log.ts';
import type { Migration } from '../../runtime/storage/migration.ts';

/** Everything but statuses. Featured tags are counted anew by the next migration, which reads all statuses. */
export const foldTagNames: Migration = {
  format: 10,
  keyspaces: [settings, featuredTags, followedTags, announcements, tagNames, collections].map(({ number }) => number),
  change(entry, read) {
    const changes = new Changes(read);
    const number = entry.key[2];
    if (number === featuredTags.number) changeFeaturedTag(entry, changes);
    else if (number === followedTags.number) changeFollowedTag(entry, changes);
    else if (number === tagNames.number) changeTagName(entry, changes);
    else changeTagsWithin(entry, changes);
    return changes.batch;
  },
};

/** Statuses, the timelines that they are in, and the counts of featured tags. */
export const foldTagsOfStatuses: Migration = {
  format: 11,
  keyspaces: [statuses.number],
  change({ value }, read) {
    const changes = new Changes(read);
    if (damageOf(statuses, value) !== undefined) return changes.batch;
    const status = statuses.value.decode(value);
    const tags = foldedTags(status.tags);
    const folded = { ...status, tags, content: withFoldedLinks(status) };
    if (status.tags.some(({ name }) => name !== foldTagName(name))) {
      changes.put(statuses, [status.id], folded);
      if (isInTagTimelines(status)) moveInTimelines(status, tags, changes);
    }
    for (const { name } of tags) if (countsFor(folded, name)) countFeatured(folded, name, changes);
    return changes.batch;
  },
};

/** The changes for one entry. A damaged record counts as absent. */
class Changes {
  readonly batch: LogBatch & { keys: Uint8Array[]; values: (Uint8Array | undefined)[] } = { keys: [], values: [] };
  private readonly read: StorageReader['get'];

  constructor(read: StorageReader['get']) {
    this.read = read;
  }

  get<Key extends readonly unknown[], Value>(keyspace: Keyspace<Key, Value>, key: Key): Value | undefined {
    const value = this.read(keyspace.encode(key));
    return value === undefined || damageOf(keyspace, value) !== undefined ? undefined : keyspace.value.decode(value);
  }

  put<Key extends readonly unknown[], Value>(keyspace: Keyspace<Key, Value>, key: Key, value: Value): void {
    this.batch.keys.push(keyspace.encode(key));
    this.batch.values.push(keyspace.value.encode(value));
  }

  delete<Key extends readonly unknown[], Value>(keyspace: Keyspace<Key, Value>, key: Key): void {
    this.batch.keys.push(keyspace.encode(key));
    this.batch.values.push(undefined);
  }
}

/** The key and the value of an entry; undefined where it is of another keyspace, or damaged. */
function entryOf<Key extends readonly unknown[], Value>(keyspace: Keyspace<Key, Value>, { key, value }: StorageEntry) {
  if (key[2] !== keyspace.number || damageOf(keyspace, value) !== undefined) return undefined;
  return { key: keyspace.decode(key), value: keyspace.value.decode(value) };
}

function changeFeaturedTag(stored: StorageEntry, changes: Changes): void {
  const entry = entryOf(featuredTags, stored);
  if (entry === undefined) return;
  const [account, featured] = entry.key;
  const name = foldTagName(entry.value.name);
  if (name !== entry.value.name) {
    changes.delete(featuredTagOf, [account, entry.value.name]);
    if (changes.get(featuredTagOf, [account, name]) !== undefined) {
      changes.delete(featuredTags, entry.key);
      return;
    }
    changes.put(featuredTagOf, [account, name], { id: featured });
  }
  changes.put(featuredTags, entry.key, { ...entry.value, name, statuses: 0, lastStatusId: undefined });
}

function changeFollowedTag(stored: StorageEntry, changes: Changes): void {
  const entry = entryOf(followedTags, stored);
  if (entry === undefined) return;
  const [account, follow] = entry.key;
  const name = foldTagName(entry.value.name);
  if (name === entry.value.name) return;
  changes.delete(followedTagOf, [account, entry.value.name]);
  if (changes.get(followedTagOf, [account, name]) !== undefined) changes.delete(followedTags, entry.key);
  else {
    changes.put(followedTagOf, [account, name], { id: follow });
    changes.put(followedTags, entry.key, { ...entry.value, name });
  }
}

function changeTagName(stored: StorageEntry, changes: Changes): void {
  const before = entryOf(tagNames, stored)?.value.name;
  const name = before === undefined ? undefined : foldTagName(before);
  if (before === undefined || name === undefined || name === before) return;
  changes.delete(tagNames, [before, before]);
  changes.put(tagNames, [name, name], { name });
}

/** The records that contain names of tags and are not found by them. */
function changeTagsWithin(stored: StorageEntry, changes: Changes): void {
  const collection = entryOf(collections, stored);
  if (collection?.value.tag !== undefined) {
    const { tag } = collection.value;
    changes.put(collections, collection.key, { ...collection.value, tag: { ...tag, name: foldTagName(tag.name) } });
  }
  const announcement = entryOf(announcements, stored)?.value;
  if (announcement !== undefined) {
    const { tags, html } = announcement;
    const folded = { ...announcement, tags: foldedNames(tags), html: relinked(html, tags) };
    changes.batch.keys.push(stored.key);
    changes.batch.values.push(announcements.value.encode(folded));
  }
  const instance = entryOf(settings, stored)?.value;
  if (instance?.disallowedHashtags !== undefined) {
    const disallowedHashtags = foldedNames(instance.disallowedHashtags).sort();
    changes.batch.keys.push(stored.key);
    changes.batch.values.push(settings.value.encode({ ...instance, disallowedHashtags }));
  }
}

function foldedNames(names: readonly string[]): string[] {
  return [...new Set(names.map(foldTagName))];
}

/** Of tags that become one, the first spelling stays. */
function foldedTags(tags: readonly Tag[]): Tag[] {
  const byName = new Map<string, Tag>();
  for (const tag of tags) {
    const name = foldTagName(tag.name);
    if (!byName.has(name)) byName.set(name, { ...tag, name });
  }
  return [...byName.values()];
}

function withFoldedLinks(status: Status): string {
  const { content, tags } = status;
  return isLocal(status)
    ? relinked(
        content,
        tags.map(({ name }) => name),
      )
    : content;
}

/** Links lead to the addresses that the tags have now. */
function relinked(html: string, names: readonly string[]): string {
  return names.reduce(
    (text, name) => text.replaceAll(`href="${tagPath(name)}"`, `href="${tagPath(foldTagName(name))}"`),
    html,
  );
}

function moveInTimelines({ id, tags: before }: Status, tags: readonly Tag[], changes: Changes): void {
  const [entry] = before.flatMap(({ name }) => changes.get(tagTimeline, [name, id]) ?? []);
  if (entry === undefined) return;
  for (const { name } of before) changes.delete(tagTimeline, [name, id]);
  for (const { name } of tags) changes.put(tagTimeline, [name, id], entry);
}

function countFeatured({ id, accountId }: Status, name: string, changes: Changes): void {
  const featured = changes.get(featuredTagOf, [accountId, name]);
  const tag = featured === undefined ? undefined : changes.get(featuredTags, [accountId, featured.id]);
  if (featured === undefined || tag === undefined || (tag.countedFrom !== undefined && id < tag.countedFrom)) return;
  const lastStatusId = tag.lastStatusId === undefined || id > tag.lastStatusId ? id : tag.lastStatusId;
  changes.put(featuredTags, [accountId, featured.id], { ...tag, statuses: tag.statuses + 1, lastStatusId });
}
