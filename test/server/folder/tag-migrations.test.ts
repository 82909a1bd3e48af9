/** Formats 10 and 11 fold the names of stored tags, each entry as it was stored before. */
import { expect, test } from 'vitest';
import { collections } from '../../../src/actors/account/collections/collections.state.ts';
import type { FeaturedTag } from '../../../src/actors/account/featured-tags/featured-tags.records.ts';
import { featuredTagOf, featuredTags } from '../../../src/actors/account/featured-tags/featured-tags.state.ts';
import { followedTagOf, followedTags } from '../../../src/actors/account/followed-tags/followed-tags.state.ts';
import type { Status } from '../../../src/actors/account/statuses/statuses.records.ts';
import { statuses } from '../../../src/actors/account/statuses/statuses.state.ts';
import { announcements } from '../../../src/actors/instance/announcements/announcements.state.ts';
import { instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { settings } from '../../../src/actors/instance/instance.state.ts';
import { tagNames } from '../../../src/actors/search.state.ts';
import { tagTimeline } from '../../../src/actors/timelines.state.ts';
import type { Keyspace } from '../../../src/runtime/storage/keyspace.ts';
import { foldTagNames, foldTagsOfStatuses } from '../../../src/server/folder/tag-migrations.ts';

const [alice, bob] = [7n, 8n];

/** A partition as the migrations see it. */
class Stored {
  private readonly entries = new Map<string, Uint8Array>();

  put<Key extends readonly unknown[], Value>(keyspace: Keyspace<Key, Value>, key: Key, value: Value): void {
    this.entries.set(nameOf(keyspace.encode(key)), keyspace.value.encode(value));
  }

  get<Key extends readonly unknown[], Value>(keyspace: Keyspace<Key, Value>, key: Key): Value | undefined {
    const value = this.entries.get(nameOf(keyspace.encode(key)));
    return value === undefined ? undefined : keyspace.value.decode(value);
  }

  damage<Key extends readonly unknown[]>(keyspace: Keyspace<Key, unknown>, key: Key): void {
    this.entries.set(nameOf(keyspace.encode(key)), Uint8Array.of(0xc1));
  }

  migrate(): this {
    for (const { keyspaces, change } of [foldTagNames, foldTagsOfStatuses])
      for (const name of [...this.entries.keys()].sort()) {
        const [key, value] = [Buffer.from(name, 'latin1'), this.entries.get(name)];
        if (value === undefined || !keyspaces.includes(key[2]!)) continue;
        const { keys, values } = change({ key, value }, (asked) => this.entries.get(nameOf(asked)));
        for (const [index, changed] of keys.entries()) this.set(changed, values[index]);
      }
    return this;
  }

  bytes(): [string, string][] {
    return Array.from(this.entries, ([name, value]): [string, string] => [
      name,
      Buffer.from(value).toString('hex'),
    ]).sort();
  }

  private set(key: Uint8Array, value: Uint8Array | undefined): void {
    if (value === undefined) this.entries.delete(nameOf(key));
    else this.entries.set(nameOf(key), value);
  }
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key).toString('latin1');
}

const tag = (name: string, display = name) => ({ name, display });

function status(id: bigint, tags: Status['tags'], changes: Partial<Status> = {}): Status {
  return {
    ...{ id, accountId: alice, createdAt: 1, content: '', text: '', emojis: [], spoilerText: '', sensitive: false },
    ...{ visibility: 'public', mentions: [], attachments: [], tags },
    ...changes,
  };
}

const entry = { accountId: alice, local: true, hasMedia: false };

test('a status is in the timeline of the folded name, once, and links to it', () => {
  const stored = new Stored();
  const link = (path: string) => `<a href="/tags/${path}" class="mention hashtag" rel="tag">#<span>x</span></a>`;
  const tags = [tag('über', 'Über'), tag('uber'), tag('łódź', 'Łódź'), tag('cats', 'Cats')];
  const content = link('%C3%BCber') + link('uber') + link('cats');
  stored.put(statuses, [1n], status(1n, tags, { content }));
  for (const { name } of tags) stored.put(tagTimeline, [name, 1n], entry);
  stored.migrate();
  expect(stored.get(statuses, [1n])).toMatchObject({
    tags: [tag('uber', 'Über'), tag('lodz', 'Łódź'), tag('cats', 'Cats')],
    content: link('uber') + link('uber') + link('cats'),
  });
  const listed = ['über', 'łódź', 'uber', 'lodz', 'cats'].map((name) => stored.get(tagTimeline, [name, 1n]));
  expect(listed).toEqual([undefined, undefined, entry, entry, entry]);
});

test('a status that is in no timeline of tags, and one of another server, keep the rest of what they are', () => {
  const stored = new Stored();
  const remote = { uri: 'https://remote.test/1', content: '<a href="/tags/%C3%BCber">#über</a>' };
  stored.put(statuses, [1n], status(1n, [tag('über')], { visibility: 'private' }));
  stored.put(statuses, [2n], status(2n, [tag('über')], remote));
  stored.put(tagTimeline, ['über', 2n], { ...entry, local: false });
  stored.migrate();
  expect(stored.get(statuses, [1n])).toMatchObject({ tags: [tag('uber', 'über')], visibility: 'private' });
  expect(stored.get(tagTimeline, ['uber', 1n])).toBeUndefined();
  expect(stored.get(statuses, [2n])).toMatchObject({ tags: [tag('uber', 'über')], ...remote });
  expect(stored.get(tagTimeline, ['uber', 2n])).toEqual({ ...entry, local: false });
});

test('followed tags that become one are one', () => {
  const stored = new Stored();
  const follows: [bigint, bigint, string][] = [
    [alice, 1n, 'café'],
    [alice, 2n, 'über'],
    [alice, 3n, 'uber'],
    [bob, 4n, 'über'],
  ];
  for (const [account, id, name] of follows) {
    stored.put(followedTags, [account, id], { name });
    stored.put(followedTagOf, [account, name], { id });
  }
  stored.migrate();
  expect(follows.map(([account, id]) => stored.get(followedTags, [account, id])?.name)).toEqual([
    'cafe',
    undefined,
    'uber',
    'uber',
  ]);
  expect(follows.map(([account, , name]) => stored.get(followedTagOf, [account, name])?.id)).toEqual([
    undefined,
    undefined,
    3n,
    undefined,
  ]);
  expect([stored.get(followedTagOf, [alice, 'cafe']), stored.get(followedTagOf, [bob, 'uber'])]).toEqual([
    { id: 1n },
    { id: 4n },
  ]);
});

test('featured tags count what has their name now', () => {
  const stored = new Stored();
  const feature = (account: bigint, id: bigint, featured: FeaturedTag) => {
    stored.put(featuredTags, [account, id], featured);
    stored.put(featuredTagOf, [account, featured.name], { id });
  };
  feature(alice, 101n, { ...tag('über', 'Über'), statuses: 1, lastStatusId: 1n });
  feature(alice, 102n, { ...tag('cats'), statuses: 1, lastStatusId: 1n });
  feature(alice, 103n, { ...tag('dogs'), statuses: 0, countedFrom: 3n });
  feature(bob, 104n, { ...tag('cafe'), statuses: 0 });
  feature(bob, 105n, { ...tag('café'), statuses: 1, lastStatusId: 4n });
  stored.put(statuses, [1n], status(1n, [tag('über'), tag('cats'), tag('dogs')]));
  stored.put(statuses, [2n], status(2n, [tag('uber')]));
  stored.put(statuses, [3n], status(3n, [tag('uber'), tag('dogs')], { visibility: 'private' }));
  stored.put(statuses, [4n], status(4n, [tag('café')], { accountId: bob }));
  stored.put(statuses, [5n], status(5n, [tag('dogs')]));
  stored.migrate();
  const shown = (account: bigint, id: bigint) => stored.get(featuredTags, [account, id]);
  expect(shown(alice, 101n)).toEqual({ ...tag('uber', 'Über'), statuses: 2, lastStatusId: 2n });
  expect(shown(alice, 102n)).toEqual({ ...tag('cats'), statuses: 1, lastStatusId: 1n });
  expect(shown(alice, 103n)).toEqual({ ...tag('dogs'), statuses: 1, lastStatusId: 5n, countedFrom: 3n });
  expect(shown(bob, 104n)).toEqual({ ...tag('cafe'), statuses: 1, lastStatusId: 4n });
  expect(shown(bob, 105n)).toBeUndefined();
  expect(stored.get(featuredTagOf, [alice, 'uber'])).toEqual({ id: 101n });
  expect(stored.get(featuredTagOf, [bob, 'café'])).toBeUndefined();
});

test('names for searches, collections, announcements and disallowed tags are folded', () => {
  const stored = new Stored();
  stored.put(tagNames, ['über', 'über'], { name: 'über' });
  const collection = {
    ...{ accountId: alice, name: 'Birds', description: '', sensitive: false, discoverable: true },
    ...{ createdAt: 1, updatedAt: 1 },
  };
  stored.put(collections, [1n], { ...collection, tag: tag('vögel', 'Vögel') });
  stored.put(collections, [2n], collection);
  const announcement = {
    ...{ text: '', allDay: false, mentions: [], statuses: [], publishedAt: 1, updatedAt: 1 },
    ...{ html: '<a href="/tags/v%C3%B6gel">#Vögel</a>', tags: ['vögel', 'vogel'] },
  };
  stored.put(announcements, [instanceKey, 1n], announcement);
  stored.put(settings, [instanceKey], { disallowedHashtags: ['cats', 'uber', 'über'] });
  stored.migrate();
  expect([stored.get(tagNames, ['über', 'über']), stored.get(tagNames, ['uber', 'uber'])]).toEqual([
    undefined,
    { name: 'uber' },
  ]);
  expect(stored.get(collections, [1n])).toEqual({ ...collection, tag: tag('vogel', 'Vögel') });
  expect(stored.get(collections, [2n])).toEqual(collection);
  expect(stored.get(announcements, [instanceKey, 1n])).toEqual({
    ...announcement,
    html: '<a href="/tags/vogel">#Vögel</a>',
    tags: ['vogel'],
  });
  expect(stored.get(settings, [instanceKey])?.disallowedHashtags).toEqual(['cats', 'uber']);
});

test('a second time changes nothing, and damaged records stay as they are', () => {
  const stored = new Stored();
  stored.put(featuredTags, [alice, 101n], { ...tag('über'), statuses: 1, lastStatusId: 1n });
  stored.put(featuredTagOf, [alice, 'über'], { id: 101n });
  stored.put(statuses, [1n], status(1n, [tag('über')]));
  stored.put(tagTimeline, ['über', 1n], entry);
  stored.damage(statuses, [2n]);
  stored.damage(followedTags, [alice, 3n]);
  const once = stored.migrate().bytes();
  expect(stored.migrate().bytes()).toEqual(once);
  expect(() => stored.get(statuses, [2n])).toThrow();
});
