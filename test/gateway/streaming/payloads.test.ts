/** Payloads of statuses on streams: which viewers share one payload, and what is not sent. */

import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { type StatusFacts, statusArrived } from '../../../src/actors/account/statuses/statuses.events.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { announced } from '../../../src/actors/partition/partition.events.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import type { UserGrant } from '../../../src/gateway/http/grant.ts';
import type { StreamingApp } from '../../../src/gateway/http/native-apps.ts';
import { channelOf, type GivenParameters } from '../../../src/gateway/streaming/channels.ts';
import type { StreamFrame } from '../../../src/gateway/streaming/frame.ts';
import { StreamHub } from '../../../src/gateway/streaming/hub.ts';
import { parsePositions } from '../../../src/gateway/streaming/position.ts';
import { slotOfId } from '../../../src/runtime/ids.ts';
import type { Post } from '../../support/acts.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { presenting } from '../../support/presenting.ts';
import { until } from '../../support/until.ts';

let people: People;
let services: GatewayServices;
let hub: StreamHub;
let alice: Person;
let bob: Person;

beforeEach(async () => {
  people = new People();
  services = presenting(people.server);
  Object.assign(services, {
    options: { rateLimits: false },
    feeds: { partitionOf: () => 0 },
    client: { control: () => Promise.resolve({ commit: 0 }) },
    report: () => undefined,
  });
  hub = new StreamHub(services, {} as StreamingApp);
  alice = people.local('alice');
  bob = people.local('bob');
});

/** Opens a channel; the frames that it gets. */
function listen(
  person: Person,
  channel: string,
  since?: string,
  given: GivenParameters = {},
  canTakeMore = () => true,
): StreamFrame[] {
  const frames: StreamFrame[] = [];
  const grant: UserGrant = {
    tokenId: '',
    accountId: person.id,
    applicationId: 0n,
    scopes: new Set(['read']),
    dialect: 'mastodon',
  };
  const connection = {
    grant,
    deliver: (_: unknown, frame: StreamFrame) => void frames.push(frame),
    canTakeMore,
    close: () => undefined,
  };
  hub.connected(connection);
  hub.subscribe(connection, channelOf(channel, given)!, since === undefined ? undefined : parsePositions(since));
  return frames;
}

/** The id that the frame has in a channel without a parameter. */
function idIn(channel: string, frame: StreamFrame, mergesLogs: boolean): string {
  const bytes = frame.webSocket({ channel: channelOf(channel)!, mergesLogs });
  return (JSON.parse(Buffer.from(bytes).toString()) as { id: string }).id;
}

function arrive(post: Post, readers: readonly Person[]): void {
  const facts: StatusFacts = {
    id: post.id,
    accountId: post.author.id,
    local: true,
    visibility: 'public',
    tags: [],
    mentions: people.statusOf(post)!.mentions.map(({ id }) => id),
    hasMedia: false,
  };
  const batch = { partition: 1, commit: 1_000, events: [{ event: statusArrived.number, body: facts }] };
  services.events.dispatch(batch, [{ index: 0, ids: readers.map(({ id }) => id) }]);
}

test('a post is made into a payload once, whatever channels and partitions it comes by', async () => {
  const channels = [listen(bob, 'public'), listen(bob, 'public:local'), listen(alice, 'public')];
  const home = listen(bob, 'user');
  const post = await people.publish(alice);
  arrive(post, [bob]);
  const payloads = [...channels, home].map((frames) => frames.map(({ payload }) => payload));
  expect(payloads).toEqual(Array.from(payloads, () => [expect.anything()]));
  expect(new Set(payloads.flat()).size).toBe(1);
  expect(JSON.parse(payloads[0]![0]!.json)).toMatchObject({ id: post.id.toString(), favourited: false });
});

describe('for a viewer with filters (specification 6.1: the streaming side applies filters)', () => {
  const filter = (more: object = {}) =>
    people.server.call(
      Account.changeFilter.to(bob.id, {
        changes: { title: 'Animals', contexts: ['home'], action: 'hide', ...more },
        keywords: [{ keyword: 'cat' }],
      }),
    );
  const keywordsIn = ({ payload }: StreamFrame) =>
    (JSON.parse(payload!.json) as { filtered: { keyword_matches: string[] }[] }).filtered.flatMap(
      (match) => match.keyword_matches,
    );

  test('a post is matched in public channels and at home, live and by a replay; to others it is as it was', async () => {
    await filter();
    const [bobs, alices, home] = [listen(bob, 'public'), listen(alice, 'public'), listen(bob, 'user')];
    const first = await people.publish(bob, { text: 'nothing' });
    arrive(await people.publish(alice, { text: 'My cat' }), [bob]);
    arrive(first, [bob]);
    expect(bobs.map(keywordsIn)).toEqual([[], ['cat']]);
    expect(alices.map(keywordsIn)).toEqual([[], []]);
    expect(home.map(keywordsIn)).toEqual([['cat'], []]);
    const again = listen(bob, 'public', idIn('public', bobs[0]!, true));
    await until(() => again.length > 0);
    expect(again.map(keywordsIn)).toEqual([['cat']]);
  });

  test('what an irreversible filter of version 1 matches is not sent home, and stays public (specification 2.5)', async () => {
    await filter({ isIrreversible: true });
    const [inPublic, home] = [listen(bob, 'public'), listen(bob, 'user')];
    arrive(await people.publish(alice, { text: 'My cat' }), [bob]);
    expect([inPublic.map(keywordsIn), home]).toEqual([[['cat']], []]);
  });

  test('filters that come while a stream is open apply at once, and are told once for each request', async () => {
    const [inPublic, home, others] = [listen(bob, 'public'), listen(bob, 'user'), listen(alice, 'user')];
    await filter();
    await people.publish(alice, { text: 'My cat' });
    expect(inPublic.map(keywordsIn)).toEqual([['cat']]);
    expect([home.map(({ event }) => event), others.map(({ event }) => event)]).toEqual([['filters_changed'], []]);
    const user = channelOf('user')!;
    expect(Buffer.from(home[0]!.webSocket({ channel: user, mergesLogs: false })).toString()).toMatch(
      /^{"stream":\["user"\],"event":"filters_changed","id":"[^"]+"}$/,
    );
    expect(Buffer.from(home[0]!.serverSent({ mergesLogs: false })).toString()).toContain(
      'event: filters_changed\ndata: null\n',
    );
  });
});

describe('a list (specification 4.5, 6.1)', () => {
  const make = async (exclusive: boolean): Promise<string> => {
    await people.follow(bob, alice);
    const list = { title: 'Friends', repliesPolicy: 'list' as const, exclusive };
    const { listId } = await people.server.call(Account.createList.to(bob.id, list));
    await people.server.call(Account.addToList.to(bob.id, { listId, memberIds: [alice.id] }));
    return listId.toString();
  };
  const idsOf = (frames: readonly StreamFrame[]) => frames.map(({ statusId }) => statusId);

  test.each([
    [false, 2],
    [true, 1],
  ])('streams what its members publish; where it is exclusive (%s), home does not', async (exclusive, atHome) => {
    const list = await make(exclusive);
    const [inList, home] = [listen(bob, 'list', undefined, { list }), listen(bob, 'user')];
    const own = await people.publish(bob);
    const post = await people.publish(alice);
    for (const one of [own, post]) arrive(one, [bob]);
    expect([idsOf(inList), idsOf(home)]).toEqual([[post.id], [own.id, post.id].slice(0, atHome)]);
  });

  test('becomes exclusive while a stream is open', async () => {
    const listId = BigInt(await make(false));
    const home = listen(bob, 'user');
    await people.server.call(Account.changeList.to(bob.id, { listId, exclusive: true }));
    arrive(await people.publish(alice), [bob]);
    await people.server.call(Account.removeFromList.to(bob.id, { listId, memberIds: [alice.id] }));
    const shown = await people.publish(alice);
    arrive(shown, [bob]);
    expect(idsOf(home)).toEqual([shown.id]);
  });

  test('of somebody else is no channel', async () => {
    const channel = channelOf('list', { list: await make(false) })!;
    expect([hub.find(channel, bob.id), hub.find(channel, alice.id)]).toEqual([channel, undefined]);
    expect(hub.find(channelOf('list', { list: '5' })!, bob.id)).toBeUndefined();
    expect(channelOf('list', { list: 'word' })).toBeUndefined();
  });
});

describe('to the home of somebody who follows a tag', () => {
  const followTag = (name: string) => people.server.call(Account.followTag.to(bob.id, { name }));
  const idsOf = (frames: readonly StreamFrame[]) => frames.map(({ event, statusId }) => [event, statusId]);

  test('public statuses with it are streamed, once, from the moment it is followed', async () => {
    const [bobs, alices] = [listen(bob, 'user'), listen(alice, 'user')];
    await people.publish(alice, { tags: ['cats'] });
    await followTag('cats');
    await followTag('dogs');
    const post = await people.publish(alice, { tags: ['cats', 'dogs'] });
    await people.publish(alice, { tags: ['cats'], visibility: 'unlisted' });
    await people.publish(bob, { tags: ['cats'] });
    await people.remove(post);
    await people.server.call(Account.unfollowTag.to(bob.id, { name: 'cats' }));
    await people.publish(alice, { tags: ['cats'] });
    expect(idsOf(bobs)).toEqual([
      ['update', post.id],
      ['delete', post.id],
    ]);
    expect(alices).toEqual([]);
  });

  test('what belongs there by a follow comes by that alone, and nothing of whom the viewer hides', async () => {
    await followTag('cats');
    await people.follow(bob, alice);
    const carol = people.local('carol');
    await people.mute(bob, carol);
    const home = listen(bob, 'user');
    await people.publish(carol, { tags: ['cats'] });
    const post = await people.publish(alice, { tags: ['cats'] });
    expect(home).toEqual([]);
    arrive(post, [bob]);
    expect(idsOf(home)).toEqual([['update', post.id]]);
  });

  test('what mentions somebody whom the viewer hides comes neither by a follow nor by a tag', async () => {
    await followTag('cats');
    await people.follow(bob, alice);
    const carol = people.local('carol');
    await people.mute(bob, carol);
    const [home, inPublic] = [listen(bob, 'user'), listen(bob, 'public')];
    arrive(await people.publish(alice, { mentions: [carol] }), [bob]);
    arrive(await people.publish(alice, { tags: ['cats'], mentions: [carol] }), [bob]);
    expect([home.length, inPublic.length]).toEqual([0, 2]);
  });

  test('its followers share a frame, whose id says how far all logs are', async () => {
    const carol = people.local('carol', { partition: 0 });
    for (const { id } of [bob, carol]) await people.server.call(Account.followTag.to(id, { name: 'cats' }));
    const [bobs, carols, alices] = [listen(bob, 'user'), listen(carol, 'user'), listen(alice, 'user')];
    const post = await people.publish(alice, { tags: ['cats'] });
    arrive(post, [alice]);
    expect(bobs[0]).toBe(carols[0]);
    expect(parsePositions(idIn('user', bobs[0]!, true)).map(({ partition }) => partition)).toEqual([0, 1]);
    expect(parsePositions(idIn('user', alices[0]!, false))).toEqual([{ partition: 1, commit: 1_000, index: 0 }]);
  });

  test('a tag that is followed during a replay counts from then on', async () => {
    const inPublic = listen(bob, 'public');
    await people.publish(bob);
    await people.publish(alice);
    const own = idIn('public', inPublic.at(-1)!, true).split(',')[0]!;
    let hasRoom = false;
    const home = listen(bob, 'user', own, {}, () => hasRoom);
    const carol = people.local('carol', { partition: 1 });
    await people.publish(carol, { tags: ['cats'] });
    await followTag('cats');
    const posts = [await people.publish(carol, { tags: ['cats'] }), await people.publish(carol)];
    hasRoom = true;
    hub.drained();
    await until(() => home.length > 0);
    expect(idsOf(home)).toEqual([['update', posts[0]!.id]]);
  });
});

test('accounts of a domain that the viewer hides are not streamed to that viewer, live or by a replay', async () => {
  const carol = people.remote('carol', 'there.test');
  const [bobs, alices, home] = [listen(bob, 'public'), listen(alice, 'public'), listen(bob, 'user')];
  const first = await people.publish(alice);
  await people.server.call(Account.blockDomain.to(bob.id, { domain: 'there.test', followed: [] }));
  const hidden = await people.receive(carol, 'https://there.test/1');
  arrive(hidden, [bob]);
  const last = await people.publish(alice);
  const idsOf = (frames: readonly StreamFrame[]) => frames.map(({ statusId }) => statusId);
  expect([idsOf(bobs), idsOf(alices), idsOf(home)]).toEqual([[first.id, last.id], [first.id, hidden.id, last.id], []]);
  const again = listen(bob, 'public', idIn('public', bobs[0]!, true));
  await until(() => again.length > 0);
  expect(idsOf(again)).toEqual([last.id]);
});

test('the public streams carry nothing of limited accounts, live or by a replay', async () => {
  people.moderate(alice, { limited: true });
  const listening = listen(bob, 'public');
  const first = await people.publish(bob);
  await people.publish(alice);
  const last = await people.publish(bob);
  expect(listening.map(({ statusId }) => statusId)).toEqual([first.id, last.id]);
  const again = listen(bob, 'public', idIn('public', listening[0]!, true));
  await until(() => again.length > 0);
  expect(again.map(({ statusId }) => statusId)).toEqual([last.id]);
});

test('an announcement is encoded once, and looks at those who listen in its partition and at nobody else', async () => {
  const placed: bigint[] = [];
  const partitionOf = (id: bigint) => {
    placed.push(id);
    return slotOfId(id) < 512 ? 0 : 1;
  };
  Object.assign(services, { feeds: { partitionOf } });
  hub = new StreamHub(services, {} as StreamingApp);
  const crowd = Array.from({ length: 20 }, (_, number) => people.local(`person_${number}`, { partition: number % 2 }));
  const heard = crowd.slice(0, 10).map((person) => listen(person, 'user'));
  const announcement = { text: 'Birds', html: '<p>Birds</p>', allDay: false, mentions: [], statuses: [], tags: [] };
  const { announcementId } = await people.server.call(Instance.publishAnnouncement.to(instanceKey, announcement));
  placed.length = 0;
  for (const partition of [0, 1]) {
    const events = [{ event: announced.number, body: { announcementId } }];
    services.events.dispatch({ partition, commit: 1_000, events }, []);
  }
  expect(heard.map((frames) => frames.map(({ event }) => event))).toEqual(heard.map(() => ['announcement']));
  expect(new Set(heard.flat().map(({ payload }) => payload)).size).toBe(1);
  expect(new Set(heard.flat()).size).toBe(2);
  expect(placed).toEqual([]);
});
