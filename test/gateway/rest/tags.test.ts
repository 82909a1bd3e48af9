/** Tags through the API, and those that the user follows (behaviour of the Mastodon API). */
import { beforeEach, expect, test } from 'vitest';
import { tagEndpoints } from '../../../src/gateway/rest/tags/tags.endpoints.ts';
import { followTag } from '../../../src/operations/tags/follow-tag.ts';
import { Callers } from '../../operations/callers.ts';
import { newPeople } from '../../support/api-people.ts';

let { circle, api, alice, bob } = await newPeople();

beforeEach(async () => {
  ({ circle, api, alice, bob } = await newPeople());
});

const at = (path: string) => tagEndpoints.find((one) => one.path === path)!;
const [getTag, follow, unfollow, getFollowed] = [
  at('/api/v1/tags/:name'),
  at('/api/v1/tags/:name/follow'),
  at('/api/v1/tags/:name/unfollow'),
  at('/api/v1/followed_tags'),
] as const;

test('a tag has its history, and says to a user whether it is followed', async () => {
  await circle.publish(bob, { tags: ['cats'] });
  const open = await api.ask(getTag, undefined, { name: 'Cats' });
  expect(open.body).toMatchObject({ name: 'cats', url: 'https://here.example/tags/cats' });
  expect(open.body.history).toMatchObject({ 0: { uses: '1', accounts: '1' }, length: 7 });
  expect('following' in open.body).toBe(false);
  expect((await api.ask(getTag, alice, { name: 'cats' })).body).toMatchObject({ following: false });
});

test('tags are followed and unfollowed by any spelling of their names, also a second time', async () => {
  for (const name of ['Cats', '#CATS', '＃cats'])
    expect((await api.ask(follow, alice, { name })).body).toMatchObject({ name: 'cats', following: true });
  expect((await api.ask(getFollowed, alice)).body).toMatchObject([{ name: 'cats', following: true }]);
  expect((await api.ask(getFollowed, bob)).body).toEqual([]);
  for (let time = 0; time < 2; time += 1)
    expect((await api.ask(unfollow, alice, { name: 'cats' })).body).toMatchObject({ following: false });
  expect((await api.ask(getFollowed, alice)).body).toEqual([]);
});

test('followed tags are listed page by page, the latest first', async () => {
  for (const name of ['one', 'two', 'three']) await api.ask(follow, alice, { name });
  const first = await api.ask(getFollowed, alice, { limit: 2 });
  expect(first.body).toMatchObject([{ name: 'three' }, { name: 'two' }]);
  expect((await api.ask(getFollowed, alice, first.links.next)).body).toMatchObject([{ name: 'one' }]);
  expect(first.links.prev).toMatchObject({ since_id: expect.any(String) });
});

test('what cannot be a tag is not found', async () => {
  for (const name of ['12', 'a b', '_', 'x'.repeat(500)])
    for (const endpoint of [getTag, follow, unfollow])
      await expect(api.ask(endpoint, alice, { name })).rejects.toMatchObject({ code: 'notFound' });
  const callers = new Callers();
  await expect(followTag(callers.as(callers.people.local('carol')), { tag: '#' })).rejects.toMatchObject({
    code: 'notFound',
  });
});
