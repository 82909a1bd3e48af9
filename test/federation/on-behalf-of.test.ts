/** Who signs the request for what another server shows to some only, as GoToSocial, activitypub.bot and Mastodon do. */

import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { findStatus } from '../../src/actors/account/status-views.queries.ts';
import { refreshPollWhenOld } from '../../src/federation/remote-objects/refresh-when-old.ts';
import { unlimited } from '../../src/operations/rate-limits.ts';
import { search } from '../../src/operations/search/search.ts';
import type { Id } from '../../src/runtime/ids.ts';
import { mergedHome } from '../support/merged-home.ts';
import { storedNotifications } from '../support/stored-notifications.ts';
import { home, type InboundBed, publicAudience, type RemotePerson } from './inbound-bed.ts';
import { soundBed } from './sound-bed.ts';

const serverKey = `${home}/actor#main-key`;

function uriOf(name: string): string {
  return `${home}/users/${name}`;
}

function keyOf(name: string): string {
  return `${uriOf(name)}#main-key`;
}

/** Alice and Carol follow Bob, who is elsewhere; to Dora he is a stranger. */
async function people() {
  const bed = soundBed();
  const ids: Record<string, Id> = {};
  for (const name of ['alice', 'carol', 'dora']) ids[name] = await bed.local(name);
  const { alice, carol, dora } = ids as { alice: Id; carol: Id; dora: Id };
  const bob = bed.person('remote.example', 'bob');
  for (const follower of [alice, carol]) await bed.follow(follower, bob);
  return { bed, alice, carol, dora, bob, toFollowers: { to: [`${bob.uri}/followers`], cc: [] } };
}

/** A note that its server shows only to whoever signs with one of these keys. */
function restricted(bed: InboundBed, note: Record<string, unknown>, ...keys: string[]): string {
  const uri = String(note.id);
  bed.web.set(uri, note);
  bed.restricted.set(uri, keys);
  return uri;
}

/** A Create of activitypub.bot, which names its object by the id alone. */
function createById(bob: RemotePerson, note: Record<string, unknown>) {
  return bob.activity('Create', note.id, { to: note.to, cc: note.cc });
}

function maySee(bed: InboundBed, accountId: Id, uri: string): boolean {
  const stored = bed.stored(uri);
  return stored !== undefined && bed.gateway.services.presenter.one(stored.id, accountId, 'single') !== undefined;
}

function notifiedOf(bed: InboundBed, accountId: Id): string[] {
  return storedNotifications(bed.read, accountId, {}, { limit: 40 }, (_id, { type }) => type).items;
}

async function found(bed: InboundBed, accountId: Id, address: string): Promise<Id[]> {
  const caller = { kind: 'account' as const, accountId, limits: unlimited };
  const input = { words: address, resolve: true, followedOnly: false, offset: 0, limit: 20 };
  return [...(await search({ caller, services: bed.gateway.services }, input)).statusIds];
}

describe('what is named by its id alone', () => {
  it('for followers is fetched for one of them', async () => {
    const { bed, alice, carol, dora, bob, toFollowers } = await people();
    const uri = restricted(bed, bob.note('1', toFollowers), keyOf('alice'), keyOf('carol'));
    expect(await bed.send(bob, createById(bob, bob.note('1', toFollowers)))).toBe(202);
    expect([alice, carol, dora].map((id) => maySee(bed, id, uri))).toEqual([true, true, false]);
    expect(mergedHome(bed.read, carol, { limit: 5 })).toEqual([bed.stored(uri)?.id]);
  });

  it('for a chosen account is fetched for it, whoever follows', async () => {
    const { bed, alice, dora, bob } = await people();
    const audience = { to: [uriOf('dora')], cc: [], tag: [{ type: 'Mention', href: uriOf('dora') }] };
    const uri = restricted(bed, bob.note('1', audience), keyOf('dora'));
    await bed.send(bob, createById(bob, bob.note('1', audience)));
    expect([alice, dora].map((id) => maySee(bed, id, uri))).toEqual([false, true]);
    expect(notifiedOf(bed, dora)).toEqual(['mention']);
  });

  it('by a stranger is fetched for whom it is for', async () => {
    const { bed, dora } = await people();
    const eve = bed.person('third.example', 'eve');
    const audience = { to: [uriOf('dora')], cc: [], tag: [{ type: 'Mention', href: uriOf('dora') }] };
    const uri = restricted(bed, eve.note('1', audience), keyOf('dora'));
    await bed.send(eve, createById(eve, eve.note('1', audience)));
    expect([maySee(bed, dora, uri), notifiedOf(bed, dora)]).toEqual([true, ['mention']]);
  });

  it('is fetched for the owner of the inbox to which it came', async () => {
    const { bed, carol, bob, toFollowers } = await people();
    const uri = restricted(bed, bob.note('1', toFollowers), keyOf('carol'));
    await bed.send(bob, createById(bob, bob.note('1', toFollowers)), { inbox: '/users/carol/inbox' });
    expect(maySee(bed, carol, uri)).toBe(true);
  });

  it('is not fetched for somebody who is suspended', async () => {
    const { bed, alice, carol, bob, toFollowers } = await people();
    await bed.gateway.actors.call(Account.changeLogin.to(alice, { suspended: true }));
    const uri = restricted(bed, bob.note('1', toFollowers), keyOf('carol'));
    await bed.send(bob, createById(bob, bob.note('1', toFollowers)), { inbox: '/users/alice/inbox' });
    expect(maySee(bed, carol, uri)).toBe(true);
  });

  it('for everybody is fetched by the server itself', async () => {
    const { bed, bob } = await people();
    const uri = restricted(bed, bob.note('1'), serverKey);
    await bed.send(bob, createById(bob, bob.note('1')), { inbox: '/users/alice/inbox' });
    expect(bed.stored(uri)?.visibility).toBe('public');
  });

  it('is edited as it was published', async () => {
    const { bed, bob, toFollowers } = await people();
    await bed.send(bob, bob.create(bob.note('1', toFollowers)));
    const edited = bob.note('1', { ...toFollowers, content: '<p>better</p>', updated: '2025-01-01T11:30:00Z' });
    const uri = restricted(bed, edited, keyOf('alice'), keyOf('carol'));
    await bed.send(bob, bob.activity('Update', uri, toFollowers));
    expect(bed.stored(uri)?.content).toBe('<p>better</p>');
  });
});

it('a boost of one’s own post for followers is fetched for one of them', async () => {
  const { bed, alice, dora, bob, toFollowers } = await people();
  const uri = restricted(bed, bob.note('1', toFollowers), keyOf('alice'), keyOf('carol'));
  const announce = bob.activity('Announce', uri, toFollowers);
  await bed.send(bob, announce);
  expect(bed.stored(announce.id)).toMatchObject({ visibility: 'private', reblogOfId: bed.stored(uri)?.id });
  expect([maySee(bed, alice, uri), maySee(bed, dora, uri)]).toEqual([true, false]);
});

it('the posts above an answer for followers are fetched for the same account', async () => {
  const { bed, alice, dora, bob, toFollowers } = await people();
  const root = restricted(bed, bob.note('root', toFollowers), keyOf('alice'));
  const middle = restricted(bed, bob.note('middle', { ...toFollowers, inReplyTo: root }), keyOf('alice'));
  const answer = bob.note('answer', { ...toFollowers, inReplyTo: middle });
  await bed.send(bob, bob.create(answer), { inbox: '/users/alice/inbox' });
  expect(bed.stored(answer.id)).toMatchObject({ inReplyToId: bed.stored(middle)?.id, threadId: bed.stored(root)?.id });
  expect([maySee(bed, alice, root), maySee(bed, dora, root)]).toEqual([true, false]);
});

it('what its server shows to an account that may not see it by its audience is not kept', async () => {
  const { bed, bob, toFollowers } = await people();
  const eve = bed.person('third.example', 'eve');
  const root = restricted(bed, eve.note('root', { to: [`${eve.uri}/followers`], cc: [] }), keyOf('alice'));
  const answer = bob.note('answer', { ...toFollowers, inReplyTo: root });
  await bed.send(bob, bob.create(answer), { inbox: '/users/alice/inbox' });
  expect([bed.stored(root), bed.stored(answer.id)?.inReplyToId]).toEqual([undefined, undefined]);
});

it('the totals of a poll for followers are fetched for one of them', async () => {
  const { bed, bob, toFollowers } = await people();
  const question = (total: number) =>
    bob.note('poll', {
      ...toFollowers,
      type: 'Question',
      oneOf: ['Yes', 'No'].map((name) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems: total } })),
      endTime: '2025-01-02T00:00:00Z',
    });
  await bed.send(bob, bob.create(question(1)));
  const uri = restricted(bed, question(5), keyOf('alice'), keyOf('carol'));
  const view = () => findStatus(bed.read, bed.stored(uri)!.id)!;
  bed.gateway.actors.clock.advance(60_000);
  refreshPollWhenOld(bed.gateway.services, view(), {});
  await bed.gateway.fetch('/users/alice');
  await bed.runEffects();
  expect(view().tally?.votes).toEqual([5, 5]);
});

describe('an address that somebody searches for', () => {
  it('is fetched for the searcher, and found by nobody else who may not see it', async () => {
    const { bed, alice, carol, dora, bob, toFollowers } = await people();
    const uri = restricted(bed, bob.note('1', toFollowers), keyOf('alice'));
    // At the same time: neither waits for the result of the other.
    const [ofAlice, ofDora] = await Promise.all([found(bed, alice, uri), found(bed, dora, uri)]);
    expect([ofAlice, ofDora]).toEqual([[bed.stored(uri)?.id], []]);
    expect([await found(bed, dora, uri), await found(bed, carol, uri)]).toEqual([[], ofAlice]);
  });

  it('of a post that its server shows to a stranger is not kept', async () => {
    const { bed, dora, bob, toFollowers } = await people();
    const uri = restricted(bed, bob.note('1', toFollowers), keyOf('dora'));
    expect([await found(bed, dora, uri), bed.stored(uri)]).toEqual([[], undefined]);
  });

  it('of what is shown to everybody here is fetched by the server itself', async () => {
    const { bed, alice, bob } = await people();
    const address = `${bob.uri}/collections/1`;
    const list = { id: address, type: 'FeaturedCollection', attributedTo: bob.uri, name: 'Friends', orderedItems: [] };
    restricted(bed, list, keyOf('alice'));
    const resolved = () => bed.gateway.services.resolver.resolveAddress(address, 1_000, { onBehalfOf: alice });
    expect(await resolved()).toBeUndefined();
    restricted(bed, list, keyOf('alice'), serverKey);
    expect(await resolved()).toMatchObject({ collectionId: expect.any(BigInt) });
  });
});

it('what is for everybody is fetched by the server itself, whatever it refers to', async () => {
  const { bed, bob } = await people();
  const root = restricted(bed, bob.note('root'), serverKey);
  await bed.send(bob, bob.create(bob.note('answer', { inReplyTo: root })));
  await bed.send(bob, bob.activity('Announce', restricted(bed, bob.note('2'), serverKey), { to: [publicAudience] }));
  expect([root, bob.note('2').id].map((uri) => bed.stored(uri)?.visibility)).toEqual(['public', 'public']);
});
