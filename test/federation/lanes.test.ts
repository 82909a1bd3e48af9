import { describe, expect, it } from 'vitest';
import { laneLimits } from '../../src/outbound/lanes/limits.ts';
import {
  alice,
  create,
  createLanes,
  follow,
  nextId,
  remove,
  signer,
  slow,
  unreachable,
  update,
} from './delivery/lanes-bed.ts';

const minute = 60_000;
const hour = 60 * minute;
const followers = { followersOf: alice };

function shared(host: string): string {
  return `https://${host}/inbox`;
}

describe('a post', () => {
  it('reaches every host with followers once, however many accounts are there', async () => {
    const lanes = await createLanes();
    for (const host of ['one.example', 'two.example', 'three.example']) {
      lanes.follow(alice, shared(host));
      lanes.follow(alice, shared(host));
    }
    lanes.tell(create(), followers);
    await lanes.advance(1_000);
    expect(lanes.sent.map(({ inbox }) => inbox).sort()).toEqual([
      'https://one.example/inbox',
      'https://three.example/inbox',
      'https://two.example/inbox',
    ]);
    expect(lanes.logged()).toBe(0);
    expect(lanes.problems).toEqual([]);
  });

  it('reaches as many inboxes as a host has followers, however long their addresses are', async () => {
    const lanes = await createLanes();
    const inboxes = Array.from({ length: 600 }, (_, index) => `https://many.example/${index}/${'x'.repeat(2_000)}`);
    for (const inbox of inboxes) lanes.follow(alice, inbox);
    lanes.tell(create(), followers);
    await lanes.advance(hour);
    expect(new Set(lanes.sent.map(({ inbox }) => inbox))).toEqual(new Set(inboxes));
  });

  it('reaches each inbox of a host that has none for all', async () => {
    const lanes = await createLanes();
    const inboxes = Array.from({ length: 40 }, (_, index) => `https://many.example/users/${index}/inbox`);
    for (const inbox of inboxes) lanes.follow(alice, inbox);
    const failing = inboxes[7];
    let hasFailed = false;
    lanes.answer('many.example', ({ inbox }) => {
      if (inbox !== failing || hasFailed) return 202;
      hasFailed = true;
      return 500;
    });
    lanes.tell(create(), { followersOf: alice, to: ['https://many.example/users/3/inbox', 'https://many.example/x'] });
    await lanes.advance(hour);
    const counts = new Map<string, number>();
    for (const { inbox } of lanes.sent) counts.set(inbox, (counts.get(inbox) ?? 0) + 1);
    expect(counts.size).toBe(41);
    expect([...counts].filter(([, count]) => count !== 1)).toEqual([[failing, 2]]);
    expect(lanes.logged()).toBe(0);
  });

  it('is trimmed although a thread serves none of its hosts', async () => {
    const lanes = await createLanes({ threads: 4 });
    lanes.follow(alice, shared('one.example'));
    lanes.tell(create(), followers);
    await lanes.advance(2_500);
    expect(lanes.sent).toHaveLength(1);
    expect(lanes.logged()).toBe(0);
  });

  it('is sent once by several threads, and trimmed when all of them have done their part', async () => {
    const lanes = await createLanes({ threads: 3 });
    const hosts = Array.from({ length: 20 }, (_, index) => `host${index}.example`);
    for (const host of hosts) lanes.follow(alice, shared(host));
    lanes.answer('host5.example', () => slow(5_000));
    lanes.tellAll([create(), create()], followers);
    await lanes.advance(4_000);
    expect(lanes.sent).toHaveLength(40);
    expect(lanes.logged()).toBeGreaterThan(0);
    await lanes.advance(4_000);
    expect(lanes.sent).toHaveLength(40);
    expect(lanes.logged()).toBe(0);
  });

  it('waits for the keys of its author', async () => {
    let give: (made: typeof signer) => void = () => undefined;
    const keys = new Promise<typeof signer>((resolve) => {
      give = resolve;
    });
    let hasKeys = false;
    const lanes = await createLanes({ findSigner: () => (hasKeys ? signer : keys) });
    lanes.follow(alice, shared('one.example'));
    lanes.tellAll([create(), create()], followers);
    await lanes.advance(1_000);
    expect(lanes.sent).toEqual([]);
    hasKeys = true;
    give(signer);
    await lanes.settle();
    expect(lanes.sent).toHaveLength(2);
  });

  it('is not sent when it is gone by now', async () => {
    const gone = new Set([5n]);
    const lanes = await createLanes({ gone });
    lanes.follow(alice, shared('one.example'));
    lanes.tellAll([create(5n), create(6n)], followers);
    await lanes.advance(2_000);
    expect(lanes.sent.map(({ about }) => about)).toEqual([6n]);
    expect(lanes.logged()).toBe(0);
  });

  it('is found although its event was lost', async () => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('one.example'));
    lanes.tell(create(), { ...followers, isUnheard: true });
    await lanes.advance(minute);
    expect(lanes.sent).toHaveLength(0);
    lanes.loseOwner();
    await lanes.settle();
    expect(lanes.sent).toHaveLength(1);
  });
});

describe('the order', () => {
  it('of deliveries about one thing is kept, though others overtake and run beside them', async () => {
    const lanes = await createLanes({ partitions: 1 });
    lanes.follow(alice, shared('one.example'));
    let state = 7;
    const open = new Map<bigint, number>();
    const overlaps: bigint[] = [];
    lanes.answer('one.example', ({ about }) => {
      if ((open.get(about) ?? 0) > lanes.now()) overlaps.push(about);
      state = (state * 48_271) % 2_147_483_647;
      const afterMilliseconds = 10 + (state % 400);
      open.set(about, lanes.now() + afterMilliseconds);
      return state % 29 === 0 ? { result: unreachable, afterMilliseconds } : slow(afterMilliseconds);
    });
    const ids = Array.from({ length: 60 }, () => nextId());
    for (const id of ids) lanes.tellAll([create(id), update(id)], followers);
    await lanes.advance(20_000);
    for (const id of ids) lanes.tellAll([update(id), remove(id)], followers);
    await lanes.advance(6 * hour);
    const ranks = { create: 0, update: 1, delete: 2 } as Record<string, number>;
    for (const id of ids) {
      const kinds = lanes.sent.filter(({ about }) => about === id).map(({ kind }) => ranks[kind]!);
      expect(kinds).toEqual(kinds.toSorted());
      expect(kinds).toContain(2);
    }
    expect(overlaps).toEqual([]);
    expect(lanes.logged()).toBe(0);
    expect(lanes.underWayMax).toBeGreaterThan(4);
  });

  it('prefers people who are addressed by name', async () => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('one.example'));
    lanes.answer('one.example', () => slow(100));
    lanes.tellAll(
      Array.from({ length: 50 }, () => create(1n)),
      followers,
    );
    await lanes.settle();
    lanes.tell(create(2n), { to: ['https://one.example/users/bob/inbox'] });
    lanes.tell(create(3n), { followersOf: alice, to: [shared('one.example')] });
    lanes.tell(follow(), { to: ['https://one.example/users/bob/inbox'] });
    await lanes.advance(1_000);
    const order = lanes.sent.map(({ kind, about }) => `${kind} ${about}`);
    expect(order.slice(2, 5)).toEqual(['create 2', 'create 3', 'follow 2000']);
    expect(lanes.sentTo('one.example').filter(({ about }) => about === 3n)).toHaveLength(1);
  });
});

describe('a crash', () => {
  it('repeats what was sent in the last tenth of a second and nothing else', async () => {
    const lanes = await createLanes({ partitions: 1 });
    const hosts = Array.from({ length: 30 }, (_, index) => `host${index}.example`);
    for (const host of hosts) lanes.follow(alice, shared(host));
    lanes.tell(create(1n), followers);
    await lanes.advance(150);
    lanes.tell(create(2n), followers);
    await lanes.settle();
    expect(lanes.sent).toHaveLength(60);
    await lanes.crash();
    await lanes.advance(5_000);
    const repeated = lanes.sent.slice(60);
    expect(repeated).toHaveLength(30);
    expect(new Set(repeated.map(({ about }) => about))).toEqual(new Set([2n]));
    expect(lanes.logged()).toBe(0);
  });

  it('in the middle of a backlog loses nothing and repeats little', async () => {
    const lanes = await createLanes({ partitions: 1 });
    lanes.follow(alice, shared('dead.example'));
    lanes.answer('dead.example', () => unreachable);
    lanes.tellAll(
      Array.from({ length: 6_000 }, () => create()),
      followers,
    );
    await lanes.advance(1_000);
    lanes.answer('dead.example', () => slow(20));
    const before = lanes.sent.length;
    for (let crashes = 0; crashes < 5; crashes += 1) {
      await lanes.advance(crashes === 0 ? 38_000 : 1_030);
      lanes.tellAll(
        Array.from({ length: 50 }, () => create()),
        followers,
      );
      await lanes.advance(330);
      await lanes.crash();
    }
    await lanes.advance(2 * minute);
    const arrivals = lanes.sent.slice(before).map(({ about }) => about);
    expect(new Set(arrivals).size).toBe(6_250);
    expect(arrivals.length - 6_250).toBeLessThanOrEqual(5 * 16 * 7);
    await lanes.advance(2_000);
    expect(lanes.logged()).toBe(0);
  });

  it('differs from a stop, after which nothing is repeated', async () => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('one.example'));
    lanes.answer('one.example', () => slow(500));
    lanes.tell(create(), followers);
    await lanes.advance(200);
    await lanes.stop();
    await lanes.crash();
    await lanes.advance(minute);
    expect(lanes.sent).toHaveLength(1);
  });
});

describe('a new start with another number of threads', () => {
  it.each([
    [3, 1],
    [1, 3],
  ])('from %i to %i loses and repeats nothing, and trims the log', async (before, after) => {
    const lanes = await createLanes({ threads: before });
    const hosts = Array.from({ length: 12 }, (_, index) => `host${index}.example`);
    for (const host of hosts) lanes.follow(alice, shared(host));
    lanes.answer('host3.example', ({ at }) => (at < lanes.started + 5_000 ? 503 : 202));
    lanes.tellAll([create(), create()], followers);
    await lanes.advance(4_000);
    await lanes.crash(after);
    lanes.tell(create(), followers);
    await lanes.advance(60_000);
    expect(lanes.sent.filter(({ host }) => host !== 'host3.example')).toHaveLength(33);
    expect(new Set(lanes.sentTo('host3.example').map(({ about }) => about)).size).toBe(3);
    expect(lanes.logged()).toBe(0);
  });
});

describe('the bounds of a thread', () => {
  it('hold for requests and new connections, however many hosts there are', async () => {
    const lanes = await createLanes({ partitions: 1 });
    const hosts = Array.from({ length: 3_000 }, (_, index) => `host${index}.example`);
    for (const host of hosts) {
      lanes.follow(alice, shared(host));
      lanes.answer(host, () => slow(6_000));
    }
    lanes.tell(create(), followers);
    await lanes.settle();
    expect(lanes.sent).toHaveLength(laneLimits.connectionsPerSecondMax);
    await lanes.advance(1_000);
    expect(lanes.sent.length).toBeLessThanOrEqual(2 * laneLimits.connectionsPerSecondMax);
    expect(lanes.sent.length).toBeGreaterThan(1.9 * laneLimits.connectionsPerSecondMax);
    await lanes.advance(20_000);
    expect(lanes.sent).toHaveLength(3_000);
    expect(lanes.underWayMax).toBe(laneLimits.unprovedRequestsMax);
  });
});
