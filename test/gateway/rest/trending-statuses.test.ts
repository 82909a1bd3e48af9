/** Trending statuses: favourites and reblogs squared, half the weight every two hours (behaviour of the Mastodon API). */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { rankedStatuses, rankRules, ranksOfStatuses } from '../../../src/actors/account/statuses/ranks.state.ts';
import { rankOf, trendRanks } from '../../../src/actors/policy/trends.ts';
import { trendEndpoints } from '../../../src/gateway/rest/trends/trends.endpoints.ts';
import type * as acts from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';
import type { Person } from '../../support/observer.ts';
import { plainPost } from '../../support/plain-post.ts';
import { assertSound } from '../../support/sound.ts';

const statuses = trendEndpoints.find(({ path }) => path === '/api/v1/trends/statuses')!;
const hourMilliseconds = 60 * 60 * 1_000;

let { people, api, alice, bob, carol } = await newPeople();
let fans: Person[];

beforeEach(async () => {
  ({ people, api, alice, bob, carol } = await newPeople());
  for (const author of [alice, bob]) people.change(author, { discoverable: true });
  fans = Array.from({ length: 12 }, (_, index) => people.local(`fan${index}`));
});

interface Writing extends acts.PostOptions {
  readonly by?: Person;
  readonly sensitive?: boolean;
}

/** Written, and favourited by so many. */
async function write(favourites: number, { by = alice, ...options }: Writing = {}): Promise<acts.Post> {
  const post = await people.publish(by, { language: 'en', ...options });
  await favourite(post, fans.slice(0, favourites));
  return post;
}

async function favourite(post: acts.Post, by: readonly Person[]) {
  for (const fan of by) await people.favourite(fan, post);
}

const warn = ({ id, author }: acts.Post) =>
  Account.edit.to(author.id, { ...plainPost('x'), spoilerText: 'birds', statusId: id });

const ask = (who?: Person, given = {}) => api.ask<{ id: string }[]>(statuses, who, given);
async function trending(who?: Person, given = {}): Promise<string[]> {
  return (await ask(who, given)).body.map(({ id }) => id);
}
const idsOf = (...posts: acts.Post[]) => posts.map(({ id }) => String(id));
/** A whole list is kept for a minute at most. */
const wait = () => people.server.clock.advance(60_000);

test('need five favourites or reblogs, and are ordered by them', async () => {
  await write(4);
  const [five, twelve] = [await write(5), await write(12)];
  const reblogged = await write(4);
  for (const fan of fans.slice(4, 8)) await people.reblog(fan, reblogged);
  expect(await trending()).toEqual(idsOf(twelve, reblogged, five));
  assertSound(people.server.disks, rankRules);
});

test('weigh half as much after two hours, and have faded after some more', async () => {
  const old = await write(12);
  people.server.clock.advance(4 * hourMilliseconds);
  const young = await write(6);
  wait();
  expect(await trending()).toEqual(idsOf(old, young));
  people.server.clock.advance(hourMilliseconds);
  const younger = await write(8);
  wait();
  expect(await trending()).toEqual(idsOf(younger, old, young));
  people.server.clock.advance(24 * hourMilliseconds);
  expect(await trending()).toEqual([]);
  const next = await write(5);
  wait();
  expect(await trending()).toEqual(idsOf(next));
  await write(5);
  // Those that have faded are removed by later writes.
  const entries = people.server.read.partitions.flatMap((partition) => [...partition.range(rankedStatuses, [])]);
  expect(entries.length).toBeLessThan(4);
  assertSound(people.server.disks, rankRules);
});

test('pages by offset follow each other, with links', async () => {
  const posts: acts.Post[] = [];
  for (let count = 0; count < 5; count += 1) posts.unshift(await write(6));
  const first = await ask(undefined, { limit: 2 });
  expect(first.body.map(({ id }) => id)).toEqual(idsOf(...posts.slice(0, 2)));
  expect(first.links).toEqual({ next: { limit: '2', offset: '2' } });
  await favourite(posts[4]!, fans);
  expect(await trending(undefined, { limit: 2, offset: 2 })).toEqual(idsOf(...posts.slice(2, 4)));
  const last = await ask(undefined, { limit: 2, offset: 4 });
  expect(last.body.map(({ id }) => id)).toEqual(idsOf(posts[4]!));
  expect(last.links).toEqual({ prev: { limit: '2', offset: '2' } });
  expect(await trending(undefined, { offset: 5 })).toEqual([]);
});

test.each<[string, Writing]>([
  ['not public', { visibility: 'unlisted' }],
  ['by somebody who does not want to be found', {}],
  ['in no known language', { language: undefined }],
])('%s do not trend', async (what, options) => {
  if (what.startsWith('by')) people.change(alice, { discoverable: false });
  await write(8, options);
  const shown = await write(5, { by: bob });
  expect(await trending()).toEqual(idsOf(shown));
});

test('neither replies nor reblogs trend', async () => {
  const parent = await write(5);
  await write(8, { replyTo: parent });
  await people.reblog(bob, parent);
  expect(await trending()).toEqual(idsOf(parent));
});

test.each<[string, (post: acts.Post) => unknown]>([
  ['is deleted', (post) => people.remove(post)],
  ['gets a warning', (post) => people.server.call(warn(post))],
  ['is of an account that staff limit', () => people.moderate(alice, { limited: true })],
  ['is of an account whose media staff mark as sensitive', () => people.moderate(alice, { sensitized: true })],
  ['is of an account that is suspended', () => people.suspend(alice)],
  ['is of somebody who does not want to be found any more', () => people.change(alice, { discoverable: false })],
  ['loses a favourite', (post) => people.unfavourite(fans[0]!, post)],
])('what %s trends no more, at once', async (_what, change) => {
  const [post, other] = [await write(5), await write(5, { by: bob })];
  expect(await trending()).toEqual(idsOf(other, post));
  await change(post);
  people.server.settle();
  expect(await trending()).toEqual(idsOf(other));
  assertSound(people.server.disks, rankRules);
});

test('whom the reader blocks, mutes or hides is left out, without making a page short', async () => {
  const rita = people.remote('rita', 'there.example', { discoverable: true });
  const far = await people.receive(rita, 'https://there.example/1', { language: 'en' });
  await favourite({ id: far.id, author: rita }, fans);
  const [ofAlice, ofBob] = [await write(11), await write(10, { by: bob })];
  expect(await trending(carol)).toEqual(idsOf(far, ofAlice, ofBob));
  await people.mute(carol, bob);
  expect(await trending(carol)).toEqual(idsOf(far, ofAlice));
  await people.block(carol, alice);
  expect(await trending(carol)).toEqual(idsOf(far));
  await people.server.call(Account.blockDomain.to(carol.id, { domain: 'there.example', followed: [] }));
  people.server.settle();
  expect(await trending(carol)).toEqual([]);
  expect(await trending(fans[0], { limit: 1, offset: 2 })).toEqual(idsOf(ofBob));
});

test('those in a language of the reader come first', async () => {
  const [french, english] = [await write(9, { language: 'fr' }), await write(5)];
  const reader = people.local('reader', {}, { locale: 'fr' });
  expect(await trending(carol)).toEqual(idsOf(english, french));
  expect(await trending(reader)).toEqual(idsOf(french, english));
  api.headers.set('accept-language', 'fr-CA, en;q=0.5');
  expect(await trending()).toEqual(idsOf(french, english));
  api.headers.set('accept-language', 'de');
  expect(await trending()).toEqual(idsOf(french, english));
});

test('a popular status is ranked anew the less often the more popular it is', () => {
  const ranks = Array.from({ length: 10_000 }, (_, favourites) => rankOf({ favourites, reblogs: 0 }, 0));
  expect(ranks.slice(0, trendRanks.interactionsMin)).toEqual(Array(trendRanks.interactionsMin).fill(undefined));
  expect(new Set(ranks).size).toBeLessThan(120);
  const ranked = ranks.slice(trendRanks.interactionsMin) as number[];
  expect(ranked).toEqual([...ranked].sort((one, other) => one - other));
});

test('below five favourites nothing is stored', async () => {
  const post = await write(4);
  const stored = () => people.server.read.partitions.map((partition) => partition.get(ranksOfStatuses, [post.id]));
  expect(stored().every((rank) => rank === undefined)).toBe(true);
  await favourite(post, fans.slice(4, 5));
  expect(stored().filter((rank) => rank !== undefined)).toHaveLength(1);
});

test('a check finds a status that trends and is not in the index', async () => {
  const post = await write(5);
  expect(() => assertSound(people.server.disks, rankRules)).not.toThrow();
  people.server.turn(Account.actor, alice.id, (turn) => {
    for (const { key } of [...turn.range(rankedStatuses, [])]) turn.delete(rankedStatuses, key);
  });
  const problem = `The entry ${post.id} of ranks of statuses has no entry in ranked statuses.`;
  expect(() => assertSound(people.server.disks, rankRules)).toThrow(problem);
});
