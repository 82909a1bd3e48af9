/** Names and addresses have one owner each, also under concurrent requests. */

import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { create } from '../../../src/actors/account/local/lifecycle.ts';
import { findLocalAccount } from '../../../src/actors/account/profile/logins.queries.ts';
import type { Profile } from '../../../src/actors/account/profile/profile.records.ts';
import { keyspaces } from '../../../src/actors/catalogue.ts';
import { directoryActor } from '../../../src/actors/directory/directory.actor.ts';
import { Directory, nameOfEmail, nameOfHandle } from '../../../src/actors/directory/directory.messages.ts';
import {
  accountIdOfEmail,
  accountIdOfName,
  isNameTaken,
  knownHostsPage,
} from '../../../src/actors/directory/directory.queries.ts';
import { usageOf } from '../../../src/actors/instance/instance.queries.ts';
import { slotOfActor } from '../../../src/runtime/contract.ts';
import { slotOfId } from '../../../src/runtime/ids.ts';
import { createTestServer, partialActor, type TestServer } from '../../support/actors.ts';
import { testProfile } from '../../support/profile.ts';
import { addAccount, signUp } from '../../support/sign-up.ts';

let server: TestServer;
let learned: Profile[];

beforeEach(() => {
  learned = [];
  const learnProfile = (turn: { self: { key: bigint } }, message: { profile: Profile }) => {
    learned.push(message.profile);
    return { accountId: turn.self.key };
  };
  server = createTestServer({
    actors: [directoryActor, partialActor(Account, { create, learnProfile })],
    keyspaces,
  });
});

const register = (username: string, email: string) =>
  server.call(Directory.register.to(nameOfEmail(email), signUp(username, { email })));

describe('a sign-up', () => {
  test('makes an account that its name and its address lead to', async () => {
    const alice = await addAccount(server, 'Alice');
    expect(accountIdOfName(server.read, nameOfHandle('alice', undefined))).toBe(alice);
    expect(accountIdOfEmail(server.read, ' ALICE@example.org')).toBe(alice);
    expect(findLocalAccount(server.read, alice)).toMatchObject({
      profile: { username: 'Alice', role: 'user', createdAt: server.clock.now() },
      login: { email: 'Alice@example.org' },
    });
    expect(slotOfId(alice)).toBe(slotOfActor(nameOfHandle('alice', undefined)));
    expect(server.problems).toEqual([]);
  });

  test('is answered when its name and its address lead to the account, wherever those live', async () => {
    for (const name of ['alice', 'bob', 'carol', 'dave', 'erin', 'frank']) {
      const email = `${name}@example.org`;
      const message = Directory.register.to(nameOfEmail(email), signUp(name, { email }));
      const { accountId } = (await server.callOnly(message)) as { accountId: bigint };
      expect(accountIdOfEmail(server.read, email)).toBe(accountId);
      expect(accountIdOfName(server.read, nameOfHandle(name, undefined))).toBe(accountId);
      expect(findLocalAccount(server.read, accountId)).toMatchObject({ login: { email } });
    }
  });

  test.each([
    ['the name', 'ALICE', 'other@example.org', 'username'],
    ['the address', 'other', 'Alice@Example.Org', 'email'],
  ])('is refused %s that somebody has', async (_name, username, email, taken) => {
    await addAccount(server, 'alice');
    expect(await register(username, email)).toEqual({ taken });
  });

  test('gives its address back when the name is taken', async () => {
    await addAccount(server, 'alice');
    await register('alice', 'other@example.org');
    expect(isNameTaken(server.read, nameOfEmail('other@example.org'))).toBe(false);
    expect(await register('bob', 'other@example.org')).toHaveProperty('accountId');
  });
});

describe('of sign-ups at the same time', () => {
  const eight = <Wish>(wish: (number: number) => Wish): Wish[] =>
    Array.from({ length: 8 }, (_, number) => wish(number));

  test.each([
    ['one name', eight((number) => ['alice', `a${number}@example.org`] as const)],
    ['one address', eight((number) => [`a${number}`, 'a@example.org'] as const)],
    ['both', eight(() => ['alice', 'a@example.org'] as const)],
  ])('for %s exactly one wins, and nothing else stays taken', (_name, wishes) => {
    // One turn sends them all, so that they cross each other on their way between the partitions.
    server.turn(Directory.actor, 'everybody', (turn) => {
      for (const [username, email] of wishes)
        turn.tell(Directory.register.to(nameOfEmail(email), signUp(username, { email })));
    });
    const taken = (name: (wish: readonly [string, string]) => string) =>
      new Set(wishes.map(name).filter((one) => isNameTaken(server.read, one))).size;
    expect(taken(([username]) => nameOfHandle(username, undefined))).toBe(1);
    expect(taken(([, email]) => nameOfEmail(email))).toBe(1);
    expect(usageOf(server.read.partitions, 0).users).toBe(1);
    expect(server.problems).toEqual([]);
  });
});

describe('a remote account', () => {
  const uri = 'https://example.net/users/bob';
  const profile = (changes: Partial<Profile> = {}): Profile =>
    testProfile({ username: 'bob', domain: 'example.net', displayName: 'Bob', ...changes });
  const learnFrom = (from: string, changes: Partial<Profile> = {}) =>
    server.call(Directory.learn.to(from, { profile: profile(changes) }));

  test('keeps its id, and its handle leads to it', async () => {
    const { accountId } = await learnFrom(uri);
    expect(await learnFrom(uri, { displayName: 'Robert' })).toEqual({ accountId });
    expect(learned.map(({ id, displayName }) => [id, displayName])).toEqual([
      [accountId, 'Bob'],
      [accountId, 'Robert'],
    ]);
    expect(accountIdOfName(server.read, uri)).toBe(accountId);
  });

  test('is found by the handle that points to it last', async () => {
    const handle = nameOfHandle('Bob', 'example.net');
    for (const accountId of [1n << 16n, 2n << 16n])
      server.turn(Directory.actor, 'somebody', (turn) => turn.tell(Directory.point.to(handle, { accountId })));
    expect(accountIdOfName(server.read, nameOfHandle('bob', 'example.net'))).toBe(2n << 16n);
  });

  test('makes its host known, once', async () => {
    for (const number of [1, 2, 3]) await learnFrom(`${uri}${number}`, { username: `bob${number}` });
    await learnFrom('https://example.com/carol', { username: 'carol', domain: 'example.com' });
    const hosts = server.read.partitions.flatMap((partition) => knownHostsPage(partition, undefined, 10).hosts);
    expect(hosts.sort()).toEqual(['example.com', 'example.net']);
    expect(usageOf(server.read.partitions, 0).hosts).toBe(2);
    expect(server.problems).toEqual([]);
  });

  test('hosts come in pages', async () => {
    for (let number = 0; number < 20; number += 1)
      await learnFrom(`https://h${number}.example/a`, { domain: `h${number}.example` });
    const partition = server.read.partitions[0]!;
    const all = knownHostsPage(partition, undefined, 100);
    expect(all.next).toBeUndefined();
    const first = knownHostsPage(partition, undefined, 2);
    expect([...first.hosts, ...knownHostsPage(partition, first.next, 100).hosts]).toEqual(all.hosts);
  });
});
