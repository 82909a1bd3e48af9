/** Conversations of direct statuses (behaviour of the Mastodon API). */
import { beforeEach, describe, expect, test } from 'vitest';
import { conversationContinued } from '../../../src/actors/account/conversations/conversations.events.ts';
import { findConversation } from '../../../src/actors/account/conversations/conversations.queries.ts';
import {
  deleteConversation,
  getConversations,
  postConversationRead,
  postConversationUnread,
} from '../../../src/gateway/rest/conversations/conversations.endpoints.ts';
import { postMute } from '../../../src/gateway/rest/interactions/status-changes.ts';
import { Payloads } from '../../../src/gateway/streaming/payloads.ts';
import type { Post, PostOptions } from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';
import type { Person } from '../../support/observer.ts';
import { presenting } from '../../support/presenting.ts';

let { people, api, alice, bob, carol } = await newPeople();

beforeEach(async () => {
  ({ people, api, alice, bob, carol } = await newPeople());
});

interface Conversation {
  readonly id: string;
  readonly unread: boolean;
  readonly accounts: readonly { readonly username: string }[];
  readonly last_status: { readonly id: string };
}

const direct = (by: Person, ...mentions: Person[]) => people.publish(by, { visibility: 'direct', mentions });
const answer = (by: Person, replyTo: Post, more: PostOptions = {}) =>
  people.publish(by, { visibility: 'direct', replyTo, mentions: [replyTo.author], ...more });
const of = async (person: Person) => (await api.ask<Conversation[]>(getConversations, person)).body;
const shown = async (person: Person) =>
  (await of(person)).map(({ unread, accounts, last_status }) => [
    unread,
    accounts.map(({ username }) => username).join(),
    last_status.id,
  ]);

test('a direct status is one for its author, who has read it, and for whom it mentions, who have not', async () => {
  const post = await direct(alice, bob, carol);
  expect(await shown(alice)).toEqual([[false, 'bob,carol', `${post.id}`]]);
  for (const person of [bob, carol])
    expect(await shown(person)).toEqual([[true, `alice,${person === bob ? 'carol' : 'bob'}`, `${post.id}`]]);
});

test.each(['public', 'unlisted', 'private'] as const)('a %s status that mentions is none', async (visibility) => {
  await people.follow(bob, alice);
  await people.publish(alice, { visibility, mentions: [bob] });
  expect([await of(alice), await of(bob)]).toEqual([[], []]);
});

test('a thread is one conversation, with its latest status; the one that was continued last comes first', async () => {
  const first = await direct(alice, bob);
  const other = await direct(carol, bob);
  const reply = await answer(bob, first);
  expect(await shown(bob)).toEqual([
    [false, 'alice', `${reply.id}`],
    [true, 'carol', `${other.id}`],
  ]);
  expect(await shown(alice)).toEqual([[true, 'bob', `${reply.id}`]]);
  const again = await answer(alice, reply);
  expect((await shown(bob))[0]).toEqual([true, 'alice', `${again.id}`]);
});

test('a status to oneself has oneself in it', async () => {
  const post = await direct(alice);
  expect(await shown(alice)).toEqual([[false, 'alice', `${post.id}`]]);
});

test('one from another server comes in the same way', async () => {
  const rita = people.remote('rita', 'there.test');
  const post = await people.receive(rita, 'https://there.test/1', { visibility: 'direct', mentions: [alice] });
  expect(await shown(alice)).toEqual([[true, 'rita', `${post.id}`]]);
});

describe('read and removed', () => {
  test('reading is kept, until the conversation goes on', async () => {
    const post = await direct(alice, bob);
    const [{ id }] = (await of(bob)) as [Conversation];
    expect((await api.ask(postConversationRead, bob, { id })).body).toMatchObject({
      id,
      unread: false,
      last_status: { id: `${post.id}` },
    });
    expect(await shown(bob)).toEqual([[false, 'alice', `${post.id}`]]);
    await answer(alice, post, { mentions: [bob] });
    expect((await of(bob))[0]?.unread).toBe(true);
  });

  test('marked as unread again, it is as if it had not been seen', async () => {
    const post = await direct(alice, bob);
    const [{ id }] = (await of(bob)) as [Conversation];
    await api.ask(postConversationRead, bob, { id });
    const { body } = await api.ask(postConversationUnread, bob, { id });
    expect(body).toMatchObject({ id, unread: true, last_status: { id: `${post.id}` } });
    expect([await of(bob), (await of(alice))[0]?.unread]).toEqual([[body], false]);
  });

  test('removing takes it away for oneself, until it goes on; the statuses stay', async () => {
    const post = await direct(alice, bob);
    const [{ id }] = (await of(bob)) as [Conversation];
    expect((await api.ask(deleteConversation, bob, { id })).body).toEqual({});
    expect([await of(bob), (await of(alice)).length]).toEqual([[], 1]);
    const later = await answer(alice, post, { mentions: [bob] });
    expect(await shown(bob)).toEqual([[true, 'alice', `${later.id}`]]);
    await people.remove(later);
    expect(await of(bob)).toEqual([]);
  });

  test.each([
    ['read', postConversationRead],
    ['unread', postConversationUnread],
    ['removed', deleteConversation],
  ] as const)("somebody else's, or one that does not exist, is not %s", async (_what, endpoint) => {
    await direct(alice, carol);
    const [{ id }] = (await of(alice)) as [Conversation];
    for (const one of [id, '12', 'word'])
      await expect(api.ask(endpoint, bob, { id: one })).rejects.toMatchObject({ code: 'notFound' });
    expect(await of(alice)).toHaveLength(1);
  });
});

test('a deleted status gives way to the one before it, and the last one takes the conversation along', async () => {
  const first = await direct(alice, bob);
  const second = await answer(bob, first);
  await people.remove(second);
  for (const person of [alice, bob]) expect((await of(person))[0]?.last_status.id).toBe(`${first.id}`);
  await people.remove(first);
  expect([await of(alice), await of(bob)]).toEqual([[], []]);
  expect(findConversation(people.server.read, bob.id, first.id)).toBeUndefined();
});

test.each<[string, () => Promise<unknown>]>([
  ['who blocks the author', () => people.block(bob, alice)],
  ['who mutes the author', () => people.mute(bob, alice)],
])('somebody %s has none', async (_who, hide) => {
  await hide();
  await direct(alice, bob);
  expect([await of(bob), (await of(alice)).length]).toEqual([[], 1]);
});

test('a muted thread goes on without being marked unread', async () => {
  const first = await direct(alice, bob);
  const [{ id }] = (await of(bob)) as [Conversation];
  await api.ask(postConversationRead, bob, { id });
  await api.ask(postMute, bob, { id: first.id });
  await answer(alice, first, { mentions: [bob] });
  expect(await shown(bob)).toEqual([[false, 'alice', `${first.id}`]]);
});

test('pages lead through all of them, and pass over what its owner is not shown any more', async () => {
  const posts: Post[] = [];
  for (const by of [alice, carol, alice, alice]) posts.unshift(await direct(by, bob));
  await people.block(carol, bob);
  const first = await api.ask(getConversations, bob, { limit: 2 });
  const lastIds = (body: unknown) => (body as Conversation[]).map(({ last_status }) => last_status.id);
  expect(lastIds(first.body)).toEqual([`${posts[0]!.id}`, `${posts[1]!.id}`]);
  const second = await api.ask(getConversations, bob, first.links.next);
  expect(lastIds(second.body)).toEqual([`${posts[3]!.id}`]);
  expect(lastIds((await api.ask(getConversations, bob, second.links.prev)).body)).toEqual(lastIds(first.body));
});

test('the direct stream says each time what the conversation is now', async () => {
  const services = presenting(people.server);
  const post = await direct(alice, bob);
  const events = people.server.events(conversationContinued);
  expect(events.map(({ accountId }) => accountId).sort()).toEqual([alice.id, bob.id].sort());
  const payload = new Payloads(services).conversation(bob.id, post.id);
  expect(JSON.parse(payload!.json)).toEqual((await of(bob))[0]);
});
