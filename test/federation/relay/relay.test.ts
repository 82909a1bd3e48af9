/** A relay beside accounts, with real threads and sockets, and a fleet of servers that subscribe. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { type Arrival, RelayFleet } from './relay-fleet.ts';

let server: RunningServer;
let fleet: RelayFleet;

beforeAll(async () => {
  server = await startTestServer({
    environment: { MURMURATION_RELAY: 'beside', MURMURATION_RELAY_SUBSCRIPTIONS: 'open' },
  });
  fleet = await RelayFleet.open(await freePort('0.0.0.0'), {
    actor: `${server.origin}/relay`,
    inbox: `${server.origin}/relay/inbox`,
  });
});

afterAll(async () => {
  await fleet.close();
  await server.stop();
});

beforeEach(() => {
  fleet.answers = () => 202;
});

const asActivity = { headers: { accept: 'application/activity+json' } };

test('the relay is an actor that servers recognise by its inbox', async () => {
  const actor = await (await server.fetch('/relay', asActivity)).json();
  expect(actor).toMatchObject({
    id: `${server.origin}/relay`,
    type: 'Application',
    preferredUsername: 'relay',
    inbox: `${server.origin}/relay/inbox`,
    publicKey: { id: `${server.origin}/relay#main-key`, owner: `${server.origin}/relay` },
  });
  const found = await (await server.fetch(`/.well-known/webfinger?resource=acct:relay@${server.host}`)).json();
  expect(found).toMatchObject({ subject: `acct:relay@${server.host}`, aliases: [`${server.origin}/relay`] });
});

test('a server that follows everything public is accepted, with its Follow as it was', async () => {
  const { activity, isVerified } = await fleet.follow(1);
  expect(isVerified).toBe(true);
  expect(activity).toMatchObject({
    type: 'Accept',
    actor: `${server.origin}/relay`,
    to: [fleet.serverActor(1)],
    object: { type: 'Follow', actor: fleet.serverActor(1), object: 'https://www.w3.org/ns/activitystreams#Public' },
  });
});

test('a person who follows the relay is refused, with the reason', async () => {
  const { activity } = await fleet.follow(2, 'actor', fleet.person(2));
  expect(activity).toMatchObject({ type: 'Reject', summary: expect.stringContaining('People cannot follow') });
});

test('a signed post reaches other subscribers byte by byte, once, and not its own server', async () => {
  await fleet.follow(3);
  await fleet.follow(4);
  const post = fleet.post(3);
  expect(await fleet.send(post, fleet.person(3))).toBe(202);
  const { text, isVerified } = await fleet.arrived(4, ({ activity }) => activity.id === post.id);
  expect(text).toBe(JSON.stringify(post));
  expect(isVerified).toBe(true);
  expect(await fleet.send(post, fleet.person(3))).toBe(202);
  const later = fleet.post(3);
  await fleet.send(later, fleet.person(3));
  await fleet.arrived(4, ({ activity }) => activity.id === later.id);
  expect(fleet.at(4).filter(({ activity }) => activity.id === post.id)).toHaveLength(1);
  expect(fleet.at(3).filter(({ activity }) => activity.type === 'Create')).toEqual([]);
});

test('a post without a signature of its own is announced under the id of the relay', async () => {
  await fleet.follow(3);
  await fleet.follow(4);
  const post = fleet.post(3, { signed: false });
  await fleet.send(post, fleet.person(3));
  const { activity } = await fleet.arrived(4, ({ activity }) => activity.object === post.object.id);
  expect(activity).toMatchObject({ type: 'Announce', actor: `${server.origin}/relay` });
  expect(activity.id).toMatch(new RegExp(`^${server.origin}/relay/`));
});

/** Brought by another server than that of its author, where it cannot be fetched. */
async function bring(post: { object: { id: string } }): Promise<void> {
  fleet.objects.delete(post.object.id);
  expect(await fleet.send(post, fleet.serverActor(3))).toBe(202);
}

test.each([
  ['a proof', () => fleet.prove(fleet.post(14, { signed: false }))],
  [
    'a proof beside a signature that is wrong',
    () => ({ ...fleet.post(14), ...fleet.prove(fleet.post(14, { signed: false })) }),
  ],
])('a post with %s is announced, whoever brings it, and fetched from nobody', async (_what, made) => {
  await fleet.follow(3);
  await fleet.follow(4);
  const post = made();
  await bring(post);
  const { activity } = await fleet.arrived(4, (arrival) => arrival.activity.object === post.object.id);
  expect(activity).toMatchObject({ type: 'Announce', actor: `${server.origin}/relay` });
});

test('a proof that does not fit, is by somebody else, or of what is no new post, is none', async () => {
  await fleet.follow(3);
  await fleet.follow(4);
  const unsigned = () => fleet.post(14, { signed: false });
  const changed = fleet.prove(unsigned());
  const posts = [
    { ...changed, object: { ...changed.object, content: '<p>Changed</p>' } },
    fleet.prove(unsigned(), fleet.person(14, 'mallory')),
    fleet.prove(unsigned(), fleet.person(15)),
    fleet.prove(fleet.post(14, { signed: false, type: 'Update' })),
  ];
  for (const post of posts) await bring(post);
  const last = fleet.prove(unsigned());
  await bring(last);
  await fleet.arrived(4, ({ activity }) => activity.object === last.object.id);
  const ids = new Set(posts.map(({ object }) => object.id));
  expect(fleet.at(4).filter(({ activity }) => ids.has(activity.object as string))).toEqual([]);
});

test('who follows the actor is followed back, gets announcements once that is accepted, and announces itself', async () => {
  await fleet.follow(4);
  await fleet.follow(5, 'actor');
  const back = await fleet.arrived(5, ({ activity }) => activity.type === 'Follow');
  expect(back.activity).toMatchObject({ actor: `${server.origin}/relay`, object: fleet.serverActor(5) });
  const actor = fleet.serverActor(5);
  const early = { id: fleet.newId(actor, 'announces'), type: 'Announce', actor, object: fleet.post(5).object.id };
  expect(await fleet.send({ ...early, to: ['https://www.w3.org/ns/activitystreams#Public'] }, actor)).toBe(403);
  await fleet.send({ id: fleet.newId(actor, 'accepts'), type: 'Accept', actor, object: back.activity }, actor);
  const post = fleet.post(4);
  await fleet.send(post, fleet.person(4));
  const { activity } = await fleet.arrived(5, ({ activity }) => activity.object === post.object.id);
  expect(activity.type).toBe('Announce');
  const own = fleet.post(5);
  const announce = { id: fleet.newId(actor, 'announces'), type: 'Announce', actor, object: own.object.id };
  await fleet.send({ ...announce, to: [`${actor}/followers`, 'https://www.w3.org/ns/activitystreams#Public'] }, actor);
  await fleet.arrived(4, ({ activity }) => activity.object === own.object.id);
  const followed = fleet.at(5).find(({ activity }) => activity.type === 'Accept')!;
  const undo = { id: fleet.newId(actor, 'undos'), type: 'Undo', actor, object: followed.activity.object };
  expect(await fleet.send(undo, actor)).toBe(202);
  // The relay does not follow it any more either.
  const undone = await fleet.arrived(5, ({ activity }) => activity.type === 'Undo');
  expect(undone.activity.object).toMatchObject({ id: back.activity.id, type: 'Follow' });
});

test('a Follow that cannot be answered is refused at once', async () => {
  const actor = fleet.serverActor(16);
  const follow = { type: 'Follow', actor, object: 'https://www.w3.org/ns/activitystreams#Public' };
  expect(await fleet.send({ ...follow, id: 'urn:x' }, actor)).toBe(400);
  fleet.inboxes.set(fleet.person(16), `http://${fleet.host(17)}/inbox`);
  const person = { ...follow, id: fleet.newId(actor, 'follows'), actor: fleet.person(16) };
  expect(await fleet.send(person, fleet.person(16))).toBe(400);
});

test('who opts out with a change of the profile is left out from then on', async () => {
  await fleet.follow(3);
  await fleet.follow(4);
  const actor = fleet.person(3, 'dora');
  const first = fleet.post(3, { name: 'dora' });
  await fleet.send(first, actor);
  await fleet.arrived(4, ({ activity }) => activity.id === first.id);
  fleet.summaries.set(actor, '<p>#noindex</p>');
  const change = { ...fleet.post(3, { name: 'dora', type: 'Update' }), object: { id: actor, type: 'Person' } };
  expect(await fleet.send(change, actor)).toBe(202);
  const second = fleet.post(3, { name: 'dora' });
  expect(await fleet.send(second, actor)).toBe(202);
  const later = fleet.post(3);
  await fleet.send(later, fleet.person(3));
  await fleet.arrived(4, ({ activity }) => activity.id === later.id);
  expect(fleet.at(4).some(({ activity }) => activity.id === second.id)).toBe(false);
});

test.each([
  ['unlisted', { to: [], cc: ['https://www.w3.org/ns/activitystreams#Public'] }, ''],
  ['old', { published: '2020-01-01T00:00:00Z' }, ''],
  ['of who does not want to be indexed', {}, '<p>Hello <a href="/tags/nobot">#<span>NoBot</span></a></p>'],
] as const)('a post that is %s is not passed on', async (_what, note, summary) => {
  await fleet.follow(3);
  await fleet.follow(4);
  const name = `bob${fleet.newId('', '').length}${_what.length}`;
  fleet.summaries.set(fleet.person(3, name), summary);
  const post = { ...fleet.post(3, { name, note }), ...note };
  expect(await fleet.send(post, fleet.person(3, name))).toBe(202);
  const later = fleet.post(3);
  await fleet.send(later, fleet.person(3));
  await fleet.arrived(4, ({ activity }) => activity.id === later.id);
  expect(fleet.at(4).some(({ activity }) => activity.id === post.id)).toBe(false);
});

test('who does not subscribe, or is somebody else, is refused', async () => {
  expect(await fleet.send(fleet.post(6), fleet.person(6))).toBe(403);
  await fleet.follow(3);
  const forged = { ...fleet.post(3), id: `http://elsewhere.example/1`, actor: 'http://elsewhere.example/users/x' };
  expect(await fleet.send({ ...forged, object: 'http://elsewhere.example/2' }, fleet.person(3))).toBe(202);
  expect(fleet.at(4).some(({ activity }) => activity.id === forged.id)).toBe(false);
});

test('one signature serves all that prove to take it; the others get one of their own', async () => {
  const refusing = fleet.host(11);
  fleet.careless.add(fleet.host(12));
  const covers = ({ headers }: Arrival) => /headers="([^"]*)"/.exec(String(headers.signature))?.[1];
  fleet.answers = (arrival) => (arrival.host === refusing && !covers(arrival)!.includes('host') ? 401 : 202);
  for (const number of [3, 10, 11, 12, 13]) await fleet.follow(number);
  const posts = [fleet.post(3), fleet.post(3)];
  for (const post of posts) {
    await fleet.send(post, fleet.person(3));
    for (const number of [10, 11, 12, 13])
      await fleet.arrived(number, ({ activity, isVerified }) => activity.id === post.id && isVerified);
  }
  const last = (number: number) => fleet.at(number).findLast(({ activity }) => activity.id === posts[1]!.id)!;
  expect(covers(last(10))).toBe('date digest content-type');
  expect(last(13).headers.signature).toBe(last(10).headers.signature);
  expect(covers(last(11))).toContain('host');
  expect(covers(last(12))).toContain('host');
});

test('subscribers are told of another key by the former one, and get what follows with it', async () => {
  for (const number of [3, 10]) await fleet.follow(number);
  const before = fleet.post(3);
  await fleet.send(before, fleet.person(3));
  await fleet.arrived(10, ({ activity }) => activity.id === before.id);
  expect(await server.run('accounts', 'rotate-keys', '--server')).toContain('The server has a new key.');
  const told = await fleet.arrived(
    10,
    ({ activity }) => activity.type === 'Update' && activity.actor === activity.object,
  );
  expect(told.isVerified).toBe(true);
  const after = fleet.post(3);
  await fleet.send(after, fleet.person(3));
  expect((await fleet.arrived(10, ({ activity }) => activity.id === after.id)).isVerified).toBe(true);
});

test('an Undo ends the subscription', async () => {
  await fleet.follow(3);
  const { activity } = await fleet.follow(7);
  const actor = fleet.serverActor(7);
  const undo = { id: fleet.newId(actor, 'undos'), type: 'Undo', actor, object: activity.object };
  expect(await fleet.send(undo, actor)).toBe(202);
  expect(await fleet.send(fleet.post(7), fleet.person(7))).toBe(403);
});

const hour = 60 * 60_000;

/** A post that Alice has opened, whose thread is being fetched: of two answers the second is not given before `given`. */
async function openedThread(alice: { readonly token: string }) {
  const replies = [12, 12].map((number) => fleet.post(number, { note: { published: at(-hour) } }).object);
  const ids = replies.map(({ id }) => id);
  const root = fleet.post(11, {
    note: { published: at(-2 * hour), replies: { type: 'Collection', items: ids } },
  }).object;
  for (const reply of replies) fleet.objects.set(reply.id, { ...reply, inReplyTo: root.id });
  const asked: string[] = [];
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  fleet.beforeDocument = (address) => {
    asked.push(address);
    return address === ids[1] ? given : undefined;
  };
  const get = async (path: string) => (await server.fetch(path, { token: alice.token })).json();
  const { statuses } = (await get(`/api/v2/search?resolve=true&q=${encodeURIComponent(root.id)}`)) as {
    statuses: { id: string }[];
  };
  const answers = async () => {
    const { descendants } = (await get(`/api/v1/statuses/${statuses[0]!.id}/context`)) as {
      descendants: { uri: string }[];
    };
    return descendants.map(({ uri }) => uri).sort();
  };
  await answers();
  await until(() => asked.includes(ids[1]!), { description: 'the second answer to be asked for' });
  return { ids: ids.sort(), give, answers, asked };
}

const at = (later: number) => new Date(Date.now() + later).toISOString();

async function keyOf(name: string): Promise<unknown> {
  const { publicKey } = (await (await server.fetch(`/users/${name}`, asActivity)).json()) as { publicKey: unknown };
  return publicKey;
}

test('a server that is killed goes on where each subscriber was, with threads and new keys as well', async () => {
  const alice = await server.createUser('alice');
  const actor = `${server.origin}/users/alice`;
  const follow = {
    id: fleet.newId(fleet.person(13), 'follows'),
    type: 'Follow',
    actor: fleet.person(13),
    object: actor,
  };
  expect(await fleet.send(follow, fleet.person(13), `${actor}/inbox`)).toBe(202);
  await fleet.arrived(13, ({ activity }) => activity.type === 'Accept');
  const formerKey = await keyOf('alice');
  await fleet.follow(3);
  await fleet.follow(4);
  await fleet.follow(8);
  fleet.answers = ({ host }) => (host === fleet.host(8) ? 503 : 202);
  const posts = Array.from({ length: 20 }, () => fleet.post(3));
  for (const post of posts) await fleet.send(post, fleet.person(3));
  await fleet.arrived(4, ({ activity }) => activity.id === posts.at(-1)!.id);
  const thread = await openedThread(alice);
  await server.run('accounts', 'rotate-keys', '--all');
  await server.kill();
  thread.give();
  fleet.answers = () => 202;
  const { dataDirectory, port } = server;
  const environment = { MURMURATION_RELAY: 'beside', MURMURATION_RELAY_SUBSCRIPTIONS: 'open' };
  server = await startTestServer({ dataDirectory, port, environment });
  await server.run('deliveries', 'retry', 'all');
  await fleet.arrived(8, ({ activity }) => activity.id === posts.at(-1)!.id);
  const got = fleet.at(8).flatMap(({ activity }) => (posts.some(({ id }) => id === activity.id) ? [activity.id] : []));
  await until(() => got.length >= posts.length || fleet.at(8).length >= posts.length, { description: 'all posts' });
  expect(new Set(got).size).toBe(posts.length);

  await until(async () => (await thread.answers()).length === thread.ids.length, { description: 'the thread' });
  expect(await thread.answers()).toEqual(thread.ids);
  const rotation = () => server.run('accounts', 'rotate-keys', '--all');
  await until(async () => (await rotation()).includes('until'), { description: 'new keys for all' });
  const isOfKey = ({ activity }: Arrival) => activity.type === 'Update' && activity.actor === actor;
  await fleet.arrived(13, isOfKey);
  const told = fleet.at(13).filter(isOfKey);
  // One that was on its way when the server died is sent again: it is the same.
  expect(new Set(told.map(({ activity }) => activity.id)).size).toBe(1);
  const key = await keyOf('alice');
  expect(key).not.toEqual(formerKey);
  expect(told.map(({ activity }) => (activity.object as { publicKey: unknown }).publicKey)).toContainEqual(key);
});
