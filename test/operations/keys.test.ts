/** New keys: of an account, of the server, and of all accounts in slices. */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { formerKeyMilliseconds } from '../../src/actors/account/profile/profile.records.ts';
import { findKeyPair } from '../../src/actors/account/remote/federation.queries.ts';
import { instanceSecrets } from '../../src/actors/instance/instance.queries.ts';
import { rotateKeysOfSome } from '../../src/actors/instance/keys/keys.effects.ts';
import { instanceLimits } from '../../src/actors/instance/limits.ts';
import { relayActorId, serverActorId } from '../../src/actors/intents.ts';
import { Relay, relayKey } from '../../src/actors/relay/relay.messages.ts';
import { LocalSigners } from '../../src/federation/local-signers.ts';
import { operator } from '../../src/operations/caller.ts';
import { keysOfAllRunner } from '../../src/operations/keys/keys-of-all.ts';
import { rotateAllKeys, rotateKeys, rotateServerKey } from '../../src/operations/keys/rotate-keys.ts';
import type { RequestSigner } from '../../src/outbound/signatures/types.ts';
import { roomyCaches } from '../support/caches.ts';
import type { Person } from '../support/observer.ts';
import { Callers } from './callers.ts';

const { keysPerSlice, keysPauseMilliseconds, keysKeptMilliseconds } = instanceLimits;

let callers: Callers;
let alice: Person;

beforeEach(() => {
  callers = new Callers();
  alice = callers.people.local('alice');
  giveKeys(alice);
});

const server = () => callers.people.server;
const asOperator = () => ({ caller: operator, services: callers.services });
const pairOf = ({ id }: Person) => findKeyPair(server().read, id)!;
const newIds = (count: number) => Array.from({ length: count }, (_, number) => callers.people.local(`person${number}`));

/** The pair of the server: making one takes long. */
function giveKeys({ id }: Person): void {
  server().callNow(Account.setKeysIfAbsent.to(id, instanceSecrets(server().read)!.keyPair));
}

function signers(): LocalSigners {
  const { addresses } = callers.services;
  const keys = { of: (id: bigint) => findKeyPair(server().read, id)! };
  return new LocalSigners({ snapshots: server().read, addresses, caches: roomyCaches('network') }, keys);
}

const privatePemOf = (signer: unknown) =>
  (signer as RequestSigner).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

test('an account gets another pair; what tells of it, and what waits, is signed with the former one, and nothing else', async () => {
  const rita = callers.people.remote('rita', 'there.test');
  await callers.people.follow(rita, alice);
  const before = pairOf(alice);
  const post = await callers.people.publish(alice, { text: 'Hello' });
  await rotateKeys(asOperator(), { account: alice.id });
  const after = pairOf(alice);
  expect(after.publicKeyPem).not.toBe(before.publicKeyPem);
  const update = callers.people.takeDeliveries().find(({ intent }) => intent.kind === 'updateAccount')!.intent;
  expect(update).toMatchObject({ tellsOfKey: true, activityId: after.former!.lastActivityId });
  const found = signers();
  for (const activityId of [post.id, update.activityId]) {
    const signer = found.find(alice.id, activityId) as RequestSigner;
    expect([privatePemOf(signer), privatePemOf(signer.successor)]).toEqual([before.privateKeyPem, after.privateKeyPem]);
    expect(signer.proofKey!.privateKey.equals(signer.successor!.proofKey!.privateKey)).toBe(false);
  }
  for (const activityId of [undefined, update.activityId + 1n]) {
    const signer = found.find(alice.id, activityId) as RequestSigner;
    expect([privatePemOf(signer), signer.successor]).toEqual([after.privateKeyPem, undefined]);
  }
});

test('the former pair is forgotten when nothing can wait any more, that of a later change as long after it', async () => {
  await rotateKeys(asOperator(), { account: alice.id });
  server().clock.advance(formerKeyMilliseconds / 2);
  const second = pairOf(alice);
  await rotateKeys(asOperator(), { account: alice.id });
  expect(pairOf(alice).former?.privateKeyPem).toBe(second.privateKeyPem);
  server().clock.advance(formerKeyMilliseconds / 2);
  expect(pairOf(alice).former).toBeDefined();
  server().clock.advance(formerKeyMilliseconds / 2);
  expect(pairOf(alice).former).toBeUndefined();
});

test('who has no keys gets none before they are needed', async () => {
  const bob = callers.people.local('bob');
  await expect(rotateKeys(asOperator(), { account: bob.id })).rejects.toThrow(/no keys yet/);
  expect(findKeyPair(server().read, bob.id)).toBeUndefined();
});

test('all accounts get others in slices with a pause, each once, also when the thread dies in between', async () => {
  const people = newIds(keysPerSlice + 1);
  const [keyless, ...others] = people;
  others.forEach(giveKeys);
  const all = [alice, ...others];
  const before = new Map(all.map((person) => [person, pairOf(person).publicKeyPem]));
  const changed = () => all.filter((person) => pairOf(person).publicKeyPem !== before.get(person)).length;
  expect(await rotateAllKeys(asOperator(), {})).toMatchObject({ isNew: true, rotated: 0 });
  // The first answer is lost with the thread.
  await runSlice({ isAnswered: false });
  const afterFirst = new Map(all.map((person) => [person, pairOf(person).publicKeyPem]));
  expect(changed()).toBeGreaterThanOrEqual(keysPerSlice - 1);
  expect(changed()).toBeLessThan(all.length);
  await runSlice();
  for (const person of all)
    if (afterFirst.get(person) !== before.get(person)) expect(pairOf(person).publicKeyPem).toBe(afterFirst.get(person));
  expect(await rotateAllKeys(asOperator(), {})).toMatchObject({ isNew: false });
  server().clock.advance(keysPauseMilliseconds);
  await runSlice();
  expect(changed()).toBe(all.length);
  expect(findKeyPair(server().read, keyless!.id)).toBeUndefined();
  const ended = await rotateAllKeys(asOperator(), {});
  expect(ended).toMatchObject({ isNew: false, endedAt: expect.any(Number) });
  server().clock.advance(keysKeptMilliseconds);
  expect(await rotateAllKeys(asOperator(), {})).toMatchObject({ isNew: true });
});

/** As network threads do. */
async function runSlice({ isAnswered = true } = {}): Promise<void> {
  const [, run] = keysOfAllRunner(callers.services);
  server().settle();
  const asked = server().effects.find(({ effect }) => effect === rotateKeysOfSome.number)!;
  const answer = await run(asked.request);
  if (!isAnswered) return;
  server().effects.splice(server().effects.indexOf(asked), 1);
  asked.answer(answer);
  server().settle();
}

test('the server and its relay get another key, of which those that subscribe are told', async () => {
  const hosts = ['one.example', 'two.example', 'waits.example'];
  for (const host of hosts) {
    const actor = `https://${host}/actor`;
    const follower = {
      actor,
      inbox: `${actor}/inbox`,
      postsInbox: `${actor}/inbox`,
      follow: '{}',
      form: 'public' as const,
    };
    const mode = host.startsWith('waits') ? ('approval' as const) : ('open' as const);
    server().callNow(Relay.follow.to(relayKey, { host, follower, mode }));
  }
  const before = instanceSecrets(server().read)!.keyPair;
  await rotateServerKey(asOperator(), {});
  const { keyPair } = instanceSecrets(server().read)!;
  expect(keyPair.publicKeyPem).not.toBe(before.publicKeyPem);
  server().settle();
  const told = callers.people.takeDeliveries().filter(({ intent }) => intent.kind === 'updateRelay');
  const inboxes = told.flatMap((delivery) => delivery.inboxes);
  expect(inboxes.sort()).toEqual(['https://one.example/actor/inbox', 'https://two.example/actor/inbox']);
  const { activityId } = told[0]!.intent;
  expect(privatePemOf(signers().find(relayActorId, activityId))).toBe(before.privateKeyPem);
  for (const id of [relayActorId, serverActorId]) expect(privatePemOf(signers().find(id))).toBe(keyPair.privateKeyPem);
  server().clock.advance(formerKeyMilliseconds);
  expect(instanceSecrets(server().read)!.keyPair.former).toBeUndefined();
});
