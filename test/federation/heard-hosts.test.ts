/** Which requests tell the lanes that a host is alive, and what the others cost. */
import { expect, test } from 'vitest';
import { PartitionActor } from '../../src/actors/partition/partition.messages.ts';
import { numbersOfHosts } from '../../src/actors/partition/partition.state.ts';
import { Relay, relayKey } from '../../src/actors/relay/relay.messages.ts';
import { findSubscription } from '../../src/actors/relay/relay.queries.ts';
import { HeardHosts } from '../../src/federation/inbox/heard-hosts.ts';
import { activityLimits } from '../../src/federation/limits.ts';
import { relayInboxOf } from '../../src/federation/relay/relay-inbox.ts';
import { slotOfKey } from '../../src/runtime/ids.ts';
import { StorageFailure } from '../../src/runtime/storage/log.ts';
import type { RelayNetwork } from '../../src/services/relay.ts';
import { noDeliveries, only } from '../support/only.ts';
import { aliceFollowsBob, home, InboundBed, RemotePerson } from './inbound-bed.ts';
import { signedGetHeaders, signedHeaders } from './signed-headers.ts';

const hour = 3_600_000;
const aliceUri = `${home}/users/alice`;
const { heardHostMilliseconds, heardHostsMax } = activityLimits;

/** Alice and Bob follow each other, and deliveries to him wait for a day. `told`: the hosts that lanes are told of. */
async function waitingForBob(wait: { failures?: number; earliestAttemptIn?: number } = {}) {
  const { bed, alice, bob } = await aliceFollowsBob();
  expect(await bed.send(bob, bob.activity('Follow', aliceUri))).toBe(202);
  bed.gateway.actors.clock.advance(heardHostMilliseconds);
  const told: string[] = [];
  Object.assign(bed.gateway.services, {
    deliveryLanes: { ...noDeliveries, heardFrom: (host: string) => void told.push(host) },
  });
  const { failures = 7, earliestAttemptIn = 0 } = wait;
  await setLane(bed, bob.host, {
    failures,
    nextAttemptAt: bed.now + 24 * hour,
    earliestAttemptAt: bed.now + earliestAttemptIn,
  });
  let notes = 0;
  const send = (person: RemotePerson, by = person) => {
    notes += 1;
    return bed.send(person, by.create(by.note(`note${notes}`)));
  };
  const pass = (milliseconds: number) => bed.gateway.actors.clock.advance(milliseconds);
  return { bed, alice, bob, told, send, pass };
}

/** The state of a lane, as a network thread stores it. */
async function setLane(
  bed: InboundBed,
  host: string,
  state: { failures: number; nextAttemptAt?: number; earliestAttemptAt?: number },
): Promise<void> {
  const partition = bed.read.placement.partitionOf(slotOfKey(host));
  const { number } = bed.read.partitions[partition]!.get(numbersOfHosts, [host])!;
  const lanes = [{ host: number, cursor: 0, ahead: [], ...state }];
  const message = { reader: 0, readers: 1, lanes, floor: 0 };
  await bed.gateway.actors.call(PartitionActor.progressed.to(BigInt(partition), message));
}

test('a verified activity of a host for which deliveries wait is told once a minute', async () => {
  const { bob, told, send, pass } = await waitingForBob();
  expect(await send(bob)).toBe(202);
  expect(told).toEqual(['remote.example']);
  for (let request = 0; request < 20; request += 1) expect(await send(bob)).toBe(202);
  pass(heardHostMilliseconds - 1);
  await send(bob);
  expect(told).toHaveLength(1);
  pass(1);
  await send(bob);
  expect(told).toHaveLength(2);
});

test('so is a GET that is signed, and a first activity whose key has to be fetched', async () => {
  const { bed, alice, bob, told, pass } = await waitingForBob();
  const path = `/users/alice/statuses/${await bed.publish(alice, 'hidden', { visibility: 'private' })}`;
  await bed.gateway.fetch(path, { headers: { accept: 'application/activity+json' } });
  expect(told).toEqual([]);
  const headers = { accept: 'application/activity+json', ...signedGetHeaders(bob, path, bed.now) };
  await bed.gateway.fetch(path, { headers });
  expect(told).toEqual(['remote.example']);
  pass(heardHostMilliseconds);
  const carol = bed.person('remote.example', 'carol');
  expect(await bed.send(carol, carol.activity('Follow', aliceUri))).toBe(202);
  expect(told).toHaveLength(2);
});

test('a forged, an unsigned and a forwarded activity prove nothing about the host that they name', async () => {
  const { bed, bob, told, send } = await waitingForBob();
  const mallory = new RemotePerson('remote.example', 'bob');
  mallory.rotateKey();
  expect(await send(mallory)).toBe(401);
  expect(await bed.post('/inbox', JSON.stringify(bob.create(bob.note('unsigned'))), {})).toBe(401);
  const dave = bed.person('other.example', 'dave');
  await bed.know(dave);
  expect(await send(dave, bob)).toBe(202);
  expect(told).toEqual([]);
});

test.each([
  ['a host that works', { failures: 0 }],
  ['a host whose wait can not be shortened yet', { earliestAttemptIn: 24 * hour }],
])('of %s nothing is told, however much it sends', async (_what, wait) => {
  const { bob, told, send, pass } = await waitingForBob(wait);
  for (let request = 0; request < 50; request += 1) {
    expect(await send(bob)).toBe(202);
    pass(10_000);
  }
  expect(told).toEqual([]);
});

test('a host that nothing was ever delivered to is none of it', async () => {
  const { bed, told, send } = await waitingForBob();
  const carol = bed.person('never.example', 'carol');
  await bed.know(carol);
  expect(await send(carol)).toBe(202);
  expect(told).toEqual([]);
});

/** Over the lanes of nobody. `read` is called whenever the state of a lane is asked for. */
function heardHosts(bed: InboundBed, read: () => void) {
  const problems: string[] = [];
  let now = 0;
  const hosts = new HeardHosts({
    deliveryLanes: noDeliveries,
    report: ({ message }) => void problems.push(message),
    now: () => now,
    monotonic: () => now,
    get snapshots() {
      read();
      return bed.gateway.services.snapshots;
    },
  });
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { hosts, problems, pass };
}

test('a lane whose state can not be read is a problem of its own, and none of the request', () => {
  const { hosts, problems } = heardHosts(new InboundBed(), () => {
    throw new StorageFailure(new Error('EIO'));
  });
  hosts.heard('remote.example');
  hosts.heard('remote.example');
  expect(problems).toEqual(['the state of deliveries to remote.example could not be read']);
});

test('lanes are read once a minute and host, of so many hosts and no more', () => {
  let reads = 0;
  const { hosts, pass } = heardHosts(new InboundBed(), () => {
    reads += 1;
  });
  const readsOf = (count: number) => {
    reads = 0;
    for (let number = 0; number < count; number += 1) hosts.heard(`host${number}.example`);
    return reads;
  };
  expect([readsOf(100), readsOf(100)]).toEqual([100, 0]);
  pass(heardHostMilliseconds / 2);
  expect(readsOf(heardHostsMax + 10)).toBe(heardHostsMax - 100);
  pass(heardHostMilliseconds / 2);
  expect([readsOf(heardHostsMax + 10), readsOf(heardHostsMax + 10)]).toEqual([100, 0]);
});

/** The lane of the relay to Bob's server waits, that of deliveries does not. `post`: sends to the inbox of the relay. */
async function relayWaitingForBob() {
  const { bed, bob, told, pass, send } = await waitingForBob({ failures: 0 });
  const { host } = bob;
  const follower = {
    ...{ form: 'public' as const, actor: bob.uri, follow: '{}' },
    ...{ inbox: `https://${host}/inbox`, postsInbox: `https://${host}/inbox` },
  };
  const { actors, services } = bed.gateway;
  await actors.call(Relay.follow.to(relayKey, { host, follower, mode: 'open' }));
  const { number } = findSubscription(bed.read, host)!;
  const wait = { failures: 7, nextAttemptAt: bed.now + 24 * hour, earliestAttemptAt: bed.now };
  const lanes = [{ host: number, cursor: 0, ahead: [], ...wait }];
  await actors.call(Relay.progressed.to(relayKey, { reader: 0, readers: 1, lanes, floor: 0 }));
  const publicKeyPem = bob.pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const relay = only<RelayNetwork>('relay', {
    actor: async () => ({
      ...{ uri: bob.uri, type: 'Person', inbox: `${bob.uri}/inbox`, sharedInbox: undefined },
      ...{ keys: [{ id: bob.keyId, text: publicKeyPem }], optsOut: false, isIndexable: true },
    }),
    received: () => undefined,
  });
  const inbox = relayInboxOf({ ...services, relay });
  const post = (activity: object, by = bob) => {
    const body = JSON.stringify(activity);
    const headers = new Map(
      Object.entries({ host: 'social.example', ...signedHeaders(by, '/relay/inbox', body, bed.now) }),
    );
    const request = { method: 'POST', origin: home, rawTarget: '/relay/inbox', headers };
    return inbox.receive({ ...request, body: Buffer.from(body), address: '192.0.2.1' });
  };
  return { bed, bob, told, pass, send, post };
}

test('a subscriber of the relay that sends something is tried earlier, whichever inbox it comes to', async () => {
  const { bob, told, pass, send, post } = await relayWaitingForBob();
  await post(bob.activity('Undo', `${bob.uri}/follows/x`));
  expect(told).toEqual([bob.host]);
  pass(heardHostMilliseconds);
  await send(bob);
  expect(told).toEqual([bob.host, bob.host]);
  const mallory = new RemotePerson(bob.host, 'bob');
  mallory.rotateKey();
  pass(heardHostMilliseconds);
  await expect(post(bob.activity('Undo', `${bob.uri}/follows/y`), mallory)).rejects.toThrow();
  expect(told).toHaveLength(2);
});
