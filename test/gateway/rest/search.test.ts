/** Search, versions 1 and 2 (specification 4.3; behaviour of the Mastodon API). */
import { beforeEach, expect, test } from 'vitest';
import { SearchEntity } from '../../../src/gateway/entities/search.ts';
import { getSearch, getSearchV1 } from '../../../src/gateway/rest/search/search.endpoints.ts';
import type { Post } from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';
import { origin } from '../../support/services.ts';

let { people, api, alice, bob } = await newPeople();
let post: Post;

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
  post = await people.publish(bob, { tags: ['bobsled'], text: 'words' });
});

test('specification 4.3: a search needs a user; in the dialect of today, what asks others or reads on', async () => {
  const ask = (given: object) => api.ask(getSearch, undefined, { q: 'bob', ...given });
  await expect(ask({})).rejects.toMatchObject({ code: 'tokenRequired' });
  await expect(api.ask(getSearchV1, undefined, { q: 'bob' })).rejects.toMatchObject({ code: 'tokenRequired' });
  for (const given of [{ q: undefined }, { type: 'nothing' }, { limit: '-' }])
    await expect(ask(given)).rejects.toMatchObject({ code: 'tokenRequired' });
  api.visitorDialect = 'mastodon';
  expect(idsIn((await ask({})).body.accounts)).toEqual([`${bob.id}`]);
  for (const given of [{ resolve: 'true' }, { offset: '1', type: 'accounts' }])
    await expect(ask(given)).rejects.toMatchObject({ code: 'tokenRequired' });
});

test('version 1 answers tags by their names, version 2 with the uses of the last seven days', async () => {
  const again = await people.publish(alice, { tags: ['bobsled'] });
  expect((await api.ask(getSearchV1, alice, { q: 'bob' })).body).toMatchObject({
    accounts: [{ username: 'bob' }],
    statuses: [],
    hashtags: ['bobsled'],
  });
  const { hashtags } = (await api.ask(getSearch, alice, { q: 'bobs' })).body as never as {
    hashtags: { id: string; name: string; url: string; history: { day: string; uses: string; accounts: string }[] }[];
  };
  const [tag] = hashtags;
  expect(tag).toMatchObject({
    name: 'bobsled',
    url: `${origin}/tags/bobsled`,
    id: expect.stringMatching(/^[1-9]\d+$/),
  });
  expect(tag!.history).toHaveLength(7);
  expect(tag!.history[0]).toEqual({ day: String(Date.UTC(2025, 0, 1) / 1_000), uses: '2', accounts: '2' });
  expect(tag!.history[1]).toMatchObject({ uses: '0', accounts: '0' });
  expect(again.id).not.toBe(post.id);
});

test('a status is shown as its viewer sees it', async () => {
  const q = `${origin}/@bob/${post.id}`;
  const { body } = await api.ask(getSearch, alice, { q });
  expect(body).toMatchObject({ accounts: [], statuses: [{ id: `${post.id}`, favourited: false }], hashtags: [] });
  expect((await api.ask(getSearch, alice, { q, account_id: 'word' })).body).toMatchObject({ statuses: [] });
  await people.block(bob, alice);
  expect((await api.ask(getSearch, alice, { q })).body).toMatchObject({ statuses: [] });
  api.visitorDialect = 'mastodon';
  const open = SearchEntity.parse((await api.ask(getSearch, undefined, { q })).body);
  expect(open.statuses).toEqual([expect.not.objectContaining({ favourited: expect.anything() })]);
});

test.each([
  [{}, 'parameterMissing'],
  [{ q: ' ' }, 'parameterMissing'],
  [{ q: 'x'.repeat(501) }, 'validation'],
  [{ q: 'bob', type: 'people' }, 'validation'],
  [{ q: 'bob', offset: '-1' }, 'validation'],
  [{ q: 'bob', time_zone: 'Mars/Olympus' }, 'validation'],
])('%o is refused', async (given, code) => {
  await expect(api.ask(getSearch, alice, given)).rejects.toMatchObject({ code });
});
