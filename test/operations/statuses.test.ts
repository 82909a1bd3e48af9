/** Answers of operations that publish, edit and favourite statuses; their effects are tested in test/actors/account. */

import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { findStatus } from '../../src/actors/account/status-views.queries.ts';
import { bookmarkStatus, unbookmarkStatus } from '../../src/operations/interactions/bookmark-status.ts';
import { favouriteStatus } from '../../src/operations/interactions/favourite-status.ts';
import { reblogStatus } from '../../src/operations/interactions/reblog-status.ts';
import { unfavouriteStatus } from '../../src/operations/interactions/unfavourite-status.ts';
import { unreblogStatus } from '../../src/operations/interactions/unreblog-status.ts';
import { deleteStatus } from '../../src/operations/statuses/delete-status.ts';
import { editStatus } from '../../src/operations/statuses/edit-status.ts';
import { publishStatus, UnexpectedMentions } from '../../src/operations/statuses/publish-status.ts';
import type { Person } from '../support/observer.ts';
import { Callers } from './callers.ts';

let callers: Callers;
let alice: Person;
let bob: Person;

beforeEach(() => {
  callers = new Callers();
  alice = callers.people.local('alice', {}, { defaultPrivacy: 'unlisted', defaultSensitive: true, locale: 'de' });
  bob = callers.people.local('bob');
});

type Written = Partial<Parameters<typeof publishStatus>[1]>;
const publish = (author: Person, text: string, more: Written = {}) =>
  publishStatus(callers.as(author), { text, spoilerText: '', ...more });
const statusOf = ({ statusId }: { statusId: bigint }) => findStatus(callers.people.server.read, statusId)?.status;

describe('publishing', () => {
  test('follows the preferences of the account where nothing else is given', async () => {
    const mine = { visibility: 'unlisted', sensitive: true, language: 'de' };
    expect(statusOf(await publish(alice, 'Hallo'))).toMatchObject(mine);
    const other = { visibility: 'public', sensitive: false, language: 'fr' } as const;
    expect(statusOf(await publish(alice, 'Salut', other))).toMatchObject(other);
  });

  test('counts what was published, and nothing else', async () => {
    await publish(alice, 'Hello');
    await expect(publish(alice, '  ')).rejects.toMatchObject({ code: 'validation' });
    expect(callers.counted).toEqual(['statuses']);
  });

  test('mentions everybody whom a text names, however many fit', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const names = letters.flatMap((first) => letters.slice(0, 5).map((second) => `${first}${second}`)).slice(0, 120);
    for (const name of names) callers.people.local(name);
    const status = statusOf(await publish(alice, names.map((name) => `@${name}`).join(' ')));
    expect(status?.mentions.map(({ username }) => username)).toEqual(names);
  });

  test('is refused where somebody is mentioned whom the author did not mean', async () => {
    const refused = publish(alice, '@bob hello', { allowedMentionIds: [alice.id] });
    await expect(refused).rejects.toBeInstanceOf(UnexpectedMentions);
    await expect(refused).rejects.toMatchObject({ code: 'validation', accounts: [{ profile: { username: 'bob' } }] });
  });

  test.each([
    ['public', ['update', 'update', 'delete']],
    ['unlisted', ['update', 'update', 'delete']],
    ['private', ['update', 'delete']],
    ['direct', ['update', 'delete']],
  ] as const)('of a %s status: the server of somebody it mentions no more hears %j', async (visibility, heard) => {
    const { people } = callers;
    const carol = people.remote('carol', 'there.test');
    const { statusId } = await publish(alice, '@carol@there.test hello', { visibility });
    expect(statusOf({ statusId })?.mentions).toMatchObject([{ id: carol.id }]);
    people.takeDeliveries();
    const edit = (text: string) => editStatus(callers.as(alice), { statusId, text, spoilerText: '' });
    await edit('Nobody in particular');
    await edit('Nobody at all');
    await deleteStatus(callers.as(alice), { statusId });
    const toCarol = people.takeDeliveries().filter(({ inboxes }) => inboxes.includes(carol.destination!.inbox));
    expect(toCarol.map(({ intent }) => intent.kind)).toEqual(heard);
  });

  test('of a private status: the server of who favourited it hears of its deletion, also after they follow no more', async () => {
    const { people } = callers;
    const carol = people.remote('carol', 'there.test');
    await people.follow(carol, alice);
    const { statusId } = await publish(alice, 'Between us', { visibility: 'private' });
    await people.favourite(carol, { id: statusId, author: alice });
    await people.unfollow(carol, alice);
    people.takeDeliveries();
    await deleteStatus(callers.as(alice), { statusId });
    expect(people.takeDeliveries()).toMatchObject([
      { intent: { kind: 'delete', statusId }, inboxes: [carol.destination!.inbox] },
    ]);
  });

  test.each([
    ['approved', { approved: false }, { approved: true }],
    ['confirmed', { confirmed: false }, { confirmed: true }],
  ] as const)('mentions an account from when on it is %s', async (_state, before, after) => {
    const dora = callers.people.local('dora', {}, before);
    const mentioned = async () => statusOf(await publish(alice, 'Hello @dora'))?.mentions.map(({ id }) => id);
    expect(await mentioned()).toEqual([]);
    await callers.people.server.call(Account.changeLogin.to(dora.id, after));
    expect(await mentioned()).toEqual([dora.id]);
  });

  test('may reply only to what the author can see', async () => {
    const { statusId } = await publish(alice, 'To myself', { visibility: 'direct' });
    await expect(publish(bob, 'Hm', { inReplyToId: statusId })).rejects.toMatchObject({
      code: 'notFound',
      message: 'The post you are trying to reply to does not appear to exist',
    });
  });
});

test.each([
  [
    'edited',
    (caller: Person, statusId: bigint) =>
      editStatus(callers.as(caller), { statusId, text: 'Changed', spoilerText: '' }),
  ],
  ['deleted', (caller: Person, statusId: bigint) => deleteStatus(callers.as(caller), { statusId })],
])('a status is %s by its author alone', async (_done, change) => {
  const status = await publish(alice, 'Mine');
  expect(() => change(bob, status.statusId)).toThrow(expect.objectContaining({ code: 'notFound' }));
  expect(statusOf(status)?.text).toBe('Mine');
  await change(alice, status.statusId);
  expect(statusOf(status)?.text).not.toBe('Mine');
});

describe('a status of somebody else', () => {
  test('is favourited through a reblog of it, and no more', async () => {
    const { statusId } = await publish(alice, 'Look', { visibility: 'public' });
    const { status: reblog } = await reblogStatus(callers.as(bob), { statusId });
    expect(reblog.reblogOfId).toBe(statusId);
    expect(await favouriteStatus(callers.as(bob), { statusId: reblog.id })).toEqual({ statusId });
    expect(await unfavouriteStatus(callers.as(bob), { statusId: reblog.id })).toEqual({ statusId });
  });

  test('is favourited and bookmarked without its actors where it is already', async () => {
    const { statusId } = await publish(alice, 'Look', { visibility: 'public' });
    const { client } = callers.services;
    let calls = 0;
    const call = (...given: Parameters<typeof client.call>) => {
      calls += 1;
      return client.call(...given);
    };
    const counted = { ...callers.as(bob), services: Object.create(callers.services, { client: { value: { call } } }) };
    const acts = [favouriteStatus, bookmarkStatus, unbookmarkStatus] as const;
    for (const act of acts) for (const _time of ['first', 'again']) await act(counted, { statusId });
    expect(calls).toBe(acts.length);
  });

  test('whose reblog is taken back before the answer is answered itself', async () => {
    const { statusId } = await publish(alice, 'Look', { visibility: 'public' });
    const { client } = callers.services;
    const asBob = callers.as(bob);
    // The second request overtakes the answer of the first.
    const overtaken = {
      ...asBob,
      services: Object.create(callers.services, {
        client: {
          value: {
            call: async (...call: Parameters<typeof client.call>) => {
              const answer = await client.call(...call);
              await unreblogStatus(asBob, { statusId });
              return answer;
            },
          },
        },
      }),
    };
    expect(await reblogStatus(overtaken, { statusId })).toMatchObject({ status: { id: statusId }, reblog: undefined });
  });
});
