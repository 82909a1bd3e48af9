/** Collections of accounts through the API (Mastodon API 4.6; FEP-7aa9), over partitions in memory. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { accountRules } from '../../../src/actors/account/account.actor.ts';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { collectionLimits } from '../../../src/actors/account/collections/limits.ts';
import type { CollectionEntity } from '../../../src/gateway/entities/collection.ts';
import { wholeBody } from '../../../src/gateway/http/answers.ts';
import { failureAnswer } from '../../../src/gateway/http/failure-answer.ts';
import { getAccount } from '../../../src/gateway/rest/accounts/get-account.ts';
import { getAccounts } from '../../../src/gateway/rest/accounts/get-accounts.ts';
import { getDirectory } from '../../../src/gateway/rest/accounts/get-directory.ts';
import {
  deleteCollectionItem,
  postCollectionItem,
  postRevokeCollectionItem,
} from '../../../src/gateway/rest/collections/collection-items.ts';
import {
  deleteCollection,
  getCollection,
  getCollectionsOfAccount,
  getCollectionsWithAccount,
  patchCollection,
  postCollection,
} from '../../../src/gateway/rest/collections/collections.ts';
import { getGroups } from '../../../src/gateway/rest/notifications/grouped-notifications.ts';
import { notificationEndpoints } from '../../../src/gateway/rest/notifications/notifications.endpoints.ts';
import type { Failure } from '../../../src/runtime/errors.ts';
import { newPeople } from '../../support/api-people.ts';
import type { Person } from '../../support/observer.ts';
import { assertSound } from '../../support/sound.ts';

let { people, api, alice, bob, carol } = await newPeople();
const getNotifications = notificationEndpoints.find(({ path }) => path === '/api/v1/notifications')!;

beforeEach(async () => {
  ({ people, api, alice, bob, carol } = await newPeople());
  for (const person of [bob, carol]) await change(person, { discoverable: true });
  const { disks } = people.server;
  onTestFinished(() => assertSound(disks, accountRules));
});

const change = (person: Person, changes: object) => people.server.call(Account.changeProfile.to(person.id, changes));

type AnyEndpoint = Parameters<typeof api.ask>[0];
interface Listed {
  accounts: { id: string; feature_approval: { current_user: string } }[];
}

interface Wrapped {
  collection: CollectionEntity;
}

async function make(given: Readonly<Record<string, unknown>> = {}, by = alice): Promise<CollectionEntity> {
  return (await api.ask<Wrapped>(postCollection, by, { name: 'Cats', ...given })).body.collection;
}

const shown = async (viewer: Person | undefined, { id }: CollectionEntity) =>
  (await api.ask<Wrapped & { accounts: { id: string }[] }>(getCollection, viewer, { id })).body;
const members = async (viewer: Person | undefined, collection: CollectionEntity) =>
  (await shown(viewer, collection)).collection.items.map(({ account_id, state }) => `${nameOf(account_id)} ${state}`);
const nameOf = (id: string | null) => [alice, bob, carol].find((person) => String(person.id) === id)?.name ?? 'nobody';
const listed = async (viewer: Person | undefined, of = alice) =>
  (
    await api.ask<{ collections: CollectionEntity[] }>(getCollectionsOfAccount, viewer, { id: of.id })
  ).body.collections.map(({ name }) => name);
const within = async (person: Person) =>
  (
    await api.ask<{ collections: CollectionEntity[] }>(getCollectionsWithAccount, person, { id: person.id })
  ).body.collections.map(({ name }) => name);
const told = async (person: Person) =>
  (await api.ask<{ type: string; collection?: CollectionEntity }[]>(getNotifications, person)).body.map(
    ({ type, collection }) => `${type} ${collection?.name}`,
  );
const add = (collection: CollectionEntity, person: Person, by = alice) =>
  api.ask<{ collection_item: CollectionEntity['items'][number] }>(postCollectionItem, by, {
    collection_id: collection.id,
    account_id: person.id,
  });
const itemOf = async (collection: CollectionEntity, person: Person) =>
  (await shown(alice, collection)).collection.items.find(({ account_id }) => account_id === String(person.id))!.id;

describe('a collection', () => {
  test('has the accounts that agree, and who curates it', async () => {
    const collection = await make({
      ...{ description: 'Purr & <b>', language: 'en', tag_name: '#CatsOfMastodon', sensitive: true },
      account_ids: [String(bob.id), String(carol.id), String(bob.id)],
    });
    const item = (person: Person) => ({
      ...{ id: expect.any(String), account_id: String(person.id), state: 'accepted', created_at: expect.any(String) },
    });
    expect(collection).toEqual({
      id: expect.any(String),
      account_id: String(alice.id),
      uri: `https://here.example/users/alice/featured_collections/${collection.id}`,
      url: `https://here.example/collections/${collection.id}`,
      name: 'Cats',
      description: 'Purr &amp; &lt;b&gt;',
      language: 'en',
      local: true,
      sensitive: true,
      discoverable: true,
      tag: { name: 'CatsOfMastodon', url: 'https://here.example/tags/catsofmastodon' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
      item_count: 2,
      items: [item(bob), item(carol)],
    });
    for (const viewer of [undefined, alice, bob]) {
      const { accounts, collection: seen } = await shown(viewer, collection);
      expect(seen).toEqual(collection);
      expect(accounts.map(({ id }) => nameOf(id))).toEqual(['alice', 'bob', 'carol']);
    }
    expect([await listed(undefined), await within(bob), await within(alice)]).toEqual([['Cats'], ['Cats'], []]);
  });

  test('is changed by its curator, part by part, and who is in it hears of a new name', async () => {
    const collection = await make({
      account_ids: [String(bob.id)],
      tag_name: 'cats',
      language: 'en',
      description: 'Purr',
    });
    const patched = async (given: object) =>
      (await api.ask<Wrapped>(patchCollection, alice, { id: collection.id, ...given })).body.collection;
    expect(await patched({ sensitive: true })).toMatchObject({ name: 'Cats', sensitive: true, tag: { name: 'cats' } });
    expect(await told(bob)).toEqual(['added_to_collection Cats']);
    expect(await patched({ name: 'Dogs', tag_name: '', language: '', description: '' })).toMatchObject({
      ...{ name: 'Dogs', tag: null, language: null, description: '', sensitive: true, item_count: 1 },
    });
    expect(await told(bob)).toEqual(['collection_update Dogs', 'added_to_collection Dogs']);
    await expect(api.ask(patchCollection, bob, { id: collection.id, name: 'Mine' })).rejects.toMatchObject({
      status: 403,
    });
    await expect(api.ask(patchCollection, alice, { id: 5n, name: 'Mine' })).rejects.toMatchObject({ status: 404 });
  });

  test('changes in what is named and nothing else, so that of two changes at once neither is lost', async () => {
    const { id } = await make({ language: 'en' });
    const collectionId = BigInt(id);
    for (const given of [{ name: 'Dogs' }, { description: 'Woof' }, { tag: { name: 'dogs', display: 'Dogs' } }])
      await people.server.call(Account.changeCollection.to(alice.id, { collectionId, ...given }));
    expect((await shown(alice, { id } as CollectionEntity)).collection).toMatchObject({
      ...{ name: 'Dogs', description: 'Woof', tag: { name: 'Dogs' }, language: 'en' },
    });
  });

  test('that is not to be discovered is on nobody’s profile, and found at its address', async () => {
    const collection = await make({ discoverable: false, account_ids: [String(bob.id)] });
    expect([await listed(undefined), await listed(bob), await listed(alice)]).toEqual([[], [], ['Cats']]);
    expect(await members(carol, collection)).toEqual(['bob accepted']);
  });

  test('is removed with everything in it', async () => {
    const collection = await make({ account_ids: [String(bob.id)] });
    await expect(api.ask(deleteCollection, bob, { id: collection.id })).rejects.toMatchObject({ status: 403 });
    expect((await api.ask(deleteCollection, alice, { id: collection.id })).body).toEqual({});
    await expect(shown(alice, collection)).rejects.toMatchObject({ status: 404 });
    expect([await listed(alice), await within(bob), await told(bob)]).toEqual([[], [], []]);
  });

  test.each<[string, Record<string, unknown>, object]>([
    ['no name', { name: ' ' }, { name: [{ error: 'ERR_BLANK', description: "can't be blank" }] }],
    [
      'a long name',
      { name: 'a'.repeat(41) },
      { name: [{ error: 'ERR_TOO_LONG', description: 'is too long (maximum is 40 characters)' }] },
    ],
    [
      'a long description',
      { description: 'a'.repeat(101) },
      { description: [{ error: 'ERR_TOO_LONG', description: 'is too long (maximum is 100 characters)' }] },
    ],
    ['no language', { language: 'klingon!' }, { language: [{ error: 'ERR_INVALID', description: 'is invalid' }] }],
    ['no tag', { tag_name: 'a b' }, { tag_name: [{ error: 'ERR_INVALID', description: 'is invalid' }] }],
  ])('with %s is refused, the error one level deeper than elsewhere', async (_what, given, details) => {
    const failure = (await make(given).catch((error: unknown) => error)) as Failure;
    const { status, body } = failureAnswer(failure, postCollection.failureStyle);
    const error = JSON.parse(Buffer.from(wholeBody(body)).toString()) as object;
    expect([status, error]).toEqual([
      422,
      { error: { error: expect.stringContaining('Validation failed: '), details } },
    ]);
    expect(await listed(alice)).toEqual([]);
  });

  test('is one of a few', async () => {
    for (let count = 0; count < collectionLimits.perLocalAccountMax; count += 1) await make();
    await expect(make()).rejects.toMatchObject({ status: 422 });
  });

  test('is listed by offset', async () => {
    for (const name of ['A', 'B', 'C']) await make({ name, account_ids: [String(bob.id)] });
    const page = (endpoint: typeof getCollectionsOfAccount, of: Person, offset: number) =>
      api.ask<{ collections: CollectionEntity[] }>(endpoint, of, { id: of.id, limit: '2', offset: String(offset) });
    for (const [endpoint, of] of [
      [getCollectionsOfAccount, alice],
      [getCollectionsWithAccount, bob],
    ] as const) {
      const first = await page(endpoint as typeof getCollectionsOfAccount, of, 0);
      expect(first.body.collections.map(({ name }) => name)).toEqual(['C', 'B']);
      expect(first.links).toEqual({ next: { limit: '2', offset: '2' } });
      const second = await page(endpoint as typeof getCollectionsOfAccount, of, 2);
      expect(second.body.collections.map(({ name }) => name)).toEqual(['A']);
      expect(second.links).toEqual({ prev: { limit: '2', offset: '0' } });
    }
  });
});

describe('consent', () => {
  const permission = async (viewer: Person | undefined, of: Person) =>
    (await api.ask<{ feature_approval: object }>(getAccount, viewer, { id: of.id })).body.feature_approval;

  test('goes by whether an account wants to be found, and whom it lets follow', async () => {
    const collection = await make();
    const refused = { status: 403, message: 'This account cannot be added to collections' };
    expect(await permission(alice, bob)).toEqual({ automatic: ['public'], manual: [], current_user: 'automatic' });
    expect(await permission(undefined, bob)).toMatchObject({ current_user: 'denied' });
    await change(bob, { discoverable: false });
    expect(await permission(alice, bob)).toEqual({ automatic: [], manual: [], current_user: 'denied' });
    await expect(add(collection, bob)).rejects.toMatchObject(refused);
    await expect(make({ name: 'Dogs', account_ids: [String(carol.id), String(bob.id)] })).rejects.toMatchObject(
      refused,
    );
    await people.follow(alice, bob);
    await change(bob, { discoverable: true, locked: true });
    expect(await permission(alice, bob)).toEqual({ automatic: ['followers'], manual: [], current_user: 'automatic' });
    expect(await permission(carol, bob)).toMatchObject({ current_user: 'denied' });
    expect((await add(collection, bob)).body.collection_item).toMatchObject({ state: 'accepted' });
    await expect(add(await make({}, carol), bob, carol)).rejects.toMatchObject(refused);
    expect([await listed(alice), await told(carol)]).toEqual([['Cats'], []]);
  });

  test('is said wherever accounts are listed, of each viewer', async () => {
    await people.follow(alice, bob);
    await change(bob, { discoverable: true, locked: true });
    const collection = await make({ account_ids: [String(bob.id)] });
    const said = async (
      endpoint: AnyEndpoint,
      viewer: Person | undefined,
      given: Readonly<Record<string, unknown>>,
    ) => {
      const { body } = await api.ask<Listed | Listed['accounts']>(endpoint, viewer, given);
      const listed = 'accounts' in body ? body.accounts : body;
      return listed.find(({ id }) => id === String(bob.id))?.feature_approval.current_user;
    };
    for (const [endpoint, given] of [
      [getAccounts, { id: [String(bob.id)] }],
      [getCollection, { id: collection.id }],
      [getDirectory, {}],
    ] as const)
      expect([await said(endpoint, alice, given), await said(endpoint, carol, given)]).toEqual(['automatic', 'denied']);
    expect(await said(getCollection, undefined, { id: collection.id })).toBe('denied');
    await change(bob, { locked: false });
    for (const viewer of [undefined, alice, carol])
      expect(await said(getAccounts, viewer, { id: [String(bob.id)] })).toBe(viewer ? 'automatic' : 'denied');
  });

  test('is not had where one blocks the other', async () => {
    const collection = await make();
    await people.block(bob, alice);
    await people.block(alice, carol);
    for (const person of [bob, carol]) await expect(add(collection, person)).rejects.toMatchObject({ status: 403 });
  });

  test('is decided by the account, whatever was known when the request was made', async () => {
    const { collectionId } = await people.server.call(
      Account.createCollection.to(alice.id, {
        ...{ name: 'Cats', description: '', sensitive: false, discoverable: true },
        candidates: [{ accountId: alice.id }, { accountId: bob.id }],
      }),
    );
    expect(await members(alice, { id: String(collectionId) } as CollectionEntity)).toEqual([
      'alice accepted',
      'bob accepted',
    ]);
    await change(carol, { discoverable: false });
    const candidate = { accountId: carol.id };
    await people.server.call(Account.addToCollection.to(alice.id, { collectionId, candidate }));
    expect(await members(alice, { id: String(collectionId) } as CollectionEntity)).toHaveLength(2);
  });

  test('is taken back for good: nobody puts the account into that collection again', async () => {
    const collection = await make({ account_ids: [String(bob.id), String(carol.id)] });
    const ofBob = { collection_id: collection.id, id: await itemOf(collection, bob) };
    for (const person of [alice, carol])
      await expect(api.ask(postRevokeCollectionItem, person, ofBob)).rejects.toMatchObject({ status: 403 });
    expect((await api.ask(postRevokeCollectionItem, bob, ofBob)).body).toEqual({});
    expect([await members(alice, collection), await within(bob)]).toEqual([['carol accepted'], []]);
    await expect(api.ask(postRevokeCollectionItem, bob, ofBob)).rejects.toMatchObject({ status: 404 });
    await expect(add(collection, bob)).rejects.toMatchObject({ status: 403 });
    expect(await told(bob)).toEqual([]);
    expect((await add(await make({ name: 'Dogs' }), bob)).body.collection_item.state).toBe('accepted');
  });
});

describe('an account in a collection', () => {
  test('is put in and taken out by the curator alone', async () => {
    const collection = await make();
    const { collection_item } = (await add(collection, bob)).body;
    expect(collection_item).toEqual({
      ...{ id: expect.any(String), account_id: String(bob.id), state: 'accepted', created_at: expect.any(String) },
    });
    expect(await told(bob)).toEqual(['added_to_collection Cats']);
    await expect(add(collection, bob)).rejects.toMatchObject({ status: 422 });
    await expect(add(collection, carol, carol)).rejects.toMatchObject({ status: 403 });
    const item = { collection_id: collection.id, id: collection_item.id };
    await expect(api.ask(deleteCollectionItem, bob, item)).rejects.toMatchObject({ status: 403 });
    await api.ask(deleteCollectionItem, alice, item);
    expect([await members(alice, collection), await within(bob), await told(bob)]).toEqual([[], [], []]);
    await expect(api.ask(deleteCollectionItem, alice, item)).rejects.toMatchObject({ status: 404 });
    expect((await add(collection, bob)).body.collection_item.state).toBe('accepted');
  });

  test('is one of at most 25', async () => {
    const { itemsPerLocalCollectionMax } = collectionLimits;
    const many: string[] = [];
    for (let count = 0; count < itemsPerLocalCollectionMax; count += 1) {
      const person = await people.local(`p${count}`);
      await change(person, { discoverable: true });
      many.push(String(person.id));
    }
    const collection = await make({ account_ids: many });
    expect(collection.item_count).toBe(itemsPerLocalCollectionMax);
    await expect(add(collection, bob)).rejects.toMatchObject({ status: 422 });
    await expect(make({ account_ids: [...many, String(bob.id)] })).rejects.toMatchObject({ status: 422 });
  });

  test('is not shown to those who block it, and the collection not to those whom the curator blocks', async () => {
    const collection = await make({ account_ids: [String(bob.id)] });
    await people.block(carol, bob);
    expect(await members(carol, collection)).toEqual([]);
    await people.block(alice, carol);
    await expect(shown(carol, collection)).rejects.toMatchObject({ status: 403 });
    expect(await listed(carol)).toEqual([]);
    expect(await members(undefined, collection)).toEqual(['bob accepted']);
  });

  test('is taken out by a block: again after it where the curator blocked, never again where it blocked itself', async () => {
    const collection = await make({ account_ids: [String(bob.id), String(carol.id)] });
    await people.block(alice, bob);
    await people.block(carol, alice);
    expect([await members(undefined, collection), await within(bob), await within(carol)]).toEqual([[], [], []]);
    await people.unblock(alice, bob);
    await people.unblock(carol, alice);
    expect(await told(bob)).toEqual([]);
    expect((await add(collection, bob)).body.collection_item.state).toBe('accepted');
    await expect(add(collection, carol)).rejects.toMatchObject({ status: 403 });
    expect(await members(undefined, collection)).toEqual(['bob accepted']);
  });

  test('stays where it is when it moves, and so does what a curator who moves has made; nobody puts either anywhere', async () => {
    const collection = await make({ account_ids: [String(bob.id)] });
    await people.server.call(Account.move.to(bob.id, { targetId: carol.id }));
    await people.server.call(Account.move.to(alice.id, { targetId: carol.id }));
    await change(alice, { discoverable: true });
    for (const person of [alice, bob])
      await expect(add(await make({}, carol), person, carol)).rejects.toMatchObject({ status: 403 });
    expect([await members(undefined, collection), await listed(undefined)]).toEqual([['bob accepted'], ['Cats']]);
    const { accounts } = await shown(undefined, collection);
    expect(accounts).toEqual(
      [alice, bob].map(({ id }) =>
        expect.objectContaining({
          id: String(id),
          feature_approval: { automatic: [], manual: [], current_user: 'denied' },
        }),
      ),
    );
  });

  test('is notified in groups as well', async () => {
    const collection = await make({ account_ids: [String(bob.id)] });
    const { body } = await api.ask<{ notification_groups: object[] }>(getGroups, bob);
    expect(body.notification_groups).toEqual([
      expect.objectContaining({ type: 'added_to_collection', collection: { ...collection } }),
    ]);
  });
});

test('is told in words to a client that does not know the type', async () => {
  const collection = await make({ name: 'Cats & <b>', account_ids: [String(bob.id)] });
  await api.ask(patchCollection, alice, { id: collection.id, description: 'Purr' });
  const known = { supported_types: ['mention'] };
  const { body } = await api.ask<{ type: string; fallback: { title: string } }[]>(getNotifications, bob, known);
  const curator = expect.stringMatching(/class="u-url mention">@<span>alice<\/span>.*collection/);
  const summary = `<a href="https://here.example/collections/${collection.id}">Cats &amp; &lt;b&gt;</a>`;
  expect(body.map(({ type, fallback }) => [type, fallback])).toEqual([
    ['collection_update', { title: curator, summary, details: null, description: null }],
    ['added_to_collection', { title: curator, summary, details: null, description: null }],
  ]);
});

test('only the user is told which collections an account is in, and of none whose curator is suspended', async () => {
  await make({ account_ids: [String(bob.id)] });
  await expect(api.ask(getCollectionsWithAccount, alice, { id: bob.id })).rejects.toMatchObject({ status: 403 });
  await make({ name: 'Dogs', account_ids: [String(bob.id)] }, carol);
  people.suspend(alice);
  expect(await within(bob)).toEqual(['Dogs']);
});
