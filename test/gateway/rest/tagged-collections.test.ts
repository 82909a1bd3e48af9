/**
 * Statuses that link to collections of accounts (`tagged_collections`, Mastodon API 4.6), as each viewer may see them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { Directory } from '../../../src/actors/directory/directory.messages.ts';
import type { CollectionEntity } from '../../../src/gateway/entities/collection.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { testProfile } from '../../support/profile.ts';
import { addWithToken } from '../../support/sign-up.ts';
import { openStream } from '../../support/stream-readers.ts';

const names = ['alice', 'bob', 'carol', 'erin'] as const;
type Name = (typeof names)[number];
interface Status {
  readonly id: string;
  readonly uri: string;
  readonly edited_at: string | null;
  readonly tagged_collections: readonly CollectionEntity[];
  readonly reblog: Status | null;
  readonly quote: { readonly quoted_status: Status } | null;
}

const far = 'https://there.example/users/dave';
const farCollection = { uri: `${far}/collections/7`, url: 'https://there.example/collections/7' };

let gateway: TestGateway;
let cats: CollectionEntity;
let farId: bigint;
const ids = {} as Record<Name | 'dave', bigint>;
const tokens = {} as Record<Name, string>;

/** Alice curates, Bob posts, Carol and Erin follow Bob; Alice has blocked Erin. Dave, who lives elsewhere, was asked. */
beforeAll(async () => {
  gateway = startTestGateway({ endpoints, streams: true });
  const { actors } = gateway;
  for (const name of names) {
    ({ id: ids[name], token: tokens[name] } = await addWithToken(gateway, name));
  }
  const featureApproval = { automatic: ['public' as const], manual: [] };
  const remote = { uri: far, url: far, inbox: `${far}/inbox`, publicKeyId: `${far}#main-key`, publicKeyPem: '' };
  const profile = testProfile({ username: 'dave', domain: 'there.example', remote, featureApproval });
  ids.dave = (await actors.call(Directory.learn.to(far, { profile }))).accountId;
  await actors.call(Account.changeProfile.to(ids.carol, { discoverable: true }));
  for (const name of ['carol', 'erin'] as const) await act(name, 'POST', `/api/v1/accounts/${ids.bob}/follow`);
  await act('alice', 'POST', `/api/v1/accounts/${ids.erin}/block`);
  farId = await receive('Far');
  cats = await make({ name: 'Cats', account_ids: [String(ids.carol), String(ids.dave)] });
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

async function act<Body = Status>(name: Name | undefined, method: string, path: string, json: object = {}) {
  const body = method === 'GET' ? {} : { json };
  const token = name && tokens[name];
  const answer = await gateway.json<Body>(path, { method, ...body, token });
  expect(answer.status, `${method} ${path}`).toBe(200);
  gateway.actors.settle();
  return answer.body;
}

async function make(given: object): Promise<CollectionEntity> {
  return (await act<{ collection: CollectionEntity }>('alice', 'POST', '/api/v1/collections', given)).collection;
}

async function receive(name: string): Promise<bigint> {
  const described = { description: '', sensitive: false, discoverable: true, createdAt: 0, updatedAt: 0 };
  const collection = { ...described, ...farCollection, name };
  const message = Account.receiveCollection.to(ids.dave, { collection, itemUris: [], items: [] });
  return (await gateway.actors.call(message)).collectionId;
}

function post(status: string, more: object = {}, by: Name = 'bob'): Promise<Status> {
  gateway.actors.clock.advance(1_000);
  return act(by, 'POST', '/api/v1/statuses', { status, ...more });
}

const read = (viewer: Name | undefined, { id }: Pick<Status, 'id'>) => act(viewer, 'GET', `/api/v1/statuses/${id}`);
const named = (status: Status) => status.tagged_collections.map(({ name }) => name);
const membersOf = ({ tagged_collections: [first] }: Status) =>
  first?.items.map(({ account_id, state }) => `${names.find((name) => String(ids[name]) === account_id)} ${state}`);

describe('a post shows the collections that its text links to', () => {
  test.each<[string, () => string, string[]]>([
    ['by the address of its page', () => `Look: ${cats.url}.`, ['Cats']],
    ['by its ActivityPub id', () => cats.uri, ['Cats']],
    ['each once', () => `${cats.url} and ${cats.uri} and ${cats.url}`, ['Cats']],
    ['in order, also one of another server', () => `${farCollection.url} ${cats.url}`, ['Far', 'Cats']],
    ['of another server by its id', () => farCollection.uri, ['Far']],
    ['none that is not known', () => `${cats.url}1 https://there.example/collections/8`, []],
    ['none of another path', () => `https://social.example/collections/${cats.id}/items`, []],
    // As if another server's collection were one of this server.
    ['none by an address that is not its own', () => `https://social.example/collections/${farId}`, []],
    ['none without a link', () => 'Cats', []],
  ])('%s', async (_case, text, expected) => {
    const status = await post(text());
    expect(named(status)).toEqual(expected);
    expect(named(await read('carol', status))).toEqual(expected);
  });

  test('as the collection itself is shown', async () => {
    const status = await post(cats.url!);
    const path = `/api/v1/collections/${cats.id}`;
    const { collection } = await act<{ collection: CollectionEntity }>('carol', 'GET', path);
    expect((await read('carol', status)).tagged_collections).toEqual([collection]);
  });

  test('beside a poll, and beside a quote', async () => {
    const poll = await post(cats.url!, { poll: { options: ['a', 'b'], expires_in: 3_600 } });
    const quote = await post(cats.url!, { quoted_status_id: poll.id });
    for (const viewer of [undefined, 'bob', 'carol'] as const) {
      expect(named(await read(viewer, poll))).toEqual(['Cats']);
      const shown = await read(viewer, quote);
      expect([named(shown), named(shown.quote!.quoted_status)]).toEqual([['Cats'], ['Cats']]);
    }
  });

  test('wherever it appears', async () => {
    const status = await post(`@carol ${cats.url}`, { visibility: 'public' });
    const reblog = await act('carol', 'POST', `/api/v1/statuses/${status.id}/reblog`);
    expect([named(reblog), named(reblog.reblog!)]).toEqual([[], ['Cats']]);
    const lists = ['/api/v1/timelines/home', '/api/v1/timelines/public', `/api/v1/accounts/${ids.bob}/statuses`];
    for (const path of lists) {
      const listed = await act<Status[]>('carol', 'GET', path);
      expect([path, named(listed.find(({ id }) => id === status.id)!)]).toEqual([path, ['Cats']]);
    }
    const [newest] = await act<{ status: Status }[]>('carol', 'GET', '/api/v1/notifications');
    expect(named(newest!.status)).toEqual(['Cats']);
    const direct = await post(`@carol ${cats.url}`, { visibility: 'direct' });
    const [conversation] = await act<{ last_status: Status }[]>('carol', 'GET', '/api/v1/conversations');
    expect([conversation!.last_status.id, named(conversation!.last_status)]).toEqual([direct.id, ['Cats']]);
  });
});

describe('who may see what of a collection in a post', () => {
  test.each<[Name | undefined, string[] | undefined]>([
    [undefined, ['carol accepted']],
    ['bob', ['carol accepted']],
    ['alice', ['carol accepted', 'undefined pending']],
    ['erin', undefined],
  ])('%s', async (viewer, expected) => {
    const status = await post(cats.url!);
    expect(membersOf(await read(viewer, status))).toEqual(expected);
  });

  test('on streams too', async () => {
    const open = (name: Name) => openStream(gateway, 'websocket', { channel: 'user', token: tokens[name] });
    const [carol, erin, alice] = await Promise.all([open('carol'), open('erin'), open('alice')]);
    await act('alice', 'POST', `/api/v1/accounts/${ids.bob}/follow`);
    const status = await post(cats.url!);
    const edited = { status: `${cats.url} and ${farCollection.url}` };
    await act('bob', 'PUT', `/api/v1/statuses/${status.id}`, edited);
    for (const [stream, first, second] of [
      [carol, ['Cats'], ['Cats', 'Far']],
      [erin, [], ['Far']],
      [alice, ['Cats'], ['Cats', 'Far']],
    ] as const)
      for (const [event, expected] of [
        ['update', first],
        ['status.update', second],
      ] as const) {
        const heard = await stream.next((one) => one.event === event && (one.payload as Status).id === status.id);
        expect([event, named(heard.payload as Status)]).toEqual([event, expected]);
      }
    const heard = alice.events.find(({ event }) => event === 'update')!.payload as Status;
    expect(membersOf(heard)).toEqual(['carol accepted', 'undefined pending']);
    for (const stream of [carol, erin, alice]) stream.close();
    await act('alice', 'POST', `/api/v1/accounts/${ids.bob}/unfollow`);
  });

  test('nobody while its curator is suspended', async () => {
    const status = await post(cats.url!);
    await gateway.actors.call(Account.changeLogin.to(ids.alice, { suspended: true }));
    expect(named(await read('carol', status))).toEqual([]);
    await gateway.actors.call(Account.changeLogin.to(ids.alice, { suspended: false }));
    expect(named(await read('carol', status))).toEqual(['Cats']);
  });

  test('whoever blocks the curator no more', async () => {
    const status = await post(cats.url!);
    expect(named(await read('bob', status))).toEqual(['Cats']);
    await act('bob', 'POST', `/api/v1/accounts/${ids.alice}/block`);
    expect(named(await read('bob', status))).toEqual([]);
    await act('bob', 'POST', `/api/v1/accounts/${ids.alice}/unblock`);
    expect(named(await read('bob', status))).toEqual(['Cats']);
  });
});

describe('what changes later', () => {
  test('is shown at once in posts that were shown before', async () => {
    const birds = await make({ name: 'Birds' });
    const status = await post(birds.url!);
    const shown = async () => {
      const single = await read('carol', status);
      const [newest] = await act<Status[]>('carol', 'GET', '/api/v1/timelines/home');
      expect(newest!.tagged_collections).toEqual(single.tagged_collections);
      return single.tagged_collections.map(({ name, item_count: count }) => `${name} ${count}`);
    };
    expect(await shown()).toEqual(['Birds 0']);
    await act('alice', 'POST', `/api/v1/collections/${birds.id}/items`, { account_id: String(ids.carol) });
    expect(await shown()).toEqual(['Birds 1']);
    await act('alice', 'PATCH', `/api/v1/collections/${birds.id}`, { name: 'Owls' });
    expect(await shown()).toEqual(['Owls 1']);
    await act('alice', 'DELETE', `/api/v1/collections/${birds.id}`);
    expect(await shown()).toEqual([]);
  });

  test('an edit shows what its text links to', async () => {
    const status = await post(cats.url!);
    const edit = (text: string) => act('bob', 'PUT', `/api/v1/statuses/${status.id}`, { status: text });
    expect(named(await edit(`${farCollection.url} now`))).toEqual(['Far']);
    expect(named(await edit('Nothing'))).toEqual([]);
    expect(named(await read('carol', status))).toEqual([]);
  });

  test('a collection that became known is shown after the post is saved again', async () => {
    await gateway.actors.call(Account.receiveUncollected.to(ids.dave, { collectionUri: farCollection.uri }));
    const status = await post(farCollection.url);
    expect(named(status)).toEqual([]);
    await receive('Far again');
    expect(named(await read('carol', status))).toEqual([]);
    const saved = await act('bob', 'PUT', `/api/v1/statuses/${status.id}`, { status: farCollection.url });
    expect(named(saved)).toEqual(['Far again']);
  });

  test('a page that moved leads to the collection by its new address only', async () => {
    const moved = { ...farCollection, url: 'https://there.example/@dave/collections/7' };
    const before = farCollection.url;
    Object.assign(farCollection, moved);
    await receive('Far');
    expect([named(await post(before)), named(await post(moved.url))]).toEqual([[], ['Far']]);
  });
});
