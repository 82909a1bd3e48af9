/** Activities sent to other servers (specification 6.2), which our own inbound side understands as well. */

import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { findRelationship } from '../../src/actors/account/relationship-views.queries.ts';
import { statusIdOfUri } from '../../src/actors/account/statuses/statuses.queries.ts';
import { type Intent, serverActorId } from '../../src/actors/intents.ts';
import { deliveryLog } from '../../src/actors/partition/partition.state.ts';
import { isWithinAuthority } from '../../src/federation/activities/authority.ts';
import type { Activity } from '../../src/federation/documents/acts.ts';
import { translateIntent } from '../../src/federation/documents/intents.ts';
import { readActivity } from '../../src/federation/documents/read-activity.ts';
import { LocalSigners } from '../../src/federation/local-signers.ts';
import type { JsonObject } from '../../src/outbound/fetcher/json.ts';
import { roomyCaches } from '../support/caches.ts';
import { home, InboundBed, publicAudience } from './inbound-bed.ts';

const aliceUri = `${home}/users/alice`;
const followers = `${aliceUri}/followers`;

async function withFollower() {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  const bobId = await bed.know(bob);
  await bed.send(bob, bob.activity('Follow', aliceUri));
  const call = bed.gateway.actors.call.bind(bed.gateway.actors);
  const destination = { host: 'remote.example', inbox: `${bob.uri}/inbox` };
  return { bed, alice, bob, bobId, call, destination };
}

/** The newest intent, as the activity that is sent. */
function newest(bed: InboundBed, kind: Intent['kind']): { activity: JsonObject | undefined; read: Activity } {
  const intents = bed.read.partitions.flatMap((partition) =>
    Array.from(partition.range(deliveryLog, []), ({ value }) => value.intent),
  );
  const intent = intents.findLast((candidate) => candidate.kind === kind);
  if (intent === undefined) throw new Error(`no ${kind} among ${intents.map((one) => one.kind).join(', ')}`);
  const translation = translateIntent(intent, bed.read, bed.gateway.services.addresses);
  expect(translation).toMatchObject({ signerUsername: 'alice' });
  const activity = translation?.activity;
  const read = activity === undefined ? undefined : readActivity(JSON.parse(JSON.stringify(activity)) as JsonObject);
  return { activity, read: read as Activity };
}

/** What every activity of ours has, whatever it says. */
function expectSound({ activity, read }: ReturnType<typeof newest>): void {
  expect(JSON.stringify(activity?.['@context'])).toContain('https://www.w3.org/ns/activitystreams');
  expect(activity).toMatchObject({ id: expect.stringContaining(`${home}/`), actor: aliceUri });
  expect(read).toMatchObject({ id: activity?.id, actor: aliceUri });
  expect(isWithinAuthority(read)).toBe(true);
}

describe('publishing', () => {
  it.each([
    ['public', [publicAudience], [followers]],
    ['unlisted', [followers], [publicAudience]],
    ['private', [followers], []],
  ] as const)('a %s status is a Create', async (visibility, to, cc) => {
    const { bed, alice } = await withFollower();
    const statusId = await bed.publish(alice, 'Hello', { visibility });
    const sent = newest(bed, 'create');
    expectSound(sent);
    const uri = `${aliceUri}/statuses/${statusId}`;
    expect(sent.activity).toMatchObject({ id: `${uri}/activity`, type: 'Create', to, cc, object: { id: uri, to, cc } });
    expect(sent.read.acts).toMatchObject([{ kind: 'publish', note: { uri, content: '<p>Hello</p>' } }]);
  });

  it('is not sent once the status is gone, only its deletion is', async () => {
    const { bed, alice, call } = await withFollower();
    const statusId = await bed.publish(alice, 'Hello');
    await call(Account.deleteStatus.to(alice, { statusId, destinations: [] }));
    expect(newest(bed, 'create').activity).toBeUndefined();
    const sent = newest(bed, 'delete');
    expectSound(sent);
    const uri = `${aliceUri}/statuses/${statusId}`;
    expect(sent.activity).toMatchObject({
      type: 'Delete',
      to: [publicAudience],
      object: { id: uri, type: 'Tombstone' },
    });
    expect(sent.read.acts).toEqual([{ kind: 'delete', uri }]);
  });

  it('again is an Update under an id of its own each time', async () => {
    const { bed, alice, call } = await withFollower();
    const statusId = await bed.publish(alice, 'Hello');
    const ids = new Set<unknown>();
    for (const text of ['One', 'Two']) {
      const content = `<p>${text}</p>`;
      const edit = {
        statusId,
        text,
        content,
        sensitive: false,
        spoilerText: '',
        mentions: [],
        tags: [],
        emojis: [],
        attachments: [],
      };
      bed.gateway.actors.clock.advance(1_000);
      await call(Account.edit.to(alice, edit));
      const sent = newest(bed, 'update');
      expectSound(sent);
      expect(sent.read.acts).toMatchObject([{ kind: 'edit', note: { content } }]);
      ids.add(sent.activity?.id);
    }
    expect(ids.size).toBe(2);
  });
});

describe('reactions', () => {
  async function withRemoteStatus() {
    const people = await withFollower();
    const { bed, alice, bob } = people;
    await bed.follow(alice, bob);
    const note = bob.note('original');
    await bed.send(bob, bob.create(note));
    return { ...people, uri: String(note.id), statusId: statusIdOfUri(bed.read, String(note.id))! };
  }

  it('a favourite is a Like, and its Undo carries it', async () => {
    const { bed, alice, bobId, call, uri, statusId, destination } = await withRemoteStatus();
    await call(Account.favourite.to(bobId, { statusId, by: alice }));
    const like = newest(bed, 'like');
    expectSound(like);
    expect(like.read.acts).toEqual([{ kind: 'like', uri }]);
    await call(
      Account.unfavourite.to(alice, { statusId, authorId: bobId, authorDestination: destination, statusUri: uri }),
    );
    const undo = newest(bed, 'undoLike');
    expectSound(undo);
    expect(undo.activity).toMatchObject({ type: 'Undo', object: { id: like.activity?.id, type: 'Like', object: uri } });
    expect(undo.activity?.id).not.toBe(like.activity?.id);
    expect(undo.activity?.object).not.toHaveProperty('@context');
  });

  it('a reblog is an Announce, and its Undo carries it', async () => {
    const { bed, alice, bob, bobId, call, uri, statusId } = await withRemoteStatus();
    const { statusId: reblogId } = await call(Account.reblog.to(bobId, { statusId, by: alice }));
    const announce = newest(bed, 'announce');
    expectSound(announce);
    expect(announce.activity).toMatchObject({
      id: `${aliceUri}/statuses/${reblogId}/activity`,
      type: 'Announce',
      object: uri,
      to: [publicAudience],
      cc: [followers, bob.uri],
      published: '2025-01-01T12:00:00Z',
    });
    expect(announce.read.acts).toMatchObject([{ kind: 'boost', uri }]);
    await call(Account.unreblog.to(alice, { statusId, authorId: bobId, statusUri: uri }));
    const undo = newest(bed, 'undoAnnounce');
    expectSound(undo);
    expect(undo.read.acts).toEqual([{ kind: 'undoBoost', object: uri, uri: announce.activity?.id }]);
  });

  it('a reblog of an own followers-only status shows it, for nobody else could', async () => {
    const { bed, alice, call } = await withFollower();
    const statusId = await bed.publish(alice, 'Secret', { visibility: 'private' });
    await call(Account.reblog.to(alice, { statusId, by: alice }));
    expect(newest(bed, 'announce').activity).toMatchObject({
      to: [followers],
      object: { id: `${aliceUri}/statuses/${statusId}`, content: '<p>Secret</p>' },
    });
  });
});

describe('relationships', () => {
  it('a follow and its Undo', async () => {
    const { bed, alice, bob, bobId, call, destination } = await withFollower();
    await call(Account.follow.to(alice, { targetId: bobId, options: {}, targetDestination: destination }));
    const { follow } = findRelationship(bed.read, alice, bobId, bed.now);
    const sent = newest(bed, 'follow');
    expectSound(sent);
    expect(sent.activity).toMatchObject({ id: `${home}/activities/${follow?.id}`, type: 'Follow', object: bob.uri });
    await call(Account.unfollow.to(alice, { targetId: bobId, targetDestination: destination }));
    const undo = newest(bed, 'undoFollow');
    expectSound(undo);
    expect(undo.read.acts).toEqual([
      { kind: 'undoFollow', follow: { uri: sent.activity?.id, follower: aliceUri, followed: bob.uri } },
    ]);
  });

  it('the answer to a Follow carries it with the id it came with', async () => {
    const { bed, alice, bob, bobId, call } = await withFollower();
    const followed = { uri: bob.activity('Follow', aliceUri).id, follower: bob.uri, followed: aliceUri };
    const accept = newest(bed, 'acceptFollow');
    expectSound(accept);
    expect(accept.read.acts).toEqual([{ kind: 'accept', follow: followed }]);
    await call(Account.rejectFollow.to(alice, { requesterId: bobId }));
    const reject = newest(bed, 'rejectFollow');
    expectSound(reject);
    expect(reject.read.acts).toEqual([{ kind: 'reject', follow: followed }]);
  });

  it('a block and its Undo', async () => {
    const { bed, alice, bob, bobId, call, destination } = await withFollower();
    await call(Account.block.to(alice, { targetId: bobId, targetDestination: destination }));
    const block = newest(bed, 'block');
    expectSound(block);
    expect(block.read.acts).toEqual([{ kind: 'block', blocked: bob.uri }]);
    await call(Account.unblock.to(alice, { targetId: bobId, targetDestination: destination }));
    const undo = newest(bed, 'undoBlock');
    expectSound(undo);
    expect(undo.read.acts).toEqual([{ kind: 'undoBlock', object: bob.uri, uri: block.activity?.id }]);
  });
});

describe('pinning (specification 6.2)', () => {
  it('is an Add to the featured collection, and unpinning a Remove from it', async () => {
    const { bed, alice, call } = await withFollower();
    const statusId = await bed.publish(alice, 'Look');
    for (const [kind, type] of [
      ['pin', 'Add'],
      ['unpin', 'Remove'],
    ] as const) {
      await call(Account[kind].to(alice, { statusId }));
      const sent = newest(bed, kind);
      expectSound(sent);
      const object = `${aliceUri}/statuses/${statusId}`;
      const target = `${aliceUri}/collections/featured`;
      expect(sent.activity).toMatchObject({ type, object, target, to: [publicAudience], cc: [followers] });
      expect(sent.read.acts).toEqual([{ kind, uri: object, collection: target }]);
    }
  });
});

describe('a changed profile', () => {
  it('is an Update of the whole actor, with its key', async () => {
    const { bed, alice, call } = await withFollower();
    expect((await bed.gateway.fetch('/users/alice', { headers: { accept: 'application/activity+json' } })).status).toBe(
      200,
    );
    await call(Account.changeProfile.to(alice, { displayName: 'Alicia' }));
    const sent = newest(bed, 'updateAccount');
    expectSound(sent);
    expect(sent.activity).toMatchObject({ type: 'Update', to: [publicAudience] });
    expect(sent.read.acts).toMatchObject([{ kind: 'changeProfile', actor: { uri: aliceUri, displayName: 'Alicia' } }]);
  });

  it('names the account that it moved to, and its former accounts', async () => {
    const { bed, alice, bobId, call } = await withFollower();
    const carol = await bed.local('carol');
    await call(Account.changeAliases.to(alice, { aliasIds: [bobId, carol] }));
    await call(Account.move.to(alice, { targetId: carol }));
    const sent = newest(bed, 'move');
    expectSound(sent);
    const target = `${home}/users/carol`;
    expect(sent.activity).toMatchObject({ type: 'Move', object: aliceUri, target, to: [followers] });
    expect(sent.read.acts).toEqual([{ kind: 'move', target }]);
    const document = await bed.gateway.fetch('/users/alice', { headers: { accept: 'application/activity+json' } });
    const alsoKnownAs = ['https://remote.example/users/bob', target];
    expect(await document.json()).toMatchObject({ movedTo: target, alsoKnownAs });
  });

  it('announces a suspension, and its end', async () => {
    const { bed, alice, call } = await withFollower();
    await call(Account.changeProfile.to(alice, { displayName: 'Alicia', note: 'Hi', noteHtml: '<p>Hi</p>' }));
    for (const suspended of [true, false]) {
      await call(Account.changeLogin.to(alice, { suspended }));
      const document = await bed.gateway.fetch('/users/alice', { headers: { accept: 'application/activity+json' } });
      expect(document.status).toBe(200);
      const shown = suspended
        ? { id: aliceUri, suspended: true, name: '', summary: '' }
        : { id: aliceUri, name: 'Alicia', summary: '<p>Hi</p>' };
      expect(await document.json()).toMatchObject(shown);
      const sent = newest(bed, 'updateAccount');
      expectSound(sent);
      expect(sent.activity).toMatchObject({ type: 'Update', to: [publicAudience], object: shown });
    }
  });

  it('is not announced when nothing visible to others has changed', async () => {
    const { bed, alice, call } = await withFollower();
    await call(Account.changeLogin.to(alice, { suspended: false, role: 'moderator' }));
    expect(() => newest(bed, 'updateAccount')).toThrow('no updateAccount');
  });

  it('of an account without keys throws', async () => {
    const { bed, alice, call } = await withFollower();
    await call(Account.changeProfile.to(alice, { displayName: 'Alicia' }));
    expect(() => newest(bed, 'updateAccount')).toThrow('has no keys yet');
  });
});

it('who follows the server itself gets a Reject from it, signed with its key', async () => {
  const { bed, bob, bobId } = await withFollower();
  const { addresses } = bed.gateway.services;
  const followUri = 'https://remote.example/follows/1';
  const intent: Intent = {
    kind: 'rejectFollow',
    actorId: serverActorId,
    activityId: 7n,
    targetId: bobId,
    followUri,
  };
  expect(translateIntent(intent, bed.read, addresses)?.activity).toMatchObject({
    id: `${home}/activities/7`,
    type: 'Reject',
    actor: `${home}/actor`,
    object: { id: followUri, type: 'Follow', actor: bob.uri, object: `${home}/actor` },
  });
  const noKeys = { of: () => Promise.reject(new Error('there are no accounts')) };
  expect(
    new LocalSigners({ snapshots: bed.read, addresses, caches: roomyCaches('network') }, noKeys).find(serverActorId),
  ).toMatchObject({
    keyId: `${home}/actor#main-key`,
  });
});
