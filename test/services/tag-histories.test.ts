/** The use of busy tags is counted once for all who ask (test/gateway/rest/tags.test.ts has how long it is kept), that of others until it changes. */
import { expect, test } from 'vitest';
import { profileChanged } from '../../src/actors/account/profile/profile.events.ts';
import { atOnce } from '../../src/operations/presentation/slice.ts';
import { EventHub } from '../../src/services/event-hub.ts';
import { TagHistories } from '../../src/services/tag-histories.ts';
import { roomyCaches } from '../support/caches.ts';
import { People } from '../support/people.ts';

test('two who ask at once wait for one count of a busy tag, and the second counts if the first has left', async () => {
  const people = new People();
  const alice = people.local('alice');
  for (let number = 0; number < 260; number += 1) await people.publish(alice, { tags: ['cats'] });
  const { read, clock } = people.server;
  const tagHistories = new TagHistories({ ...clock, snapshots: read, events: new EventHub(), caches: roomyCaches() });
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
  const tagHistories = new TagHistories({ ...clock, snapshots: read, events: new EventHub(), caches: roomyCaches() });
  expect(atOnce(tagHistories.of('cats'))).toMatchObject([{ uses: 0 }, {}, {}, {}, {}, {}, {}]);
  const { readCount } = read;
  expect(atOnce(tagHistories.of('cats'))).toMatchObject([{ uses: 0 }, {}, {}, {}, {}, {}, {}]);
  expect(read.readCount).toBe(readCount);
});

test('that of another tag is counted anew once a profile has changed', async () => {
  const people = new People();
  const alice = people.local('alice');
  await people.publish(alice, { tags: ['cats'] });
  const { read, clock } = people.server;
  const events = new EventHub();
  const tagHistories = new TagHistories({ ...clock, snapshots: read, events, caches: roomyCaches() });
  const readings = () => {
    const before = read.readCount;
    expect(atOnce(tagHistories.of('cats'))[0]).toMatchObject({ uses: 1, accounts: 1 });
    return read.readCount - before;
  };
  expect(readings()).toBeGreaterThan(0);
  expect(readings()).toBe(0);
  const changed = { event: profileChanged.number, body: { accountId: alice.id } };
  events.dispatch({ partition: 0, commit: 1, events: [changed] }, []);
  expect(readings()).toBeGreaterThan(0);
});
