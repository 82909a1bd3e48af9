/** Publishing and editing statuses: stored text, mentions, edits. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { notifications } from '../../../src/actors/account/notifications/notifications.state.ts';
import { statuses } from '../../../src/actors/account/statuses/statuses.state.ts';
import type { ParameterTree } from '../../../src/gateway/http/parameters/tree.ts';
import { updateCredentials } from '../../../src/gateway/rest/accounts/update-credentials.ts';
import { removeStatus } from '../../../src/gateway/rest/statuses/delete-status.ts';
import { getStatusHistory } from '../../../src/gateway/rest/statuses/get-status-history.ts';
import { getStatusSource } from '../../../src/gateway/rest/statuses/get-status-source.ts';
import { getStatuses } from '../../../src/gateway/rest/statuses/get-statuses.ts';
import { postStatus } from '../../../src/gateway/rest/statuses/post-status.ts';
import { putStatus } from '../../../src/gateway/rest/statuses/put-status.ts';
import { parseId } from '../../../src/runtime/ids.ts';
import { MemoryApi } from '../../support/memory-api.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';

let people: People;
let api: MemoryApi;
let alice: Person;
let bob: Person;
let carol: Person;

beforeEach(() => {
  people = new People();
  api = new MemoryApi(people.server);
  alice = people.local('alice');
  bob = people.local('bob');
  carol = people.remote('carol', 'there.example');
});

const post = (parameters: ParameterTree) => api.ask(postStatus, alice, parameters);

/** A new status of alice, which the others have heard of; its id. */
async function published(parameters: ParameterTree): Promise<string> {
  const { body } = await post(parameters);
  people.server.clock.advance(60_000);
  people.takeDeliveries();
  return String(body.id);
}

function edit(id: string, parameters: ParameterTree, by = alice) {
  return api.ask(putStatus, by, { id, ...parameters });
}

/** Of another server. */
const note = {
  uri: 'https://there.example/1',
  visibility: 'public' as const,
  sensitive: false,
  spoilerText: '',
  content: '<p>Hi</p>',
  mentions: [],
  localMentions: [],
  tags: [],
  emojis: [],
  attachments: [],
};

const stored = (id: unknown) => people.server.read.get(statuses, [parseId(String(id))!])!;
const heard = ({ id }: Person) => [...people.server.read.range(notifications, [id])].map(({ value }) => value.type);
const inboxes = () => people.takeDeliveries().flatMap((delivery) => delivery.inboxes);
const refused = (words: string) => ({ code: 'validation', message: `Validation failed: ${words}` });

describe('one account under two spellings', () => {
  test.each([
    ['with and without the host', '@bob @bob@here.example'],
    ['in capitals', '@BOB @bob@here.example @Bob@HERE.example'],
  ])('is mentioned and notified once: %s', async (_name, status) => {
    const { body } = await post({ status });
    expect(body.mentions).toMatchObject([{ id: `${bob.id}`, acct: 'bob' }]);
    expect(heard(bob)).toEqual(['mention']);
  });

  test('hears of a status once', async () => {
    api.elsewhere.set('carol@www.there.example', carol.id);
    const { body } = await post({ status: '@carol@there.example @carol@www.there.example' });
    expect(body.mentions).toMatchObject([{ acct: 'carol@there.example' }]);
    expect(inboxes()).toEqual([carol.destination!.inbox]);
  });

  test('is unexpected once', async () => {
    const unexpected = post({ status: '@bob @bob@here.example', allowed_mentions: [] });
    const details = { unexpected_accounts: [expect.objectContaining({ acct: 'bob' })] };
    await expect(unexpected).rejects.toMatchObject({ code: 'validation', details });
  });
});

test('a content warning alone is the text', async () => {
  const { body } = await post({ status: ' ', spoiler_text: 'Rain, @bob' });
  expect(body).toMatchObject({ spoiler_text: '', sensitive: true, mentions: [{ acct: 'bob' }] });
  expect(stored(body.id)).toMatchObject({ text: 'Rain, @bob', spoilerText: '' });
});

describe('control characters', () => {
  test.each(['\u0000', ' \u0001\u0085\n', '\u007f\t'])('alone are no text: %j', async (status) => {
    await expect(post({ status })).rejects.toMatchObject(refused("Text can't be blank"));
  });

  test('are taken out of what is stored', async () => {
    const { body } = await post({ status: ' a\u0000\r\n\tb\u0007 ', spoiler_text: '\u0000c\u009fd ' });
    expect(body).toMatchObject({ content: '<p>a<br />\tb</p>', spoiler_text: 'cd' });
    expect(stored(body.id)).toMatchObject({ text: 'a\n\tb', spoilerText: 'cd' });
  });

  test('count for nothing', async () => {
    const { status } = await post({ status: `${'x'.repeat(500)}${'\u0000'.repeat(100)}` });
    expect(status).toBe(200);
  });
});

test('a status has the language of its author: the one they write in by default, else that of their login', async () => {
  const language = async () => (await post({ status: 'One' })).body.language;
  await api.ask(updateCredentials, alice, { source: { language: 'de' } });
  expect(await language()).toBe('de');
  await api.ask(updateCredentials, alice, { source: { language: '' } });
  expect(await language()).toBe('en');
});

test.each([
  ['pt-BR', 'pt-BR'],
  ['zh-Hant-TW', 'zh'],
  ['de-DE-1996', 'de'],
  ['fr_CA', 'fr'],
  ['french', 'en'],
  ['xx-YY', 'en'],
  ['xyz', 'en'],
  ['und', 'en'],
  ['mul', 'en'],
  ['yue', 'yue'],
  ['ldn', 'ldn'],
])('a status written in %s is in %s: in the language alone, where the rest is not known', async (given, language) => {
  const { body } = await post({ status: 'One', language: given });
  expect(body.language).toBe(language);
  const changed = await api.ask(putStatus, alice, { id: body.id, status: 'Two', language: given });
  expect(changed.body.language).toBe(language);
});

test.each([
  ['a warning', { spoiler_text: 'Careful' }, true],
  ['a warning and a no', { spoiler_text: 'Careful', sensitive: false }, true],
  ['a yes', { sensitive: true }, true],
  ['neither', { spoiler_text: '' }, false],
])('a status with %s: is it sensitive?', async (_case, given, sensitive) => {
  expect((await post({ status: 'Hello', ...given })).body).toMatchObject({ sensitive });
});

describe('an edited status', () => {
  test('says what it says now, and since when', async () => {
    const id = await published({ status: 'One #cats', spoiler_text: 'Careful', sensitive: true, language: 'de' });
    const { status, body } = await edit(id, { status: 'Two #dogs', spoiler_text: '' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      content: expect.stringContaining('<p>Two '),
      spoiler_text: '',
      sensitive: false,
      language: 'de',
      tags: [{ name: 'dogs' }],
      edited_at: new Date(people.server.clock.now()).toISOString(),
      favourited: false,
    });
  });

  test.each<[string, ParameterTree, object]>([
    ['is sensitive where it warns', { spoiler_text: 'Careful' }, { sensitive: true, spoiler_text: 'Careful' }],
    ['is sensitive where it warns and says no', { spoiler_text: 'Careful', sensitive: '0' }, { sensitive: true }],
    ['is sensitive where it says so', { sensitive: '1' }, { sensitive: true, spoiler_text: '' }],
    ['keeps a language that is given', { language: 'fr' }, { language: 'fr' }],
    ['keeps its language against one that is none', { language: 'french!' }, { language: 'en' }],
    ['keeps its audience', { visibility: 'direct' }, { visibility: 'public' }],
  ])('%s', async (_name, given, expected) => {
    const id = await published({ status: 'One', language: 'en' });
    expect((await edit(id, { status: 'Two', ...given })).body).toMatchObject(expected);
  });

  test('notifies whom it mentions now, and nobody twice', async () => {
    const dave = people.local('dave');
    const id = await published({ status: '@bob' });
    const { body } = await edit(id, { status: '@bob @dave @dave@here.example' });
    expect(body.mentions).toMatchObject([{ acct: 'bob' }, { acct: 'dave' }]);
    expect([heard(bob), heard(dave)]).toEqual([['mention'], ['mention']]);
  });

  test('is heard of where the status was: by new, former and answered accounts', async () => {
    const id = await published({ status: '@carol@there.example' });
    const dave = people.remote('dave', 'elsewhere.example');
    await edit(id, { status: '@dave@elsewhere.example' });
    expect(inboxes().sort()).toEqual([dave.destination!.inbox, carol.destination!.inbox].sort());
  });

  test('answers 422 for what POST refuses, and stays as it was', async () => {
    const id = await published({ status: 'One' });
    await expect(edit(id, {})).rejects.toMatchObject(refused("Text can't be blank"));
    await expect(edit(id, { spoiler_text: ' ' })).rejects.toMatchObject(refused("Text can't be blank"));
    await expect(edit(id, { status: 'x'.repeat(501) })).rejects.toMatchObject({ code: 'validation' });
    await expect(edit(id, { status: 'x', media_ids: ['1'] })).rejects.toMatchObject({ code: 'mediaRefused' });
    await expect(edit(id, { status: 'x', poll: { options: ['a'] } })).rejects.toMatchObject({ code: 'validation' });
    expect(stored(id)).toMatchObject({ text: 'One', editedAt: undefined });
  });

  test("is the author's alone", async () => {
    const id = await published({ status: 'One' });
    await expect(edit(id, { status: 'Two' }, bob)).rejects.toMatchObject({ code: 'notFound' });
    await expect(edit(id, {}, bob)).rejects.toMatchObject({ code: 'notFound' });
    expect(stored(id).text).toBe('One');
  });
});

test('several statuses are answered in the order asked for, without those that one may not see', async () => {
  const [one, two] = [await published({ status: 'One' }), await published({ status: 'Two' })];
  const secret = await published({ status: 'Three', visibility: 'direct' });
  const ask = async (by: Person | undefined, ids: string[]) =>
    (await api.ask<{ id: string }[]>(getStatuses, by, { id: ids })).body.map(({ id }) => id);
  expect(await ask(alice, [two, secret, 'word', '1', one, two])).toEqual([two, secret, one]);
  expect(await ask(undefined, [two, secret, one])).toEqual([two, one]);
  expect(await ask(bob, [])).toEqual([]);
  const others = Array.from({ length: 20 }, (_, index) => `${index + 1}`);
  expect(await ask(bob, [...others.slice(1), one, one])).toEqual([one]);
  await expect(ask(bob, [...others, one])).rejects.toMatchObject({ code: 'validation' });
});

describe('the history of a status', () => {
  const history = async (id: string, by: Person | undefined = bob) =>
    (await api.ask<Record<string, unknown>[]>(getStatusHistory, by, { id })).body;

  test('has all that it said, with the times and its author, the oldest first', async () => {
    const id = await published({ status: 'One', spoiler_text: 'Careful' });
    await edit(id, { status: 'Two' });
    const versions = await history(id, alice);
    const [{ body: now }] = [await edit(id, { status: 'Two' })];
    expect(versions).toEqual([
      {
        content: '<p>One</p>',
        spoiler_text: 'Careful',
        sensitive: true,
        created_at: now.created_at,
        account: now.account,
        media_attachments: [],
        emojis: [],
      },
      expect.objectContaining({ content: '<p>Two</p>', spoiler_text: '', sensitive: false, created_at: now.edited_at }),
    ]);
  });

  test('of one that was never edited is what it says', async () => {
    const id = await published({ status: 'One' });
    expect(await history(id, undefined)).toMatchObject([{ content: '<p>One</p>' }]);
  });

  test('is for those who may see the status', async () => {
    const id = await published({ status: 'One', visibility: 'private' });
    expect(await history(id, alice)).toHaveLength(1);
    for (const who of [bob, undefined]) await expect(history(id, who)).rejects.toMatchObject({ code: 'notFound' });
  });
});

describe('an edit and a deletion', () => {
  const dora = () => people.remote('dora', 'elsewhere.example');
  const interactions = {
    reblogged: (by: Person, id: bigint) =>
      people.server.call(
        Account.receiveReblog.to(by.id, {
          statusId: id,
          authorId: alice.id,
          uri: 'https://elsewhere.example/1',
          publishedAt: people.server.clock.now(),
          visibility: 'public',
        }),
      ),
    favourited: (by: Person, id: bigint) =>
      people.server.call(Account.favourite.to(alice.id, { statusId: id, by: by.id })),
    answered: (by: Person, id: bigint) => {
      const status = { ...note, publishedAt: people.server.clock.now(), inReplyToId: id, inReplyToAccountId: alice.id };
      return people.server.call(Account.receiveStatus.to(by.id, { status, receivedAt: people.server.clock.now() }));
    },
  };

  test.each(
    Object.entries(interactions),
  )('are heard of on the server of somebody who %s it', async (_what, interact) => {
    const by = dora();
    const id = await published({ status: 'One' });
    await interact(by, parseId(id)!);
    people.takeDeliveries();
    await edit(id, { status: 'Two' });
    const edited = inboxes();
    await api.ask(removeStatus, alice, { id });
    expect([edited, inboxes()]).toEqual([[by.destination!.inbox], [by.destination!.inbox]]);
  });

  test('go once to a server, whoever has done what there', async () => {
    const by = dora();
    const other = people.remote('doris', 'elsewhere.example');
    const id = await published({ status: 'One' });
    for (const one of [by, other]) await interactions.favourited(one, parseId(id)!);
    people.takeDeliveries();
    await edit(id, { status: 'Two' });
    expect(inboxes()).toHaveLength(1);
  });
});

test('a deleted status is heard of by whom it mentioned and answered', async () => {
  const dave = people.remote('dave', 'elsewhere.example');
  const receivedAt = people.server.clock.now();
  const status = { ...note, publishedAt: receivedAt };
  const parent = await people.server.call(Account.receiveStatus.to(carol.id, { status, receivedAt }));
  const id = await published({ status: '@dave@elsewhere.example', in_reply_to_id: `${parent.statusId}` });
  await api.ask(removeStatus, alice, { id });
  expect(inboxes().sort()).toEqual([dave.destination!.inbox, carol.destination!.inbox].sort());
});

describe('an answer to an account elsewhere', () => {
  const answer = async (visibility: string) => {
    const receivedAt = people.server.clock.now();
    const status = { ...note, publishedAt: receivedAt };
    const { statusId } = await people.server.call(Account.receiveStatus.to(carol.id, { status, receivedAt }));
    const { body } = await post({ status: 'I see', in_reply_to_id: `${statusId}`, visibility });
    const published = inboxes();
    people.server.clock.advance(60_000);
    await edit(String(body.id), { status: 'I saw' });
    const edited = inboxes();
    await api.ask(removeStatus, alice, { id: String(body.id) });
    return { published, edited, deleted: inboxes() };
  };

  test.each(['public', 'unlisted'])('is heard there when it is %s', async (visibility) => {
    const there = [carol.destination!.inbox];
    expect(await answer(visibility)).toEqual({ published: there, edited: there, deleted: there });
  });

  test.each(['private', 'direct'])('that names nobody and is %s stays here', async (visibility) => {
    expect(await answer(visibility)).toEqual({ published: [], edited: [], deleted: [] });
  });
});

describe('the source of a status', () => {
  test('is what was written', async () => {
    const id = await published({ status: '  Hello <b>@bob</b>  ', spoiler_text: 'Careful' });
    const { body } = await api.ask(getStatusSource, alice, { id });
    expect(body).toEqual({ id, text: 'Hello <b>@bob</b>', spoiler_text: 'Careful' });
  });

  test("is the author's alone", async () => {
    const id = await published({ status: 'Hello' });
    await expect(api.ask(getStatusSource, bob, { id })).rejects.toMatchObject({ code: 'notFound' });
  });
});
