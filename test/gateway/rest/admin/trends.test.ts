/** Staff review what trends: what each decision does to the trends, and to those who post and search. */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { Instance, instanceKey } from '../../../../src/actors/instance/instance.messages.ts';
import { trendReviewsOf } from '../../../../src/actors/instance/trends/trend-reviews.queries.ts';
import { trendReviewRules } from '../../../../src/actors/instance/trends/trend-reviews.state.ts';
import { idOfName } from '../../../../src/actors/policy/derived-ids.ts';
import { adminTrendEndpoints } from '../../../../src/gateway/rest/admin/trends.ts';
import { searchEndpoints } from '../../../../src/gateway/rest/search/search.endpoints.ts';
import { statusEndpoints } from '../../../../src/gateway/rest/statuses/statuses.endpoints.ts';
import { trendEndpoints } from '../../../../src/gateway/rest/trends/trends.endpoints.ts';
import { newPeople } from '../../../support/api-people.ts';
import type { Person } from '../../../support/observer.ts';
import { plainPost } from '../../../support/plain-post.ts';
import { assertSound } from '../../../support/sound.ts';

const endpoints = [...trendEndpoints, ...adminTrendEndpoints, ...searchEndpoints, ...statusEndpoints];
type Entity = Record<string, unknown> & { id: string };

let { people, api, alice, bob, carol } = await newPeople();
let mona: Person;

beforeEach(async () => {
  ({ people, api, alice, bob, carol } = await newPeople());
  mona = people.local('mona', {}, { role: 'moderator' });
  for (const author of [alice, bob]) people.change(author, { discoverable: true });
});

async function ask<Body = Entity>(who: Person | undefined, request: string, given: Record<string, unknown> = {}) {
  const [method, path] = request.split(' ') as [string, string];
  const endpoint = endpoints.find((one) => one.path === path && one.methods.some((each) => each === method))!;
  return api.ask<Body>(endpoint, who, given);
}
const trending = async (kind: string, who?: Person) => (await ask<Entity[]>(who, `GET /api/v1/trends/${kind}`)).body;
const candidates = async (kind: string) => (await ask<Entity[]>(mona, `GET /api/v1/admin/trends/${kind}`)).body;
const decide = (path: string, id: string, how: 'approve' | 'reject') =>
  ask(mona, `POST /api/v1/admin/trends/${path}/:id/${how}`, { id });
const set = (settings: object) => people.server.call(Instance.changeSettings.to(instanceKey, settings));
/** What was computed is kept for a minute at most. */
const wait = () => people.server.clock.advance(60_000);

async function popular(author = alice) {
  const post = await people.publish(author, { language: 'en' });
  for (let fan = 0; fan < 5; fan += 1) await people.favourite(people.local(`fan${fan}of${post.id}`), post);
  wait();
  return post;
}

let pages = 0;
/** Two link to an article, whose card is found at once. */
async function article(host: string): Promise<string> {
  pages += 1;
  const url = `https://${host}/${pages}`;
  const about = { title: 'T', description: 'D', isArticle: true, providerName: 'P', image: `${url}.png` };
  for (const author of [alice, bob]) {
    const { statusId } = await people.server.call(Account.publish.to(author.id, plainPost('x', { link: url })));
    people.server.send(Account.cardFound.to(author.id, { statusId, url, card: { url, ...about } }));
    people.server.settle();
  }
  wait();
  return url;
}

test('a hashtag trends unless it is rejected; without the default, once it is approved', async () => {
  for (const author of [alice, bob]) await people.publish(author, { tags: ['birds'] });
  const names = async () => (await trending('tags')).map(({ name }) => name);
  expect(await names()).toEqual(['birds']);
  const [tag] = await candidates('tags');
  expect(tag).toMatchObject({ name: 'birds', trendable: true, usable: true, listable: true, requires_review: true });
  const rejected = await decide('tags', tag!.id, 'reject');
  expect(rejected.body).toMatchObject({ name: 'birds', trendable: false, requires_review: false });
  expect([await names(), (await candidates('tags')).length]).toEqual([[], 1]);
  await set({ trendableByDefault: false });
  await people.publish(carol, { tags: ['cats'] });
  wait();
  expect(await names()).toEqual([]);
  await decide('tags', idOfName('cats'), 'approve');
  expect(await names()).toEqual(['cats']);
  await set({ trends: false });
  expect(await names()).toEqual([]);
});

test('a status follows what was decided about its author, and what was decided about itself goes before', async () => {
  const [first, second] = [await popular(), await popular()];
  const ids = async () => (await trending('statuses')).map(({ id }) => id);
  const [both, one] = [[second.id.toString(), first.id.toString()], [second.id.toString()]];
  expect(await ids()).toEqual(both);
  expect(await candidates('statuses')).toMatchObject([{ requires_review: true }, { requires_review: true }]);
  expect((await decide('statuses/accounts', String(alice.id), 'reject')).body).toEqual({});
  expect(await ids()).toEqual([]);
  const approved = await decide('statuses', second.id.toString(), 'approve');
  expect(approved.body).toMatchObject({ id: second.id.toString(), requires_review: false });
  expect(await ids()).toEqual(one);
  await decide('statuses/accounts', String(alice.id), 'approve');
  expect(await ids()).toEqual(both);
  await decide('statuses', first.id.toString(), 'reject');
  expect(await ids()).toEqual(one);
});

test('a link follows what was decided about its publisher, whatever its subdomain', async () => {
  const [here, there] = [await article('news.birds.example'), await article('cats.example')];
  const urls = async () => (await trending('links')).map(({ url }) => url);
  expect(await urls()).toEqual([there, here]);
  const publishers = await ask<Entity[]>(mona, 'GET /api/v1/admin/trends/links/publishers');
  expect(publishers.body).toMatchObject([
    { domain: 'cats.example', trendable: null, reviewed_at: null, requires_review: true },
    { domain: 'news.birds.example', trendable: null },
  ]);
  const audit = { action: 'reviewTrend', by: 'commandLine' } as const;
  const above = { kind: 'publisher', name: 'birds.example', isTrendable: false, label: 'birds.example' } as const;
  await people.server.call(Instance.reviewTrend.to(instanceKey, { ...above, audit }));
  expect(await urls()).toEqual([there]);
  await decide('links', idOfName(here), 'approve');
  expect(await urls()).toEqual([there, here]);
  const rejected = await decide('links/publishers', idOfName('cats.example'), 'reject');
  expect(rejected.body).toMatchObject({ domain: 'cats.example', trendable: false, requires_review: false });
  expect(await urls()).toEqual([here]);
  const links = (await candidates('links')).map(({ url, id, requires_review }) => [url, id, requires_review]);
  expect(links).toEqual([
    [there, idOfName(there), false],
    [here, idOfName(here), false],
  ]);
});

test('a hashtag that may not be used is refused in posts and their edits, in words that name it', async () => {
  await people.publish(bob, { tags: ['birds'] });
  const change = (given: object) => ask(mona, 'PUT /api/v1/admin/tags/:id', { id: idOfName('birds'), ...given });
  const post = (status: string) => ask(alice, 'POST /api/v1/statuses', { status });
  const before = await post('before');
  expect((await change({ usable: false })).body).toMatchObject({ usable: false, trendable: true, listable: true });
  const refused = (asked: Promise<unknown>, words: string) => expect(asked).rejects.toThrow(`Text contained ${words}`);
  await refused(post('#Birds #cats'), 'a disallowed hashtag: Birds');
  await people.server.call(Instance.setHashtagDisallowed.to(instanceKey, { name: 'cats', isDisallowed: true }));
  await refused(post('#birds #cats'), 'the disallowed hashtags: birds, cats');
  const edit = ask(alice, 'PUT /api/v1/statuses/:id', { id: before.body.id, status: 'see #birds' });
  await refused(edit, 'a disallowed hashtag: birds');
  expect((await change({ usable: true })).body).toMatchObject({ usable: true });
  expect((await post('#birds')).status).toBe(200);
});

test('a hashtag that is not listed is suggested to nobody, and found by its whole name', async () => {
  await people.publish(bob, { tags: ['birds', 'birdsong'] });
  const found = async (q: string, more = {}) =>
    (
      await ask<{ hashtags: Entity[] }>(alice, 'GET /api/v2/search', { q, type: 'hashtags', ...more })
    ).body.hashtags.map(({ name }) => name);
  expect(await found('bird')).toEqual(expect.arrayContaining(['birds', 'birdsong']));
  expect(await found('bird', { exclude_unreviewed: true })).toEqual([]);
  await ask(mona, 'PUT /api/v1/admin/tags/:id', { id: idOfName('birds'), listable: false });
  await ask(mona, 'PUT /api/v1/admin/tags/:id', { id: idOfName('birdsong'), listable: true });
  expect(await found('bird', { exclude_unreviewed: true })).toEqual(['birdsong']);
  expect(await found('bird')).toEqual(['birdsong']);
  expect(await found('birds')).toEqual(expect.arrayContaining(['birds']));
});

test('allowing a hashtag takes it off the disallowed ones', async () => {
  await people.publish(bob, { tags: ['birds'] });
  await people.server.call(Instance.setHashtagDisallowed.to(instanceKey, { name: 'birds', isDisallowed: true }));
  const tag = () => ask(mona, 'GET /api/v1/admin/tags/:id', { id: idOfName('birds') });
  expect((await tag()).body).toMatchObject({ trendable: false, usable: false, listable: false });
  await ask(mona, 'PUT /api/v1/admin/tags/:id', { id: idOfName('birds'), usable: true });
  expect((await tag()).body).toMatchObject({ trendable: true, usable: true, listable: true });
});

test('lists of hashtags have pages by id', async () => {
  const tags = ['one', 'two', 'three', 'four'];
  await people.publish(bob, { tags });
  const ids = tags.map((name) => BigInt(idOfName(name))).sort((one, other) => (one < other ? 1 : -1));
  const page = async (given: object) => {
    const { body, links } = await ask<Entity[]>(mona, 'GET /api/v1/admin/tags', { limit: 2, ...given });
    return { found: body.map(({ id }) => BigInt(id)), links };
  };
  const first = await page({});
  expect(first.found).toEqual(ids.slice(0, 2));
  expect((await page(first.links.next!)).found).toEqual(ids.slice(2));
  expect((await page({ min_id: String(ids[2]) })).found).toEqual(ids.slice(0, 2));
});

test('who may not review is shown what everybody is, and reviews nothing', async () => {
  await people.publish(bob, { tags: ['birds'] });
  await people.publish(bob, { tags: ['cats'] });
  await decide('tags', idOfName('birds'), 'reject');
  const tags = await ask<Entity[]>(alice, 'GET /api/v1/admin/trends/tags');
  expect(tags.body.map(({ name, requires_review }) => [name, requires_review])).toEqual([['cats', undefined]]);
  for (const kind of ['links', 'statuses'])
    expect((await ask(alice, `GET /api/v1/admin/trends/${kind}`)).body).toEqual([]);
});

test.each([
  'tags',
  'links',
  'links/publishers',
  'statuses',
  'statuses/accounts',
])('nothing is decided about %s that are not there', async (path) => {
  await expect(decide(path, '17', 'approve')).rejects.toMatchObject({ code: 'notFound' });
  expect(trendReviewsOf(people.server.read, 'status')).toEqual([]);
});

test('what was decided about a status or a link is forgotten after a month, and nothing else', async () => {
  const post = await popular();
  await decide('statuses', post.id.toString(), 'reject');
  await decide('statuses', post.id.toString(), 'approve');
  await decide('statuses/accounts', String(alice.id), 'approve');
  const kept = () => [
    trendReviewsOf(people.server.read, 'status').length,
    trendReviewsOf(people.server.read, 'account').length,
  ];
  expect(kept()).toEqual([1, 1]);
  assertSound(people.server.disks, trendReviewRules);
  people.server.clock.advance(31 * 24 * 60 * 60 * 1_000);
  people.server.settle();
  expect(kept()).toEqual([0, 1]);
});
