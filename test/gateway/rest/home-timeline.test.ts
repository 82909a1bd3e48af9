/**
 * The answer with the home timeline, for every state of the feeds (specification 3, 4.3, 7: 206 while it is rebuilt).
 */
import { beforeEach, expect, test } from 'vitest';
import { homeTimeline } from '../../../src/gateway/rest/timelines/home-timeline.ts';
import type { HomePage } from '../../../src/services/feeds.ts';
import type { Post } from '../../support/acts.ts';
import { idsIn, MemoryApi } from '../../support/memory-api.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';

let api: MemoryApi;
let alice: Person;
let post: Post;

beforeEach(async () => {
  const people = new People();
  alice = people.local('alice');
  post = await people.publish(people.local('bob'), {});
  api = new MemoryApi(people.server);
});

const pageOf = (complete: boolean, ...ids: bigint[]): HomePage => ({ ids: BigUint64Array.from(ids), complete });

test.each<[string, () => HomePage | Promise<HomePage>, number, number]>([
  ['at once', () => pageOf(true, post.id), 200, 1],
  ['later', () => Promise.resolve(pageOf(true, post.id)), 200, 1],
  ['in part', () => Promise.resolve(pageOf(false, post.id)), 206, 1],
  ['not yet', () => Promise.resolve(pageOf(false)), 206, 0],
])('that is there %s', async (_when, home, status, count) => {
  api.home = home();
  const answer = await api.ask(homeTimeline, alice);
  expect(answer.status).toBe(status);
  expect(idsIn(answer.body)).toEqual(Array(count).fill(`${post.id}`));
});

test('two homes that are merged at the same time do not share their bytes', async () => {
  api.home = Promise.resolve(pageOf(true, post.id));
  const full = api.ask(homeTimeline, alice);
  api.home = Promise.resolve(pageOf(true));
  const empty = api.ask(homeTimeline, alice);
  expect(idsIn((await full).body)).toHaveLength(1);
  expect((await empty).body).toEqual([]);
});
