/** Remote posts for a chosen audience, and those that come to an inbox without naming its owner (decision 47). */

import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { conversationsOf } from '../../src/actors/account/conversations/conversations.queries.ts';
import { chooseNotificationRequests } from '../../src/actors/account/notifications/notification-requests.queries.ts';
import { viewerOf } from '../../src/actors/account/relationships/viewer.queries.ts';
import { statusesByAccount } from '../../src/actors/account/status-views.queries.ts';
import { statusArrived, statusPublished } from '../../src/actors/account/statuses/statuses.events.ts';
import { isEvent } from '../../src/runtime/events/event.ts';
import type { Id } from '../../src/runtime/ids.ts';
import { mergedHome } from '../support/merged-home.ts';
import { storedNotifications } from '../support/stored-notifications.ts';
import { home, type InboundBed, publicAudience, type RemotePerson } from './inbound-bed.ts';
import { soundBed } from './sound-bed.ts';

const page = { limit: 40 };

function uriOf(name: string): string {
  return `${home}/users/${name}`;
}

function inboxOf(name: string) {
  return { inbox: `/users/${name}/inbox` };
}

function tagOf(name: string) {
  return { type: 'Mention', href: uriOf(name), name: `@${name}@social.example` };
}

/** Alice follows Bob, who is elsewhere; Carol is a stranger to him. */
async function people() {
  const bed = soundBed();
  const [alice, carol] = [await bed.local('alice'), await bed.local('carol')];
  const bob = bed.person('remote.example', 'bob');
  await bed.follow(alice, bob);
  return { bed, alice, carol, bob };
}

function seenBy(bed: InboundBed, accountId: Id, uri: unknown) {
  const stored = bed.stored(uri);
  const shown = stored && bed.gateway.services.presenter.one(stored.id, accountId, 'single');
  const entity = shown && JSON.parse(bed.gateway.services.answers.status(shown).toString());
  const { items } = storedNotifications(bed.read, accountId, { includeFiltered: true }, page, (_id, { type }) => type);
  return {
    shows: entity && [entity.visibility, entity.mentions.map(({ username }: { username: string }) => username)],
    isAtHome: stored !== undefined && mergedHome(bed.read, accountId, page).includes(stored.id),
    notifications: items,
    conversations: [...conversationsOf(bed.read, accountId, page)].length,
  };
}

const unseen = { shows: undefined, isAtHome: false, notifications: [], conversations: 0 };
const atHome = { ...unseen, isAtHome: true };
const notified = { ...unseen, notifications: ['mention'] };

function note(bob: RemotePerson, to: string[], more = {}) {
  return bob.note('chosen', { to, cc: [], tag: [], ...more });
}

describe('a post that is addressed to several people and mentions none', () => {
  it('is at home for followers, and strangers are notified; it is no conversation and shows nobody', async () => {
    const { bed, alice, carol, bob } = await people();
    const chosen = note(bob, [uriOf('alice'), uriOf('carol')]);
    await bed.send(bob, bob.create(chosen));
    expect(seenBy(bed, alice, chosen.id)).toEqual({ ...atHome, shows: ['private', []] });
    expect(seenBy(bed, carol, chosen.id)).toEqual({ ...notified, shows: ['private', []] });
  });

  it('shows those whom it mentions beside them', async () => {
    const { bed, alice, carol, bob } = await people();
    const chosen = note(bob, [uriOf('alice'), uriOf('carol')], { tag: [tagOf('carol')] });
    await bed.send(bob, bob.create(chosen));
    expect(seenBy(bed, alice, chosen.id)).toEqual({ ...atHome, shows: ['private', ['carol']] });
    expect(seenBy(bed, carol, chosen.id)).toEqual({ ...notified, shows: ['private', ['carol']] });
  });

  it('is a private mention where its server says so', async () => {
    const { bed, alice, carol, bob } = await people();
    const message = note(bob, [uriOf('alice'), uriOf('carol')], { directMessage: true });
    await bed.send(bob, bob.create(message));
    for (const id of [alice, carol]) {
      const { shows, conversations } = seenBy(bed, id, message.id);
      expect([shows, conversations]).toEqual([['direct', ['alice', 'carol']], 1]);
    }
  });

  it('is no private mention where it is for followers as well', async () => {
    const { bed, carol, bob } = await people();
    const post = note(bob, [`${bob.uri}/followers`], { cc: [uriOf('carol')] });
    await bed.send(bob, bob.create(post));
    expect(seenBy(bed, carol, post.id)).toEqual({ ...unseen, shows: ['private', []] });
  });

  it('becomes no conversation where its notification waits and is accepted', async () => {
    const { bed, carol, bob } = await people();
    const { actors } = bed.gateway;
    await actors.call(Account.changeNotificationPolicy.to(carol, { forPrivateMentions: 'filter' }));
    const chosen = note(bob, [uriOf('alice'), uriOf('carol')]);
    await bed.send(bob, bob.create(chosen));
    const { items: requestIds } = chooseNotificationRequests(bed.read, carol, page, (id) => id);
    expect(requestIds).toHaveLength(1);
    await actors.call(Account.settleNotificationRequests.to(carol, { requestIds, isAccepted: true }));
    expect(seenBy(bed, carol, chosen.id)).toEqual({ ...notified, shows: ['private', []] });
  });

  it('counts among the posts of an account without private mentions', async () => {
    const { bed, alice, bob } = await people();
    await bed.send(bob, bob.create(note(bob, [uriOf('alice'), uriOf('carol')])));
    const accountId = bed.accountOf(bob.uri)!;
    const choice = { excludeReplies: false, excludeReblogs: false, onlyMedia: false, excludeDirect: true };
    const wanted = { accountId, choice, viewer: viewerOf(bed.read, alice, bed.now) };
    expect(statusesByAccount(bed.read, wanted, page).items).toHaveLength(1);
  });
});

describe('a post that names nobody here', () => {
  it.each([
    ['nobody', []],
    ['somebody elsewhere', ['https://elsewhere.example/users/dan']],
  ])('is for the owners of the inboxes to which it came, one after the other (it names %s)', async (_whom, to) => {
    const { bed, alice, carol, bob } = await people();
    const blind = bob.create(note(bob, to));
    const { id } = blind.object as { id: string };
    await bed.send(bob, blind, inboxOf('carol'));
    expect([seenBy(bed, alice, id), seenBy(bed, carol, id)]).toEqual([unseen, { ...notified, shows: ['private', []] }]);
    for (let time = 0; time < 2; time += 1) {
      await bed.send(bob, blind, inboxOf('alice'));
      await bed.send(bob, blind, inboxOf('carol'));
    }
    expect(seenBy(bed, alice, id)).toEqual({ ...atHome, shows: ['private', []] });
    expect(seenBy(bed, carol, id)).toEqual({ ...notified, shows: ['private', []] });
  });

  it('arrives for the owner of the second inbox alone', async () => {
    const { bed, alice, bob } = await people();
    const blind = bob.create(note(bob, []));
    await bed.send(bob, blind, inboxOf('carol'));
    const arrived: unknown[] = [];
    bed.gateway.services.events.subscribe(({ events }) => {
      for (const event of events)
        if (isEvent(event, statusArrived) || isEvent(event, statusPublished)) arrived.push(event.body);
    });
    await bed.send(bob, blind, inboxOf('alice'));
    expect(arrived).toMatchObject([{ mentions: [], addressed: [alice] }]);
  });

  it('is for nobody where it came to the inbox that all share', async () => {
    const { bed, alice, bob } = await people();
    const blind = note(bob, []);
    await bed.send(bob, bob.create(blind));
    expect(seenBy(bed, alice, blind.id)).toEqual(unseen);
  });

  it('comes from a stranger', async () => {
    const { bed, carol } = await people();
    const eve = bed.person('strange.example', 'eve');
    const blind = note(eve, []);
    await bed.send(eve, eve.create(blind), inboxOf('carol'));
    expect(seenBy(bed, carol, blind.id)).toEqual({ ...notified, shows: ['private', []] });
  });

  it('comes to two inboxes at once, while what it answers must be fetched', async () => {
    const { bed, alice, carol, bob } = await people();
    bed.holdEffects = true;
    const blind = bob.create(note(bob, [], { inReplyTo: 'https://elsewhere.example/notes/1' }));
    const { id } = blind.object as { id: string };
    await bed.send(bob, blind, inboxOf('carol'));
    await bed.send(bob, blind, inboxOf('alice'));
    bed.holdEffects = false;
    await bed.runEffects();
    expect(seenBy(bed, carol, id)).toEqual({ ...notified, shows: ['private', []] });
    expect(seenBy(bed, alice, id)).toEqual({ ...notified, shows: ['private', []] });
  });

  it('and answers what is not known here is in no home, so that followers are notified as well', async () => {
    for (const to of [[uriOf('alice'), uriOf('carol')], []]) {
      const { bed, alice, carol, bob } = await people();
      const answer = bob.create(note(bob, to, { inReplyTo: 'https://elsewhere.example/notes/1' }));
      const { id } = answer.object as { id: string };
      for (const name of ['carol', 'alice', 'carol']) await bed.send(bob, answer, inboxOf(name));
      for (const reader of [alice, carol])
        expect(seenBy(bed, reader, id)).toEqual({ ...notified, shows: ['private', []] });
      await bed.close();
    }
  });

  it('is a private mention of those it mentions, whoever has it first', async () => {
    for (const order of [
      ['alice', 'carol'],
      ['carol', 'alice'],
    ]) {
      const { bed, alice, carol, bob } = await people();
      const message = bob.create(note(bob, [uriOf('alice')], { tag: [tagOf('alice')] }));
      const { id } = message.object as { id: string };
      for (const name of order) await bed.send(bob, message, inboxOf(name));
      expect(seenBy(bed, alice, id)).toEqual({
        ...{ shows: ['direct', ['alice']], isAtHome: true, conversations: 1 },
        notifications: ['mention'],
      });
      expect(seenBy(bed, carol, id)).toEqual({ ...notified, shows: ['direct', ['alice']], conversations: 1 });
      await bed.close();
    }
  });

  it('may be seen by a stranger to whose inbox it came beside those of followers', async () => {
    const { bed, alice, carol, bob } = await people();
    const post = bob.create(note(bob, [`${bob.uri}/followers`]));
    const { id } = post.object as { id: string };
    for (const name of ['alice', 'carol', 'alice']) await bed.send(bob, post, inboxOf(name));
    expect(seenBy(bed, alice, id)).toEqual({ ...atHome, shows: ['private', []] });
    expect(seenBy(bed, carol, id)).toEqual({ ...unseen, shows: ['private', []] });
    expect(bed.stored(id)!.addressed).toEqual([carol]);
  });

  it('stays for whom it was when it is edited, and is gone for all when it is deleted', async () => {
    const { bed, alice, carol, bob } = await people();
    const blind = note(bob, []);
    for (const name of ['alice', 'carol']) await bed.send(bob, bob.create(blind), inboxOf(name));
    const edited = { ...blind, content: '<p>edited</p>', updated: '2025-01-01T11:30:00Z' };
    await bed.send(bob, bob.activity('Update', edited));
    expect(bed.stored(blind.id)).toMatchObject({ content: '<p>edited</p>', addressed: [alice, carol], limited: true });
    await bed.send(bob, bob.activity('Delete', { type: 'Tombstone', id: blind.id }));
    expect([seenBy(bed, alice, blind.id), seenBy(bed, carol, blind.id)]).toEqual([unseen, unseen]);
  });

  it('is not shown to whom its author blocks afterwards, nor to somebody who blocks the author', async () => {
    const { bed, alice, carol, bob } = await people();
    const blind = note(bob, []);
    await bed.gateway.actors.call(Account.block.to(carol, { targetId: bed.accountOf(bob.uri)! }));
    for (const name of ['alice', 'carol']) await bed.send(bob, bob.create(blind), inboxOf(name));
    expect(seenBy(bed, carol, blind.id)).toEqual(unseen);
    await bed.send(bob, bob.activity('Block', uriOf('alice')));
    expect(seenBy(bed, alice, blind.id)).toEqual(unseen);
  });

  it('is no reason to keep what is public', async () => {
    const { bed } = await people();
    const eve = bed.person('strange.example', 'eve');
    const post = eve.note('public', { to: [publicAudience], cc: [] });
    await bed.send(eve, eve.create(post), inboxOf('carol'));
    expect([bed.stored(post.id), bed.accountOf(eve.uri)]).toEqual([undefined, undefined]);
  });
});
