import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { isOnList } from '../../src/actors/account/lists/lists.queries.ts';
import { findRelationship } from '../../src/actors/account/relationship-views.queries.ts';
import { relationshipLimits } from '../../src/actors/account/relationships/limits.ts';
import { serverActorId } from '../../src/actors/intents.ts';
import { deliveryLog } from '../../src/actors/partition/partition.state.ts';
import { home, type InboundBed, publicAudience, type RemotePerson } from './inbound-bed.ts';
import { soundBed } from './sound-bed.ts';

const aList = { title: 'Friends', repliesPolicy: 'list', exclusive: false } as const;
const aliceUri = `${home}/users/alice`;

/** What is to be sent to other servers, in order. */
function intents(bed: InboundBed): { kind: string }[] {
  return bed.read.partitions.flatMap((partition) =>
    Array.from(partition.range(deliveryLog, []), ({ value }) => value.intent),
  );
}

async function twoPeople() {
  const bed = soundBed();
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  const bobId = await bed.know(bob);
  const relation = () => findRelationship(bed.read, alice, bobId, bed.now);
  return { bed, alice, bob, bobId, relation };
}

function followId(bed: InboundBed, alice: bigint, bobId: bigint): string {
  return `${home}/activities/${findRelationship(bed.read, alice, bobId, bed.now).follow?.id}`;
}

describe('a follow of a local account', () => {
  it('is kept and accepted under its own id', async () => {
    const { bed, bob, bobId, relation } = await twoPeople();
    const follow = bob.activity('Follow', aliceUri);
    expect(await bed.send(bob, follow, { inbox: '/users/alice/inbox' })).toBe(202);
    expect(relation().followedBy).toBe(true);
    expect(intents(bed)).toMatchObject([{ kind: 'acceptFollow', targetId: bobId, followUri: follow.id }]);
  });

  it('of a locked account waits', async () => {
    const { bed, alice, bob, relation } = await twoPeople();
    await bed.gateway.actors.call(Account.changeProfile.to(alice, { locked: true }));
    await bed.send(bob, bob.activity('Follow', aliceUri));
    expect(relation()).toMatchObject({ followedBy: false, requestedBy: true });
  });

  it.each([
    ['confirmed', { confirmed: false }],
    ['approved', { approved: false }],
  ])('that is not yet %s is dropped', async (_what, login) => {
    const { bed, bob, bobId } = await twoPeople();
    const waiting = await bed.local('waiting', login);
    expect(await bed.send(bob, bob.activity('Follow', `${home}/users/waiting`))).toBe(202);
    expect(findRelationship(bed.read, waiting, bobId, bed.now).followedBy).toBe(false);
    expect(intents(bed)).toEqual([]);
  });

  it('of a blocked actor is rejected', async () => {
    const { bed, alice, bob, bobId, relation } = await twoPeople();
    await bed.gateway.actors.call(Account.block.to(alice, { targetId: bobId }));
    await bed.send(bob, bob.activity('Follow', aliceUri));
    expect(relation().followedBy).toBe(false);
    expect(intents(bed).at(-1)).toMatchObject({ kind: 'rejectFollow' });
  });

  it('that comes again is accepted again, under its new id', async () => {
    const { bed, bob } = await twoPeople();
    await bed.send(bob, bob.activity('Follow', aliceUri));
    await bed.send(bob, { ...bob.activity('Follow', aliceUri), id: 'https://remote.example/follows/2' });
    expect(intents(bed)).toMatchObject([
      { kind: 'acceptFollow' },
      { kind: 'acceptFollow', followUri: 'https://remote.example/follows/2' },
    ]);
  });

  it('that comes again is accepted again where the account is suspended since', async () => {
    const { bed, alice, bob, relation } = await twoPeople();
    await bed.send(bob, bob.activity('Follow', aliceUri));
    await bed.gateway.actors.call(Account.changeLogin.to(alice, { suspended: true }));
    await bed.send(bob, { ...bob.activity('Follow', aliceUri), id: 'https://remote.example/follows/2' });
    expect(intents(bed).at(-1)).toMatchObject({ kind: 'acceptFollow', followUri: 'https://remote.example/follows/2' });
    expect(relation().followedBy).toBe(true);
  });

  it.each([
    ['as an object', (bob: RemotePerson) => bob.activity('Follow', aliceUri)],
    ['as an object without an id', (bob: RemotePerson) => ({ type: 'Follow', actor: bob.uri, object: aliceUri })],
    [
      'as an object with another id',
      (bob: RemotePerson) => ({ ...bob.activity('Follow', aliceUri), id: `${bob.uri}#x` }),
    ],
    ['as an id', (bob: RemotePerson) => bob.activity('Follow', aliceUri).id],
  ])('is undone by its Undo %s', async (_name, objectOf) => {
    const { bed, bob, relation } = await twoPeople();
    await bed.send(bob, bob.activity('Follow', aliceUri));
    expect(await bed.send(bob, bob.activity('Undo', objectOf(bob)))).toBe(202);
    expect(relation().followedBy).toBe(false);
  });

  it('that arrives after its own Undo is dropped once; a later one counts', async () => {
    const { bed, bob, relation } = await twoPeople();
    const follow = bob.activity('Follow', aliceUri);
    await bed.send(bob, bob.activity('Undo', follow));
    await bed.send(bob, follow);
    expect(relation().followedBy).toBe(false);
    bed.gateway.actors.clock.advance(1_000);
    await bed.send(bob, follow);
    expect(relation().followedBy).toBe(true);
  });

  it('may be repeated under the same id after its Undo, signed anew, as Misskey does', async () => {
    const { bed, bob, relation } = await twoPeople();
    const follow = bob.activity('Follow', aliceUri);
    await bed.send(bob, follow);
    await bed.send(bob, bob.activity('Undo', follow));
    bed.gateway.actors.clock.advance(1_000);
    await bed.send(bob, follow);
    expect(relation().followedBy).toBe(true);
  });

  it.each([
    `${home}/users/nobody`,
    'https://elsewhere.example/users/carol',
  ])('of %s changes nothing', async (followed) => {
    const { bed, bob } = await twoPeople();
    expect(await bed.send(bob, bob.activity('Follow', followed))).toBe(202);
    expect(intents(bed)).toEqual([]);
  });
});

it.each([
  ['the server itself', `${home}/actor`, '/actor/inbox'],
  ['all that is public, as of a relay', publicAudience, '/inbox'],
  ['all that is public, in short', 'as:Public', '/inbox'],
])('a follow of %s is rejected, in the name of the server', async (_what, followed, inbox) => {
  const bed = soundBed();
  const relay = bed.person('remote.example', 'relay');
  const follow = relay.activity('Follow', followed);
  expect(await bed.send(relay, follow, { inbox })).toBe(202);
  const targetId = bed.accountOf(relay.uri);
  expect(intents(bed)).toMatchObject([
    { kind: 'rejectFollow', actorId: serverActorId, targetId, followUri: follow.id },
  ]);
});

describe('the answer to a follow of a remote account', () => {
  async function asked() {
    const people = await twoPeople();
    const { bed, bob, alice, bobId } = people;
    await bed.send(bob, bob.activity('Update', { ...bob.document, manuallyApprovesFollowers: true }));
    await bed.gateway.actors.call(Account.follow.to(alice, { targetId: bobId, options: {} }));
    expect(people.relation().follow?.state).toBe('requested');
    return { ...people, uri: followId(bed, alice, bobId) };
  }

  it.each([
    [
      'the whole Follow',
      (uri: string, bob: RemotePerson) => ({ id: uri, type: 'Follow', actor: aliceUri, object: bob.uri }),
    ],
    [
      'a Follow without an id',
      (_uri: string, bob: RemotePerson) => ({ type: 'Follow', actor: aliceUri, object: bob.uri }),
    ],
    ['the id alone', (uri: string) => uri],
    ['the id in an object', (uri: string) => ({ id: uri, type: 'Follow' })],
  ])('accepts it by %s', async (_name, objectOf) => {
    const { bed, bob, relation, uri } = await asked();
    expect(await bed.send(bob, bob.activity('Accept', objectOf(uri, bob)))).toBe(202);
    expect(relation().follow?.state).toBe('accepted');
  });

  it('rejects it', async () => {
    const { bed, bob, relation, uri } = await asked();
    await bed.send(bob, bob.activity('Reject', { id: uri, type: 'Follow', actor: aliceUri, object: bob.uri }));
    expect(relation().follow).toBeUndefined();
  });

  it('ends it later', async () => {
    const { bed, bob, relation, uri } = await asked();
    await bed.send(bob, bob.activity('Accept', uri));
    await bed.send(bob, bob.activity('Reject', uri));
    expect(relation().follow).toBeUndefined();
  });

  it.each<[string, (uri: string, bob: RemotePerson) => unknown]>([
    ['the whole Follow', (uri, bob) => ({ id: uri, type: 'Follow', actor: aliceUri, object: bob.uri })],
    ['the id of the Follow', (uri) => uri],
  ])('is taken back by its Undo with %s: the follow waits again', async (_name, objectOf) => {
    const { bed, alice, bob, bobId, relation, uri } = await asked();
    const accept = bob.activity('Accept', objectOf(uri, bob));
    await bed.send(bob, accept);
    const { listId } = await bed.gateway.actors.call(Account.createList.to(alice, aList));
    await bed.gateway.actors.call(Account.addToList.to(alice, { listId, memberIds: [bobId] }));
    expect(await bed.send(bob, bob.activity('Undo', accept))).toBe(202);
    expect(relation().follow?.state).toBe('requested');
    expect(isOnList(bed.read, listId, bobId)).toBe(false);
    await bed.send(bob, bob.create(bob.note('unseen')));
    expect(bed.stored(bob.note('unseen').id)).toBeUndefined();
    await bed.send(bob, { ...accept, id: `${bob.uri}#accepts/2` });
    expect(relation().follow?.state).toBe('accepted');
  });

  it('is not taken back by somebody else, nor with the Undo of the answer to an earlier follow', async () => {
    const { bed, alice, bob, bobId, relation, uri } = await asked();
    const follow = { id: uri, type: 'Follow', actor: aliceUri, object: bob.uri };
    await bed.send(bob, bob.activity('Accept', follow));
    const mallory = bed.person('remote.example', 'mallory');
    await bed.send(mallory, mallory.activity('Undo', mallory.activity('Accept', follow)));
    await bed.send(mallory, mallory.activity('Undo', bob.activity('Accept', follow)));
    expect(relation().follow?.state).toBe('accepted');
    await bed.gateway.actors.call(Account.unfollow.to(alice, { targetId: bobId }));
    await bed.gateway.actors.call(Account.follow.to(alice, { targetId: bobId, options: {} }));
    await bed.send(bob, bob.activity('Accept', followId(bed, alice, bobId)));
    await bed.send(bob, bob.activity('Undo', bob.activity('Accept', follow)));
    expect(relation().follow?.state).toBe('accepted');
  });

  it('counts only from the followed account', async () => {
    const { bed, bob, relation, uri } = await asked();
    const mallory = bed.person('evil.example', 'mallory');
    await bed.know(mallory);
    const follow = { id: uri, type: 'Follow', actor: aliceUri, object: bob.uri };
    for (const object of [uri, follow, { ...follow, object: mallory.uri }])
      await bed.send(mallory, mallory.activity('Accept', object));
    expect(relation().follow?.state).toBe('requested');
  });

  it('about an earlier follow is too late', async () => {
    const { bed, alice, bob, bobId, relation, uri } = await asked();
    await bed.gateway.actors.call(Account.unfollow.to(alice, { targetId: bobId }));
    await bed.gateway.actors.call(Account.follow.to(alice, { targetId: bobId, options: {} }));
    await bed.send(bob, bob.activity('Accept', { id: uri, type: 'Follow', actor: aliceUri, object: bob.uri }));
    expect(relation().follow?.state).toBe('requested');
  });
});

describe('a follow of a remote account that is not known to be locked', () => {
  const { answerMilliseconds } = relationshipLimits;

  async function followed() {
    const people = await twoPeople();
    const { bed, alice, bobId, relation } = people;
    const follow = (options = {}) => bed.gateway.actors.call(Account.follow.to(alice, { targetId: bobId, options }));
    await follow();
    const pass = (milliseconds: number) => bed.gateway.actors.clock.advance(milliseconds);
    return { ...people, follow, pass, uri: () => followId(bed, alice, bobId), state: () => relation().follow?.state };
  }

  it('waits once its server has not answered for long, and until it does', async () => {
    const { bed, bob, pass, state, uri, follow } = await followed();
    await follow({ showReblogs: false });
    const sent = intents(bed).length;
    pass(answerMilliseconds - 1);
    expect(state()).toBe('accepted');
    pass(1);
    expect(state()).toBe('requested');
    await follow({ showReblogs: true });
    expect(state()).toBe('requested');
    await bed.send(bob, bob.activity('Accept', uri()));
    expect(state()).toBe('accepted');
    pass(answerMilliseconds);
    expect(state()).toBe('accepted');
    expect(intents(bed)).toHaveLength(sent);
  });

  it('stays accepted where its server has answered, whatever is chosen later', async () => {
    const { bed, bob, pass, state, uri, follow } = await followed();
    await bed.send(bob, bob.activity('Accept', uri()));
    await follow({ showReblogs: false });
    pass(answerMilliseconds);
    expect(state()).toBe('accepted');
  });

  it('has as long when it is followed anew', async () => {
    const { bed, alice, bobId, pass, state, follow } = await followed();
    pass(answerMilliseconds / 2);
    await bed.gateway.actors.call(Account.unfollow.to(alice, { targetId: bobId }));
    await follow();
    pass(answerMilliseconds / 2);
    expect(state()).toBe('accepted');
    pass(answerMilliseconds / 2);
    expect(state()).toBe('requested');
  });

  it('leaves nothing to wait for when it is unfollowed or rejected', async () => {
    const { bed, bob, alice, bobId, pass, state, uri, follow } = await followed();
    await bed.send(bob, bob.activity('Reject', uri()));
    pass(answerMilliseconds);
    expect(state()).toBeUndefined();
    await follow();
    await bed.gateway.actors.call(Account.unfollow.to(alice, { targetId: bobId }));
    pass(answerMilliseconds);
    expect(state()).toBeUndefined();
  });

  it('of this server is never waited for', async () => {
    const { bed, alice, pass } = await followed();
    const carol = await bed.local('carol');
    await bed.gateway.actors.call(Account.follow.to(alice, { targetId: carol, options: {} }));
    pass(answerMilliseconds);
    expect(findRelationship(bed.read, alice, carol, bed.now).follow?.state).toBe('accepted');
  });
});

describe('a block', () => {
  it('ends follows both ways, until it is undone', async () => {
    const { bed, alice, bob, relation } = await twoPeople();
    await bed.follow(alice, bob);
    await bed.send(bob, bob.activity('Follow', aliceUri));
    const block = bob.activity('Block', aliceUri);
    expect(await bed.send(bob, block)).toBe(202);
    expect(relation()).toMatchObject({ follow: undefined, followedBy: false, blockedBy: true });
    await bed.send(bob, bob.activity('Undo', block));
    expect(relation().blockedBy).toBe(false);
  });

  it('is undone by its id alone', async () => {
    const { bed, bob, relation } = await twoPeople();
    const block = bob.activity('Block', aliceUri);
    await bed.send(bob, block);
    await bed.send(bob, bob.activity('Undo', block.id));
    expect(relation().blockedBy).toBe(false);
  });
});
