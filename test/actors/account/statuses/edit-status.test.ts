import { beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { findConversation } from '../../../../src/actors/account/conversations/conversations.queries.ts';
import { versionsOf } from '../../../../src/actors/account/statuses/status-versions.queries.ts';
import { statusEdited } from '../../../../src/actors/account/statuses/statuses.events.ts';
import * as acts from '../../../support/acts.ts';
import { mentionOf, type Post, picture } from '../../../support/acts.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

type EditStatus = z.infer<typeof Account.edit.body>;

let people: People;
let alice: Person;
let bob: Person;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
});

async function edit(post: Post, changes: Partial<EditStatus>, by = post.author): Promise<void> {
  const { text, content, sensitive, spoilerText, language, tags, emojis, attachments, mentions } =
    people.statusOf(post)!;
  const before = { statusId: post.id, text, content, sensitive, spoilerText, language, tags, emojis, attachments };
  const mentioned = mentions.map((mention) => ({ mention }));
  people.server.clock.advance(60_000);
  await people.server.call(Account.edit.to(by.id, { ...before, mentions: mentioned, ...changes }));
}

const tag = (name: string) => ({ name, display: name });

test('changes what is shown and says when', async () => {
  const post = await people.publish(alice, { text: 'one' });
  const before = people.statusOf(post)!;
  await edit(post, { text: 'two', content: '<p>two</p>', spoilerText: 'careful', sensitive: true, language: 'fr' });
  expect(people.statusOf(post)).toEqual({
    ...before,
    text: 'two',
    content: '<p>two</p>',
    spoilerText: 'careful',
    sensitive: true,
    language: 'fr',
    editedAt: people.server.clock.now(),
  });
  expect(people.server.events(statusEdited)).toMatchObject([{ id: post.id, accountId: alice.id, language: 'fr' }]);
  expect(people.accountCounters(alice).statuses).toBe(1);
});

test('is later than what it changes, also in the same millisecond', async () => {
  const post = await people.publish(alice, { text: 'one' });
  const times: number[] = [people.statusOf(post)!.createdAt];
  for (const text of ['two', 'three']) {
    await people.server.call(acts.edit(post, { text }));
    times.push(people.statusOf(post)!.editedAt!);
  }
  const [created, first, second] = times;
  expect(first).toBeGreaterThan(created!);
  expect(second).toBeGreaterThan(first!);
});

test('who is no longer mentioned in private loses the mention, and keeps the rest of the conversation', async () => {
  const shared = { visibility: 'direct', mentions: [bob, alice] } as const;
  const first = await people.publish(alice, shared);
  const second = await people.publish(alice, { ...shared, replyTo: first });
  await edit(second, { text: 'for nobody', content: '<p>for nobody</p>', mentions: [] });
  expect(findConversation(people.server.read, bob.id, first.id)?.lastStatusId).toBe(first.id);
  expect(findConversation(people.server.read, alice.id, first.id)?.lastStatusId).toBe(second.id);
  expect(people.notificationsOf(bob)).toHaveLength(1);
  await edit(second, { text: 'for bob', content: '<p>for bob</p>', mentions: [mentionOf(bob)] });
  expect(findConversation(people.server.read, bob.id, first.id)?.lastStatusId).toBe(second.id);
  people.expectSound();
});

describe('what was said before', () => {
  const versions = (post: Post) => versionsOf(people.server.read, people.statusOf(post)!);

  test('is kept with its time, in order, and the last version is the one of now', async () => {
    const post = await people.publish(alice, { text: 'one', withMedia: true });
    const times = [people.server.clock.now()];
    for (const text of ['two', 'three']) {
      await edit(post, { text, content: `<p>${text}</p>`, attachments: [], spoilerText: `${text}!` });
      times.push(people.server.clock.now());
    }
    expect(versions(post)).toMatchObject([
      { content: '<p>one</p>', createdAt: times[0], spoilerText: '', attachments: [{ type: 'image' }] },
      { content: '<p>two</p>', createdAt: times[1], spoilerText: 'two!', attachments: [] },
      { content: '<p>three</p>', createdAt: times[2], spoilerText: 'three!', attachments: [] },
    ]);
  });

  test('has a bound: the first version stays, and the latest', async () => {
    const post = await people.publish(alice, { text: '0' });
    for (let number = 1; number <= 102; number += 1) await edit(post, { content: `<p>${number}</p>` });
    const contents = versions(post).map(({ content }) => content);
    expect(contents).toHaveLength(101);
    expect(contents.slice(0, 2)).toEqual(['<p>0</p>', '<p>3</p>']);
    expect(contents.at(-1)).toBe('<p>102</p>');
  });

  test('goes with the status', async () => {
    const post = await people.publish(alice, { text: 'one' });
    await edit(post, { content: '<p>two</p>' });
    const before = people.statusOf(post)!;
    await people.remove(post);
    expect(versionsOf(people.server.read, before)).toHaveLength(1);
  });
});

test('without a difference is no edit', async () => {
  const post = await people.publish(alice, { tags: ['cats'], mentions: [bob], withMedia: true });
  people.takeDeliveries();
  await edit(post, {});
  expect(people.statusOf(post)?.editedAt).toBeUndefined();
  expect(people.server.events(statusEdited)).toEqual([]);
  expect(people.takeDeliveries()).toEqual([]);
});

test('moves the entries of tags, media and language', async () => {
  const post = await people.publish(alice, { tags: ['cats', 'dogs'] });
  const attachments = [picture(people.upload(alice))];
  await edit(post, { tags: [tag('dogs'), tag('birds')], attachments, language: 'de' });
  expect([people.taggedIds('cats'), people.taggedIds('dogs'), people.taggedIds('birds')]).toEqual([
    [],
    [post.id],
    [post.id],
  ]);
  const facts = { hasMedia: true, language: 'de' };
  expect(people.statusEntries(alice)).toMatchObject([{ id: post.id, summary: facts }]);
  expect(people.publicEntries()).toMatchObject([{ id: post.id, entry: facts }]);
});

test('notifies those who are newly mentioned, and nobody twice', async () => {
  const carol = people.local('carol');
  const post = await people.publish(alice, { mentions: [bob] });
  await edit(post, { text: 'and carol', mentions: [mentionOf(bob), mentionOf(carol)] });
  expect(people.notificationsOf(bob)).toHaveLength(1);
  expect(people.notificationsOf(carol)).toEqual([{ type: 'mention', fromId: alice.id, statusId: post.id }]);
});

test.each([
  'public',
  'private',
  'direct',
] as const)('of a %s one that mentions somebody again tells it once', async (visibility) => {
  const carol = people.local('carol');
  const post = await people.publish(alice, { visibility, mentions: [bob, carol] });
  await edit(post, { text: 'carol', mentions: [mentionOf(carol)] });
  await edit(post, { text: 'and bob again', mentions: [mentionOf(bob), mentionOf(carol)] });
  people.server.settle();
  for (const person of [bob, carol])
    expect(people.notificationsOf(person)).toEqual([{ type: 'mention', fromId: alice.id, statusId: post.id }]);
  people.expectSound();
});

test('notifies those who have reblogged, however many', async () => {
  const post = await people.publish(alice);
  const crowd: Person[] = [];
  for (let number = 0; number < 205; number += 1) {
    const person = people.local(`person${number}`);
    await people.reblog(person, post);
    crowd.push(person);
  }
  await edit(post, { text: 'news' });
  const update = [{ type: 'update', fromId: alice.id, statusId: post.id }];
  expect(crowd.filter((person) => people.notificationsOf(person).length !== 1)).toEqual([]);
  expect(people.notificationsOf(crowd[0]!)).toEqual(update);
  expect(people.notificationsOf(crowd.at(-1)!)).toEqual(update);
});

test('takes the place of the notification of an earlier one', async () => {
  const post = await people.publish(alice);
  const other = await people.publish(alice);
  for (const one of [post, other]) await people.reblog(bob, one);
  for (const [one, text] of [
    [post, 'once'],
    [other, 'meanwhile'],
    [post, 'twice'],
  ] as const) {
    people.server.clock.advance(1_000);
    await edit(one, { text });
  }
  expect(people.notificationsOf(bob).map(({ statusId }) => statusId)).toEqual([other.id, post.id]);
  people.expectSound();
});

test('goes to followers elsewhere and to mentioned remote accounts', async () => {
  const carol = people.remote('carol', 'there.test', { partition: 1 });
  const post = await people.publish(alice);
  people.takeDeliveries();
  await edit(post, { text: '@carol', mentions: [mentionOf(carol)] });
  expect(people.takeDeliveries()).toMatchObject([
    { intent: { kind: 'update', actorId: alice.id, statusId: post.id }, inboxes: [carol.destination!.inbox] },
  ]);
});

test('goes where it went before, and to each inbox once', async () => {
  const carol = people.remote('carol', 'there.test', { partition: 1 });
  const dave = people.remote('dave', 'elsewhere.test');
  const post = await people.publish(alice, { mentions: [carol, dave] });
  people.takeDeliveries();
  const formerDestinations = [carol.destination!, dave.destination!];
  await edit(post, { text: '@carol', mentions: [mentionOf(carol)], formerDestinations });
  const inboxes = people.takeDeliveries().flatMap((delivery) => delivery.inboxes);
  expect(inboxes.sort()).toEqual([dave.destination!.inbox, carol.destination!.inbox].sort());
});

describe('is refused', () => {
  test("for somebody else's status", async () => {
    const carol = people.local('carol');
    const post = await people.publish(alice);
    await expect(edit(post, { text: 'mine' }, carol)).rejects.toMatchObject({ code: 'notFound' });
    expect(people.statusOf(post)?.text).toBe('hello');
  });

  test('for a reblog', async () => {
    const reblog = await people.reblog(bob, await people.publish(alice));
    await expect(edit(reblog, { text: 'mine' })).rejects.toMatchObject({ code: 'notFound' });
  });
});

test('an Update of a remote status changes it, without a delivery to other servers', async () => {
  const carol = people.remote('carol', 'there.test', { partition: 1 });
  const post = await people.receive(carol, 'https://there.test/1', { tags: ['cats'] });
  people.takeDeliveries();
  people.server.clock.advance(60_000);
  const { content: _content, ...before } = people.statusOf(post)!;
  const status = {
    ...before,
    uri: 'https://there.test/1',
    content: '<p>new</p>',
    tags: [tag('dogs')],
    publishedAt: before.createdAt,
    editedAt: people.server.clock.now(),
    localMentions: [bob.id],
    mentions: [mentionOf(bob).mention],
  };
  const receivedAt = people.server.clock.now();
  await people.server.call(Account.receiveStatusEdit.to(carol.id, { status, receivedAt }));
  expect(people.statusOf(post)).toMatchObject({
    content: '<p>new</p>',
    editedAt: receivedAt,
    uri: 'https://there.test/1',
  });
  expect([people.taggedIds('cats'), people.taggedIds('dogs')]).toEqual([[], [post.id]]);
  expect(people.notificationsOf(bob)).toMatchObject([{ type: 'mention', fromId: carol.id }]);
  expect(people.takeDeliveries()).toEqual([]);
});
