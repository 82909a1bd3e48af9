/**
 * Remote accounts that their own servers suspend (toot:suspended) and restore, and what reaches local accounts that are
 * suspended here.
 */

import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { findAccount } from '../../src/actors/account/profile/profiles.queries.ts';
import { findRelationship } from '../../src/actors/account/relationship-views.queries.ts';
import { findProfile } from '../../src/actors/account/remote/federation.queries.ts';
import { findStatus } from '../../src/actors/account/status-views.queries.ts';
import { activityLimits } from '../../src/federation/limits.ts';
import { accountEntity } from '../../src/gateway/entities/account.ts';
import { home, InboundBed } from './inbound-bed.ts';
import { soundBed } from './sound-bed.ts';

async function scene() {
  const bed = new InboundBed();
  const [alice, dave] = [await bed.local('alice'), await bed.local('dave')];
  const bob = bed.person('remote.example', 'bob', { name: 'Bob', summary: '<p>Hi</p>' });
  const bobId = await bed.follow(alice, bob);
  await bed.send(bob, bob.activity('Follow', `${home}/users/alice`));
  await bed.send(bob, bob.create(bob.note('before')));
  const statusId = bed.stored(bob.note('before').id)!.id;
  const suspended = { ...bob.document, suspended: true, name: '', summary: '' };
  const follow = (by: bigint) => bed.gateway.actors.call(Account.follow.to(by, { targetId: bobId, options: {} }));
  const isFollowing = () => findRelationship(bed.read, alice, bobId, bed.now).followedBy;
  const refresh = async () => {
    const ageMilliseconds = activityLimits.profileAgeMilliseconds;
    bed.gateway.actors.clock.advance(ageMilliseconds);
    await bed.gateway.actors.call(Account.refresh.to(bobId, { ageMilliseconds }));
    await bed.runEffects();
  };
  return {
    bed,
    alice,
    dave,
    bob,
    bobId,
    statusId,
    suspended,
    follow,
    isFollowing,
    refresh,
    update: (document: object, number = 1) =>
      bed.send(bob, { ...bob.activity('Update', document), id: `${bob.uri}#updates/${number}` }),
    entity: () => accountEntity(findAccount(bed.read, bobId)!, bed.gateway.services.addresses),
    suspendedAt: () => findProfile(bed.read, bobId)!.suspendedAt,
  };
}

describe('an account that its server suspends', () => {
  it('is shown as suspended, without what it said of itself and what it wrote', async () => {
    const { update, suspended, entity, bed, statusId } = await scene();
    await update(suspended);
    expect(entity()).toMatchObject({ suspended: true, display_name: '', note: '', fields: [] });
    expect(findStatus(bed.read, statusId)).toBeUndefined();
  });

  it('publishes nothing, follows nobody and is followed by nobody new', async () => {
    const { update, suspended, bed, bob, dave, follow } = await scene();
    await update(suspended);
    expect(await bed.send(bob, bob.create(bob.note('after')))).toBe(202);
    expect(bed.stored(bob.note('after').id)).toBeUndefined();
    await bed.send(bob, bob.activity('Follow', `${home}/users/dave`));
    expect(findRelationship(bed.read, dave, bed.accountOf(bob.uri)!, bed.now).followedBy).toBe(false);
    expect(await follow(dave)).toEqual({ state: 'refused' });
  });

  it('may still take back what it did', async () => {
    const { update, suspended, bed, bob, isFollowing } = await scene();
    await update(suspended);
    expect(isFollowing()).toBe(true);
    await bed.send(bob, bob.activity('Undo', bob.activity('Follow', `${home}/users/alice`)));
    expect(isFollowing()).toBe(false);
  });

  it('may still edit what it wrote, which is shown when it is back', async () => {
    const { update, suspended, bed, bob, statusId } = await scene();
    await update(suspended);
    const edited = (id: string) =>
      bob.note(id, {
        content: '<p>edited</p>',
        published: new Date(bed.now).toISOString(),
        updated: new Date(bed.now),
      });
    await bed.send(bob, bob.activity('Update', edited('before')));
    await bed.send(bob, bob.activity('Update', edited('never seen')));
    expect(findStatus(bed.read, statusId)).toBeUndefined();
    await update(bob.document, 2);
    expect(findStatus(bed.read, statusId)?.status.content).toBe('<p>edited</p>');
    expect(bed.stored(bob.note('never seen').id)).toBeUndefined();
  });

  it('comes back with the Update that says so no more', async () => {
    const { update, suspended, entity, bed, bob, statusId, dave, follow } = await scene();
    await update(suspended);
    await update(bob.document, 2);
    expect(entity()).toMatchObject({ display_name: 'Bob', note: '<p>Hi</p>' });
    expect(entity()).not.toHaveProperty('suspended');
    expect(findStatus(bed.read, statusId)).toBeDefined();
    expect(await follow(dave)).toMatchObject({ state: 'accepted' });
    await bed.send(bob, bob.create(bob.note('after')));
    expect(bed.stored(bob.note('after').id)).toBeDefined();
  });

  it('is seen to be suspended, and to be back, when its actor is fetched', async () => {
    const { bed, bob, suspended, refresh, suspendedAt } = await scene();
    bed.web.set(bob.uri, suspended);
    await refresh();
    const since = bed.now;
    expect(suspendedAt()).toBe(since);
    await refresh();
    expect(suspendedAt()).toBe(since);
    bed.web.set(bob.uri, bob.document);
    await refresh();
    expect(suspendedAt()).toBeUndefined();
  });

  it('and deletes stays gone, whatever its server says then', async () => {
    const { update, suspended, bed, bob, suspendedAt, refresh } = await scene();
    await update(suspended);
    await bed.send(bob, bob.activity('Delete', bob.uri));
    await update(bob.document, 2);
    await refresh();
    expect(suspendedAt()).toBeDefined();
  });
});

it('an account that was suspended before it is known is known as suspended', async () => {
  const { bed } = await scene();
  const erin = bed.person('remote.example', 'erin', { suspended: true });
  expect(findProfile(bed.read, await bed.know(erin))).toMatchObject({ suspendedAt: bed.now });
});

describe('the inbox of a local account that is suspended', () => {
  async function suspendedAlice() {
    const bed = soundBed();
    const alice = await bed.local('alice');
    // Makes its keys.
    await bed.gateway.fetch('/users/alice', { headers: { accept: 'application/activity+json' } } as never);
    const bob = bed.person('remote.example', 'bob');
    const bobId = await bed.follow(alice, bob);
    const statusId = await bed.publish(alice, 'Hello');
    const aliceUri = `${home}/users/alice`;
    const follow = bob.activity('Follow', aliceUri);
    const like = bob.activity('Like', `${aliceUri}/statuses/${statusId}`);
    await bed.send(bob, follow);
    await bed.send(bob, like);
    const suspend = (suspended: boolean) => bed.gateway.actors.call(Account.changeLogin.to(alice, { suspended }));
    await suspend(true);
    const inbox = '/users/alice/inbox';
    return {
      bed,
      bob,
      follow,
      like,
      send: (type: string, object: unknown) => bed.send(bob, bob.activity(type, object), { inbox }),
      restored: async () => {
        await suspend(false);
        const { follow: own, followedBy, blockedBy } = findRelationship(bed.read, alice, bobId, bed.now);
        return {
          following: own !== undefined,
          followedBy,
          blockedBy,
          favourites: findStatus(bed.read, statusId)!.counters.favourites,
        };
      },
    };
  }

  const untouched = { following: true, followedBy: true, blockedBy: false, favourites: 1 };

  it('takes what ends something: it holds when the account is back', async () => {
    const { send, follow, like, restored } = await suspendedAlice();
    expect(await send('Undo', follow)).toBe(202);
    expect(await send('Undo', like)).toBe(202);
    expect(await restored()).toEqual({ ...untouched, followedBy: false, favourites: 0 });
  });

  it('takes a Block', async () => {
    const { send, restored } = await suspendedAlice();
    expect(await send('Block', `${home}/users/alice`)).toBe(202);
    expect(await restored()).toEqual({ ...untouched, following: false, followedBy: false, blockedBy: true });
  });

  it('takes the Delete of who was followed', async () => {
    const { send, bob, restored } = await suspendedAlice();
    expect(await send('Delete', bob.uri)).toBe(202);
    expect(await restored()).toMatchObject({ following: false, followedBy: false });
  });

  it('answers a Follow with a Reject', async () => {
    const { bed, restored } = await suspendedAlice();
    const carol = bed.person('remote.example', 'carol');
    const follow = carol.activity('Follow', `${home}/users/alice`);
    expect(await bed.send(carol, follow, { inbox: '/users/alice/inbox' })).toBe(202);
    expect(bed.sent().at(-1)).toMatchObject({ type: 'Reject', object: { id: follow.id } });
    expect(await restored()).toEqual(untouched);
  });
});
