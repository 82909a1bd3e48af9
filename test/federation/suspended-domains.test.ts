/** Servers that staff suspend or silence, and release again: what they may still do here, and what becomes of accounts. */

import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Notification, NotificationType } from '../../src/actors/account/notifications/notifications.records.ts';
import { findRelationship } from '../../src/actors/account/relationship-views.queries.ts';
import { findProfile } from '../../src/actors/account/remote/federation.queries.ts';
import { severances, severedFollows } from '../../src/actors/account/severed/severed.state.ts';
import { findStatus } from '../../src/actors/account/status-views.queries.ts';
import { findPurge } from '../../src/actors/instance/servers/servers.queries.ts';
import type { DomainSeverity } from '../../src/actors/policy/domains.ts';
import { allowDomain, setFederationMode } from '../../src/operations/administration/domain-allows.ts';
import { blockDomain, changeDomainBlock, unblockDomain } from '../../src/operations/administration/domain-blocks.ts';
import { purgeServerRunner } from '../../src/operations/administration/purge-slice.ts';
import { purgeServer } from '../../src/operations/administration/server-decisions.ts';
import { showServer } from '../../src/operations/administration/servers.ts';
import { suspendAccount } from '../../src/operations/administration/suspend-account.ts';
import { operator } from '../../src/operations/caller.ts';
import { knownServers } from '../../src/operations/instance/known-servers.ts';
import { Failure } from '../../src/runtime/errors.ts';
import { storedNotifications } from '../support/stored-notifications.ts';
import { home, InboundBed, type RemotePerson } from './inbound-bed.ts';

/** Alice and Bob of remote.example follow each other; Carol is at a server that nothing is decided about. */
async function scene() {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  const carol = bed.person('other.example', 'carol');
  const [bobId, carolId] = [await bed.follow(alice, bob), await bed.follow(alice, carol)];
  for (const person of [bob, carol]) await bed.send(person, person.activity('Follow', `${home}/users/alice`));
  for (const person of [bob, carol]) await bed.send(person, person.create(person.note('before')));
  const context = { caller: operator, services: bed.gateway.services };
  return {
    bed,
    alice,
    bob,
    bobId,
    carol,
    carolId,
    context,
    rule: async (domain: string, severity: DomainSeverity, more = {}) => {
      const { block } = await blockDomain(context, { domain, severity, ...more });
      await bed.runEffects();
      return block;
    },
    release: async (domain: string) => {
      await unblockDomain(context, { domain });
      await bed.runEffects();
    },
    write: (person: RemotePerson, id: string) => bed.send(person, person.create(person.note(id))),
    isShown: (person: RemotePerson, id: string) => {
      const stored = bed.stored(person.note(id).id);
      return stored !== undefined && findStatus(bed.read, stored.id) !== undefined;
    },
    relation: (id: bigint) => {
      const { follow, followedBy } = findRelationship(bed.read, alice, id, bed.now);
      return [follow?.state === 'accepted', followedBy];
    },
    profile: (id: bigint) => findProfile(bed.read, id)!,
  };
}

function notified({ read }: InboundBed, accountId: bigint, type: NotificationType): Notification[] {
  return storedNotifications(read, accountId, { types: new Set([type]) }, { limit: 40 }, (_id, one) => one).items;
}

describe('a suspended server', () => {
  it('is refused, loses its follows, and is hidden; its subdomains too, and others not', async () => {
    const { bed, bob, bobId, carol, carolId, rule, write, isShown, relation, profile } = await scene();
    expect([relation(bobId), isShown(bob, 'before')]).toEqual([[true, true], true]);
    await rule('example', 'noop');
    await rule('remote.example', 'suspend');
    const asked = bed.asked.length;
    expect(await write(bob, 'after')).toBe(403);
    const eve = bed.person('sub.remote.example', 'eve');
    expect(await write(eve, 'hi')).toBe(403);
    expect([bed.accountOf(eve.uri), bed.asked.length]).toEqual([undefined, asked]);
    expect(await bed.send(bob, bob.activity('Delete', bob.uri))).toBe(403);
    expect([isShown(bob, 'before'), isShown(bob, 'after'), relation(bobId)]).toEqual([false, false, [false, false]]);
    expect(profile(bobId)).toMatchObject({ suspendedAt: bed.now, byDomain: { severity: 'suspend' } });
    expect(await write(carol, 'after')).toBe(202);
    expect([isShown(carol, 'before'), isShown(carol, 'after'), relation(carolId)]).toEqual([true, true, [true, true]]);
  });

  it('cannot be followed, nor does anybody get to know its accounts', async () => {
    const { bed, alice, bobId, rule } = await scene();
    await rule('remote.example', 'suspend');
    const asked = await bed.gateway.actors.call(Account.follow.to(alice, { targetId: bobId, options: {} }));
    expect(asked).toEqual({ state: 'refused' });
    const dan = bed.person('remote.example', 'dan');
    await expect(bed.know(dan)).rejects.toThrow();
    expect(bed.accountOf(dan.uri)).toBeUndefined();
  });

  it('is shown again when it is released; its follows do not come back', async () => {
    const { bob, bobId, rule, release, write, isShown, relation, profile } = await scene();
    await rule('remote.example', 'suspend');
    await release('remote.example');
    expect(profile(bobId)).toMatchObject({ suspendedAt: undefined, byDomain: undefined });
    expect([isShown(bob, 'before'), relation(bobId)]).toEqual([true, [false, false]]);
    expect(await write(bob, 'again')).toBe(202);
  });

  it('is told to those who lose something, once, with what they lost', async () => {
    const { bed, alice, bob, rule } = await scene();
    const dora = await bed.local('dora');
    const dan = bed.person('remote.example', 'dan');
    await bed.follow(alice, dan);
    await rule('remote.example', 'suspend');
    const told = (id: bigint) => notified(bed, id, 'severed_relationships');
    expect(told(alice)).toEqual([]);
    bed.gateway.actors.clock.advance(60_000);
    expect(told(dora)).toEqual([]);
    const [severance] = bed.read.range(severances, [alice]);
    expect(told(alice)).toMatchObject([
      {
        severance: {
          type: 'domain_block',
          targetName: 'remote.example',
          followersCount: 1,
          followingCount: 2,
          severanceId: severance!.key[1],
        },
      },
    ]);
    const rows = Array.from(bed.read.range(severedFollows, [alice, severance!.key[1]]), ({ value }) => value);
    expect(rows.map(({ acct, following, isFollower }) => [acct, following, isFollower]).sort()).toEqual([
      [`${bob.username}@remote.example`, { showReblogs: true, notify: false, languages: undefined }, true],
      ['dan@remote.example', { showReblogs: true, notify: false, languages: undefined }, false],
    ]);
  });

  it('does not end what others have decided about an account', async () => {
    const { bed, bob, bobId, rule, release, profile } = await scene();
    const update = { ...bob.document, suspended: true };
    await bed.send(bob, { ...bob.activity('Update', update), id: `${bob.uri}#updates/1` });
    const { suspendedAt } = profile(bobId);
    expect(suspendedAt).toBeDefined();
    await rule('remote.example', 'suspend');
    await release('remote.example');
    expect(profile(bobId)).toMatchObject({ suspendedAt, isSuspendedByOrigin: true, byDomain: undefined });
  });

  it('stays suspended by an allow-list that does not name it', async () => {
    const { bed, bob, bobId, carol, context, write, profile } = await scene();
    await allowDomain(context, { domain: 'other.example' });
    await setFederationMode(context, { mode: 'allow-list' });
    await bed.runEffects();
    expect([await write(bob, 'one'), await write(carol, 'one')]).toEqual([403, 202]);
    expect(profile(bobId).byDomain?.severity).toBe('suspend');
    await setFederationMode(context, { mode: 'open' });
    await bed.runEffects();
    expect([await write(bob, 'two'), profile(bobId).byDomain]).toEqual([202, undefined]);
  });
});

describe('a server that staff purge', () => {
  it('leaves nothing here, its follows are told as severed, and others keep theirs', async () => {
    const { bed, alice, bob, bobId, carol, carolId, context, isShown, relation, profile } = await scene();
    const copies = { usage: ['remote.example', 'files.remote.example', 'notremote.example'], removed: [] as string[] };
    Object.assign(bed.gateway.services.remoteMedia, {
      usage: async () => copies.usage.map((host) => ({ host })),
      remove: async ({ host }: { host: string }) => {
        // Who was purged shows none any more.
        expect(profile(bobId).purgedAt).toBeDefined();
        copies.removed.push(host);
      },
    });
    const peers = async () => (await knownServers(bed.gateway.services)).sort();
    const purge = await purgeServer(context, { domain: 'remote.example' });
    expect([copies.removed, await peers()]).toEqual([[], ['other.example', 'remote.example']]);
    await bed.runEffects();
    expect([copies.removed, await peers()]).toEqual([['remote.example', 'files.remote.example'], ['other.example']]);
    bed.gateway.actors.clock.advance(60_000);
    expect([isShown(bob, 'before'), relation(bobId)]).toEqual([false, [false, false]]);
    expect(bed.stored(bob.note('before').id)).toBeUndefined();
    expect(profile(bobId)).toMatchObject({ displayName: '', isSuspendedByOrigin: true, purgedAt: expect.any(Number) });
    expect(notified(bed, alice, 'severed_relationships')).toMatchObject([
      { severance: { targetName: 'remote.example', followersCount: 1, followingCount: 1 } },
    ]);
    expect([isShown(carol, 'before'), relation(carolId)]).toEqual([true, [true, true]]);
    const done = findPurge(bed.read, 'remote.example');
    expect(done).toEqual({ ...purge, accounts: 1, endedAt: expect.any(Number) });
    const known = async (domain: string) => (await showServer(context, { domain })).figures.accounts;
    expect([await known('remote.example'), await known('other.example')]).toEqual([0, 1]);
    await purgeServer(context, { domain: 'remote.example' });
    await bed.runEffects();
    expect(findPurge(bed.read, 'remote.example')).toMatchObject({ accounts: 0, endedAt: expect.any(Number) });
  });

  it('leaves no copies of what its accounts showed from hosts of another name', async () => {
    const { bed, bob, carol, context, profile, bobId } = await scene();
    const removed: (readonly string[])[] = [];
    Object.assign(bed.gateway.services.remoteMedia, {
      usage: async () => [],
      remove: async ({ addresses }: { addresses: readonly string[] }) => {
        // They are looked for while there is something to find them by.
        expect(profile(bobId).purgedAt).toBeUndefined();
        removed.push(addresses);
      },
    });
    const picture = (url: string) => ({ type: 'Image', mediaType: 'image/png', url });
    const icon = picture('https://cdn.example/bob.png');
    await bed.send(bob, { ...bob.activity('Update', { ...bob.document, icon }), id: `${bob.uri}#updates/1` });
    const attachment = [
      ['cdn.example', 'one'],
      ['cdn.example', 'two'],
      ['files.remote.example', 'three'],
    ].map(([host, name]) => ({ ...picture(`https://${host}/${name}.png`), type: 'Document' }));
    for (const person of [bob, carol]) await bed.send(person, person.create(person.note('pictured', { attachment })));
    await purgeServer(context, { domain: 'remote.example' });
    await bed.runEffects();
    expect(removed).toEqual([['bob', 'one', 'two'].map((name) => `https://cdn.example/${name}.png`)]);
    expect(profile(bobId).purgedAt).toBeDefined();
  });

  it('goes on where a process ended before its answer was stored, also with the copies of files', async () => {
    const { bed, bob, carol, bobId, context, isShown, profile } = await scene();
    const removed: string[] = [];
    let isGone = false;
    Object.assign(bed.gateway.services.remoteMedia, {
      usage: async () => (isGone ? [] : [{ host: 'files.remote.example' }]),
      remove: async ({ host }: { host: string }) => {
        if (removed.push(host) === 1) throw new Failure('overloaded');
        isGone = true;
      },
    });
    const { id: purgeId } = await purgeServer(context, { domain: 'remote.example' });
    const [, run] = purgeServerRunner(bed.network);
    const slice = { domain: 'remote.example', purgeId, from: { partition: bed.read.partitions.length - 1 } };
    const all = bed.read.partitions.map((_, partition) => ({ ...slice, from: { partition } }));
    // All of it was done, once but for the last files, and nothing of that was told.
    for (const one of all.slice(0, -1)) await run(one, undefined);
    await expect(run(slice, undefined)).rejects.toMatchObject({ code: 'overloaded' });
    bed.gateway.actors.settle();
    expect([profile(bobId).purgedAt, findPurge(bed.read, 'remote.example')?.endedAt]).toEqual([bed.now, undefined]);
    await bed.runEffects();
    expect(findPurge(bed.read, 'remote.example')).toMatchObject({ endedAt: expect.any(Number) });
    expect([removed, isGone]).toEqual([['files.remote.example', 'files.remote.example'], true]);
    expect([isShown(bob, 'before'), isShown(carol, 'before')]).toEqual([false, true]);
  });

  it('is known again when its accounts show themselves', async () => {
    const { bed, alice, bob, bobId, context, write, isShown, relation, profile } = await scene();
    await purgeServer(context, { domain: 'remote.example' });
    await bed.runEffects();
    expect(await bed.send(bob, bob.activity('Follow', `${home}/users/alice`))).toBe(202);
    expect(profile(bobId)).toMatchObject({ suspendedAt: undefined, purgedAt: undefined });
    expect(await knownServers(bed.gateway.services)).toContain('remote.example');
    expect(relation(bobId)).toEqual([false, true]);
    await bed.follow(alice, bob);
    expect(await write(bob, 'after')).toBe(202);
    expect([isShown(bob, 'before'), isShown(bob, 'after')]).toEqual([false, true]);
  });

  it('stays hidden by its rule until that is taken back, and what staff decided about one account stays', async () => {
    const { bed, bob, bobId, carolId, context, rule, release, profile } = await scene();
    await rule('remote.example', 'suspend');
    await suspendAccount(context, { account: carolId });
    for (const domain of ['remote.example', 'other.example']) await purgeServer(context, { domain });
    await bed.runEffects();
    expect(profile(carolId)).toMatchObject({ suspendedAt: bed.now, isSuspendedByOrigin: undefined });
    await release('remote.example');
    expect(profile(bobId)).toMatchObject({ byDomain: undefined, isSuspendedByOrigin: true });
    expect(await bed.send(bob, bob.activity('Follow', `${home}/users/alice`))).toBe(202);
    expect(profile(bobId)).toMatchObject({ suspendedAt: undefined, purgedAt: undefined });
  });
});

it('accounts of a silenced server are limited, those that become known later too, until it is released', async () => {
  const { bed, alice, bob, bobId, context, rule, release, write, relation, profile } = await scene();
  const block = await rule('remote.example', 'silence');
  expect(profile(bobId)).toMatchObject({ limited: true, suspendedAt: undefined });
  expect([await write(bob, 'after'), relation(bobId)]).toEqual([202, [true, true]]);
  const danId = await bed.follow(alice, bed.person('remote.example', 'dan'));
  expect(profile(danId)).toMatchObject({ limited: true, byDomain: { severity: 'silence' } });
  await changeDomainBlock(context, { id: block.id, severity: 'noop' });
  await bed.runEffects();
  expect([profile(bobId).limited, profile(danId).limited]).toEqual([false, false]);
  await release('remote.example');
});

it('reports of a server are dropped where staff say so', async () => {
  const { bed, bob, rule } = await scene();
  const reports = () => notified(bed, mona, 'admin.report').length;
  const mona = await bed.local('mona', { role: 'moderator' });
  const flag = (number: number) => ({
    ...bob.activity('Flag', [`${home}/users/alice`], { content: `spam ${number}` }),
    id: `${bob.uri}#flags/${number}`,
  });
  expect(await bed.send(bob, flag(1))).toBe(202);
  expect(reports()).toBe(1);
  await rule('remote.example', 'noop', { rejectReports: true });
  expect(await bed.send(bob, flag(2))).toBe(202);
  expect(reports()).toBe(1);
});
