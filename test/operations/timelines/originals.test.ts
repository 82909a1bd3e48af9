/** What entries of timelines show, read once for each. */
import { beforeEach, expect, test } from 'vitest';
import { Originals } from '../../../src/operations/timelines/originals.ts';
import type { Caches } from '../../../src/services/caches.ts';
import type { Post } from '../../support/acts.ts';
import { only } from '../../support/only.ts';
import { People } from '../../support/people.ts';

let people: People;
let posts: Post[];
let reblogs: Post[];

beforeEach(async () => {
  people = new People();
  const [alice, bob] = [people.local('alice'), people.local('bob')];
  posts = [];
  reblogs = [];
  for (let count = 0; count < 6; count += 1) {
    const post = await people.publish(alice);
    posts.push(post);
    reblogs.push(await people.reblog(bob, post));
  }
});

const idsOf = (some: readonly Post[]) => BigUint64Array.from(some, ({ id }) => id);
const originals = (bytes: number) =>
  new Originals(people.server.read, only<Caches>('caches', { bytesMax: () => bytes, measure: () => undefined }));

test.each([0, 40, 100_000])('are looked up, whatever of them fits into %i bytes', (bytes) => {
  const cached = originals(bytes);
  for (let round = 0; round < 3; round += 1) {
    expect(cached.of(idsOf([...reblogs, ...posts]))).toEqual(idsOf([...posts, ...posts]));
    expect(cached.reblogsAmong(idsOf([posts[0]!, reblogs[1]!, reblogs[2]!]))).toEqual([
      { id: reblogs[1]!.id, reblogOfId: posts[1]!.id },
      { id: reblogs[2]!.id, reblogOfId: posts[2]!.id },
    ]);
  }
  expect(cached.bytes).toBeLessThanOrEqual(Math.max(32, bytes));
});

test('are read from storage once', () => {
  const cached = originals(100_000);
  cached.of(idsOf(reblogs));
  const { readCount } = people.server.read;
  cached.of(idsOf(reblogs));
  expect(people.server.read.readCount).toBe(readCount);
});

test('a status that is not there shows itself, until it is there', async () => {
  const cached = originals(100_000);
  const next = await people.publish(people.local('carol'));
  const ids = idsOf([next]);
  await people.remove(next);
  expect(cached.of(ids)).toEqual(ids);
  expect(cached.bytes).toBe(0);
});
