import { beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { versionsOf } from '../../../../src/actors/account/statuses/status-versions.queries.ts';
import { statusEdited } from '../../../../src/actors/account/statuses/statuses.events.ts';
import { parseId } from '../../../../src/runtime/ids.ts';
import { Circle, mentionOf, type Post } from '../../../support/circle.ts';
import type { Person } from '../../../support/observer.ts';

type EditStatus = z.infer<typeof Account.edit.body>;

let circle: Circle;
let alice: Person;
let bob: Person;

beforeEach(async () => {
  circle = new Circle();
  alice = await circle.local('alice', 0);
  bob = await circle.local('bob', 1);
});

async function edit(post: Post, changes: Partial<EditStatus>, by = post.author): Promise<void> {
  const { text, content, sensitive, spoilerText, language, tags, emojis, attachments, mentions } =
    circle.statusOf(post)!;
  const before = { statusId: post.id, text, content, sensitive, spoilerText, language, tags, emojis, attachments };
  const mentioned = mentions.map((mention) => ({ mention }));
  circle.server.clock.advance(60_000);
  await circle.server.call(Account.edit.to(by.id, { ...before, mentions: mentioned, ...changes }));
}

const tag = (name: string) => ({ name, display: name });

test('changes what is shown and says when', async () => {
  const post = await circle.publish(alice, { text: 'one' });
  const before = circle.statusOf(post)!;
  await edit(post, { text: 'two', content: '<p>two</p>', spoilerText: 'careful', sensitive: true, language: 'fr' });
  expect(circle.statusOf(post)).toEqual({
    ...before,
    text: 'two',
    content: '<p>two</p>',
    spoilerText: 'careful',
    sensitive: true,
    language: 'fr',
    editedAt: circle.server.clock.now(),
  });
  expect(circle.server.events(statusEdited)).toMatchObject([{ id: post.id, accountId: alice.id, language: 'fr' }]);
  expect(circle.accountCounters(alice).statuses).toBe(1);
});

describe('what was said before', () => {
  const versions = (post: Post) => versionsOf(circle.server.read, circle.statusOf(post)!);

  test('is kept with its time, in order, and the last version is the one of now', async () => {
    const post = await circle.publish(alice, { text: 'one', withMedia: true });
    const times = [circle.server.clock.now()];
    for (const text of ['two', 'three']) {
      await edit(post, { text, content: `<p>${text}</p>`, attachments: [], spoilerText: `${text}!` });
      times.push(circle.server.clock.now());
    }
    expect(versions(post)).toMatchObject([
      { content: '<p>one</p>', createdAt: times[0], spoilerText: '', attachments: [{ type: 'image' }] },
      { content: '<p>two</p>', createdAt: times[1], spoilerText: 'two!', attachments: [] },
      { content: '<p>three</p>', createdAt: times[2], spoilerText: 'three!', attachments: [] },
    ]);
  });

  test('has a bound: the first version stays, and the latest', async () => {
    const post = await circle.publish(alice, { text: '0' });
    for (let number = 1; number <= 102; number += 1) await edit(post, { content: `<p>${number}</p>` });
    const contents = versions(post).map(({ content }) => content);
    expect(contents).toHaveLength(101);
    expect(contents.slice(0, 2)).toEqual(['<p>0</p>', '<p>3</p>']);
    expect(contents.at(-1)).toBe('<p>102</p>');
  });

  test('goes with the status', async () => {
    const post = await circle.publish(alice, { text: 'one' });
    await edit(post, { content: '<p>two</p>' });
    const before = circle.statusOf(post)!;
    await circle.remove(post);
    expect(versionsOf(circle.server.read, before)).toHaveLength(1);
  });
});

test('without a difference is no edit', async () => {
  const post = await circle.publish(alice, { tags: ['cats'], mentions: [bob], withMedia: true });
  circle.takeDeliveries();
  await edit(post, {});
  expect(circle.statusOf(post)?.editedAt).toBeUndefined();
  expect(circle.server.events(statusEdited)).toEqual([]);
  expect(circle.takeDeliveries()).toEqual([]);
});

test('moves the entries of tags, media and language', async () => {
  const post = await circle.publish(alice, { tags: ['cats', 'dogs'] });
  const attachments = [{ id: parseId('1')!, type: 'image' as const, url: 'https://media.test/1.png' }];
  await edit(post, { tags: [tag('dogs'), tag('birds')], attachments, language: 'de' });
  expect([circle.taggedIds('cats'), circle.taggedIds('dogs'), circle.taggedIds('birds')]).toEqual([
    [],
    [post.id],
    [post.id],
  ]);
  const facts = { hasMedia: true, language: 'de' };
  expect(circle.statusEntries(alice)).toMatchObject([{ id: post.id, summary: facts }]);
  expect(circle.publicEntries()).toMatchObject([{ id: post.id, entry: facts }]);
});

test('tells those who are newly mentioned, and nobody twice', async () => {
  const carol = await circle.local('carol', 0);
  const post = await circle.publish(alice, { mentions: [bob] });
  await edit(post, { text: 'and carol', mentions: [mentionOf(bob), mentionOf(carol)] });
  expect(circle.notificationsOf(bob)).toHaveLength(1);
  expect(circle.notificationsOf(carol)).toEqual([{ type: 'mention', fromId: alice.id, statusId: post.id }]);
});

test('tells those who have reblogged, however many', async () => {
  const post = await circle.publish(alice);
  const crowd: Person[] = [];
  for (let number = 0; number < 205; number += 1) {
    const person = await circle.local(`person${number}`, number % 2 === 0 ? 0 : 1);
    await circle.reblog(person, post);
    crowd.push(person);
  }
  await edit(post, { text: 'news' });
  const update = [{ type: 'update', fromId: alice.id, statusId: post.id }];
  expect(crowd.filter((person) => circle.notificationsOf(person).length !== 1)).toEqual([]);
  expect(circle.notificationsOf(crowd[0]!)).toEqual(update);
  expect(circle.notificationsOf(crowd.at(-1)!)).toEqual(update);
});

test('goes to followers elsewhere and to mentioned remote accounts', async () => {
  const carol = await circle.remote('carol', 'there.test', 1);
  const post = await circle.publish(alice);
  circle.takeDeliveries();
  await edit(post, { text: '@carol', mentions: [mentionOf(carol)] });
  expect(circle.takeDeliveries()).toMatchObject([
    { intent: { kind: 'update', actorId: alice.id, statusId: post.id }, inboxes: [carol.destination!.inbox] },
  ]);
});

test('goes where it went before, and to each inbox once', async () => {
  const carol = await circle.remote('carol', 'there.test', 1);
  const dave = await circle.remote('dave', 'elsewhere.test', 1);
  const post = await circle.publish(alice, { mentions: [carol, dave] });
  circle.takeDeliveries();
  const formerDestinations = [carol.destination!, dave.destination!];
  await edit(post, { text: '@carol', mentions: [mentionOf(carol)], formerDestinations });
  const inboxes = circle.takeDeliveries().flatMap((delivery) => delivery.inboxes);
  expect(inboxes.sort()).toEqual([dave.destination!.inbox, carol.destination!.inbox].sort());
});

describe('is refused', () => {
  test("for somebody else's status", async () => {
    const carol = await circle.local('carol', 0);
    const post = await circle.publish(alice);
    await expect(edit(post, { text: 'mine' }, carol)).rejects.toMatchObject({ code: 'notFound' });
    expect(circle.statusOf(post)?.text).toBe('hello');
  });

  test('for a reblog', async () => {
    const reblog = await circle.reblog(bob, await circle.publish(alice));
    await expect(edit(reblog, { text: 'mine' })).rejects.toMatchObject({ code: 'notFound' });
  });
});

test('a remote status is revised by what its server says, without a word to other servers', async () => {
  const carol = await circle.remote('carol', 'there.test', 1);
  const post = await circle.receive(carol, 'https://there.test/1', { tags: ['cats'] });
  circle.takeDeliveries();
  circle.server.clock.advance(60_000);
  const { content: _content, ...before } = circle.statusOf(post)!;
  const status = {
    ...before,
    uri: 'https://there.test/1',
    content: '<p>new</p>',
    tags: [tag('dogs')],
    publishedAt: before.createdAt,
    editedAt: circle.server.clock.now(),
    localMentions: [bob.id],
    mentions: [mentionOf(bob).mention],
  };
  const receivedAt = circle.server.clock.now();
  await circle.server.call(Account.receiveEdit.to(carol.id, { status, receivedAt }));
  expect(circle.statusOf(post)).toMatchObject({
    content: '<p>new</p>',
    editedAt: receivedAt,
    uri: 'https://there.test/1',
  });
  expect([circle.taggedIds('cats'), circle.taggedIds('dogs')]).toEqual([[], [post.id]]);
  expect(circle.notificationsOf(bob)).toMatchObject([{ type: 'mention', fromId: carol.id }]);
  expect(circle.takeDeliveries()).toEqual([]);
});
