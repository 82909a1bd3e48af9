/** What streams send of statuses, over the partitions of a test: whose frames share one payload, and what is not sent. */
import type { TemplatedApp } from 'uWebSockets.js';
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { profileChanged } from '../../../src/actors/account/profile/profile.events.ts';
import { profiles } from '../../../src/actors/account/profile/profile.state.ts';
import { type StatusFacts, statusArrived } from '../../../src/actors/account/statuses/statuses.events.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import type { UserGrant } from '../../../src/gateway/http/grant.ts';
import { channelOf } from '../../../src/gateway/streaming/channels.ts';
import type { StreamFrame } from '../../../src/gateway/streaming/frame.ts';
import { StreamHub } from '../../../src/gateway/streaming/hub.ts';
import { parsePositions } from '../../../src/gateway/streaming/position.ts';
import { Circle, type Post } from '../../actors/account/circle.ts';
import type { Person } from '../../actors/account/observer.ts';
import { presenting } from '../../support/presenting.ts';
import { until } from '../../support/until.ts';

let circle: Circle;
let services: GatewayServices;
let hub: StreamHub;
let alice: Person;
let bob: Person;

beforeEach(async () => {
  circle = new Circle();
  services = presenting(circle.server);
  Object.assign(services, {
    options: { rateLimits: false },
    feeds: { partitionOf: () => 0 },
    client: { control: () => Promise.resolve({ commit: 0 }) },
    report: () => undefined,
  });
  hub = new StreamHub(services, {} as TemplatedApp);
  alice = await circle.local('alice', 0);
  bob = await circle.local('bob', 1);
});

/** Opens a channel; the frames that it gets. */
function listen(person: Person, channel: string, since?: string): StreamFrame[] {
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
    close: () => undefined,
  };
  hub.connected(connection);
  hub.subscribe(connection, channelOf(channel)!, since === undefined ? undefined : parsePositions(since));
  return frames;
}

function arrive(post: Post, readers: readonly Person[]): void {
  const facts: StatusFacts = {
    id: post.id,
    accountId: alice.id,
    local: true,
    visibility: 'public',
    tags: [],
    mentions: [],
    hasMedia: false,
  };
  const batch = { partition: 1, commit: 1_000, events: [{ event: statusArrived.number, body: facts }] };
  services.events.dispatch(batch, [{ index: 0, accounts: readers.map(({ id }) => id) }]);
}

test('a post is made into a payload once, whatever channels and partitions it comes by', async () => {
  const channels = [listen(bob, 'public'), listen(bob, 'public:local'), listen(alice, 'public')];
  const home = listen(bob, 'user');
  const post = await circle.publish(alice);
  arrive(post, [bob]);
  const payloads = [...channels, home].map((frames) => frames.map(({ payload }) => payload));
  expect(payloads).toEqual(Array.from(payloads, () => [expect.anything()]));
  expect(new Set(payloads.flat()).size).toBe(1);
  expect(JSON.parse(payloads[0]![0]!.json)).toMatchObject({ id: post.id.toString(), favourited: false });
});

test('the public streams carry nothing of limited accounts, live or by a replay', async () => {
  circle.server.turn(Account.actor, alice.id, (turn) => {
    turn.put(profiles, [alice.id], { ...turn.get(profiles, [alice.id])!, limited: true });
    turn.emit(profileChanged, { accountId: alice.id });
  });
  const listening = listen(bob, 'public');
  const first = await circle.publish(bob);
  await circle.publish(alice);
  const last = await circle.publish(bob);
  expect(listening.map(({ statusId }) => statusId)).toEqual([first.id, last.id]);
  const publicChannel = channelOf('public')!;
  const { id } = JSON.parse(Buffer.from(listening[0]!.webSocket(publicChannel)).toString()) as { id: string };
  const again = listen(bob, 'public', id);
  await until(() => again.length > 0);
  expect(again.map(({ statusId }) => statusId)).toEqual([last.id]);
});
