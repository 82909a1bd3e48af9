/** Polls between servers: Questions, votes as Notes with a name, and Updates with the totals. */

import { describe, expect, it, onTestFinished } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { pollLimits } from '../../src/actors/account/polls/limits.ts';
import { findStatus } from '../../src/actors/account/status-views.queries.ts';
import { deliveryLog } from '../../src/actors/partition/partition.state.ts';
import { readActivity } from '../../src/federation/documents/read-activity.ts';
import { refreshPollWhenOld } from '../../src/federation/remote-objects/refresh-when-old.ts';
import { unlimited } from '../../src/operations/rate-limits.ts';
import { publishStatus } from '../../src/operations/statuses/publish-status.ts';
import type { JsonObject } from '../../src/outbound/fetcher/json.ts';
import { plainPost } from '../support/plain-post.ts';
import { storedNotifications } from '../support/stored-notifications.ts';
import { home, InboundBed, publicAudience, type RemotePerson } from './inbound-bed.ts';

const startedAt = Date.UTC(2025, 0, 1, 12);
const endTime = '2025-01-01T14:00:00Z';

const choices = (...totals: readonly number[]) =>
  totals.map((totalItems, index) => ({
    type: 'Note',
    name: `Option ${index}`,
    replies: { type: 'Collection', totalItems },
  }));

const question = (by: RemotePerson, more: object = {}) =>
  by.note('question', { type: 'Question', oneOf: choices(3, 1), endTime, votersCount: 4, ...more });

async function withBob() {
  const bed = new InboundBed();
  onTestFinished(() => expect(bed.gateway.actors.problems).toEqual([]));
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  const bobId = await bed.follow(alice, bob);
  const view = () => findStatus(bed.read, bed.stored(question(bob).id)!.id)!;
  const notified = () => storedNotifications(bed.read, alice, {}, { limit: 40 }, (_id, { type }) => type).items;
  return { bed, alice, bob, bobId, view, notified, sent: () => bed.sent() };
}

const advance = (bed: InboundBed, milliseconds: number) => bed.gateway.actors.clock.advance(milliseconds);

describe('a Question of another server', () => {
  it.each<[string, object, object, object]>([
    [
      'of one choice',
      {},
      { multiple: false, expiresAt: Date.parse(endTime) },
      { votes: [3, 1], voters: 4, isClosed: false },
    ],
    [
      'of one choice, with an empty list of the other kind, as of Pleroma',
      { anyOf: [] },
      { multiple: false },
      { votes: [3, 1] },
    ],
    ['of several', { oneOf: undefined, anyOf: choices(3, 2) }, { multiple: true }, { votes: [3, 2], voters: 4 }],
    [
      'that does not count voters',
      { oneOf: undefined, anyOf: choices(3, 2), votersCount: undefined },
      {},
      { voters: undefined },
    ],
    ['that never ends, as of Misskey', { endTime: undefined }, { expiresAt: undefined }, { isClosed: false }],
    ['that has ended', { endTime: '2025-01-01T11:30:00Z' }, {}, { isClosed: true }],
    [
      'that was closed early',
      { closed: '2025-01-01T11:30:00Z' },
      { expiresAt: Date.UTC(2025, 0, 1, 11, 30) },
      { isClosed: true },
    ],
    [
      'with totals that are none',
      {
        oneOf: [
          { name: 'a', replies: { totalItems: -1 } },
          { name: 'b', replies: 'x' },
        ],
      },
      { options: ['a', 'b'] },
      { votes: [0, 0] },
    ],
  ])('%s is a status with a poll', async (_what, more, poll, tally) => {
    const { bed, bob, view } = await withBob();
    expect(await bed.send(bob, bob.create(question(bob, more)))).toBe(202);
    expect(view().status.poll).toMatchObject(poll);
    expect(view().tally).toMatchObject(tally);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no choices', []],
    ['a word', 'x'],
  ])('that offers %s is a status without a poll', async (_what, oneOf) => {
    const { bed, bob, view } = await withBob();
    await bed.send(bob, bob.create(question(bob, { oneOf })));
    expect(view().status.poll).toBeUndefined();
  });

  it('has new totals by an Update, which is no edit', async () => {
    const { bed, bob, view } = await withBob();
    await bed.send(bob, bob.create(question(bob)));
    await bed.send(bob, bob.activity('Update', question(bob, { oneOf: choices(5, 2), votersCount: 7 })));
    expect(view()).toMatchObject({ status: { editedAt: undefined }, tally: { votes: [5, 2], voters: 7 } });
  });

  it('with other options begins anew, by an edit', async () => {
    const { bed, alice, bob, bobId, view } = await withBob();
    await bed.send(bob, bob.create(question(bob)));
    await bed.gateway.actors.call(Account.vote.to(bobId, { statusId: view().status.id, by: alice, choices: [0] }));
    const oneOf = [...choices(1), { type: 'Note', name: 'Else', replies: { totalItems: 0 } }];
    await bed.send(
      bob,
      bob.activity('Update', question(bob, { oneOf, votersCount: 1, updated: '2025-01-01T11:30:00Z' })),
    );
    expect(view()).toMatchObject({
      status: { poll: { options: ['Option 0', 'Else'] } },
      tally: { votes: [1, 0], voters: 1 },
    });
    const again = Account.vote.to(bobId, { statusId: view().status.id, by: alice, choices: [1] });
    await bed.gateway.actors.call(again);
    expect(view().tally).toMatchObject({ votes: [1, 1] });
  });

  it('takes a vote from here, told to its server, and tells the voter of its end', async () => {
    const { bed, alice, bob, bobId, view, notified, sent } = await withBob();
    await bed.send(bob, bob.create(question(bob, { oneOf: undefined, anyOf: choices(3, 1, 0) })));
    await bed.gateway.actors.call(Account.vote.to(bobId, { statusId: view().status.id, by: alice, choices: [2, 0] }));
    expect(view().tally).toMatchObject({ votes: [4, 1, 1], voters: 5 });
    const votes = sent().filter((activity) => activity?.type === 'Create');
    const vote = { type: 'Note', attributedTo: `${home}/users/alice`, inReplyTo: question(bob).id, to: [bob.uri] };
    expect(votes).toMatchObject([
      { actor: `${home}/users/alice`, to: [bob.uri], object: { ...vote, name: 'Option 0' } },
      { object: { ...vote, name: 'Option 2' } },
    ]);
    expect(votes[0]?.object).not.toHaveProperty('content');
    expect(new Set(votes.map((activity) => activity?.id)).size).toBe(2);
    advance(bed, 3 * 3_600_000);
    expect(notified()).toEqual(['poll']);
    expect(view().tally).toMatchObject({ isClosed: true });
  });

  it('that its server closes early tells the voter of its end, once', async () => {
    const { bed, alice, bob, bobId, view, notified } = await withBob();
    await bed.send(bob, bob.create(question(bob)));
    await bed.gateway.actors.call(Account.vote.to(bobId, { statusId: view().status.id, by: alice, choices: [0] }));
    const closed = new Date(bed.now - 1_000).toISOString();
    await bed.send(bob, bob.activity('Update', question(bob, { oneOf: choices(4, 1), votersCount: 5, closed })));
    advance(bed, 1_000);
    expect(view().tally).toMatchObject({ votes: [4, 1], isClosed: true });
    expect(notified()).toEqual(['poll']);
    advance(bed, 3 * 3_600_000);
    expect(notified()).toEqual(['poll']);
  });

  it('is not changed by votes that other servers send here', async () => {
    const { bed, bob, view } = await withBob();
    await bed.send(bob, bob.create(question(bob)));
    const carol = bed.person('third.example', 'carol');
    const ballot = { id: `${carol.uri}#votes/1`, type: 'Note', attributedTo: carol.uri, to: [`${home}/users/alice`] };
    const vote = carol.activity('Create', { ...ballot, name: 'Option 0', inReplyTo: question(bob).id });
    await bed.send(carol, vote);
    expect(view().tally).toMatchObject({ votes: [3, 1], voters: 4 });
  });

  it('is asked for again when somebody looks, once a minute', async () => {
    const { bed, bob, view } = await withBob();
    await bed.send(bob, bob.create(question(bob)));
    const { services } = bed.gateway;
    const look = async () => {
      refreshPollWhenOld(services, view(), {});
      // By the time of an answer, what was asked before has begun.
      await bed.gateway.fetch('/users/alice');
      await bed.runEffects();
    };
    bed.web.set(String(question(bob).id), question(bob, { oneOf: choices(8, 8), votersCount: 16 }));
    await look();
    expect(view().tally).toMatchObject({ votes: [8, 8], voters: 16 });
    bed.web.set(String(question(bob).id), question(bob, { oneOf: choices(9, 9), votersCount: 18 }));
    await look();
    expect(view().tally).toMatchObject({ votes: [8, 8] });
    advance(bed, 60_000);
    await look();
    expect(view().tally).toMatchObject({ votes: [9, 9] });
    advance(bed, 60_000);
    bed.web.set(String(question(bob).id), 'unreachable');
    await look();
    expect(view().tally).toMatchObject({ votes: [9, 9] });
  });
});

describe('a poll of this server', () => {
  async function withPoll(more: object = {}) {
    const given = await withBob();
    const { bed, alice } = given;
    const poll = { options: ['Tea', 'Coffee'], multiple: false, hideTotals: false, expiresInSeconds: 3_600, ...more };
    const message = { ...plainPost('What?'), poll };
    const { statusId } = await bed.gateway.actors.call(Account.publish.to(alice, message));
    const address = `${home}/users/alice/statuses/${statusId}`;
    let count = 0;
    const vote = (name: unknown, by = given.bob, note: object = {}) => {
      count += 1;
      const ballot = {
        id: `${by.uri}#votes/${count}`,
        type: 'Note',
        attributedTo: by.uri,
        to: [`${home}/users/alice`],
        name,
        inReplyTo: address,
        ...note,
      };
      return bed.send(
        by,
        { ...by.activity('Create', ballot), id: `${ballot.id}/activity` },
        { inbox: '/users/alice/inbox' },
      );
    };
    const tally = () => findStatus(bed.read, statusId)?.tally;
    const document = async () =>
      (
        await bed.gateway.json(`/users/alice/statuses/${statusId}`, {
          headers: { accept: 'application/activity+json' },
        })
      ).body;
    return { ...given, statusId, address, vote, tally, document };
  }

  it('is a Question, and what our own side reads of it is the same poll', async () => {
    const { document, vote, bed, bob } = await withPoll();
    await vote('Coffee');
    expect(await document()).toMatchObject({
      type: 'Question',
      oneOf: [
        { type: 'Note', name: 'Tea', replies: { type: 'Collection', totalItems: 0 } },
        { type: 'Note', name: 'Coffee', replies: { type: 'Collection', totalItems: 1 } },
      ],
      endTime: new Date(startedAt + 3_600_000).toISOString().replace('.000', ''),
      votersCount: 1,
      to: [publicAudience],
    });
    expect(await document()).not.toHaveProperty('closed');
    await vote('Tea', bed.person('third.example', 'carol'));
    const activity = { ...bob.activity('Create', await document()), actor: `${home}/users/alice` };
    expect(readActivity(activity as JsonObject)).toMatchObject({
      acts: [
        {
          kind: 'publish',
          note: { poll: { poll: { options: ['Tea', 'Coffee'] }, tally: { votes: [1, 1], voters: 2 } } },
        },
      ],
    });
  });

  it('of several choices is an anyOf; hidden totals are hidden from servers as well, up to the end', async () => {
    const { document, vote, bed } = await withPoll({ multiple: true, hideTotals: true });
    await vote('Tea');
    expect((await document()).anyOf).toMatchObject([{ replies: { type: 'Collection' } }, {}]);
    expect(JSON.stringify((await document()).anyOf)).not.toContain('totalItems');
    advance(bed, 3_600_000);
    expect(await document()).toMatchObject({ closed: expect.any(String), anyOf: [{ replies: { totalItems: 1 } }, {}] });
  });

  it.each<['public' | 'direct', string[]]>([
    ['public', ['boosting.example', 'mentioned.example', 'remote.example']],
    ['direct', ['mentioned.example', 'remote.example']],
  ])('that is %s has totals for whoever it mentions, boosted it or voted, once each', async (visibility, hosts) => {
    const { bed, alice, bob } = await withBob();
    const [carol, dave] = [bed.person('mentioned.example', 'carol'), bed.person('boosting.example', 'dave')];
    await bed.know(carol);
    const text = 'Tea? @carol@mentioned.example @bob@remote.example';
    const poll = { options: ['Yes', 'No'], multiple: false, hideTotals: false, expiresInSeconds: 3_600 };
    const caller = { kind: 'account' as const, accountId: alice, limits: unlimited };
    const as = { caller, services: bed.gateway.services };
    const { statusId } = await publishStatus(as, { text, spoilerText: '', visibility, poll });
    const address = `${home}/users/alice/statuses/${statusId}`;
    await bed.send(dave, dave.activity('Announce', address, { to: [publicAudience] }));
    const ballot = { id: `${bob.uri}#votes/1`, type: 'Note', attributedTo: bob.uri, to: [`${home}/users/alice`] };
    await bed.send(bob, bob.activity('Create', { ...ballot, name: 'Yes', inReplyTo: address }));
    const updates = () =>
      bed.read.partitions
        .flatMap((partition) => Array.from(partition.range(deliveryLog, []), ({ value }) => value))
        .flatMap(({ intent, single }) => (intent.kind === 'update' ? single : []))
        .map(({ inbox }) => new URL(inbox).host)
        .sort();
    expect(updates()).toEqual([]);
    advance(bed, pollLimits.announceDelayMilliseconds);
    await bed.runEffects();
    expect(updates()).toEqual(hosts);
  });

  it('counts each voter of another server once, and an option of several choices once', async () => {
    const one = await withPoll();
    for (const name of ['Tea', 'Tea', 'Coffee']) expect(await one.vote(name)).toBe(202);
    expect(one.tally()).toMatchObject({ votes: [1, 0], voters: 1 });
    const several = await withPoll({ multiple: true });
    for (const name of ['Tea', 'Tea', 'Coffee']) await several.vote(name);
    expect(several.tally()).toMatchObject({ votes: [1, 1], voters: 1 });
  });

  it.each<[string, unknown, object]>([
    ['for an option that there is not', 'Water', {}],
    ['of somebody else', 'Tea', { attributedTo: 'https://remote.example/users/carol' }],
    ['in another poll', 'Tea', { inReplyTo: `${home}/users/alice/statuses/1` }],
    ['in another poll, with a content', 'Tea', { inReplyTo: `${home}/users/alice/statuses/1`, content: '<p>Tea</p>' }],
    ['for an option that there is not, with a content', 'Water', { content: '<p>Water</p>' }],
    ['of a list', ['Tea'], {}],
  ])('does not count a vote %s', async (_what, name, note) => {
    const { vote, tally } = await withPoll();
    expect(await vote(name, undefined, note)).toBe(202);
    expect(tally()).toMatchObject({ votes: [0, 0], voters: 0 });
  });

  it.each([
    ['none', null],
    ['an empty one', ''],
    ['an empty line, as of snac', '<br>'],
    ['its option', '<p>Tea</p>'],
  ])('counts a vote whose content is %s, and tells nobody of a mention', async (_what, content) => {
    const { bed, vote, tally, notified } = await withPoll();
    await vote('Tea', undefined, { content, tag: [{ type: 'Mention', href: `${home}/users/alice` }] });
    expect([tally(), notified()]).toMatchObject([{ votes: [1, 0], voters: 1 }, []]);
    expect(bed.stored('https://remote.example/users/bob#votes/1')).toBeUndefined();
  });

  it('takes what names no option of it, and says something, for an answer', async () => {
    const { bed, vote, notified, statusId } = await withPoll();
    await vote('Water', undefined, {
      content: '<p>Water?</p>',
      tag: [{ type: 'Mention', href: `${home}/users/alice` }],
    });
    expect(notified()).toEqual(['mention']);
    expect(bed.stored('https://remote.example/users/bob#votes/1')?.inReplyToId).toBe(statusId);
  });

  it('counts no vote after its end, and none of whom its author blocks', async () => {
    const { bed, alice, bobId, vote, tally } = await withPoll();
    await bed.gateway.actors.call(Account.block.to(alice, { targetId: bobId }));
    await vote('Tea');
    expect(tally()).toMatchObject({ votes: [0, 0] });
    advance(bed, 3_600_000);
    await vote('Tea', bed.person('third.example', 'carol'));
    expect(tally()).toMatchObject({ votes: [0, 0], isClosed: true });
  });
});
