/** Home timelines with followed tags: merged with the timelines of the tags, newest first, page by page. */

import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import type { PageBounds } from '../../../src/actors/pages.ts';
import { HomeTimeline } from '../../../src/operations/timelines/home-timeline.ts';
import { timelineLimits } from '../../../src/operations/timelines/limits.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { EventHub } from '../../../src/services/event-hub.ts';
import type { Post } from '../../support/acts.ts';
import { roomyCaches } from '../../support/caches.ts';
import { mergedHome } from '../../support/merged-home.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';

let people: People;
let timeline: HomeTimeline;
let alice: Person;
let bob: Person;
let carol: Person;
/** Pages that feeds were asked for. */
let asked: PageBounds[];

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
  carol = people.local('carol');
  await people.follow(alice, bob);
  asked = [];
  const events = new EventHub();
  people.server.watch((batch) => events.dispatch(batch, []));
  const home = (accountId: Id, bounds: PageBounds) => {
    asked.push(bounds);
    return { ids: BigUint64Array.from(mergedHome(people.server.read, accountId, bounds)), complete: true };
  };
  timeline = new HomeTimeline({ snapshots: people.server.read, events, caches: roomyCaches(), feeds: { home } });
});

const tag = (name: string) => ({ tags: [name] });
const followTag = (name: string) => people.server.call(Account.followTag.to(alice.id, { name }));
function page(bounds: PageBounds): Id[] {
  const read = timeline.page(alice.id, bounds);
  if (read instanceof Promise) throw new Error('these feeds answer at once');
  return [...read.ids];
}
const idsOf = (posts: readonly Post[]) => posts.map(({ id }) => id).reverse();

test('without followed tags it is what feeds have', async () => {
  await people.publish(carol, tag('cats'));
  const post = await people.publish(bob);
  expect(page({ limit: 20 })).toEqual([post.id]);
  expect(asked).toEqual([{ limit: 20 }]);
});

test('public statuses with a followed tag are in it, each once, as soon as the tag is followed and as long', async () => {
  const posts = [
    await people.publish(carol, tag('cats')),
    await people.publish(bob, tag('cats')),
    await people.publish(alice, tag('cats')),
    await people.publish(carol, { tags: ['cats', 'dogs'] }),
  ];
  const unlisted = await people.publish(carol, { ...tag('cats'), visibility: 'unlisted' });
  const own = [posts[1]!, posts[2]!];
  expect(page({ limit: 20 })).toEqual(idsOf(own));
  for (const name of ['cats', 'dogs']) await followTag(name);
  expect(page({ limit: 20 })).toEqual(idsOf(posts));
  expect(page({ limit: 20 })).not.toContain(unlisted.id);
  const next = await people.publish(carol, tag('dogs'));
  expect(page({ limit: 20 })[0]).toBe(next.id);
  await people.remove(next);
  for (const name of ['cats', 'dogs']) await people.server.call(Account.unfollowTag.to(alice.id, { name }));
  expect(page({ limit: 20 })).toEqual(idsOf(own));
});

test('whatever the bounds, pages are cut out of the whole', async () => {
  await followTag('cats');
  const posts: Post[] = [];
  const count = timelineLimits.entriesKeptMax + 20;
  for (let number = 0; number < count; number += 1)
    posts.push(await people.publish(number % 3 === 0 ? bob : carol, number % 3 === 1 ? tag('dogs') : tag('cats')));
  const inHome = idsOf(posts.filter((_post, number) => number % 3 !== 1));
  expect(page({ limit: 1_000 })).toEqual(inHome);
  for (const limit of [1, 7, 20])
    for (const edge of [0, 1, 9, 30, inHome.length - 2]) {
      const id = inHome[edge]!;
      expect(page({ limit, maxId: id })).toEqual(inHome.slice(edge + 1, edge + 1 + limit));
      expect(page({ limit, sinceId: id })).toEqual(inHome.slice(0, edge).slice(0, limit));
      expect(page({ limit, minId: id })).toEqual(inHome.slice(0, edge).slice(-limit));
      expect(page({ limit, minId: id, maxId: inHome[2] })).toEqual(inHome.slice(3, edge).slice(-limit));
    }
});

test('members of exclusive lists and limited accounts are not in it by their tags', async () => {
  await followTag('cats');
  const post = await people.publish(bob, tag('cats'));
  const hidden = await people.publish(carol, tag('cats'));
  expect(page({ limit: 20 })).toEqual([hidden.id, post.id]);
  const list = { title: 'A list', repliesPolicy: 'list' as const, exclusive: true };
  const { listId } = await people.server.call(Account.createList.to(alice.id, list));
  await people.server.call(Account.addToList.to(alice.id, { listId, memberIds: [bob.id] }));
  expect(page({ limit: 20 })).toEqual([hidden.id]);
  people.moderate(carol, { limited: true });
  await people.publish(carol, tag('cats'));
  expect(page({ limit: 20 })).toEqual([]);
});
