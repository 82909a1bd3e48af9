/** Muting threads (specification 4.3: the mute routes of a status; behaviour of the Mastodon API). */
import { beforeEach, describe, expect, test } from 'vitest';
import { inMutedThreads } from '../../../src/actors/account/threads/threads.queries.ts';
import { getContext } from '../../../src/gateway/rest/interactions/get-context.ts';
import { postMute, postUnmute } from '../../../src/gateway/rest/interactions/status-changes.ts';
import { postVotes } from '../../../src/gateway/rest/polls/polls.endpoints.ts';
import { getStatus } from '../../../src/gateway/rest/statuses/get-status.ts';
import { postStatus } from '../../../src/gateway/rest/statuses/post-status.ts';
import { putStatus } from '../../../src/gateway/rest/statuses/put-status.ts';
import type { Post } from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';
import type { Person } from '../../support/observer.ts';

let { people, api, alice, bob } = await newPeople();
let root: Post;
let reply: Post;

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
  root = await people.publish(alice);
  reply = await people.publish(bob, { replyTo: root });
});

const mute = (by: Person, { id }: Post) => api.ask(postMute, by, { id });
const unmute = (by: Person, { id }: Post) => api.ask(postUnmute, by, { id });
const isMuted = async (by: Person, { id }: Post) => (await api.ask(getStatus, by, { id })).body.muted;
const heard = (person: Person) => people.notificationsOf(person).map(({ type }) => type);

test('mute answers the status as muted, and every status of its thread is, also what comes later; unmute ends it', async () => {
  expect([await isMuted(alice, root), await isMuted(alice, reply)]).toEqual([false, false]);
  expect((await mute(alice, reply)).body).toMatchObject({ id: `${reply.id}`, muted: true });
  const later = await people.publish(bob, { replyTo: reply });
  const other = await people.publish(bob);
  for (const post of [root, reply, later]) expect(await isMuted(alice, post)).toBe(true);
  expect([await isMuted(alice, other), await isMuted(bob, root)]).toEqual([false, false]);
  const { body } = await api.ask(getContext, alice, { id: root.id });
  expect(body).toMatchObject({ descendants: [{ muted: true }, { muted: true }] });
  for (let time = 0; time < 2; time += 1) expect((await unmute(alice, later)).body).toMatchObject({ muted: false });
  for (const post of [root, reply, later]) expect(await isMuted(alice, post)).toBe(false);
});

test('nothing in the thread notifies, all else does, and so it does again later', async () => {
  await people.reblog(alice, reply);
  await mute(alice, root);
  const again = await people.publish(bob, { replyTo: reply, mentions: [alice] });
  await people.favourite(bob, root);
  await people.reblog(bob, root);
  expect(heard(alice)).toEqual([]);
  await people.publish(bob, { mentions: [alice] });
  expect(heard(alice)).toEqual(['mention']);
  await unmute(alice, root);
  await people.publish(bob, { replyTo: again, mentions: [alice] });
  expect(heard(alice)).toEqual(['mention', 'mention']);
});

describe.each([
  ['is told', false],
  ['is not told once the thread is muted', true],
])('what happens in a thread %s', (_how, isMutedFirst) => {
  const hour = 3_600;
  const post = async (by: Person, given: object = {}) =>
    (await api.ask(postStatus, by, { status: 'So?', ...given })).body as { id: string };
  const answer = (by: Person, given: object = {}) => post(by, { in_reply_to_id: `${reply.id}`, ...given });
  const change = (by: Person, id: unknown) => api.ask(putStatus, by, { id: `${id}`, status: 'Otherwise' });
  const poll = { options: ['Tea', 'Water'], expires_in: hour };
  const theEnd = async () => people.server.clock.advance(hour * 1_000);

  test.each<[type: string, what: string, before: () => Promise<unknown>, act: (had: unknown) => Promise<unknown>]>([
    ['mention', 'a reply', async () => 0, () => people.publish(bob, { replyTo: reply, mentions: [alice] })],
    ['favourite', 'a favourite', async () => 0, () => people.favourite(bob, root)],
    ['reblog', 'a reblog', async () => 0, () => people.reblog(bob, root)],
    ['quote', 'a quote', () => answer(alice), (had) => post(bob, { quoted_status_id: (had as { id: string }).id })],
    ['update', 'an edit of what she reblogged', () => people.reblog(alice, reply), () => change(bob, reply.id)],
    [
      'quoted_update',
      'an edit of what she quoted',
      async () => {
        const { id } = await post(bob);
        await answer(alice, { quoted_status_id: id });
        return id;
      },
      (id) => change(bob, id),
    ],
    ['poll', 'the end of a poll of hers', () => answer(alice, { poll }), theEnd],
    [
      'poll',
      'the end of a poll with a vote of hers',
      async () => {
        const { id } = await answer(bob, { poll });
        await api.ask(postVotes, alice, { id, choices: ['0'] });
      },
      theEnd,
    ],
    [
      'status',
      'a post of somebody whose posts she wants to hear of',
      () => people.follow(alice, bob, { notify: true }),
      () => answer(bob),
    ],
  ])('%s, by %s', async (type, _what, before, act) => {
    const had = await before();
    if (isMutedFirst) await mute(alice, root);
    await act(had);
    people.server.settle();
    expect(heard(alice)).toEqual(isMutedFirst ? [] : [type]);
  });
});

test('a thread goes on across servers', async () => {
  const rita = people.remote('rita', 'there.test');
  await mute(alice, root);
  const answer = await people.receive(rita, 'https://there.test/1', { replyTo: reply, mentions: [alice] });
  expect([heard(alice), await isMuted(alice, answer)]).toEqual([[], true]);
});

test('of a reblog the thread of the original is muted', async () => {
  const reblog = await people.reblog(bob, root);
  expect((await mute(bob, reblog)).body).toMatchObject({ id: `${root.id}`, muted: true });
  expect(inMutedThreads(people.server.read, bob.id, [root.id, reply.id])).toEqual([true, true]);
});

test('what one may not see is not muted', async () => {
  const secret = await people.publish(alice, { visibility: 'private' });
  for (const change of [mute, unmute]) await expect(change(bob, secret)).rejects.toMatchObject({ code: 'notFound' });
});
