/** The use of busy tags is counted once for all who ask (test/gateway/rest/tags.test.ts has how long it is kept). */
import { expect, test } from 'vitest';
import { atOnce } from '../../src/operations/presentation/slice.ts';
import { TagHistories } from '../../src/services/tag-histories.ts';
import { roomyCaches } from '../support/caches.ts';
import { People } from '../support/people.ts';

test('two who ask at once wait for one count of a busy tag, and the second counts if the first has left', async () => {
  const people = new People();
  const alice = people.local('alice');
  for (let number = 0; number < 260; number += 1) await people.publish(alice, { tags: ['cats'] });
  const { read, clock } = people.server;
  const tagHistories = new TagHistories({ ...clock, snapshots: read, caches: roomyCaches() });
  const counting = tagHistories.of('cats');
  const waiting = tagHistories.of('cats');
  expect([counting.next().done, waiting.next().done, waiting.next().done]).toEqual([false, false, false]);
  counting.return([]);
  const before = read.readCount;
  expect(atOnce(waiting)).toMatchObject([{ uses: 260 }, {}, {}, {}, {}, {}, {}]);
  const after = read.readCount;
  expect(after).toBeGreaterThan(before);
  expect(atOnce(tagHistories.of('cats'))).toMatchObject([{ uses: 260 }, {}, {}, {}, {}, {}, {}]);
  expect(read.readCount).toBe(after);
});

test('a tag that only silenced accounts use much is not counted each time either', async () => {
  const people = new People();
  const alice = people.local('alice');
  for (let number = 0; number < 250; number += 1) await people.publish(alice, { tags: ['cats'] });
  people.moderate(alice, { limited: true });
  const { read, clock } = people.server;
  const tagHistories = new TagHistories({ ...clock, snapshots: read, caches: roomyCaches() });
  expect(atOnce(tagHistories.of('cats'))).toMatchObject([{ uses: 0 }, {}, {}, {}, {}, {}, {}]);
  const { readCount } = read;
  expect(atOnce(tagHistories.of('cats'))).toMatchObject([{ uses: 0 }, {}, {}, {}, {}, {}, {}]);
  expect(read.readCount).toBe(readCount);
});
