import { describe, expect, it, vi } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { findAccount } from '../../src/actors/account/profile/profiles.queries.ts';
import { findProfile } from '../../src/actors/account/remote/federation.queries.ts';
import { findStatus, statusesByAccount } from '../../src/actors/account/status-views.queries.ts';
import { versionsOf } from '../../src/actors/account/statuses/status-versions.queries.ts';
import { Domain } from '../../src/actors/domain/domain.messages.ts';
import { received } from '../../src/actors/domain/receive.ts';
import { anonymous } from '../../src/actors/policy/visibility.ts';
import { remoteTimeline } from '../../src/actors/timelines.state.ts';
import { mergedHome } from '../support/merged-home.ts';
import { storedNotifications } from '../support/stored-notifications.ts';
import { until } from '../support/until.ts';
import { aliceFollowsBob, home, InboundBed, publicAudience } from './inbound-bed.ts';

const withoutReplies = { excludeReplies: true, excludeReblogs: false, onlyMedia: false };

function notificationTypes(bed: InboundBed, accountId: bigint): string[] {
  return storedNotifications(bed.read, accountId, {}, { limit: 40 }, (_id, { type }) => type).items;
}

describe('a new status', () => {
  it('of a followed account reaches the homes of its followers', async () => {
    const { bed, alice, bob } = await aliceFollowsBob();
    const note = bob.note('hello', { content: '<p>Hello <b onclick="x()">there</b></p>' });
    expect(await bed.send(bob, bob.create(note))).toBe(202);
    const status = bed.stored(note.id);
    expect(status).toMatchObject({ visibility: 'public', content: '<p>Hello <b>there</b></p>' });
    expect(mergedHome(bed.read, alice, { limit: 20 })).toEqual([status?.id]);
  });

  it('is traced by the id of the request that brings it, also where it must wait for what it replies to', async () => {
    const { bed, bob } = await aliceFollowsBob();
    bed.holdEffects = true;
    const call = vi.spyOn(bed.gateway.services.client, 'call');
    await bed.send(bob, bob.create(bob.note('1')));
    await bed.send(bob, bob.create(bob.note('2', { inReplyTo: 'https://remote.example/notes/0' })));
    const traced = { flow: 'domain:remote.example', cause: expect.stringMatching(/^[\da-f]{12}-/) };
    expect(call.mock.calls.map(([{ kind }, flow]) => [kind, flow])).toEqual([
      [Account.actor.kind, traced],
      [Domain.actor.kind, traced],
    ]);
  });

  it('of somebody whom nobody follows, and who addresses nobody here, is dropped', async () => {
    const bed = new InboundBed();
    const bob = bed.person('remote.example', 'bob');
    await bed.know(bob);
    expect(await bed.send(bob, bob.create(bob.note('hello')))).toBe(202);
    expect(bed.stored(bob.note('hello').id)).toBeUndefined();
  });

  it('that mentions a local account notifies it, and its author becomes known', async () => {
    const bed = new InboundBed();
    const alice = await bed.local('alice');
    const bob = bed.person('remote.example', 'bob');
    const note = bob.note('hello', {
      cc: [`${home}/users/alice`],
      tag: { type: 'Mention', href: `${home}/users/alice`, name: '@alice@social.example' },
    });
    expect(await bed.send(bob, bob.create(note))).toBe(202);
    expect(bed.stored(note.id)?.mentions).toMatchObject([{ id: alice, username: 'alice' }]);
    expect(notificationTypes(bed, alice)).toEqual(['mention']);
    expect(bed.accountOf(bob.uri)).toBeDefined();
  });

  it('that mentions without addressing does not notify', async () => {
    const bed = new InboundBed();
    const alice = await bed.local('alice');
    const bob = bed.person('remote.example', 'bob');
    const tag = [{ type: 'Mention', href: `${home}/users/alice` }];
    await bed.send(bob, bob.create(bob.note('hello', { tag })));
    expect(bed.stored(bob.note('hello').id)).toBeDefined();
    expect(notificationTypes(bed, alice)).toEqual([]);
  });

  it('that is direct and names its recipient by the address alone reaches it', async () => {
    const bed = new InboundBed();
    const alice = await bed.local('alice');
    const bob = bed.person('misskey.example', 'bob');
    const note = bob.note('secret', { to: [`${home}/users/alice`], cc: [], tag: [] });
    await bed.send(bob, bob.create(note), { inbox: '/users/alice/inbox' });
    expect(bed.stored(note.id)).toMatchObject({ visibility: 'direct', mentions: [{ id: alice }] });
    expect(notificationTypes(bed, alice)).toEqual(['mention']);
  });

  it.each([
    ['public', { to: publicAudience, cc: ['https://remote.example/users/bob/followers'] }],
    ['public', { to: ['as:Public'] }],
    ['unlisted', { to: ['https://remote.example/users/bob/followers'], cc: ['Public'] }],
    ['private', { to: ['https://remote.example/users/bob/followers'], cc: [] }],
    ['direct', { to: ['https://elsewhere.example/users/carol'], cc: [] }],
    ['direct', { to: ['https://remote.example/#Public'], cc: [] }],
  ])('is %s when it is addressed %j', async (visibility, audience) => {
    const { bed, bob } = await aliceFollowsBob();
    await bed.send(bob, bob.create(bob.note('hello', audience)));
    expect(bed.stored(bob.note('hello').id)?.visibility).toBe(visibility);
  });

  it('comes twice and is stored once', async () => {
    const { bed, alice, bob } = await aliceFollowsBob();
    const create = bob.create(bob.note('hello'));
    await bed.send(bob, create);
    await bed.send(bob, create);
    await bed.send(bob, { ...create, id: `${create.id}-again` });
    expect(mergedHome(bed.read, alice, { limit: 20 })).toHaveLength(1);
  });

  it('that was deleted before it came is not stored', async () => {
    const { bed, bob } = await aliceFollowsBob();
    const note = bob.note('hello');
    await bed.send(bob, bob.activity('Delete', { type: 'Tombstone', id: note.id }));
    await bed.send(bob, bob.create(note));
    expect(bed.stored(note.id)).toBeUndefined();
  });

  it('whose object is only named is fetched where it lives', async () => {
    const { bed, bob } = await aliceFollowsBob();
    const note = bob.note('hello');
    bed.web.set(String(note.id), note);
    await bed.send(bob, bob.activity('Create', note.id));
    expect(bed.stored(note.id)?.content).toBe('<p>hello</p>');
  });
});

describe('a reply', () => {
  it.each(['', '?a=b', '#c', '/'])('to a local status joins its thread and notifies its author: %s', async (end) => {
    const bed = new InboundBed();
    const alice = await bed.local('alice');
    const bob = bed.person('remote.example', 'bob');
    const statusId = await bed.publish(alice, 'Anybody?');
    const reply = bob.note('me', {
      inReplyTo: `${home}/users/alice/statuses/${statusId}${end}`,
      cc: [`${home}/users/alice`],
      tag: [{ type: 'Mention', href: `${home}/users/alice` }],
    });
    expect(await bed.send(bob, bob.create(reply))).toBe(202);
    expect(bed.stored(reply.id)).toMatchObject({ inReplyToId: statusId, inReplyToAccountId: alice });
    expect(notificationTypes(bed, alice)).toEqual(['mention']);
  });

  it('to a local status that its author cannot see stands alone', async () => {
    const bed = new InboundBed();
    const alice = await bed.local('alice');
    const bob = bed.person('remote.example', 'bob');
    const statusId = await bed.publish(alice, 'Secret', { visibility: 'direct' });
    const reply = bob.note('me', { inReplyTo: `${home}/users/alice/statuses/${statusId}` });
    await bed.send(bob, bob.create(reply));
    expect(bed.stored(reply.id)?.inReplyToId).toBeUndefined();
  });

  it('brings the thread above it along', async () => {
    const { bed, bob } = await aliceFollowsBob();
    const carol = bed.person('third.example', 'carol');
    const root = carol.note('root');
    const middle = bob.note('middle', { inReplyTo: root.id });
    const reply = bob.note('reply', { inReplyTo: middle.id });
    for (const note of [root, middle]) bed.web.set(String(note.id), note);
    expect(await bed.send(bob, bob.create(reply))).toBe(202);
    expect(bed.stored(reply.id)?.inReplyToId).toBe(bed.stored(middle.id)?.id);
    expect(bed.stored(middle.id)?.inReplyToId).toBe(bed.stored(root.id)?.id);
    expect(bed.stored(root.id)?.accountId).toBe(bed.accountOf(carol.uri));
  });

  it.each([
    'notFound',
    'unreachable',
  ] as const)('to what is %s is kept, but is in no home and no public timeline', async (kind) => {
    const { bed, alice, bob } = await aliceFollowsBob();
    bed.web.set('https://third.example/notes/root', kind);
    const reply = bob.note('reply', { inReplyTo: 'https://third.example/notes/root' });
    await bed.send(bob, bob.create(reply));
    const stored = bed.stored(reply.id)!;
    expect(stored).toMatchObject({ content: '<p>reply</p>', inReplyToId: undefined });
    const shown = () => [
      mergedHome(bed.read, alice, { limit: 20 }),
      statusesByAccount(
        bed.read,
        { accountId: stored.accountId, choice: withoutReplies, viewer: anonymous },
        { limit: 9 },
      ).items,
      bed.read.partitions.flatMap((partition) => [...partition.range(remoteTimeline, [])]),
    ];
    expect(shown()).toEqual([[], [], []]);
    const edited = { ...reply, content: '<p>edited</p>', updated: '2025-01-01T11:30:00Z' };
    await bed.send(bob, bob.activity('Update', edited));
    expect(bed.stored(reply.id)).toMatchObject({ content: '<p>edited</p>' });
    expect(shown()).toEqual([[], [], []]);
  });

  it('in an endless thread stops at the bound', async () => {
    const { bed, bob } = await aliceFollowsBob();
    for (let depth = 0; depth < 200; depth += 1) {
      const note = bob.note(`n${depth}`, { inReplyTo: bob.note(`n${depth + 1}`).id });
      bed.web.set(String(note.id), note);
    }
    await bed.send(bob, bob.create(bob.note('reply', { inReplyTo: bob.note('n0').id })));
    expect(bed.stored(bob.note('reply').id)?.inReplyToId).toBe(bed.stored(bob.note('n0').id)?.id);
    expect(bed.asked.filter((url) => url.includes('/notes/')).length).toBeLessThanOrEqual(25);
  });
});

describe('an edit', () => {
  it('changes what is here', async () => {
    const { bed, bob } = await aliceFollowsBob();
    await bed.send(bob, bob.create(bob.note('hello')));
    const edited = bob.note('hello', { content: '<p>better</p>', updated: '2025-01-01T11:30:00Z' });
    expect(await bed.send(bob, bob.activity('Update', edited))).toBe(202);
    expect(bed.stored(edited.id)).toMatchObject({
      content: '<p>better</p>',
      editedAt: Date.UTC(2025, 0, 1, 11, 30),
    });
    expect(versionsOf(bed.read, bed.stored(edited.id)!)).toMatchObject([
      { content: '<p>hello</p>', createdAt: Date.UTC(2025, 0, 1, 11) },
      { content: '<p>better</p>', createdAt: Date.UTC(2025, 0, 1, 11, 30) },
    ]);
  });

  it('of pictures alone keeps what was attached before', async () => {
    const { bed, bob } = await aliceFollowsBob();
    const picture = (name: string, description: string) => ({
      type: 'Document',
      mediaType: 'image/png',
      url: `https://remote.example/media/${name}.png`,
      name: description,
    });
    const note = bob.note('hello', { attachment: [picture('cat', 'A cat'), picture('dog', 'A dog')] });
    await bed.send(bob, bob.create(note));
    const attachment = [picture('cat', 'A cat on a mat')];
    const edited = bob.note('hello', { attachment, updated: '2025-01-01T11:30:00Z' });
    expect(await bed.send(bob, bob.activity('Update', edited))).toBe(202);
    const described = versionsOf(bed.read, bed.stored(note.id)!).map(({ attachments }) =>
      attachments.map(({ url, description }) => [url, description]),
    );
    const [cat, dog] = ['https://remote.example/media/cat.png', 'https://remote.example/media/dog.png'];
    expect(described).toEqual([
      [
        [cat, 'A cat'],
        [dog, 'A dog'],
      ],
      [[cat, 'A cat on a mat']],
    ]);
  });

  it('that is only named is fetched', async () => {
    const { bed, bob } = await aliceFollowsBob();
    await bed.send(bob, bob.create(bob.note('hello')));
    const edited = bob.note('hello', { content: '<p>better</p>', updated: '2025-01-01T11:30:00Z' });
    bed.web.set(String(edited.id), edited);
    await bed.send(bob, bob.activity('Update', edited.id));
    expect(bed.stored(edited.id)?.content).toBe('<p>better</p>');
  });

  it('of an unknown status is dropped when nobody follows its author', async () => {
    const bed = new InboundBed();
    const bob = bed.person('remote.example', 'bob');
    await bed.know(bob);
    await bed.send(bob, bob.activity('Update', bob.note('hello', { updated: '2025-01-01T11:30:00Z' })));
    expect(bed.stored(bob.note('hello').id)).toBeUndefined();
  });

  it('of the profile is taken over', async () => {
    const bed = new InboundBed();
    const bob = bed.person('remote.example', 'bob');
    const bobId = await bed.know(bob);
    const changed = { ...bob.document, name: 'Robert', summary: '<p>New</p>', manuallyApprovesFollowers: true };
    expect(await bed.send(bob, bob.activity('Update', changed))).toBe(202);
    expect(findProfile(bed.read, bobId)).toMatchObject({ displayName: 'Robert', noteHtml: '<p>New</p>', locked: true });
  });
});

describe('a deletion', () => {
  it.each([
    ['as an id', (id: unknown) => id],
    ['as a tombstone', (id: unknown) => ({ type: 'Tombstone', id })],
    ['as an object in a list', (id: unknown) => [{ type: 'Note', id }]],
  ])('of a status %s removes it', async (_name, objectOf) => {
    const { bed, bob } = await aliceFollowsBob();
    const note = bob.note('hello');
    await bed.send(bob, bob.create(note));
    expect(bed.stored(note.id)).toBeDefined();
    expect(await bed.send(bob, bob.activity('Delete', objectOf(note.id)))).toBe(202);
    expect(bed.stored(note.id)).toBeUndefined();
  });

  it('by somebody else of the same host removes nothing', async () => {
    const { bed, bob } = await aliceFollowsBob();
    const mallory = bed.person('remote.example', 'mallory');
    await bed.know(mallory);
    await bed.send(bob, bob.create(bob.note('hello')));
    await bed.send(mallory, mallory.activity('Delete', bob.note('hello').id));
    expect(bed.stored(bob.note('hello').id)).toBeDefined();
  });

  it('of its own actor takes everything out that it left here', async () => {
    const bed = new InboundBed();
    const alice = await bed.local('alice');
    const bob = bed.person('remote.example', 'bob');
    const bobId = await bed.follow(alice, bob);
    const statusId = await bed.publish(alice, 'Hello');
    const uri = `${home}/users/alice/statuses/${statusId}`;
    await bed.send(bob, bob.activity('Follow', `${home}/users/alice`));
    await bed.send(bob, bob.activity('Announce', uri, { to: [publicAudience] }));
    for (let number = 0; number < 120; number += 1) await bed.send(bob, bob.create(bob.note(`n${number}`)));
    const reply = bob.note('reply', { inReplyTo: uri });
    await bed.send(bob, bob.create(reply));
    expect(await bed.send(bob, bob.activity('Delete', bob.uri))).toBe(202);
    expect(findProfile(bed.read, bobId)).toMatchObject({ suspendedAt: bed.now, displayName: '' });
    // What an account leaves goes a little at a time, with pauses.
    bed.gateway.actors.clock.advance(60_000);
    expect(findAccount(bed.read, bobId)?.counters).toMatchObject({ statuses: 0, followers: 0, following: 0 });
    expect(findAccount(bed.read, alice)?.counters).toMatchObject({ statuses: 1, followers: 0, following: 0 });
    expect(findStatus(bed.read, statusId)?.counters).toMatchObject({ reblogs: 0, replies: 0 });
    expect(mergedHome(bed.read, alice, { limit: 20 })).toEqual([statusId]);
    expect(await bed.send(bob, bob.create(bob.note('late')))).toBe(202);
    expect(bed.stored(bob.note('late').id)).toBeUndefined();
  });

  it('of an unknown actor is answered without a fetch', async () => {
    const bed = new InboundBed();
    const bob = bed.person('remote.example', 'bob');
    expect(await bed.send(bob, bob.activity('Delete', bob.uri))).toBe(202);
    expect(bed.asked).toEqual([]);
  });
});

describe('what is being taken in', () => {
  it.each([
    ['stored', {}],
    ['kept for later', { inReplyTo: 'https://third.example/notes/1' }],
  ])('and is %s at the moment is not shown when its deletion comes', async (_doing, more) => {
    const { bed, bob } = await aliceFollowsBob();
    const note = bob.note('hello', more);
    const { promise, resolve: goOn } = Promise.withResolvers<undefined>();
    const callsBefore = bed.calls;
    bed.holdCalls = promise;
    const created = bed.send(bob, bob.create(note));
    await until(() => bed.calls > callsBefore);
    bed.holdCalls = undefined;
    expect(await bed.send(bob, bob.activity('Delete', note.id))).toBe(202);
    goOn(undefined);
    expect(await created).toBe(202);
    expect(bed.stored(note.id)).toBeUndefined();
  });
});

describe('what waits for something to be fetched', () => {
  it('is not shown when it was deleted in the meantime', async () => {
    const { bed, bob } = await aliceFollowsBob();
    const reply = bob.note('reply', { inReplyTo: 'https://third.example/notes/1' });
    bed.holdEffects = true;
    expect(await bed.send(bob, bob.create(reply))).toBe(202);
    expect(await bed.send(bob, bob.activity('Delete', reply.id))).toBe(202);
    bed.holdEffects = false;
    await bed.runEffects();
    expect(bed.stored(reply.id)).toBeUndefined();
  });

  it('is boosted by nobody when that was undone in the meantime', async () => {
    const { bed, bob } = await aliceFollowsBob();
    const carol = bed.person('third.example', 'carol');
    const note = carol.note('original');
    bed.web.set(String(note.id), note);
    const announce = bob.activity('Announce', note.id, { to: [publicAudience] });
    bed.holdEffects = true;
    await bed.send(bob, announce);
    await bed.send(bob, bob.activity('Undo', announce));
    bed.holdEffects = false;
    await bed.runEffects();
    expect(bed.stored(announce.id)).toBeUndefined();
  });

  it('is kept while it is small, and applied at once where it is large', async () => {
    const { bed, bob } = await aliceFollowsBob();
    bed.holdEffects = true;
    const reply = (characters: number) =>
      bob.note(`${characters}`, { content: 'x'.repeat(characters), inReplyTo: 'https://third.example/notes/1' });
    const [small, large] = [reply(30_000), reply(70_000)];
    for (const note of [small, large]) expect(await bed.send(bob, bob.create(note))).toBe(202);
    expect([bed.stored(small.id), bed.stored(large.id)]).toEqual([undefined, expect.anything()]);
  });

  it('is bounded for each host', async () => {
    const { bed, bob } = await aliceFollowsBob();
    bed.holdEffects = true;
    bed.gateway.actors.turn(Domain.actor, 'remote.example', (turn) => {
      const waiting = { activity: '{}', signerUri: bob.uri, receivedAt: turn.now, attempt: 1 };
      for (let number = 0; number < 999; number += 1) received(turn, waiting);
    });
    const answers = [];
    for (const name of ['one', 'two']) {
      const reply = bob.note(name, { inReplyTo: `https://third.example/notes/${name}` });
      answers.push(await bed.send(bob, bob.create(reply)));
    }
    expect(answers).toEqual([202, 503]);
  });
});
