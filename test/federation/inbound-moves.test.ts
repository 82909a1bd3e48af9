/** Remote accounts that move (specification 6.2). */
import { describe, expect, it, onTestFinished } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { findRelationship } from '../../src/actors/account/relationship-views.queries.ts';
import { findProfile } from '../../src/actors/account/remote/federation.queries.ts';
import { home, InboundBed, type RemotePerson } from './inbound-bed.ts';

const there = 'https://other.example/users/bob';

async function withBob(alsoKnownAs: string[] = ['https://remote.example/users/bob']) {
  const bed = new InboundBed();
  onTestFinished(() => expect(bed.gateway.actors.problems).toEqual([]));
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  const next = bed.person('other.example', 'bob', { alsoKnownAs });
  const bobId = await bed.follow(alice, bob);
  const follows = (id: bigint | undefined) =>
    id !== undefined && findRelationship(bed.read, alice, id, bed.now).follow !== undefined;
  const followed = () => [follows(bobId), follows(bed.accountOf(next.uri))];
  const movedTo = () => findProfile(bed.read, bobId)?.movedTo;
  return { bed, alice, bob, next, bobId, followed, movedTo };
}

const move = (by: RemotePerson, target: string, object: unknown = by.uri) => by.activity('Move', object, { target });

describe('a Move', () => {
  it('leads local followers to an account that was not known, and that knows itself as the former one', async () => {
    const { bed, bob, next, followed, movedTo } = await withBob();
    expect(await bed.send(bob, move(bob, next.uri))).toBe(202);
    expect(followed()).toEqual([false, true]);
    expect(movedTo()).toBe(bed.accountOf(next.uri));
    await bed.send(bob, move(bob, next.uri));
    expect(followed()).toEqual([false, true]);
  });

  it('counts when the target has named the former account since it was last seen', async () => {
    const { bed, bob, next, followed } = await withBob([]);
    await bed.know(next);
    bed.web.set(next.uri, { ...next.document, alsoKnownAs: [bob.uri] });
    await bed.send(bob, move(bob, next.uri));
    expect(followed()).toEqual([false, true]);
  });

  it('leads to an account of this server that names the former one', async () => {
    const { bed, alice, bob, bobId, followed, movedTo } = await withBob();
    const carol = await bed.local('carol');
    await bed.send(bob, move(bob, `${home}/users/carol`));
    expect(movedTo()).toBeUndefined();
    await bed.gateway.actors.call(Account.changeAliases.to(carol, { aliasIds: [bobId] }));
    await bed.send(bob, move(bob, `${home}/users/carol`, { id: bob.uri, type: 'Person' }));
    expect([movedTo(), followed()[0]]).toEqual([carol, false]);
    expect(findRelationship(bed.read, alice, carol, bed.now).follow?.state).toBe('accepted');
  });

  it.each<[string, readonly string[], (bob: RemotePerson) => object]>([
    ['to an account that does not name it', [], (bob) => move(bob, there)],
    ['to an account that names another', ['https://remote.example/users/bobby'], (bob) => move(bob, there)],
    ['of another account', ['https://remote.example/users/bob'], (bob) => move(bob, there, `${bob.uri}by`)],
    ['to itself', ['https://remote.example/users/bob'], (bob) => move(bob, bob.uri)],
    ['to nowhere', ['https://remote.example/users/bob'], (bob) => bob.activity('Move', bob.uri)],
    [
      'to an account that is not to be found',
      ['https://remote.example/users/bob'],
      (bob) => move(bob, `${there}/of/nowhere`),
    ],
  ])('%s moves nobody', async (_name, alsoKnownAs, activity) => {
    const { bed, bob, followed, movedTo } = await withBob([...alsoKnownAs]);
    await bed.send(bob, activity(bob));
    expect([followed(), movedTo()]).toEqual([[true, false], undefined]);
  });

  it('to an account of this server that is suspended moves nobody', async () => {
    const { bed, bob, bobId, followed, movedTo } = await withBob();
    const carol = await bed.local('carol');
    await bed.gateway.actors.call(Account.changeAliases.to(carol, { aliasIds: [bobId] }));
    await bed.gateway.actors.call(Account.changeLogin.to(carol, { suspended: true }));
    await bed.send(bob, move(bob, `${home}/users/carol`));
    expect([followed()[0], movedTo()]).toEqual([true, undefined]);
  });

  it('of somebody whom nobody follows is noted, and one of somebody who is unknown asks no server', async () => {
    const { bed, next } = await withBob();
    const [carol, mallory] = [bed.person('remote.example', 'carol'), bed.person('remote.example', 'mallory')];
    const carolId = await bed.know(carol);
    bed.web.set(next.uri, { ...next.document, alsoKnownAs: [carol.uri, mallory.uri] });
    await bed.send(carol, move(carol, next.uri));
    expect(findProfile(bed.read, carolId)?.movedTo).toBe(bed.accountOf(next.uri));
    bed.asked.splice(0);
    await bed.send(mallory, move(mallory, next.uri));
    expect(bed.asked).not.toContain(next.uri);
    expect(bed.accountOf(mallory.uri)).toBeUndefined();
  });

  it('of somebody who is muted takes the mute along', async () => {
    const { bed, alice, next } = await withBob();
    const carol = bed.person('remote.example', 'carol');
    const carolId = await bed.know(carol);
    const mute = { targetId: carolId, hideNotifications: true, durationSeconds: 0 };
    await bed.gateway.actors.call(Account.mute.to(alice, mute));
    bed.web.set(next.uri, { ...next.document, alsoKnownAs: [carol.uri] });
    await bed.send(carol, move(carol, next.uri));
    const { mute: kept, note } = findRelationship(bed.read, alice, bed.accountOf(next.uri)!, bed.now);
    expect([kept?.hideNotifications, note]).toEqual([true, 'Moved here from @carol@remote.example, whom you muted.']);
  });

  it('of somebody who is blocked takes the block along', async () => {
    const { bed, alice, next } = await withBob();
    const carol = bed.person('remote.example', 'carol');
    const carolId = await bed.know(carol);
    await bed.gateway.actors.call(Account.block.to(alice, { targetId: carolId }));
    bed.web.set(next.uri, { ...next.document, alsoKnownAs: [carol.uri] });
    await bed.send(carol, move(carol, next.uri));
    expect(findRelationship(bed.read, alice, bed.accountOf(next.uri)!, bed.now).blocking).toBe(true);
  });

  it('ends when the account no longer names a target', async () => {
    const { bed, bob, next, movedTo } = await withBob();
    await bed.send(bob, move(bob, next.uri));
    await bed.send(bob, bob.activity('Update', { ...bob.document, movedTo: next.uri }));
    expect(movedTo()).toBe(bed.accountOf(next.uri));
    await bed.send(bob, bob.activity('Update', bob.document));
    expect(movedTo()).toBeUndefined();
  });
});

describe('an account that had moved before anybody here knew it', () => {
  it('refers to its new account, without a Move', async () => {
    const { bed, next } = await withBob(['https://remote.example/users/carol']);
    const carol = bed.person('remote.example', 'carol', { movedTo: next.uri });
    const carolId = await bed.know(carol);
    expect(bed.accountOf(next.uri)).toBeDefined();
    expect(findProfile(bed.read, carolId)?.movedTo).toBe(bed.accountOf(next.uri));
  });

  it('refers to no account that does not name it', async () => {
    const { bed, next } = await withBob(['https://remote.example/users/somebody']);
    const carolId = await bed.know(bed.person('remote.example', 'carol', { movedTo: next.uri }));
    expect(findProfile(bed.read, carolId)).toMatchObject({ movedTo: undefined, remote: { movedTo: next.uri } });
  });

  it('may refer to an account of this server', async () => {
    const { bed } = await withBob();
    const dave = await bed.local('dave');
    const carol = bed.person('remote.example', 'carol');
    const carolId = await bed.know(carol);
    await bed.gateway.actors.call(Account.changeAliases.to(dave, { aliasIds: [carolId] }));
    await bed.send(carol, carol.activity('Update', { ...carol.document, movedTo: `${home}/users/dave` }));
    expect(findProfile(bed.read, carolId)?.movedTo).toBe(dave);
  });

  it('leads through one account only, however many have moved in a row', async () => {
    const { bed } = await withBob();
    const uri = (name: string) => `https://remote.example/users/${name}`;
    const more = (before: string, after: string) => ({ alsoKnownAs: [uri(before)], movedTo: uri(after) });
    const [first] = ['one', 'two', 'three', 'four'].map((name, index, names) =>
      bed.person('remote.example', name, more(names.at(index - 1)!, names[(index + 1) % names.length]!)),
    );
    const firstId = await bed.know(first!);
    expect(bed.accountOf(uri('two'))).toBeDefined();
    expect(findProfile(bed.read, firstId)?.movedTo).toBe(bed.accountOf(uri('two')));
    expect(bed.accountOf(uri('three'))).toBeUndefined();
  });
});

/** Mastodon sends the Update first. */
it('a Move leads followers along after an Update that has named the new account', async () => {
  const { bed, bob, next, followed, movedTo } = await withBob();
  await bed.send(bob, bob.activity('Update', { ...bob.document, movedTo: next.uri }));
  expect(bed.accountOf(next.uri)).toBeDefined();
  expect(movedTo()).toBe(bed.accountOf(next.uri));
  expect(followed()).toEqual([true, false]);
  await bed.send(bob, move(bob, next.uri));
  expect(followed()).toEqual([false, true]);
});

it('an account that names another target refers to the former one no more', async () => {
  const { bed, bob, next, movedTo } = await withBob();
  await bed.send(bob, bob.activity('Update', { ...bob.document, movedTo: next.uri }));
  expect(movedTo()).toBeDefined();
  await bed.send(bob, bob.activity('Update', { ...bob.document, movedTo: `${there}/of/nowhere` }));
  expect(movedTo()).toBeUndefined();
});
