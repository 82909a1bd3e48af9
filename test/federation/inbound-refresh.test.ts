/** Refreshing remote accounts, and accounts that are gone. */
import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { findRelationship } from '../../src/actors/account/relationship-views.queries.ts';
import { findProfile } from '../../src/actors/account/remote/federation.queries.ts';
import { activityLimits } from '../../src/federation/limits.ts';
import { home, InboundBed } from './inbound-bed.ts';

async function knownPerson() {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  const bobId = await bed.know(bob);
  await bed.send(bob, bob.activity('Follow', `${home}/users/alice`));
  const refresh = async () => {
    bed.gateway.actors.clock.advance(activityLimits.profileAgeMilliseconds);
    const ageMilliseconds = activityLimits.profileAgeMilliseconds;
    await bed.gateway.actors.call(Account.refresh.to(bobId, { ageMilliseconds }));
    await bed.runEffects();
  };
  const profile = () => findProfile(bed.read, bobId)!;
  return { bed, alice, bob, bobId, refresh, profile };
}

describe('a refresh', () => {
  it('brings what its server shows now, and keeps the key that it signs with', async () => {
    const { bed, bob, refresh, profile } = await knownPerson();
    const { publicKey, ...document } = bob.document;
    const other = { ...(publicKey as object), id: `${bob.uri}#other-key` };
    bed.web.set(bob.uri, { ...document, name: 'Robert', publicKey: [other, publicKey] });
    await refresh();
    expect(profile()).toMatchObject({ displayName: 'Robert', fetchedAt: bed.now, refreshAskedAt: undefined });
    expect(profile().remote?.publicKeyId).toBe(bob.keyId);
  });

  it.each(['notFound', 'unreachable'] as const)('of an account that is %s changes nothing', async (failure) => {
    const { bed, bob, refresh, profile } = await knownPerson();
    bed.web.set(bob.uri, failure);
    await refresh();
    expect(profile()).toMatchObject({ displayName: 'bob', suspendedAt: undefined });
    expect(bed.gateway.log).toEqual([]);
  });

  it('of an account that is gone takes it out, with its follows', async () => {
    const { bed, alice, bob, bobId, refresh, profile } = await knownPerson();
    bed.web.set(bob.uri, 'gone');
    await refresh();
    expect(profile()).toMatchObject({ displayName: '', suspendedAt: bed.now });
    expect(findRelationship(bed.read, alice, bobId, bed.now).followedBy).toBe(false);
  });
});

it('what an account says of itself is known to whoever fetches what it refers to', async () => {
  const { bed, alice, bob } = await knownPerson();
  await bed.follow(alice, bob);
  const answer = (name: string, to: string) =>
    bob.note(name, { inReplyTo: `https://third.example/notes/${name}`, to: [to], cc: [] });
  await bed.send(bob, bob.create(answer('1', `${bob.uri}/followers`)));
  const followers = `${bob.uri}/circle`;
  await bed.send(bob, bob.activity('Update', { ...bob.document, followers }));
  await bed.send(bob, bob.create(answer('2', followers)));
  expect(['1', '2'].map((name) => bed.stored(bob.note(name).id)?.visibility)).toEqual(['private', 'private']);
});

it('an account whose key fits no more, and whose server says that it is gone, is taken out', async () => {
  const { bed, bob, profile } = await knownPerson();
  bed.web.set(bob.uri, 'gone');
  bob.rotateKey();
  expect(await bed.send(bob, bob.create(bob.note('1')))).toBe(401);
  expect(profile().suspendedAt).toBe(bed.now);
});

it('a key of nobody that is gone takes nobody out', async () => {
  const { bed, profile } = await knownPerson();
  const mallory = bed.person('evil.example', 'mallory');
  bed.web.set(mallory.uri, 'gone');
  await bed.send(mallory, mallory.activity('Follow', `${home}/users/alice`));
  expect(profile().suspendedAt).toBeUndefined();
});

it.each(['notFound', 'unreachable'] as const)('a lookup at a server that is %s', async (kind) => {
  const bed = new InboundBed();
  const bob = bed.person('remote.example', 'bob');
  for (const address of bed.web.keys()) bed.web.set(address, kind);
  const { resolver } = bed.gateway.services;
  const lookups = [
    () => resolver.resolveHandle('bob@remote.example', 1_000),
    () => resolver.resolveAddress(bob.uri, 1_000),
  ];
  for (const lookUp of lookups)
    if (kind === 'notFound') expect(await lookUp()).toBeUndefined();
    else await expect(lookUp()).rejects.toMatchObject({ code: 'remoteUnreachable' });
  expect(bed.gateway.log).toEqual([]);
});
