import { beforeEach, describe, expect, test } from 'vitest';
import { profiles } from '../../../../src/actors/account/profile/profile.state.ts';
import { updateCredentials } from '../../../../src/gateway/rest/accounts/update-credentials.ts';
import { verifyCredentials } from '../../../../src/gateway/rest/accounts/verify-credentials.ts';
import { MemoryApi } from '../../../support/memory-api.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';
import { origin } from '../../../support/services.ts';

let people: People;
let api: MemoryApi;
let alice: Person;

beforeEach(() => {
  people = new People();
  api = new MemoryApi(people.server);
  alice = people.local('alice');
});

const change = (parameters: Parameters<MemoryApi['ask']>[2]) => api.ask(updateCredentials, alice, parameters);

test('users see their account with its source and role', async () => {
  const { body } = await api.ask(verifyCredentials, alice);
  expect(body).toMatchObject({
    username: 'alice',
    source: {
      privacy: 'public',
      sensitive: false,
      language: '',
      note: '',
      raw_note: '',
      fields: [],
      follow_requests_count: 0,
    },
    role: { id: '0', name: '', permissions: '65536', highlighted: false },
  });
});

test('users always see what is stored, however often they ask', async () => {
  const shown = async () => (await api.ask(verifyCredentials, alice)).body;
  const first = await shown();
  expect(await shown()).toEqual(first);
  await change({ display_name: 'Alice Liddell' });
  expect(await shown()).toMatchObject({ display_name: 'Alice Liddell' });
  await change({ source: { privacy: 'private' } });
  expect(await shown()).toMatchObject({ source: { privacy: 'private' } });
  await people.follow(people.local('carol'), alice);
  expect(await shown()).toMatchObject({ followers_count: 1 });
  await change({ locked: 'true' });
  expect(await shown()).toMatchObject({ locked: true, source: { follow_requests_count: 0 } });
  await people.follow(people.local('bob'), alice);
  expect(await shown()).toMatchObject({ source: { follow_requests_count: 1 } });
});

test('what is not given stays', async () => {
  await change({ display_name: '  Alice\n Liddell ', note: 'Hello', locked: 'true', source: { privacy: 'unlisted' } });
  const { body } = await change({ bot: '1' });
  expect(body).toMatchObject({
    display_name: 'Alice Liddell',
    note: '<p>Hello</p>',
    locked: true,
    bot: true,
    source: { privacy: 'unlisted', sensitive: false, note: 'Hello', raw_note: 'Hello' },
  });
});

test.each([
  ['locked', { locked: 'true' }, { locked: true }],
  ['discoverable', { discoverable: true }, { discoverable: true, source: { discoverable: true } }],
  ['indexable', { indexable: '1' }, { indexable: true, source: { indexable: true } }],
  ['hide_collections', { hide_collections: 'on' }, { hide_collections: true, source: { hide_collections: true } }],
  ['sensitive', { source: { sensitive: 'true' } }, { source: { sensitive: true } }],
  ['language', { source: { language: 'de' } }, { source: { language: 'de' } }],
])('%s is kept', async (_name, given, expected) => {
  expect((await change(given)).body).toMatchObject(expected);
  expect((await api.ask(verifyCredentials, alice)).body).toMatchObject(expected);
});

test.each([
  ['an empty text', { source: { language: '' } }, ''],
  ['null, which is nothing given', { source: { language: null } }, 'de'],
  ['no source', { source: null }, 'de'],
  ['an empty source', { source: '' }, 'de'],
])('a default language is taken back with an empty text only: %s', async (_case, given, language) => {
  await change({ source: { language: 'de' } });
  expect((await change(given)).body).toMatchObject({ source: { language } });
});

test('note and fields are rendered: links, tags, people known here', async () => {
  people.local('bob');
  const { body } = await change({
    note: 'Friend of @bob, likes #Birds',
    fields_attributes: { 0: { name: 'Site', value: 'https://alice.example' }, 1: { name: '', value: '' } },
  });
  expect(body.note).toContain(`<a href="${origin}/@bob" class="u-url mention">@<span>bob</span></a>`);
  expect(body.note).toContain(`<a href="${origin}/tags/birds"`);
  expect(body.fields).toMatchObject([{ name: 'Site', verified_at: null }]);
  expect((body.fields as { value: string }[])[0]!.value).toContain('rel="nofollow noopener noreferrer me"');
  expect(body.source).toMatchObject({ fields: [{ name: 'Site', value: 'https://alice.example', verified_at: null }] });
});

test('a verified field stays verified until it is changed', async () => {
  const field = { name: 'Site', value: 'https://alice.example' };
  people.change(alice, { fields: [{ ...field, html: '', verifiedAt: 1_000 }] });
  const verified_at = new Date(1_000).toISOString();
  expect((await change({ fields_attributes: [field] })).body.fields).toMatchObject([{ verified_at }]);
  const changed = { ...field, value: 'https://other.example' };
  expect((await change({ fields_attributes: [changed] })).body.fields).toMatchObject([{ verified_at: null }]);
  expect((await change({ fields_attributes: [{ name: '', value: '' }] })).body.fields).toEqual([]);
});

describe('limits', () => {
  const long = (count: number) => 'ä'.repeat(count);

  test.each([
    ['a display name of 30', { display_name: long(30) }],
    ['a note of 500', { note: long(500) }],
    ['a long link in a note, which counts 23', { note: `${long(476)} https://alice.example/${'x'.repeat(100)}` }],
    ['a field of 255', { fields_attributes: [{ name: long(255), value: long(255) }] }],
  ])('%s is accepted', async (_case, given) => {
    expect((await change(given)).status).toBe(200);
  });

  test.each([
    ['a display name of 31', { display_name: long(31) }, 'Display name is too long (maximum is 30 characters)'],
    ['a note of 501', { note: long(501) }, 'Note character limit of 500 exceeded'],
    ['a field name of 256', { fields_attributes: [{ name: long(256), value: '' }] }, 'Field name is too long'],
    ['a field value of 256', { fields_attributes: [{ name: 'x', value: long(256) }] }, 'Field value is too long'],
    ['a field without a name', { fields_attributes: [{ name: '', value: 'x' }] }, "Field name can't be blank"],
    [
      'five fields',
      { fields_attributes: Array.from({ length: 5 }, () => ({ name: 'x', value: 'y' })) },
      'maximum is 4',
    ],
    ['an unknown privacy', { source: { privacy: 'secret' } }, 'is not included in the list'],
    ['an unknown language', { source: { language: 'klingon?' } }, 'language is invalid'],
  ])('%s is 422', async (_case, given, words) => {
    const before = people.server.read.get(profiles, [alice.id]);
    await expect(change(given)).rejects.toMatchObject({ status: 422, message: expect.stringContaining(words) });
    expect(people.server.read.get(profiles, [alice.id])).toEqual(before);
  });
});

test('unlocking lets those in who wait', async () => {
  const bob = people.local('bob');
  await change({ locked: true });
  await people.follow(bob, alice);
  expect((await api.ask(verifyCredentials, alice)).body).toMatchObject({ source: { follow_requests_count: 1 } });
  const { body } = await change({ locked: 'false' });
  expect(body).toMatchObject({ locked: false, followers_count: 1, source: { follow_requests_count: 0 } });
});
