/** Home pages of a gateway: from a ring, by merging, and from both, with the same ids. */

import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { storedStatuses } from '../../src/actors/account/home/home.queries.ts';
import { readingLimits } from '../../src/actors/limits.ts';
import type { PageBounds } from '../../src/actors/pages.ts';
import type { FeedRequest } from '../../src/actors/partition/feeds.messages.ts';
import { Failure } from '../../src/runtime/errors.ts';
import type { Id } from '../../src/runtime/ids.ts';
import type { Problem } from '../../src/runtime/ports.ts';
import type { Client } from '../../src/runtime/threads/client.ts';
import { Feeds } from '../../src/services/feeds.ts';
import { feedLimits } from '../../src/services/limits.ts';
import { TimeSlices } from '../../src/services/time-slices.ts';
import { type Post, unfollow } from '../support/acts.ts';
import { FeedOwners } from '../support/feed-owners.ts';
import { mergedHome } from '../support/merged-home.ts';
import type { Person } from '../support/observer.ts';
import { only } from '../support/only.ts';
import type { People } from '../support/people.ts';
import { roundsOf } from '../support/rounds-of.ts';
import { until } from '../support/until.ts';

const entries = 12;
const everything = 10_000;

let owners: FeedOwners;
let people: People;
let feeds: Feeds;
/** With a budget of 0 for rebuilding homes. */
let hurried: Feeds;
let alice: Person;
let carol: Person;
let asked: FeedRequest[];
let problems: Problem[];
let slices: CountedSlices;
/** Runs before a request reaches the owner. */
let beforeRequest: (request: FeedRequest) => void;

/** Counts the work that has begun and is not done. */
class CountedSlices extends TimeSlices {
  mostUnderWay = 0;
  private underWay = 0;

  override run<Result>(steps: Generator<undefined, Result>): Result | Promise<Result> {
    const result = super.run(steps);
    if (!(result instanceof Promise)) return result;
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    return result.finally(() => {
      this.underWay -= 1;
    });
  }
}

beforeEach(async () => {
  owners = new FeedOwners({ partitions: 2, rings: 2, entries });
  people = owners.people;
  alice = people.local('alice');
  carol = people.local('carol');
  await people.follow(alice, carol);
  asked = [];
  problems = [];
  beforeRequest = () => undefined;
  const client = only<Client>('client', {
    placement: owners.server.read.placement,
    control: async (partition: number, view: string, request: FeedRequest) => {
      asked.push(request);
      beforeRequest(request);
      return owners.server.partitions[partition]!.control(view, request) as never;
    },
  });
  slices = new CountedSlices();
  const parts = {
    client,
    snapshots: owners.server.read,
    slices,
    statuses: storedStatuses,
    rings: owners.memories,
    monotonic: () => owners.server.clock.monotonic(),
    report: (problem: Problem) => void problems.push(problem),
  };
  feeds = new Feeds({ ...parts, rebuildMilliseconds: 1_000 });
  hurried = new Feeds({ ...parts, rebuildMilliseconds: 0 });
});

async function publish(count: number): Promise<Post[]> {
  const posts: Post[] = [];
  for (let number = 0; number < count; number += 1) posts.push(await people.publish(number % 3 === 0 ? alice : carol));
  return posts;
}

function idsOf(posts: readonly Post[]): Id[] {
  return posts.map(({ id }) => id);
}

function merged(bounds: PageBounds): Id[] {
  return mergedHome(owners.server.read, alice.id, bounds);
}

function home(bounds: PageBounds = { limit: everything }): readonly Id[] {
  const page = feeds.home(alice.id, bounds);
  if (page instanceof Promise) throw new Error('a home of two authors takes one step');
  expect(page.complete).toBe(true);
  return Array.from(page.ids);
}

async function warm(): Promise<void> {
  void feeds.home(alice.id, { limit: 1 });
  await until(() => owners.ringOf(alice) !== undefined);
}

describe('a page', () => {
  /** As long as the ring, one shorter, one longer, and much longer: whole rings and others. */
  test.each([
    0,
    1,
    entries - 1,
    entries,
    entries + 1,
    3 * entries,
  ])('of a home of %i statuses is what merging gives', async (count) => {
    const before = await publish(count);
    await warm();
    // Those that came while the ring was there push the oldest out.
    const ids = idsOf([...before, ...(await publish(2))]);
    const known = owners.ringOf(alice)!;
    expect(known.whole).toBe(count + 2 <= entries);
    // Ids of statuses, their neighbours, and both ends of time.
    const bound = fc.option(
      fc.tuple(fc.constantFrom(1n, ...ids, 1n << 62n), fc.constantFrom(-1n, 0n, 1n)).map(([id, step]) => id + step),
      { nil: undefined },
    );
    const bounds = fc.record({
      maxId: bound,
      sinceId: bound,
      minId: bound,
      limit: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 6, max: 50 })),
    });
    fc.assert(
      fc.property(bounds, (given) => {
        expect(home(given)).toEqual(merged(given));
      }),
      { numRuns: 300 },
    );
  });

  test('of a home whose ring has lost its newest still reaches the beginning', async () => {
    const posts = await publish(entries + 5);
    await warm();
    for (const post of posts.slice(-3)) await people.remove(post);
    const ids = idsOf(posts);
    expect(home()).toEqual(ids.slice(0, -3).reverse());
    expect(home({ limit: 4, minId: ids[0]! })).toEqual(ids.slice(1, 5).reverse());
  });

  test('of a home whose ring is empty because everything in it is gone is read from storage', async () => {
    const [kept, ...others] = await publish(entries + 1);
    await warm();
    for (const post of others) await people.remove(post);
    expect(owners.ringOf(alice)).toEqual({ ids: [], whole: false });
    expect(home()).toEqual([kept!.id]);
  });
});

describe('the ids before one, for streams,', () => {
  const olderThan = (maxId: Id, limit: number) => feeds.homeInRing(alice.id, maxId, limit);

  test('are those of the ring, and no others', async () => {
    const ids = idsOf(await publish(3 * entries));
    await warm();
    expect([...olderThan(ids[30]!, 3)!]).toEqual([ids[29], ids[28], ids[27]]);
    expect([...olderThan(1n << 62n, everything)!]).toEqual(ids.slice(-entries).reverse());
    expect([...olderThan(ids[2]!, 3)!]).toEqual([]);
  });

  test('are not known before the ring is filled, which begins', async () => {
    const [first, second] = idsOf(await publish(2));
    expect(olderThan(second!, 3)).toBeUndefined();
    await until(() => owners.ringOf(alice) !== undefined);
    expect([...olderThan(second!, 3)!]).toEqual([first]);
  });
});

describe('a cold home', () => {
  test('is answered at once, and warmed behind the answer', async () => {
    const ids = idsOf(await publish(3));
    expect(home()).toEqual([...ids].reverse());
    await until(() => owners.ringOf(alice) !== undefined);
    expect(owners.ringOf(alice)).toEqual({ ids, whole: true });
  });

  test('is warmed once, however often it is read meanwhile', async () => {
    for (let read = 0; read < 5; read += 1) home();
    await until(() => owners.ringOf(alice) !== undefined);
    home();
    expect(asked.map(({ kind }) => kind)).toEqual(['open', 'fill']);
  });

  test('waits with its ring while those of others are being filled', async () => {
    const readers = Array.from({ length: 3 * feedLimits.fillsUnderWayMax }, (_, index) =>
      people.local(`reader${index}`),
    );
    for (const reader of readers) await people.follow(reader, carol);
    await publish(2);
    let underWay = 0;
    let most = 0;
    beforeRequest = ({ kind }) => {
      underWay += kind === 'open' ? 1 : -1;
      most = Math.max(most, underWay);
    };
    for (const { id } of readers) void feeds.home(id, { limit: 1 });
    await until(() => asked.filter(({ kind }) => kind === 'fill').length === readers.length);
    expect([most, problems]).toEqual([feedLimits.fillsUnderWayMax, []]);
  });

  test('whose follows change while it is merged is warmed by the next read', async () => {
    const ids = idsOf(await publish(4));
    beforeRequest = (request) => {
      if (request.kind !== 'fill' || asked.length > 2) return;
      owners.server.send(unfollow(alice, carol));
      owners.server.settle();
    };
    home();
    await until(() => asked.length === 2);
    expect(owners.ringOf(alice)).toBeUndefined();
    await until(() => {
      home();
      return owners.ringOf(alice) !== undefined;
    });
    expect(owners.ringOf(alice)?.ids).toEqual([ids[0], ids[3]]);
  });

  test('that cannot be warmed is read all the same, reported, and tried again', async () => {
    const ids = idsOf(await publish(2));
    beforeRequest = () => {
      throw new Failure('outcomeUnknown');
    };
    expect(home()).toEqual([...ids].reverse());
    await until(() => problems.length === 1);
    expect(problems[0]).toMatchObject({ level: 'warn' });
    beforeRequest = () => undefined;
    await until(() => {
      home();
      return owners.ringOf(alice) !== undefined;
    });
    expect(home()).toEqual([...ids].reverse());
  });
});

describe('a home of many authors', () => {
  const authors = 2 * readingLimits.sliceStatuses;

  beforeEach(async () => {
    for (let number = 0; number < authors; number += 1) {
      const author = people.local(`author${number}`);
      await people.follow(alice, author);
      if (number % 16 === 0) await people.publish(author);
      owners.server.clock.advance(1_000);
    }
  });

  test('is merged in steps, in which other work is done', async () => {
    const page = feeds.home(alice.id, { limit: 20 });
    expect(page).toBeInstanceOf(Promise);
    const order: string[] = [];
    setImmediate(() => order.push('other work'));
    const { ids, complete } = await page;
    order.push('merged');
    expect(order).toEqual(['other work', 'merged']);
    expect(complete).toBe(true);
    expect(Array.from(ids)).toEqual(merged({ limit: 20 }));
  });

  test('is merged for its reader and for its ring in turn: between two reads of others there are few', async () => {
    const { read } = owners.server;
    const counts = [read.readCount];
    await roundsOf(
      async () => {
        void feeds.home(alice.id, { limit: 20 });
        await until(() => owners.ringOf(alice) !== undefined);
      },
      () => counts.push(read.readCount),
    );
    const mostAtOnce = Math.max(...counts.slice(1).map((count, index) => count - counts[index]!));
    expect(mostAtOnce).toBeGreaterThan(0);
    expect(mostAtOnce).toBeLessThan(authors / 4);
  });

  test('is merged for some readers at a time, and whole for all of them', async () => {
    const count = 3 * feedLimits.mergesUnderWayMax;
    const pages = await Promise.all(Array.from({ length: count }, () => feeds.home(alice.id, { limit: 20 })));
    // One more fills the ring.
    expect(slices.mostUnderWay).toBe(feedLimits.mergesUnderWayMax + 1);
    for (const { ids, complete } of pages) expect([complete, Array.from(ids)]).toEqual([true, merged({ limit: 20 })]);
  });

  test('is incomplete for a reader who has waited for others for too long', async () => {
    const count = 2 * feedLimits.mergesUnderWayMax;
    const pages = Array.from({ length: count }, () => feeds.home(alice.id, { limit: 20 }));
    owners.server.clock.advance(feedLimits.mergeMillisecondsMax);
    for (const page of pages) expect(await page).toEqual({ ids: new BigUint64Array(), complete: false });
    expect((await feeds.home(alice.id, { limit: 20 })).complete).toBe(true);
  });

  test('is read from its ring as soon as that is filled, and merged behind it', async () => {
    await warm();
    const ring = merged({ limit: entries });
    expect(home({ limit: entries })).toEqual(ring);
    const older = await feeds.home(alice.id, { limit: entries + 5 });
    expect(older.complete).toBe(true);
    expect(Array.from(older.ids)).toEqual(merged({ limit: entries + 5 }));
  });

  test('that takes too long to merge is answered as incomplete', async () => {
    const page = feeds.home(alice.id, { limit: 20 });
    owners.server.clock.advance(feedLimits.mergeMillisecondsMax);
    expect(await page).toEqual({ ids: new BigUint64Array(), complete: false });
    await until(() => owners.ringOf(alice) !== undefined);
    expect(home({ limit: entries })).toEqual(merged({ limit: entries }));
  });
});

describe('a home that is rebuilt without anybody waiting for it (specification 3, 7: 206)', () => {
  const incomplete = { ids: new BigUint64Array(), complete: false };

  test('is incomplete until it is rebuilt, and whole from then on', async () => {
    await publish(5);
    expect(hurried.home(alice.id, { limit: 20 })).toEqual(incomplete);
    await until(() => owners.ringOf(alice) !== undefined);
    const page = await hurried.home(alice.id, { limit: 20 });
    expect([Array.from(page.ids), page.complete]).toEqual([merged({ limit: 20 }), true]);
  });

  test('a list is waited for', async () => {
    const list = { title: 'Friends', repliesPolicy: 'list', exclusive: false } as const;
    const { listId } = await owners.server.call(Account.createList.to(alice.id, list));
    await owners.server.call(Account.addToList.to(alice.id, { listId, memberIds: [carol.id] }));
    const { id } = await people.publish(carol);
    const page = await hurried.list(listId, { limit: 20 });
    expect([Array.from(page.ids), page.complete]).toEqual([[id], true]);
  });

  test('is rebuilt again where its owner was lost in the middle', async () => {
    await publish(5);
    let lost = 0;
    beforeRequest = ({ kind }) => {
      if (kind !== 'fill' || lost > 0) return;
      lost += 1;
      owners.reopen(0);
    };
    expect(hurried.home(alice.id, { limit: 20 })).toEqual(incomplete);
    await until(() => asked.some(({ kind }) => kind === 'fill'));
    expect([lost, hurried.home(alice.id, { limit: 20 })]).toEqual([1, incomplete]);
    await until(() => owners.ringOf(alice) !== undefined);
    const page = await hurried.home(alice.id, { limit: 20 });
    expect([Array.from(page.ids), page.complete]).toEqual([merged({ limit: 20 }), true]);
  });
});
