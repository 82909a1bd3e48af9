/** Tags and followed tags through the API (behaviour of the Mastodon API). */
import { beforeEach, expect, test } from 'vitest';
import { getAccountStatuses } from '../../../src/gateway/rest/accounts-statuses/get-account-statuses.ts';
import { getFeaturedTags, getProposedTags } from '../../../src/gateway/rest/featured-tags/featured-tags.endpoints.ts';
import { getSearch } from '../../../src/gateway/rest/search/search.endpoints.ts';
import { postStatus } from '../../../src/gateway/rest/statuses/post-status.ts';
import {
  getFollowedTags,
  getTag,
  postTagFeature,
  postTagFollow,
  postTagUnfeature,
  postTagUnfollow,
} from '../../../src/gateway/rest/tags/tags.endpoints.ts';
import { tagTimeline } from '../../../src/gateway/rest/timelines/tag-timeline.ts';
import { trendEndpoints } from '../../../src/gateway/rest/trends/trends.endpoints.ts';
import { followTag } from '../../../src/operations/tags/follow-tag.ts';
import { Callers } from '../../operations/callers.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';
import { roundsOf } from '../../support/rounds-of.ts';

let { people, api, alice, bob } = await newPeople();

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
});

test('a tag has its history, and says to a user whether it is followed', async () => {
  await people.publish(bob, { tags: ['cats'] });
  const open = await api.ask(getTag, undefined, { name: 'Cats' });
  expect(open.body).toMatchObject({ name: 'cats', url: 'https://here.example/tags/cats' });
  expect(open.body.history).toMatchObject({ 0: { uses: '1', accounts: '1' }, length: 7 });
  expect('following' in open.body).toBe(false);
  expect((await api.ask(getTag, alice, { name: 'cats' })).body).toMatchObject({ following: false });
});

test('every list of tags says to a user which are followed and featured', async () => {
  const related = { name: 'cats', following: true, featuring: true };
  const unrelated = { name: 'dogs', following: false, featuring: false };
  await people.publish(alice, { tags: ['cats', 'dogs'] });
  await api.ask(postTagFollow, alice, { name: 'cats' });
  await api.ask(postTagFeature, alice, { name: 'cats' });
  const trends = trendEndpoints.find(({ path }) => path === '/api/v1/trends/tags')!;
  const [cats, dogs] = ['cats', 'dogs'].map((q) => ({ q, type: 'hashtags' }));
  expect((await api.ask(getSearch, alice, cats)).body).toMatchObject({ hashtags: [related] });
  expect((await api.ask(getSearch, alice, dogs)).body).toMatchObject({ hashtags: [unrelated] });
  expect((await api.ask(trends, alice)).body).toEqual(
    expect.arrayContaining([expect.objectContaining(related), expect.objectContaining(unrelated)]),
  );
  expect((await api.ask(getProposedTags, alice)).body).toMatchObject([unrelated]);
  const [open] = (await api.ask<Record<string, unknown>[]>(trends, undefined)).body;
  expect(Object.keys(open!)).not.toContain('following');
});

test('the uses of a busy tag are counted, each once, and others run in between', async () => {
  const posts = 260;
  for (let number = 0; number < posts; number += 1)
    await people.publish(number % 2 === 0 ? alice : bob, { tags: ['cats'] });
  const counted: unknown[] = [];
  const rounds = await roundsOf(async () => {
    const { history } = (await api.ask(getTag, undefined, { name: 'cats' })).body;
    counted.push(...(history as unknown[]).slice(0, 2));
  });
  expect(counted).toMatchObject([
    { uses: `${posts}`, accounts: '2' },
    { uses: '0', accounts: '0' },
  ]);
  expect(rounds).toBeGreaterThan(1);
});

test('the use of a busy tag is counted once in five minutes, and again on another day', async () => {
  const write = async (posts: number) => {
    for (let number = 0; number < posts; number += 1) await people.publish(alice, { tags: ['cats'] });
  };
  const ask = async () => ((await api.ask(getTag, undefined, { name: 'cats' })).body as { history: unknown[] }).history;
  await write(249);
  expect(await ask()).toMatchObject([{ uses: '249' }, {}, {}, {}, {}, {}, {}]);
  await write(1);
  expect(await ask()).toMatchObject([{ uses: '250' }, {}, {}, {}, {}, {}, {}]);
  await write(1);
  expect(await ask()).toMatchObject([{ uses: '250' }, {}, {}, {}, {}, {}, {}]);
  people.server.clock.advance(5 * 60 * 1_000);
  expect(await ask()).toMatchObject([{ uses: '251' }, {}, {}, {}, {}, {}, {}]);
  const [today] = (await ask()) as { day: string }[];
  const untilMidnight = (Number(today!.day) + 24 * 60 * 60) * 1_000 - people.server.clock.now();
  people.server.clock.advance(untilMidnight - 1_000);
  expect(await ask()).toMatchObject([{ uses: '251' }, {}, {}, {}, {}, {}, {}]);
  people.server.clock.advance(1_000);
  expect(await ask()).toMatchObject([{ uses: '0' }, { uses: '251' }, {}, {}, {}, {}, {}]);
});

test('tags are followed and unfollowed by any spelling of their names, also a second time', async () => {
  for (const name of ['Cats', '#CATS', '＃cats'])
    expect((await api.ask(postTagFollow, alice, { name })).body).toMatchObject({ name: 'cats', following: true });
  expect((await api.ask(getFollowedTags, alice)).body).toMatchObject([{ name: 'cats', following: true }]);
  expect((await api.ask(getFollowedTags, bob)).body).toEqual([]);
  for (let time = 0; time < 2; time += 1)
    expect((await api.ask(postTagUnfollow, alice, { name: 'cats' })).body).toMatchObject({ following: false });
  expect((await api.ask(getFollowedTags, alice)).body).toEqual([]);
});

test('a tag with accents and one without are the same tag everywhere, and each post keeps its spelling', async () => {
  const posts: string[] = [];
  for (const status of ['#Überraschung', '#uberraschung', '#U\u0308berraschung'])
    posts.unshift(String((await api.ask(postStatus, bob, { status })).body.id));
  for (const hashtag of ['uberraschung', 'Überraschung']) {
    const { body } = await api.ask<Record<string, unknown>[]>(tagTimeline, alice, { hashtag });
    expect(body.map(({ id }) => id)).toEqual(posts);
    expect(body.at(-1)).toMatchObject({ content: expect.stringContaining('<span>Überraschung</span>') });
    expect((await api.ask(postTagFollow, alice, { name: hashtag })).body).toMatchObject({ name: 'uberraschung' });
    expect((await api.ask(getSearch, alice, { q: hashtag, type: 'hashtags' })).body).toMatchObject({
      hashtags: [{ name: 'uberraschung', following: true }],
    });
    expect(idsIn((await api.ask(getAccountStatuses, alice, { id: bob.id, tagged: hashtag })).body)).toEqual(posts);
  }
  expect((await api.ask(getFollowedTags, alice)).body).toMatchObject({ length: 1 });
  for (const name of ['überraschung', 'Uberraschung']) await api.ask(postTagFeature, bob, { name });
  expect((await api.ask(getFeaturedTags, bob)).body).toMatchObject({ length: 1, 0: { statuses_count: '3' } });
});

test('followed tags are listed page by page, the latest first', async () => {
  for (const name of ['one', 'two', 'three']) await api.ask(postTagFollow, alice, { name });
  const first = await api.ask(getFollowedTags, alice, { limit: 2 });
  expect(first.body).toMatchObject([{ name: 'three' }, { name: 'two' }]);
  expect((await api.ask(getFollowedTags, alice, first.links.next)).body).toMatchObject([{ name: 'one' }]);
  expect(first.links.prev).toMatchObject({ since_id: expect.any(String) });
});

test.each([
  ['/api/v1/tags/:name', getTag],
  ['/api/v1/tags/:name/follow', postTagFollow],
  ['/api/v1/tags/:name/unfollow', postTagUnfollow],
  ['/api/v1/tags/:name/feature', postTagFeature],
  ['/api/v1/tags/:name/unfeature', postTagUnfeature],
])('%s does not find what cannot be a tag', async (path, endpoint) => {
  expect(endpoint.path).toBe(path);
  for (const name of ['12', 'a b', '_', 'x'.repeat(500)])
    await expect(api.ask(endpoint, alice, { name })).rejects.toMatchObject({ code: 'notFound' });
});

test('an operation does not find what cannot be a tag', async () => {
  const callers = new Callers();
  await expect(followTag(callers.as(callers.people.local('carol')), { tag: '#' })).rejects.toMatchObject({
    code: 'notFound',
  });
});
