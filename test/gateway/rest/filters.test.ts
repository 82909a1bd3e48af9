/** Filters through the API (specification 2.3 to 2.6, 4.6), and their effect wherever statuses are shown. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { filtersChanged } from '../../../src/actors/account/filters/filters.events.ts';
import { postBookmark } from '../../../src/gateway/rest/bookmarks/bookmarks.endpoints.ts';
import { filterKeywordEndpoints } from '../../../src/gateway/rest/filters/filter-keywords.ts';
import {
  deleteFilterStatus,
  getFilterStatus,
  getFilterStatuses,
  postFilterStatus,
} from '../../../src/gateway/rest/filters/filter-statuses.ts';
import {
  deleteFilter,
  getFilter,
  getFilters,
  postFilter,
  putFilter,
} from '../../../src/gateway/rest/filters/filters.ts';
import {
  deleteFilterV1,
  getFiltersV1,
  getFilterV1,
  postFilterV1,
  putFilterV1,
} from '../../../src/gateway/rest/filters/filters-v1.ts';
import { getContext } from '../../../src/gateway/rest/interactions/get-context.ts';
import { getNotifications } from '../../../src/gateway/rest/notifications/get-notifications.ts';
import { getStatus } from '../../../src/gateway/rest/statuses/get-status.ts';
import { publicTimeline } from '../../../src/gateway/rest/timelines/public-timeline.ts';
import { type Post, publication } from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';
import type { Person } from '../../support/observer.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { presenting } from '../../support/presenting.ts';

type Entity = Record<string, unknown> & { id: string; keywords: { id: string; keyword: string }[] };

let { people, api, alice, bob } = await newPeople();
let post: Post;

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
  post = await people.publish(alice, { text: 'My cat sleeps', mentions: [bob] });
});

const make = async (given: object = {}) =>
  (
    await api.ask<Entity>(postFilter, bob, {
      ...{ title: 'Animals', context: ['home'], keywords_attributes: [{ keyword: 'cat' }, { keyword: 'dog' }] },
      ...given,
    })
  ).body;
const changes = () => people.server.events(filtersChanged).length;
const edit = async (text: string) => {
  const { text: _text, content: _content, ...rest } = publication({ mentions: [bob] });
  await people.server.call(Account.edit.to(alice.id, { ...rest, statusId: post.id, text, content: text }));
};

const keywordEndpoint = (method: string, path: string) =>
  filterKeywordEndpoints.find((one) => one.path === path && one.methods.some((name) => name === method))!;

test('version 2: a filter is made, read, changed with its keywords and removed (specification 2.3, 2.4)', async () => {
  const made = await make();
  expect(made).toMatchObject({
    ...{ title: 'Animals', context: ['home'], filter_action: 'warn', expires_at: null, statuses: [] },
    keywords: [
      { keyword: 'cat', whole_word: true },
      { keyword: 'dog', whole_word: true },
    ],
  });
  const [cat, dog] = made.keywords;
  const attributes = [
    { id: cat!.id, keyword: 'kitten' },
    { id: dog!.id, _destroy: '1' },
    { keyword: 'bird', whole_word: '0' },
  ];
  const changed = await api.ask(putFilter, bob, {
    id: made.id,
    filter_action: 'hide',
    keywords_attributes: attributes,
  });
  expect(changed.body).toMatchObject({
    ...{ id: made.id, title: 'Animals', filter_action: 'hide' },
    keywords: [
      { id: cat!.id, keyword: 'kitten', whole_word: true },
      { keyword: 'bird', whole_word: false },
    ],
  });
  expect((await api.ask(getFilter, bob, { id: made.id })).body).toEqual(changed.body);
  expect((await api.ask(getFilters, bob)).body).toEqual([changed.body]);
  expect((await api.ask(getFilters, alice)).body).toEqual([]);
  expect((await api.ask(deleteFilter, bob, { id: made.id })).body).toEqual({});
  expect(await outcomeOf(api.ask(getFilter, bob, { id: made.id }))).toBe('notFound');
  expect(changes()).toBe(3);
});

test.each([
  ['never', '', null],
  ['never', null, null],
  ['never', 0, null],
  ['never', '0', null],
  ['in an hour', '3600', '2025-01-01T13:'],
  ['in an hour', 3_600, '2025-01-01T13:'],
])('it expires %s for %o', async (_when, expires_in, expected) => {
  const { id } = await make({ expires_in: 60 });
  const { body } = await api.ask<{ expires_at: string | null }>(putFilter, bob, { id, expires_in });
  expect(body.expires_at?.slice(0, 14) ?? null).toBe(expected);
});

describe('keywords, one by one (specification 4.6)', () => {
  test.each([
    '/api/v2/filters/keywords/:id',
    '/api/v2/filter_keywords/:id',
    '/api/v1/filters/keywords/:id',
  ])('under %s', async (path) => {
    const { id, keywords } = await make();
    const [cat, dog] = keywords;
    const ask = async (method: string, given: object) =>
      (await api.ask(keywordEndpoint(method, path), bob, { id: cat!.id, ...given })).body;
    expect(await ask('GET', {})).toEqual({ id: cat!.id, keyword: 'cat', whole_word: true });
    expect(await ask('PUT', { whole_word: false })).toEqual({ id: cat!.id, keyword: 'cat', whole_word: false });
    expect(await ask('PATCH', { keyword: 'lion' })).toEqual({ id: cat!.id, keyword: 'lion', whole_word: false });
    expect(await outcomeOf(ask('PUT', { keyword: ' ' }))).toBe('validation');
    expect(await ask('DELETE', {})).toEqual({});
    expect(await outcomeOf(ask('GET', {}))).toBe('notFound');
    expect((await api.ask(getFilter, bob, { id })).body).toMatchObject({ keywords: [{ id: dog!.id }] });
    expect(changes()).toBe(4);
  });

  test.each([
    '/api/v2/filters/:filter_id/keywords',
    '/api/v2/filters/:filter_id/keywords/:id',
  ])('are added by POST %s, whatever id stands behind it', async (path) => {
    const { id, keywords } = await make();
    const given = { filter_id: id, id: keywords[0]!.id, keyword: 'bird' };
    const { body } = await api.ask(keywordEndpoint('POST', path), bob, given);
    expect(body).toEqual({ id: expect.any(String), keyword: 'bird', whole_word: true });
    const list = keywordEndpoint('GET', '/api/v2/filters/:filter_id/keywords');
    expect((await api.ask(list, bob, { filter_id: id })).body).toEqual([...keywords, body]);
    expect(await outcomeOf(api.ask(keywordEndpoint('POST', path), alice, given))).toBe('notFound');
  });
});

test('single statuses are put into a filter and taken out, those that the user may see', async () => {
  const { id } = await make({ keywords_attributes: [] });
  const direct = await people.publish(alice, { visibility: 'direct' });
  const add = (statusId: bigint) => api.ask(postFilterStatus, bob, { filter_id: id, status_id: statusId });
  expect(await outcomeOf(add(direct.id))).toBe('notFound');
  const { body } = await add(post.id);
  expect(body).toEqual({ id: expect.any(String), status_id: `${post.id}` });
  expect(await outcomeOf(add(post.id))).toBe('validation');
  expect((await api.ask(getFilterStatuses, bob, { filter_id: id })).body).toEqual([body]);
  expect((await api.ask(getFilterStatus, bob, { id: body.id })).body).toEqual(body);
  expect((await api.ask(getStatus, bob, { id: post.id })).body).toMatchObject({
    filtered: [{ filter: { id }, keyword_matches: null, status_matches: [`${post.id}`] }],
  });
  expect((await api.ask(deleteFilterStatus, bob, { id: body.id })).body).toEqual({});
  expect(await outcomeOf(api.ask(getFilterStatus, bob, { id: body.id }))).toBe('notFound');
  expect((await api.ask(getStatus, bob, { id: post.id })).body).toMatchObject({ filtered: [] });
});

describe('version 1 (specification 2.5)', () => {
  const old = async (given: object = {}) =>
    (await api.ask<Entity>(postFilterV1, bob, { phrase: 'cat', context: ['home'], ...given })).body;

  test('has one phrase each, under the id of the keyword', async () => {
    const made = await old({ irreversible: true });
    expect(made).toEqual({
      ...{ id: expect.any(String), phrase: 'cat', context: ['home'], whole_word: false },
      ...{ expires_at: null, irreversible: true },
    });
    const [group] = (await api.ask<Entity[]>(getFilters, bob)).body;
    expect(group).toMatchObject({ title: 'cat', filter_action: 'hide', keywords: [{ id: made.id }] });
    const changed = await api.ask(putFilterV1, bob, {
      id: made.id,
      phrase: 'dog',
      whole_word: 'true',
      irreversible: 'f',
    });
    expect(changed.body).toEqual({ ...made, phrase: 'dog', whole_word: true, irreversible: false });
    expect((await api.ask(getFilterV1, bob, { id: made.id })).body).toEqual(changed.body);
    expect((await api.ask(deleteFilterV1, bob, { id: made.id })).body).toEqual({});
    expect((await api.ask(getFilters, bob)).body).toEqual([]);
    expect(changes()).toBe(3);
  });

  test('shows the keywords of all filters, and changes none of what several share', async () => {
    const { keywords } = await make({ filter_action: 'hide', context: ['public', 'thread'] });
    expect((await api.ask(getFiltersV1, bob)).body).toMatchObject([
      { id: keywords[0]!.id, phrase: 'cat', context: ['public', 'thread'], irreversible: true },
      { id: keywords[1]!.id, phrase: 'dog', context: ['public', 'thread'], irreversible: true },
    ]);
    const put = (given: object) => api.ask(putFilterV1, bob, { id: keywords[0]!.id, ...given });
    for (const given of [{ context: ['home'] }, { expires_in: 60 }, { irreversible: false }])
      expect(await outcomeOf(put(given))).toBe('validation');
    expect((await put({ phrase: 'lion' })).body).toMatchObject({ phrase: 'lion' });
  });
});

describe('a status that matches', () => {
  const filtered = (id: string) => [
    {
      filter: { id, title: 'Animals', context: ['home'], expires_at: null, filter_action: 'warn' },
      ...{ keyword_matches: ['cat'], status_matches: null },
    },
  ];

  test('says so wherever it is shown, and to nobody else (specification 2.6)', async () => {
    const reply = await people.publish(alice, { replyTo: post, mentions: [bob] });
    const reblog = await people.reblog(bob, post);
    const places = async (person: Person | undefined) =>
      JSON.stringify([
        (await api.ask(getStatus, person, { id: post.id })).body,
        (await api.ask(getStatus, person, { id: reblog.id })).body,
        (await api.ask(publicTimeline, person)).body,
        (await api.ask(getContext, person, { id: reply.id })).body,
        ...(person === undefined ? [] : [(await api.ask(getNotifications, person)).body]),
        ...(person === undefined ? [] : [(await api.ask(postBookmark, person, { id: post.id })).body]),
      ]).match(/"keyword_matches":\["cat"\]/g)?.length ?? 0;
    expect(await places(bob)).toBe(0);
    const { id } = await make();
    expect(await places(bob)).toBe(7);
    expect([await places(alice), await places(undefined)]).toEqual([0, 0]);
    const seen = (await api.ask(getStatus, bob, { id: reblog.id })).body;
    expect(seen).toMatchObject({ filtered: filtered(id), reblog: { filtered: filtered(id) } });
    await api.ask(deleteFilter, bob, { id });
    expect(await places(bob)).toBe(0);
  });

  test('is matched again once it or a filter has changed, and no longer when the filter has expired', async () => {
    const matched = async () =>
      (await api.ask<{ filtered: unknown[] }>(getStatus, bob, { id: post.id })).body.filtered.length;
    const { id, keywords } = await make({ expires_in: 60 });
    expect(await matched()).toBe(1);
    await api.ask(putFilter, bob, { id, keywords_attributes: [{ id: keywords[0]!.id, keyword: 'lion' }] });
    expect(await matched()).toBe(0);
    await edit('My lion sleeps');
    expect(await matched()).toBe(1);
    people.server.clock.advance(61_000);
    expect(await matched()).toBe(0);
    await api.ask(putFilter, bob, { id, expires_in: '' });
    expect(await matched()).toBe(1);
  });

  test.each([
    ['an irreversible filter of version 1', { irreversible: true }, 0],
    ['another filter of version 1', { irreversible: false }, 1],
  ])('at home and among notifications: %s', async (_what, given, shown) => {
    const services = presenting(people.server);
    const context = ['home', 'notifications'];
    await api.ask(postFilterV1, bob, { phrase: 'cat', context, ...given });
    const reblog = await people.reblog(alice, post);
    const home = services.presenter.page(BigUint64Array.of(post.id, reblog.id), bob.id, 'home');
    expect(home).toHaveLength(shown * 2);
    expect(idsIn((await api.ask(getNotifications, bob)).body)).toHaveLength(shown);
    // Nothing is taken away: it stands at its own address and in other timelines, and comes back with the filter.
    expect((await api.ask(getStatus, bob, { id: post.id })).body).toMatchObject({ id: `${post.id}` });
    expect(idsIn((await api.ask(publicTimeline, bob)).body)).toContain(`${post.id}`);
    const own = services.presenter.page(BigUint64Array.of(post.id), alice.id, 'home');
    expect(own).toHaveLength(1);
  });

  test('stays at home where version 2 hides it: clients do that', async () => {
    const services = presenting(people.server);
    await make({ filter_action: 'hide', context: ['home', 'notifications'] });
    expect(services.presenter.page(BigUint64Array.of(post.id), bob.id, 'home')).toHaveLength(1);
    expect(services.presenter.view(post.id, bob.id, 'home')?.state?.filtered).toHaveLength(1);
  });
});

test.each<[string, object]>([
  ['no title', { title: '' }],
  ['a title of 257 characters', { title: 'x'.repeat(257) }],
  ['no context', { context: [] }],
  ['a context that there is not', { context: ['home', 'nowhere'] }],
  ['an action that there is not', { filter_action: 'burn' }],
  ['an expiry that is a word', { expires_in: 'soon' }],
  ['an expiry in the past', { expires_in: -1 }],
  ['a blank keyword', { keywords_attributes: [{ keyword: 'good' }, { keyword: ' ' }] }],
  ['a keyword of 513 characters', { keywords_attributes: [{ keyword: 'x'.repeat(513) }] }],
])('%s is refused, and nothing is stored', async (_what, given) => {
  expect(await outcomeOf(make(given))).toBe('validation');
  expect((await api.ask(getFilters, bob)).body).toEqual([]);
});
