/** Repartitioning a used server in memory: nothing is lost, everything is found, lanes continue. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { actors, keyspaces } from '../../src/actors/catalogue.ts';
import { Directory } from '../../src/actors/directory/directory.messages.ts';
import { Instance, instanceKey } from '../../src/actors/instance/instance.messages.ts';
import { activityOf } from '../../src/actors/instance/instance.queries.ts';
import {
  deliveriesAfter,
  findHostNumber,
  findLaneState,
  hostOfNumber,
  type LoggedDelivery,
  visitHosts,
} from '../../src/actors/partition/deliveries.queries.ts';
import { findMailLane, mailsAfter } from '../../src/actors/partition/mails.queries.ts';
import { PartitionActor } from '../../src/actors/partition/partition.messages.ts';
import { findPushLane, pushesAfter } from '../../src/actors/partition/pushes.queries.ts';
import { relaysThatGetPosts } from '../../src/actors/partition/relays.state.ts';
import { findWebhookLane, newsAfter } from '../../src/actors/partition/webhooks.queries.ts';
import { webhookLane } from '../../src/actors/policy/webhooks.ts';
import { allJoinedRelays, findReceipts } from '../../src/actors/relay/joined/joined.queries.ts';
import { Relay, relayKey } from '../../src/actors/relay/relay.messages.ts';
import {
  allSubscriptions,
  findRelayLane,
  findSubscription,
  hostOfSubscription,
  relayedAfter,
  relayState,
} from '../../src/actors/relay/relay.queries.ts';
import { relocations } from '../../src/actors/relocations.ts';
import { dayOf, Session, tokenKey, userKey } from '../../src/actors/session/session.messages.ts';
import { slotOfKey } from '../../src/runtime/ids.ts';
import type { Reader } from '../../src/runtime/storage/reader.ts';
import { SnapshotReader } from '../../src/runtime/storage/reader.ts';
import { createTestServer, type TestServer } from '../support/actors.ts';
import { MemoryStore } from '../support/memory-log.ts';
import { plainPost } from '../support/plain-post.ts';
import { testProfile } from '../support/profile.ts';
import { repartitionedStores } from '../support/repartitioned.ts';
import { addAccount } from '../support/sign-up.ts';
import { assertSound } from '../support/sound.ts';

const hosts = ['one.example', 'two.example', 'three.example', 'four.example', 'five.example', 'six.example'];
const pushHosts = ['push-one.example', 'push-two.example', 'push-three.example'];
const mailHosts = ['mail-one.example', 'mail-two.example', 'mail-three.example'];
const webhookUrls = ['https://bot-one.example/', 'https://bot-two.example/', 'https://bot-three.example/'];
const people = ['alice', 'bob', 'carol', 'dave'];

let disks: readonly MemoryStore[];
let ids: bigint[];
let webhookIds: bigint[];

function storesOf(server: TestServer): MemoryStore[] {
  return server.disks as MemoryStore[];
}

async function followFromAfar(server: TestServer, host: string, targetId: bigint): Promise<bigint> {
  const uri = `https://${host}/users/zoe`;
  const remote = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
  const profile = testProfile({ username: 'zoe', domain: host, remote });
  const { accountId } = await server.call(Directory.learn.to(uri, { profile }));
  const signed = { uri: `${uri}/follows/${targetId}`, signedAt: server.clock.now() };
  await server.call(Account.receiveFollow.to(accountId, { targetId, ...signed }));
  return accountId;
}

function concernedBy(delivery: LoggedDelivery): Set<number> {
  const hostNumbers = new Set(delivery.single.map(({ host }) => host));
  visitHosts(delivery, (host) => void hostNumbers.add(host));
  return hostNumbers;
}

/** How far the lane of a host has come in its partition, written down as its network thread does. */
async function progress(server: TestServer, host: string, done: (sequences: number[]) => object): Promise<void> {
  const partition = server.read.placement.partitionOf(slotOfKey(host));
  const reader = server.read.partitions[partition]!;
  let number = 1;
  while (hostOfNumber(reader, number) !== host) number += 1;
  const sequences = deliveriesAfter(reader, 0, 1_000)
    .filter((delivery) => concernedBy(delivery).has(number))
    .map(({ sequence }) => sequence);
  const lane = { host: number, cursor: 0, ahead: [], failures: 0, ...done(sequences) };
  await server.call(
    PartitionActor.progressed.to(BigInt(partition), { reader: 0, readers: 1, lanes: [lane], floor: 0 }),
  );
}

beforeAll(async () => {
  const server = createTestServer({ partitions: 4, actors, keyspaces });
  ids = [];
  for (const [index, name] of people.entries())
    ids.push(await addAccount(server, name, { email: `${name}@${mailHosts[index % 3]}` }));
  const [alice, bob, carol, dave] = ids as [bigint, bigint, bigint, bigint];
  await server.call(Account.follow.to(bob, { targetId: alice, options: { notify: true } }));
  await server.call(Account.follow.to(carol, { targetId: alice, options: {} }));
  await server.call(Account.block.to(dave, { targetId: bob }));
  for (const host of hosts) await followFromAfar(server, host, alice);
  for (const host of hosts.slice(2)) await followFromAfar(server, host, bob);
  await server.call(
    Session.issueToken.to(tokenKey('t'), {
      ...{ clientId: 'app', applicationId: 5n, accountId: alice, scopes: ['read'], dialect: 'mastodon' },
    }),
  );
  const from = { address: '192.0.2.1', until: server.clock.now() + 400 * 86_400_000 };
  await server.call(Session.tokenUsed.to(tokenKey('t'), { day: 20_000, from }));
  server.send(Session.userActive.to(userKey(bob), { day: 20_001 }));
  for (const [index, host] of pushHosts.entries()) {
    const rights = { clientId: 'app', applicationId: 5n, scopes: ['push'], dialect: 'mastodon' as const };
    for (const accountId of [alice, bob]) {
      const token = tokenKey(`push ${index} ${accountId}`);
      await server.call(Session.issueToken.to(token, { ...rights, accountId }));
      const keys = { p256dh: '', auth: '', isStandard: true, alerts: ['favourite'], policy: 'all' as const };
      await server.call(
        Session.subscribeToPush.to(token, { subscription: { endpoint: `https://${host}/1`, ...keys } }),
      );
    }
  }
  webhookIds = [];
  for (const url of webhookUrls) {
    const content = { url, events: ['status.created' as const], template: '', secret: 'secret' };
    webhookIds.push((await server.call(Instance.addWebhook.to(instanceKey, content))).webhookId);
  }
  server.settle();
  const tags = [{ name: 'moving', display: 'moving' }];
  for (let post = 1; post <= 8; post += 1) {
    server.clock.advance(1_000);
    const author = post % 3 === 0 ? bob : alice;
    const { statusId } = await server.call(Account.publish.to(author, plainPost(`post ${post}`, { tags })));
    await server.call(Account.favourite.to(author, { statusId, by: carol }));
    if (post === 8) await server.call(Account.reblog.to(author, { statusId, by: dave }));
  }
  for (let change = 1; change <= 3; change += 1) {
    server.clock.advance(1_000);
    for (const id of ids) await server.call(Account.changeLogin.to(id, { passwordHash: `hash ${change}` }));
  }
  await relaying(server);
  await mailProgress(server, mailHosts[0]!);
  await pushProgress(server, pushHosts[0]!, (sequences) => ({ cursor: sequences[1] }));
  await pushProgress(server, pushHosts[1]!, (sequences) => ({
    ...{ cursor: sequences[0], ahead: [sequences[2], sequences[3]], failures: 2 },
  }));
  await webhookProgress(server, webhookIds[0]!, (sequences) => ({ cursor: sequences[2] }));
  await webhookProgress(server, webhookIds[1]!, (sequences) => ({
    ...{ cursor: sequences[0], ahead: [sequences[2], sequences[3]], failures: 2 },
  }));
  await progress(server, hosts[0]!, (sequences) => ({ cursor: sequences[1] }));
  await progress(server, hosts[3]!, (sequences) => ({ cursor: sequences[0], ahead: [sequences[2], sequences[3]] }));
  await progress(server, hosts[5]!, (sequences) => ({ cursor: sequences.at(-1), failures: 3, failingSince: 7 }));
  server.settle();
  disks = storesOf(server);
});

const subscribers = ['relayed-one.example', 'relayed-two.example'];
const joinedInbox = 'https://relay.example/inbox';

/** The relay with two subscribers, the first of which has got two of three posts, and another relay that was joined. */
async function relaying(server: TestServer): Promise<void> {
  for (const host of subscribers) {
    const [actor, inbox] = [`https://${host}/actor`, `https://${host}/inbox`];
    const follower = { form: 'public' as const, actor, inbox, postsInbox: inbox, follow: '{}' };
    await server.call(Relay.follow.to(relayKey, { host, follower, mode: 'open' }));
  }
  for (let post = 1; post <= 3; post += 1) {
    const author = `https://${subscribers[1]}/users/zoe`;
    const id = `${author}/${post}`;
    const traits = { tags: [], hasMedia: false, isSensitive: false, isBot: false };
    const relayed = { type: 'Create' as const, id, author, object: id, from: subscribers[1]!, traits };
    const bounds = { ageMilliseconds: 3_600_000, logBytesMax: 1_000_000 };
    await server.call(Relay.publish.to(relayKey, { posts: [{ relayed, names: [id] }], ...bounds }));
  }
  const { number } = findSubscription(server.read, subscribers[0]!)!;
  const lane = { host: number, cursor: 2, ahead: [], failures: 0 };
  await server.call(Relay.progressed.to(relayKey, { reader: 0, readers: 1, lanes: [lane], floor: 1 }));
  const joined = { host: 'relay.example', form: 'public' as const, inbox: joinedInbox };
  const { id, followId } = await server.call(Relay.join.to(relayKey, joined));
  const actor = 'https://relay.example/actor';
  await server.call(Relay.answered.to(relayKey, { followId, actor, isAccepted: true }));
  const receipts = { id, received: 3, taken: 2, refused: 1, shed: 0, lastAt: 7 };
  await server.call(Relay.brought.to(relayKey, { relays: [receipts] }));
}

/** Who subscribes to the relay and what each still gets, what is recognised, and what the joined relay has brought. */
function relayed({ read }: TestServer) {
  const [joined] = allJoinedRelays(read);
  return {
    subscribers: Array.from(allSubscriptions(read), (subscription) => ({
      ...subscription,
      name: hostOfSubscription(read, subscription.number),
      left: relayedAfter(read, findRelayLane(read, subscription.number)?.cursor ?? 0, 10),
    })),
    state: relayState(read),
    joined,
    receipts: findReceipts(read, joined!.id),
  };
}

/** How far a lane has come that entries of a log name by its number. */
function laneProgress(log: typeof pushesAfter | typeof newsAfter, message: 'pushesProgressed' | 'webhooksProgressed') {
  return async (server: TestServer, lane: string, done: (sequences: number[]) => object): Promise<void> => {
    const partition = server.read.placement.partitionOf(slotOfKey(lane));
    const reader = server.read.partitions[partition]!;
    const number = findHostNumber(reader, lane)!;
    const sequences = log(reader, 0, 1_000)
      .filter(({ host }) => host === number)
      .map(({ sequence }) => sequence);
    const lanes = [{ host: number, cursor: 0, ahead: [], failures: 0, ...done(sequences) }];
    await server.call(PartitionActor[message].to(BigInt(partition), { reader: 0, readers: 1, lanes, floor: 0 }));
  };
}

const pushProgress = laneProgress(pushesAfter, 'pushesProgressed');
const webhookProgress = (server: TestServer, webhookId: bigint, done: (sequences: number[]) => object) =>
  laneProgress(newsAfter, 'webhooksProgressed')(server, webhookLane(webhookId), done);

/** The first mail to a host was sent, and stored as sent; the second was not stored yet, but the lane has passed it. */
async function mailProgress(server: TestServer, host: string): Promise<void> {
  const partition = server.read.placement.partitionOf(slotOfKey(host));
  const reader = server.read.partitions[partition]!;
  const number = findHostNumber(reader, host)!;
  const [first, second] = mailsAfter(reader, 0, 1_000).filter((mail) => mail.host === number);
  await server.call(PartitionActor.mailEnded.to(BigInt(partition), { sequence: first!.sequence }));
  const lanes = [{ host: number, cursor: second!.sequence, ahead: [], failures: 0 }];
  await server.call(PartitionActor.mailsProgressed.to(BigInt(partition), { reader: 0, readers: 1, lanes, floor: 0 }));
}

/** The mails that each host still gets, in its order. */
function pendingMails(stores: readonly MemoryStore[]): Record<string, string[]> {
  const left: Record<string, string[]> = Object.fromEntries(mailHosts.map((host) => [host, []]));
  for (const reader of stores.map((store): Reader => new SnapshotReader(store)))
    for (const { host, sequence, email, at } of mailsAfter(reader, 0, 1_000)) {
      const { cursor } = findMailLane(reader, host) ?? { cursor: 0 };
      if (sequence > cursor) left[hostOfNumber(reader, host)!]!.push(`${email} ${at}`);
    }
  return left;
}

/** Whether the lane has been through with the entry. */
function isDone(sequence: number, { cursor = 0, ahead = [] }: { cursor?: number; ahead?: readonly number[] } = {}) {
  const isAhead = ahead.some((first, index) => index % 2 === 0 && first <= sequence && sequence <= ahead[index + 1]!);
  return sequence <= cursor || isAhead;
}

/** What each push service still gets, in its order. */
function pendingPushes(stores: readonly MemoryStore[]): Record<string, string[]> {
  const left: Record<string, string[]> = Object.fromEntries(pushHosts.map((host) => [host, []]));
  for (const reader of stores.map((store): Reader => new SnapshotReader(store)))
    for (const { host, sequence, accountId, notificationId, subscriptionId, at } of pushesAfter(reader, 0, 1_000)) {
      if (isDone(sequence, findPushLane(reader, host))) continue;
      left[hostOfNumber(reader, host)!]!.push([accountId, notificationId, subscriptionId, at].join(' '));
    }
  return left;
}

/** What each webhook is still told, in its order. */
function pendingNews(stores: readonly MemoryStore[]): string[][] {
  const left = new Map<bigint, string[]>(webhookIds.map((id) => [id, []]));
  for (const reader of stores.map((store): Reader => new SnapshotReader(store)))
    for (const { host, sequence, webhookId, event, subjectId, at } of newsAfter(reader, 0, 1_000)) {
      expect(hostOfNumber(reader, host)).toBe(webhookLane(webhookId));
      if (!isDone(sequence, findWebhookLane(reader, host))) left.get(webhookId)!.push([event, subjectId, at].join(' '));
    }
  return [...left.values()];
}

/** What each host still gets: for each delivery its kind, and the followers or inboxes that are meant. */
function pending(stores: readonly MemoryStore[]): Record<string, string[]> {
  const left: Record<string, string[]> = Object.fromEntries(hosts.map((host) => [host, []]));
  for (const store of stores) {
    const reader: Reader = new SnapshotReader(store);
    for (const delivery of deliveriesAfter(reader, 0, 1_000)) {
      for (const number of concernedBy(delivery)) {
        if (isDone(delivery.sequence, findLaneState(reader, number))) continue;
        const inboxes = delivery.single.filter(({ host }) => host === number).map(({ inbox }) => inbox);
        const isAddressed = delivery.addressed.includes(number);
        const what = [delivery.intent.kind, delivery.at, delivery.followersOf, inboxes.join(), isAddressed];
        // The relay's subscribers, and those that it has joined, are no hosts of followers.
        left[hostOfNumber(reader, number)!]?.push(what.join(' '));
      }
    }
  }
  return left;
}

const activity = (stores: readonly MemoryStore[]) =>
  activityOf(
    stores.map((store) => new SnapshotReader(store)),
    dayOf(Date.UTC(2025, 0, 1)),
  );

/** What belongs to slots, and to partitions without a number of theirs: the same whatever the placement is. */
function everything(stores: readonly MemoryStore[]): string[] {
  const numbered = relocations.flatMap(({ kind, keyspaces: of }) =>
    kind === 'with slot' ? [] : of.map(({ number }) => number),
  );
  return stores
    .flatMap((store) => [...store.range({ start: Uint8Array.of(0), end: Uint8Array.of(0xff, 0xff, 0xff) })])
    .filter(({ key }) => key[2]! > 19 && !numbered.includes(key[2]!))
    .map(({ key, value }) => `${Buffer.from(key).toString('hex')} ${Buffer.from(value).toString('hex')}`)
    .sort();
}

describe.each([[[1]], [[3]], [[16]], [[1, 3]], [[3, 16, 4]]])('from 4 partitions to %j', (ways) => {
  let stores: readonly MemoryStore[];
  beforeAll(() => {
    stores = ways.reduce<readonly MemoryStore[]>(
      (before, partitions) => repartitionedStores(before, partitions),
      disks,
    );
  });

  test('everything is there, and sound', () => {
    assertSound(stores);
    expect(everything(stores)).toEqual(everything(disks));
    expect(everything(stores).length).toBeGreaterThan(100);
    expect(activity(stores)).toEqual(activity(disks));
    expect(activity(disks)[0]).toMatchObject({ statuses: 8, logins: 0, registrations: 4 });
  });

  test('each host still gets what it would have got, in that order', () => {
    const before = pending(disks);
    expect(Object.values(before).map(({ length }) => length)).toEqual([5, 7, 10, 7, 10, 0]);
    expect(pending(stores)).toEqual(before);
  });

  test('each host still gets the mails that it would have got, in that order', () => {
    const before = pendingMails(disks);
    expect(Object.values(before).map(({ length }) => length)).toEqual([4, 3, 3]);
    expect(pendingMails(stores)).toEqual(before);
  });

  test('each push service still gets what it would have got, in that order', () => {
    const before = pendingPushes(disks);
    expect(Object.values(before).map(({ length }) => length)).toEqual([6, 5, 8]);
    expect(pendingPushes(stores)).toEqual(before);
  });

  test('each webhook is still told what it would have been told, in that order', () => {
    const before = pendingNews(disks);
    expect(before.map(({ length }) => length)).toEqual([6, 6, 9]);
    expect(pendingNews(stores)).toEqual(before);
  });

  test('the server goes on: a post reaches its followers, here and elsewhere', async () => {
    const copies = stores.map((store) => {
      const copy = new MemoryStore();
      copy.restore(store.copy());
      return copy;
    });
    const before = pending(copies);
    const told = pendingNews(copies);
    const server = createTestServer({ actors, keyspaces, disks: copies });
    const relay = relayed(createTestServer({ actors, keyspaces, disks: disks as MemoryStore[] }));
    expect(relayed(server)).toEqual(relay);
    expect(relay.subscribers.map(({ left }) => left.length).sort()).toEqual([1, 3]);
    expect(relay).toMatchObject({ receipts: { received: 3, taken: 2 }, joined: { state: 'accepted' } });
    for (const reader of server.read.partitions)
      expect(relaysThatGetPosts(reader)).toEqual([{ host: 'relay.example', inbox: joinedInbox }]);
    server.clock.advance(60_000);
    await server.call(Account.publish.to(ids[0]!, plainPost('moved')));
    assertSound(storesOf(server));
    expect(server.problems).toEqual([]);
    const after = pending(storesOf(server));
    for (const host of hosts) expect(after[host]!.length).toBe(before[host]!.length + 1);
    expect(pendingNews(storesOf(server)).map(({ length }) => length)).toEqual(told.map(({ length }) => length + 1));
  });
});

test('every keyspace that belongs to partitions has one relocation', () => {
  const declared = relocations.flatMap(({ keyspaces: of }) => of.map(({ number }) => number)).sort();
  const wide = keyspaces.filter(({ partitionWide }) => partitionWide).map(({ number }) => number);
  expect(new Set(declared).size).toBe(declared.length);
  expect(declared).toEqual(expect.arrayContaining(wide));
});
