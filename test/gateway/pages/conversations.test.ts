/** The page of conversations: participants, last post, unread state. */
import { beforeEach, expect, test } from 'vitest';
import { conversationsPage } from '../../../src/gateway/pages/notifications/conversations-page.ts';
import { type Person, Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

let site: Site;
let alice: Person;
let bob: Person;
let carol: Person;

beforeEach(async () => {
  site = new Site();
  [alice, bob, carol] = [await site.person('alice'), await site.person('bob'), await site.person('carol')];
});

const privately = (from: Person, text: string, fields = {}) => from.write(text, { visibility: 'direct', ...fields });

interface Entry {
  readonly id: string;
  readonly isUnread: boolean;
  readonly text: string;
  readonly markup: string;
}

async function entriesOf(person: Person): Promise<Entry[]> {
  const shown = await person.ask('/conversations');
  expectStrict(shown);
  return [
    ...shown.html.matchAll(
      /<li class="entry notification conversation(.*?)" id="[^"]*" data-subject="(\d+)">(.*?)<\/li>/gs,
    ),
  ].map(([, look, id, markup]) => ({
    id: id!,
    isUnread: look === ' is-unread',
    text: textOf(markup!),
    markup: markup!,
  }));
}

const entryOf = async (person: Person) => (await entriesOf(person))[0]!;
const namesIn = ({ markup }: Entry) =>
  [...markup.split('</p>')[0]!.matchAll(/href="\/@(\w+)"/g)].map(([, name]) => name);

test('is for those who are signed in', async () => {
  expect(conversationsPage).toBeTypeOf('function');
  expect((await site.stranger.ask('/conversations')).location).toContain('/auth/sign_in');
  expect(textOf((await alice.ask('/conversations')).html)).toContain('Nothing yet');
});

test('the one that was continued last is first, named by the others, with its last post', async () => {
  const wren = await privately(bob, '@alice A wren');
  await privately(carol, '@alice @bob A heron');
  const entries = await entriesOf(alice);
  expect(entries.map((entry) => [namesIn(entry), entry.isUnread])).toEqual([
    [['carol', 'bob'], true],
    [['bob'], true],
  ]);
  expect(entries[0]!.text).toContain('A heron');
  await privately(alice, '@bob Where?', { in_reply_to_id: wren });
  const [continued, ...others] = await entriesOf(alice);
  expect([continued!.isUnread, continued!.text.includes('Where?'), others.length]).toEqual([false, true, 1]);
});

test('more people than three are counted', async () => {
  const others = [];
  for (const name of ['dave', 'erin', 'frank']) others.push(await site.person(name));
  await privately(bob, '@alice @carol @dave @erin @frank All of you');
  const entry = await entryOf(alice);
  expect(namesIn(entry)).toHaveLength(3);
  expect(entry.text).toContain('and 2 more (new)');
});

test('opening one marks it as read and leads to its last post', async () => {
  const id = await privately(bob, '@alice A wren');
  const { id: thread, markup } = await entryOf(alice);
  expect(markup).toContain(`formaction="/web/conversations/${thread}/open">Open</button>`);
  const { status, location } = await alice.act(`/web/conversations/${thread}/open`);
  expect([status, location]).toEqual([303, `/@bob/${id}`]);
  const read = await entryOf(alice);
  expect(read.isUnread).toBe(false);
  expect(read.markup).toContain(`<a class="button quiet" href="/@bob/${id}">Open</a>`);
});

test('one is marked as read, as unread again, and removed until it goes on', async () => {
  const id = await privately(bob, '@alice A wren');
  const { id: thread } = await entryOf(alice);
  expect((await alice.act(`/web/conversations/${thread}/read`, { return_to: '/conversations' })).location).toBe(
    '/conversations',
  );
  const read = await entryOf(alice);
  const marking = (verb: string) => `formaction="/web/conversations/${thread}/${verb}"`;
  expect([read.isUnread, read.markup.includes(marking('unread')), read.markup.includes(marking('read'))]).toEqual([
    false,
    true,
    false,
  ]);
  expect((await alice.act(`/web/conversations/${thread}/unread`, { return_to: '/conversations' })).location).toBe(
    '/conversations',
  );
  const unread = await entryOf(alice);
  expect([unread.isUnread, unread.markup.includes(marking('unread'))]).toEqual([true, false]);
  await alice.act(`/web/conversations/${thread}/remove`);
  expect(await entriesOf(alice)).toEqual([]);
  expect((await alice.ask(`/@bob/${id}`)).status).toBe(200);
  await privately(bob, '@alice Are you there?', { in_reply_to_id: id });
  const back = await entryOf(alice);
  expect([back.id, back.isUnread, back.text.includes('Are you there?')]).toEqual([thread, true, true]);
});

test.each(['open', 'read', 'unread', 'remove'])('of somebody else there is nothing to %s', async (verb) => {
  await privately(bob, '@alice A wren');
  const { id: thread } = await entryOf(alice);
  expect((await carol.act(`/web/conversations/${thread}/${verb}`)).status).toBe(404);
  expect((await alice.act(`/web/conversations/x/${verb}`)).status).toBe(404);
  expect((await alice.ask(`/web/conversations/${thread}/${verb}`, { form: { form_token: 'guessed' } })).status).toBe(
    403,
  );
  expect((await entryOf(alice)).isUnread).toBe(true);
});

test('of those who are blocked nothing is shown', async () => {
  await privately(bob, '@alice A wren');
  await alice.act(`/web/accounts/${bob.id}/block`);
  expect(await entriesOf(alice)).toEqual([]);
});
