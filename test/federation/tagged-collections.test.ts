/** Federated statuses that link to collections of accounts: tags as Mastodon sends them, and ours. */
import { describe, expect, it } from 'vitest';
import { itemsOf } from '../../src/actors/account/collections/collections.queries.ts';
import type { Status } from '../../src/actors/account/statuses/statuses.records.ts';
import { anonymous } from '../../src/actors/policy/visibility.ts';
import { readTags } from '../../src/federation/documents/read-tags.ts';
import { createCollection, removeCollection } from '../../src/operations/collections/change-collection.ts';
import { visibleCollections } from '../../src/operations/presentation/collections.ts';
import { editStatus } from '../../src/operations/statuses/edit-status.ts';
import { publishStatus } from '../../src/operations/statuses/publish-status.ts';
import type { JsonValue } from '../../src/outbound/fetcher/json.ts';
import { actorOf, authorize, type Bed, bedOfAlice, cats, item } from './collections-bed.ts';
import { home } from './inbound-bed.ts';

it.each<[string, unknown, string[]]>([
  ['an object of its own', cats(), [cats().id]],
  ['named twice', [cats(), cats()], [cats().id]],
  ['only named by its id', [{ type: 'FeaturedCollection', id: cats().id }], [cats().id]],
  ['of several types', [{ type: ['FeaturedCollection', 'Object'], id: cats().id }], [cats().id]],
  ['without an id', [{ type: 'FeaturedCollection', name: 'Cats' }], []],
  ['with an id that is no address', [{ ...cats(), id: 'cats' }], []],
  ['of another type', [{ ...cats(), type: 'Collection' }], []],
  ['a string', [cats().id], []],
])('a tag that is %s is read', (_case, tag, expected) => {
  expect(readTags(tag as JsonValue).collections).toEqual(expected);
});

/** Alice follows Bob; Carol's collection or Bob's is what he links to. */
async function followed() {
  const setting = await bedOfAlice();
  const { bed, alice, bob } = setting;
  await bed.follow(alice, bob);
  bed.web.set(cats().id, cats());
  return setting;
}

/** A post of Bob's as Mastodon has it: the whole collection is in the tag. */
const linking = ({ bob }: Bed, tags: unknown = cats(), more: object = {}) =>
  bob.note('link', { content: `<p><a href="${cats().url}">Cats</a></p>`, tag: tags, ...more });

const named = ({ bed }: Bed, status: Pick<Status, 'taggedCollections'> | undefined) =>
  visibleCollections(bed.read, status?.taggedCollections ?? [], anonymous).map(({ collection }) => collection.name);

describe('a remote post that links to a collection', () => {
  it('shows it as its own server has it, with whom has agreed', async () => {
    const setting = await followed();
    const { bed, bob, carol } = setting;
    const authorization = authorize(setting);
    const items = [item(carol.uri, authorization)];
    bed.web.set(cats().id, cats(items));
    // What is embedded is not believed: anybody can write it.
    const note = linking(setting, [cats([], { name: 'Dogs' }), { type: 'Hashtag', name: '#cats' }]);
    expect(await bed.send(bob, bob.create(note))).toBe(202);
    const status = bed.stored(note.id);
    expect(named(setting, status)).toEqual(['Cats']);
    expect(itemsOf(bed.read, status!.taggedCollections![0]!)).toMatchObject([{ state: 'accepted' }]);
  });

  it('does not fetch one that is known', async () => {
    const setting = await followed();
    const { bed, bob } = setting;
    await bed.send(bob, bob.create(linking(setting)));
    const asked = bed.asked.length;
    const other = bob.note('other', { tag: [cats()] });
    await bed.send(bob, bob.create(other));
    expect(named(setting, bed.stored(other.id))).toEqual(['Cats']);
    expect(bed.asked.length).toBe(asked);
  });

  it('may link to one of a third server, whose curator was not known', async () => {
    const setting = await followed();
    const { bed, bob, carol } = setting;
    const birds = 'https://other.example/collections/1';
    bed.web.set(birds, { ...cats(), id: birds, url: birds, attributedTo: carol.uri, name: 'Birds' });
    const note = linking(setting, [{ type: 'FeaturedCollection', id: birds }]);
    await bed.send(bob, bob.create(note));
    expect(named(setting, bed.stored(note.id))).toEqual(['Birds']);
    expect(bed.accountOf(carol.uri)).toBeDefined();
  });

  it.each<[string, object | 'gone' | 'unreachable']>([
    ['is gone', 'gone'],
    ['cannot be reached', 'unreachable'],
    ['is a post', { ...cats(), type: 'Note', content: '' }],
    ['is said to be of an account on another server', cats([], { attributedTo: 'https://other.example/users/carol' })],
  ])('is shown without one that %s', async (_case, found) => {
    const setting = await followed();
    const { bed, bob } = setting;
    bed.web.set(cats().id, found as never);
    const note = linking(setting);
    await bed.send(bob, bob.create(note));
    expect(bed.stored(note.id)).toBeDefined();
    expect(bed.stored(note.id)?.taggedCollections).toBeUndefined();
  });

  it('has a bounded number of them', async () => {
    const setting = await followed();
    const { bed, bob } = setting;
    const tags = Array.from({ length: 30 }, (_, number) => {
      const id = `https://remote.example/collections/${number}`;
      bed.web.set(id, cats([], { id, url: id, name: `${number}` }));
      return { type: 'FeaturedCollection', id };
    });
    const note = linking(setting, tags);
    await bed.send(bob, bob.create(note));
    expect(named(setting, bed.stored(note.id))).toHaveLength(10);
  });

  it('may link to a local one, which needs no fetch', async () => {
    const setting = await followed();
    const { bed, bob, as } = setting;
    const { collectionId } = await createCollection(as, { name: 'Birds', accountIds: [] });
    const id = `${actorOf('alice')}/featured_collections/${collectionId}`;
    const asked = bed.asked.length;
    const note = linking(setting, [{ type: 'FeaturedCollection', id }]);
    await bed.send(bob, bob.create(note));
    expect([named(setting, bed.stored(note.id)), bed.asked.length]).toEqual([['Birds'], asked]);
    await removeCollection(as, { collectionId });
    expect(named(setting, bed.stored(note.id))).toEqual([]);
  });

  it('changes with its text, and is no edit where only the collection became known', async () => {
    const setting = await followed();
    const { bed, bob } = setting;
    bed.web.set(cats().id, 'unreachable');
    const note = linking(setting);
    await bed.send(bob, bob.create(note));
    bed.web.set(cats().id, cats());
    await bed.send(bob, bob.activity('Update', note));
    expect(named(setting, bed.stored(note.id))).toEqual(['Cats']);
    expect(bed.stored(note.id)!.editedAt).toBeUndefined();
    const edited = { ...note, tag: [], content: '<p>Nothing</p>', updated: '2025-01-01T11:30:00Z' };
    await bed.send(bob, bob.activity('Update', edited));
    expect(bed.stored(note.id)!.taggedCollections).toBeUndefined();
    expect(bed.stored(note.id)!.editedAt).toBeDefined();
  });
});

describe('a local post that links to a collection', () => {
  it('has a tag for it, and a context that knows it', async () => {
    const setting = await followed();
    const { bed, bob, as, sent, fetched } = setting;
    await bed.send(bob, bob.activity('Follow', actorOf('alice')));
    await bed.send(bob, bob.create(linking(setting)));
    const { collectionId } = await createCollection(as, { name: 'Birds', accountIds: [] });
    const own = `${actorOf('alice')}/featured_collections/${collectionId}`;
    const page = `${home}/collections/${collectionId}`;
    const text = `${page} and ${cats().url}`;
    const { statusId } = await publishStatus(as, { text, spoilerText: '', visibility: 'public' });
    const tag = [
      { type: 'FeaturedCollection', id: own, attributedTo: actorOf('alice'), url: page },
      { type: 'FeaturedCollection', id: cats().id, attributedTo: bob.uri, url: cats().url },
    ];
    const context = expect.arrayContaining([
      expect.objectContaining({ FeaturedCollection: 'fep7aa9:FeaturedCollection' }),
    ]);
    const path = `/users/alice/statuses/${statusId}`;
    expect((await fetched(path)).body).toMatchObject({ '@context': context, tag });
    expect(sent()).toContainEqual(
      expect.objectContaining({ type: 'Create', '@context': context, object: expect.objectContaining({ tag }) }),
    );
    await editStatus(as, { statusId, text: 'Nothing', spoilerText: '' });
    const edited = (await fetched(path)).body as { tag: unknown; '@context': unknown };
    expect(edited.tag).toEqual([]);
    expect(JSON.stringify(edited['@context'])).not.toContain('FeaturedCollection');
  });

  it('names none that was deleted since', async () => {
    const { as, fetched } = await followed();
    const { collectionId } = await createCollection(as, { name: 'Birds', accountIds: [] });
    const text = `${home}/collections/${collectionId}`;
    const { statusId } = await publishStatus(as, { text, spoilerText: '', visibility: 'public' });
    await removeCollection(as, { collectionId });
    expect((await fetched(`/users/alice/statuses/${statusId}`)).body).toMatchObject({ tag: [] });
  });
});
