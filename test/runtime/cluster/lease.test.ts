/** Who serves, in virtual time: nodes that die, sleep, are cut off, and wake too late. */
import { beforeEach, expect, test } from 'vitest';
import {
  type Holder,
  type Lease,
  type LeaseNews,
  LeaseUnanswered,
  leaseTimes,
  takeLease,
} from '../../../src/runtime/cluster/lease.ts';
import { MemoryLease, VirtualTime } from '../support/leases.ts';

let time: VirtualTime;
let entry: MemoryLease;

beforeEach(() => {
  time = new VirtualTime();
  entry = new MemoryLease();
});

interface Node {
  readonly name: string;
  /** Until when it may serve, as it was told. */
  until: number;
  lease: Lease | undefined;
  lostAt: number | undefined;
  takenAt: number | undefined;
  /** Where it has no way to the servers. */
  isCut: boolean;
  /** Its time stands still. */
  isAsleep: boolean;
  /** Who serves, as it was last told; undefined for nobody. */
  sees: string | undefined;
}

/** Wants the lease, and keeps it once it has it. */
function start(name: string, former?: string): Node {
  const node: Node = {
    ...{ name, until: 0, lease: undefined, lostAt: undefined, takenAt: undefined, isCut: false, isAsleep: false },
    sees: undefined,
  };
  const reached = async <Value>(ask: () => Value): Promise<Value> => {
    if (node.isCut) throw new LeaseUnanswered(new Error('silence'));
    return ask();
  };
  const wish = {
    store: {
      read: () => reached(() => entry.read()),
      write: (holder: Parameters<MemoryLease['write']>[0], revision: number) =>
        reached(() => entry.write(holder, revision)),
      tell: (news: LeaseNews) => !node.isCut && entry.tell(news),
      whenTold: (told: (news: LeaseNews) => void) =>
        entry.whenTold((news) => !node.isCut && !node.isAsleep && told(news)),
    },
    clock: { monotonic: () => time.now },
    pause: (milliseconds: number) => time.pause(milliseconds, () => node.isAsleep),
    heldUntil: (until: number) => (node.until = until),
    holder: { session: name, address: `https://${name}.example` },
    former,
    async waiting(serving: Holder | undefined) {
      node.sees = serving?.session;
    },
  };
  void takeLease(wish).then(async (lease) => {
    node.lease = lease;
    node.takenAt = time.now;
    if (await lease.keep()) node.lostAt = time.now;
  });
  return node;
}

const serves = (node: Node) => node.lease?.isHeld === true;

test('the first one takes it, and keeps it while it renews', async () => {
  const [one, other] = [start('one'), start('other')];
  await time.pass(60_000);
  expect([serves(one), serves(other), one.lostAt]).toEqual([true, false, undefined]);
  expect(entry.holder?.session).toBe('one');
});

test('one that dies is followed when its entry has not changed for ten seconds, and not before', async () => {
  const one = start('one');
  await time.pass(3_000);
  const other = start('other');
  one.isCut = true;
  one.isAsleep = true;
  await time.pass(leaseTimes.takeMilliseconds - 500);
  expect(serves(other)).toBe(false);
  await time.pass(1_000);
  expect([serves(other), other.lease!.revision > one.lease!.revision]).toEqual([true, true]);
});

test('one that is told of renewals takes over ten seconds after the last one, to the millisecond', async () => {
  const one = start('one');
  await time.pass(130);
  const other = start('other');
  await time.pass(8_100);
  one.isCut = true;
  await time.pass(60_000);
  expect(other.takenAt! - (one.until - leaseTimes.serveMilliseconds)).toBe(leaseTimes.takeMilliseconds);
});

test('a look that is answered late keeps nobody from taking what is over', async () => {
  const [one, other] = [start('one'), start('other')];
  await time.pass(8_100);
  one.isCut = true;
  await time.pass(leaseTimes.takeMilliseconds - 1_000);
  const read = entry.read;
  entry.read = () => time.pause(5_000) as never;
  await time.pass(2_000);
  entry.read = read;
  expect(serves(other)).toBe(true);
});

test('a taking whose answer is lost is found soon', async () => {
  entry.loseAnswer = true;
  const one = start('one');
  await time.pass(1_000);
  expect([serves(one), entry.holder?.session]).toEqual([true, 'one']);
});

test('one that cannot renew stops serving, and ends, before anybody else begins', async () => {
  const [one, other] = [start('one'), start('other')];
  await time.pass(5_000);
  one.isCut = true;
  await time.pass(60_000);
  expect([serves(one), serves(other)]).toEqual([false, true]);
  expect(other.takenAt! - one.until).toBeGreaterThan(2_000);
  expect(other.takenAt! - one.lostAt!).toBeGreaterThan(500);
});

test('one that can renew again before anybody else may take it serves on, and nobody serves in between', async () => {
  const [one, other] = [start('one'), start('other')];
  await time.pass(5_000);
  one.isCut = true;
  await time.pass(leaseTimes.serveMilliseconds);
  expect([serves(one), one.until <= time.now, serves(other), one.lostAt]).toEqual([false, true, false, undefined]);
  one.isCut = false;
  await time.pass(1_000);
  expect([serves(one), one.until > time.now]).toEqual([true, true]);
  await time.pass(30_000);
  expect([serves(one), serves(other), one.lostAt]).toEqual([true, false, undefined]);
});

test('whoever waits is told who serves, and that nobody does', async () => {
  const [one, other] = [start('one'), start('other')];
  await time.pass(5_000);
  expect(other.sees).toBe('one');
  one.isCut = true;
  await time.pass(leaseTimes.serveMilliseconds + leaseTimes.lookMilliseconds);
  expect([other.sees, serves(other)]).toEqual([undefined, false]);
  one.isCut = false;
  await time.pass(2_000);
  expect(other.sees).toBe('one');
});

test('one that slept does not serve when it wakes, and does not take back what another has', async () => {
  const [one, other] = [start('one'), start('other')];
  await time.pass(5_000);
  expect(one.until).toBeGreaterThan(time.now + leaseTimes.serveMilliseconds - 2 * leaseTimes.renewMilliseconds);
  one.isAsleep = true;
  await time.pass(30_000);
  // Whoever goes by it answers nothing between waking and its end.
  expect([serves(one), serves(other), one.until < time.now]).toEqual([false, true, true]);
  one.isAsleep = false;
  await time.pass(30_000);
  expect([serves(one), serves(other), entry.holder?.session]).toEqual([false, true, 'other']);
});

test('a short silence costs nothing, and neither does a renewal whose answer is lost', async () => {
  const one = start('one');
  await time.pass(5_000);
  one.isCut = true;
  await time.pass(3_000);
  one.isCut = false;
  entry.loseAnswer = true;
  await time.pass(20_000);
  expect([serves(one), one.lostAt]).toEqual([true, undefined]);
});

test('renewals whose answers are lost are found, and count from when they were sent', async () => {
  const one = start('one');
  await time.pass(5_000);
  entry.loseAnswer = 'always';
  for (let step = 0; step < 60; step += 1) {
    await time.pass(500);
    expect(one.until).toBeLessThanOrEqual(time.now + leaseTimes.serveMilliseconds);
  }
  expect([serves(one), one.lostAt]).toEqual([true, undefined]);
});

test('who waits ends at a word, also while nobody answers', async () => {
  let isStopped = false;
  let ended: unknown;
  const store = {
    read: () => Promise.reject(new LeaseUnanswered(new Error('silence'))),
    write: () => Promise.reject(new LeaseUnanswered(new Error('silence'))),
  };
  void takeLease({
    ...{ store, clock: { monotonic: () => time.now }, pause: (milliseconds: number) => time.pause(milliseconds) },
    holder: { session: 'one', address: 'https://one.example' },
    former: undefined,
    goOn() {
      if (isStopped) throw new Error('stopped');
    },
    waiting: () => Promise.resolve(),
  }).catch((error: unknown) => (ended = error));
  await time.pass(5_000);
  expect(ended).toBeUndefined();
  isStopped = true;
  await time.pass(1_000);
  expect(ended).toEqual(new Error('stopped'));
});

test('one that gives it back is followed at once, by one that is told, or soon, by one that looks', async () => {
  const [one, cut] = [start('one'), start('cut')];
  await time.pass(5_000);
  const other = start('other');
  await time.pass(5_000);
  cut.isCut = true;
  await one.lease!.giveBack();
  await time.pass(0);
  expect([serves(one), serves(other), other.takenAt, one.lostAt]).toEqual([false, true, time.now, undefined]);
  cut.isCut = false;
  // It is told nothing: the one that gives it back is too far away to be heard.
  const waiting = entry.tell;
  entry.tell = () => undefined;
  await other.lease!.giveBack();
  await time.pass(1_000);
  entry.tell = waiting;
  expect([serves(other), serves(cut)]).toEqual([false, true]);
});

test('one whose last renewal had no answer gives it back all the same', async () => {
  const [one, other] = [start('one'), start('other')];
  await time.pass(3_500);
  entry.loseAnswer = true;
  await time.pass(600);
  await one.lease!.giveBack();
  await time.pass(500);
  expect([serves(one), serves(other)]).toEqual([false, true]);
});

test('a node that starts again takes over from its own earlier run at once', async () => {
  const one = start('one');
  await time.pass(1_000);
  one.isCut = true;
  one.isAsleep = true;
  const again = start('again', 'one');
  await time.pass(500);
  expect(serves(again)).toBe(true);
});

test('one whose lease was taken although it runs ends with its next renewal', async () => {
  const one = start('one');
  await time.pass(5_000);
  const again = start('again', 'one');
  await time.pass(2_500);
  expect([serves(one), serves(again), entry.holder?.session]).toEqual([false, true, 'again']);
});

test('of many that want it one gets it, however they are interrupted', async () => {
  const nodes = Array.from({ length: 5 }, (_, index) => start(`node ${index}`));
  for (let round = 0; round < 40; round += 1) {
    const node = nodes[round % 5]!;
    node.isCut = round % 3 !== 0;
    node.isAsleep = round % 4 === 0;
    for (let step = 0; step < 20; step += 1) {
      await time.pass(250);
      expect(nodes.filter(serves).length).toBeLessThan(2);
    }
  }
  expect(new Set(nodes.flatMap(({ lease }) => lease?.revision ?? [])).size).toBeGreaterThan(1);
});
