import { describe, expect, it } from 'vitest';
import type { DeliveryResult } from '../../src/outbound/fetcher/deliver.ts';
import {
  alice,
  create,
  createLanes,
  like,
  remove,
  slow,
  status,
  unlike,
  unreachable,
  update,
} from './delivery/lanes-bed.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const followers = { followersOf: alice };

function shared(host: string): string {
  return `https://${host}/inbox`;
}

describe('a dead host', () => {
  it('costs one request per wait with 10 000 deliveries pending, and holds nobody else up', async () => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('dead.example'));
    lanes.follow(alice, shared('well.example'));
    lanes.answer('dead.example', () => unreachable);
    lanes.tell(create(), followers);
    await lanes.settle();
    lanes.tellAll(
      Array.from({ length: 10_000 }, () => create()),
      followers,
    );
    await lanes.settle();
    expect(lanes.sentTo('well.example')).toHaveLength(10_001);
    expect(lanes.sentTo('dead.example')).toHaveLength(1);
    await lanes.advance(6 * hour);
    const waits = lanes.sentTo('dead.example').map(({ at }, index, all) => at - (all[index - 1]?.at ?? at));
    expect(waits).toHaveLength(6);
    for (const [index, wait] of [30_000, 2 * minute, 10 * minute, hour, 4 * hour].entries()) {
      expect(waits[index + 1]).toBeGreaterThanOrEqual(wait * 0.8);
      expect(waits[index + 1]).toBeLessThanOrEqual(wait * 1.2);
    }
    expect(lanes.lane('dead.example')).toMatchObject({ state: 'backing off', failures: 6, hasMore: true });
    await lanes.advance(36 * hour);
    expect(lanes.lane('dead.example')?.state).toBe('dead');
    expect(lanes.lane('well.example')?.state).toBe('healthy');
  });

  it('gets nothing more once it is suspended: what waits is dropped as soon as it is tried', async () => {
    const suspended = new Set<string>();
    const lanes = await createLanes({ suspended });
    lanes.follow(alice, shared('dead.example'));
    lanes.answer('dead.example', () => unreachable);
    lanes.tellAll([create(), create(), create()], followers);
    await lanes.advance(5_000);
    const tried = lanes.sentTo('dead.example').length;
    suspended.add('dead.example');
    lanes.retry('dead.example');
    await lanes.advance(5_000);
    expect(lanes.sentTo('dead.example')).toHaveLength(tried);
    expect(lanes.lane('dead.example')).toMatchObject({ pending: 0 });
    suspended.clear();
    await lanes.advance(day);
    expect(lanes.sentTo('dead.example')).toHaveLength(tried);
  });

  it('gets everything once when it is back, and what is new takes turns with what is old', async () => {
    const lanes = await createLanes({ partitions: 1 });
    lanes.follow(alice, shared('dead.example'));
    lanes.answer('dead.example', () => unreachable);
    const old = Array.from({ length: 9_000 }, () => create());
    lanes.tellAll(old, followers);
    await lanes.advance(5_000);
    lanes.answer('dead.example', () => slow(50));
    const before = lanes.sent.length;
    await lanes.advance(40_000);
    const fresh = Array.from({ length: 100 }, () => create());
    lanes.tellAll(fresh, followers);
    await lanes.advance(2_000);
    const isFresh = new Set(fresh.map(({ activityId }) => activityId));
    const arrivals = lanes.sent.slice(before);
    const first = arrivals.findIndex(({ about }) => isFresh.has(about));
    const last = arrivals.findLastIndex(({ about }) => isFresh.has(about));
    expect(last - first).toBeGreaterThanOrEqual(190);
    expect(last - first).toBeLessThanOrEqual(220);
    await lanes.advance(10 * minute);
    const all = lanes.sent.slice(before).map(({ about }) => about);
    expect(all).toHaveLength(9_100);
    expect(new Set(all).size).toBe(9_100);
    await lanes.advance(2_000);
    expect(lanes.logged()).toBe(0);
  });

  it('goes on waiting after a restart, and then gets what was pending', async () => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('dead.example'));
    lanes.answer('dead.example', () => unreachable);
    lanes.tellAll([create(), create()], followers);
    await lanes.advance(4 * minute);
    const before = lanes.sent.length;
    await lanes.stop();
    await lanes.crash();
    await lanes.advance(minute);
    expect(lanes.sent).toHaveLength(before);
    expect(lanes.lane('dead.example')).toMatchObject({ state: 'backing off', pending: 2 });
    lanes.answer('dead.example', () => 202);
    await lanes.advance(20 * minute);
    expect(lanes.sent).toHaveLength(before + 2);
  });

  it('gets nothing that is too old to be worth it', async () => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('dead.example'));
    lanes.answer('dead.example', () => unreachable);
    lanes.tellAll([create(), like()], { to: [shared('dead.example')] });
    await lanes.advance(4 * day);
    lanes.answer('dead.example', () => 202);
    const before = lanes.sent.length;
    await lanes.advance(2 * day);
    expect(lanes.sent.slice(before).map(({ kind }) => kind)).toEqual(['create']);
  });

  it('loses what is older than the log keeps, which is trimmed all the same', async () => {
    const lanes = await createLanes({ partitions: 1 });
    lanes.follow(alice, shared('dead.example'));
    lanes.follow(alice, shared('well.example'));
    lanes.answer('dead.example', () => unreachable);
    lanes.tell(create(), followers);
    await lanes.advance(8 * day);
    lanes.tell(create(), followers);
    await lanes.advance(2_000);
    expect(lanes.logged()).toBe(1);
    expect(lanes.sentTo('dead.example').length).toBeLessThan(12);
  });
});

describe('an operator', () => {
  it.each([
    ['one host', 'dead.example', 1],
    ['all hosts', undefined, 2],
  ])('has %s tried at once, whatever it has asked for', async (_which, host, tried) => {
    const lanes = await createLanes({ threads: 2 });
    for (const name of ['dead.example', 'busy.example', 'well.example']) lanes.follow(alice, shared(name));
    lanes.answer('dead.example', () => unreachable);
    lanes.answer('busy.example', () => status(503, hour));
    lanes.tell(create(), followers);
    await lanes.advance(2 * day);
    for (const name of ['dead.example', 'busy.example']) lanes.answer(name, () => 202);
    expect(lanes.retry(host)).toBe(tried);
    await lanes.settle();
    expect(lanes.lane('dead.example')).toMatchObject({ state: 'healthy', pending: 0 });
    expect(lanes.lane('busy.example')?.pending).toBe(2 - tried);
    expect([lanes.retry('dead.example'), lanes.retry('never.example')]).toEqual([0, 0]);
  });
});

describe('work that is superseded', () => {
  const only = { to: [shared('dead.example')] };

  async function failingLane() {
    const lanes = await createLanes();
    lanes.answer('dead.example', () => unreachable);
    lanes.tell(create(1n), only);
    await lanes.advance(1_000);
    return lanes;
  }

  it.each([
    ['a post that was deleted', [create(2n), remove(2n)], []],
    ['a post that was edited and deleted', [create(2n), update(2n), update(2n), remove(2n)], []],
    ['a like that was taken back', [like(2n), unlike(2n)], []],
    ['edits but the last', [update(2n), update(2n), update(2n)], ['update 2']],
    ['the edits of a post that was deleted', [update(2n), remove(2n)], ['delete 2']],
    ['nothing of different posts', [create(2n), remove(3n)], ['create 2', 'delete 3']],
    ['nothing of a post that the host may have seen', [update(1n), remove(1n)], ['delete 1']],
  ])('of a failing host drops %s', async (_name, intents, expected) => {
    const lanes = await failingLane();
    for (const intent of intents) lanes.tell(intent, only);
    const before = lanes.sent.length;
    lanes.answer('dead.example', () => 202);
    await lanes.advance(hour);
    const sent = lanes.sent.slice(before).map(({ kind, about }) => `${kind} ${about}`);
    expect(sent.sort()).toEqual([...expected, 'create 1'].sort());
    expect(lanes.logged()).toBe(0);
  });

  it('of a working host is sent', async () => {
    const lanes = await createLanes();
    for (const intent of [create(2n), update(2n), remove(2n)]) lanes.tell(intent, only);
    await lanes.advance(1_000);
    expect(lanes.sent.map(({ kind }) => kind)).toEqual(['create', 'update', 'delete']);
  });

  it('is sent after a restart, when nobody knows what was tried', async () => {
    const lanes = await failingLane();
    lanes.tell(create(2n), only);
    await lanes.advance(1_000);
    await lanes.crash();
    lanes.tell(remove(2n), only);
    lanes.answer('dead.example', () => 202);
    await lanes.advance(hour);
    expect(lanes.sent.map(({ kind, about }) => `${kind} ${about}`)).toContain('delete 2');
  });
});

describe('an answer', () => {
  it.each([429, 503])('%i with a pause is obeyed, and does not make the host a dead one', async (code) => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('busy.example'));
    lanes.answer('busy.example', ({ at }) => (at < lanes.started + 20 * minute ? status(code, 7 * minute) : 202));
    lanes.tell(create(), followers);
    await lanes.advance(hour);
    expect(lanes.sent.map(({ at }) => (at - lanes.started) / minute)).toEqual([0, 7, 14, 21]);
    expect(lanes.lane('busy.example')).toMatchObject({ state: 'healthy', pending: 0 });
  });

  it('with a pause is obeyed across a restart, also where it is not the first', async () => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('busy.example'));
    lanes.answer('busy.example', () => status(503, 7 * minute));
    lanes.tell(create(), followers);
    await lanes.advance(10 * minute);
    await lanes.crash();
    await lanes.advance(3 * minute);
    expect(lanes.sent.map(({ at }) => (at - lanes.started) / minute)).toEqual([0, 7]);
    await lanes.advance(2 * minute);
    expect(lanes.sent.map(({ at }) => (at - lanes.started) / minute)).toEqual([0, 7, 14]);
  });

  it.each([401, 403])('%i is met with two more attempts, while others go on', async (code) => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('strict.example'));
    lanes.answer('strict.example', ({ about }) => (about === 1n ? code : 202));
    lanes.tellAll([create(1n), update(1n), create(2n)], followers);
    await lanes.advance(3 * hour);
    expect(lanes.sent.map(({ kind, about, at }) => [kind, about, (at - lanes.started) / minute])).toEqual([
      ['create', 1n, 0],
      ['create', 2n, 0],
      ['create', 1n, 10],
      ['create', 1n, 70],
      ['update', 1n, 70],
      ['update', 1n, 80],
      ['update', 1n, 140],
    ]);
    expect(lanes.logged()).toBe(0);
    const lastRefusal = { status: code, at: lanes.started + 140 * minute };
    expect(lanes.lane('strict.example')).toMatchObject({ state: 'healthy', pending: 0, refusals: 6, lastRefusal });
    expect([...lanes.attempts].sort()).toEqual([
      ['delivered', 1],
      ['refused', 6],
    ]);
  });

  it.each([400, 404, 405, 410, 413, 422, 301, 501])('%i ends the delivery and nothing else', async (code) => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('picky.example'));
    lanes.answer('picky.example', ({ about }) => (about === 1n ? code : 202));
    lanes.tellAll([create(1n), create(2n)], followers);
    await lanes.advance(3 * hour);
    expect(lanes.sent.map(({ about }) => about)).toEqual([1n, 2n]);
    expect(lanes.logged()).toBe(0);
    expect(lanes.lane('picky.example')).toMatchObject({ refusals: 1, lastRefusal: { status: code } });
  });

  it.each<[string, DeliveryResult]>([
    ['redirects to a page about its maintenance', status(302)],
    [
      'has a name that leads to a forbidden address',
      { ok: false, kind: 'unreachable', fault: 'addressBlocked', detail: '' },
    ],
  ])('of a host that %s for some hours loses nothing', async (_what, result) => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('changing.example'));
    lanes.answer('changing.example', () => result);
    lanes.tellAll([create(1n), create(2n), create(3n)], followers);
    await lanes.advance(5 * hour);
    expect(lanes.sent.length).toBeLessThan(10);
    lanes.answer('changing.example', () => 202);
    const before = lanes.sent.length;
    await lanes.advance(day);
    expect(lanes.sent.slice(before).map(({ about }) => about)).toHaveLength(3);
    expect(lanes.logged()).toBe(0);
  });

  it('after ten days away a host gets what still matters, such as deletions, and no old posts', async () => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('away.example'));
    lanes.answer('away.example', () => unreachable);
    const intents = [create(1n), like(2n), unlike(3n), remove(4n)];
    lanes.tellAll(intents, followers);
    await lanes.advance(10 * day);
    lanes.answer('away.example', () => 202);
    const returnedAt = lanes.now();
    await lanes.advance(3 * day);
    const heard = lanes.sentTo('away.example').filter(({ at }) => at > returnedAt);
    expect(heard.map(({ kind }) => kind)).toEqual(['undoLike', 'delete']);
    expect(lanes.logged()).toBe(0);
  });

  it.each([
    [404, 1, 1],
    [410, 1, 1],
    [301, 1, 1],
    [308, 1, 1],
    [302, 1, 0],
    [301, 2, 0],
    [404, 2, 0],
    [410, 2, 0],
    [400, 1, 0],
    [202, 1, 0],
  ])('%i of an inbox with %i followers behind it says %i times that somebody is not there', async (code, count, times) => {
    const lanes = await createLanes();
    const inbox = 'https://picky.example/users/bob/inbox';
    for (let follower = 0; follower < count; follower += 1) lanes.follow(alice, inbox);
    lanes.answer('picky.example', () => code);
    lanes.tell(create(), followers);
    await lanes.advance(minute);
    expect(lanes.gone).toEqual(Array(times).fill(inbox));
  });

  it('410 of the inbox of a whole host silences the host', async () => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('gone.example'));
    lanes.follow(alice, shared('gone.example'));
    lanes.answer('gone.example', () => 410);
    lanes.tell(create(), followers);
    await lanes.advance(minute);
    lanes.tell(create(), followers);
    await lanes.advance(day);
    expect(lanes.sent).toHaveLength(1);
    expect(lanes.lane('gone.example')).toMatchObject({ state: 'dead', pending: 1 });
  });

  it('that is missing because we had no free connection does not count against the host', async () => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('one.example'));
    lanes.answer('one.example', ({ at }) =>
      at === lanes.started ? { ok: false, kind: 'unreachable', fault: 'busy', detail: '' } : 202,
    );
    lanes.tell(create(), followers);
    await lanes.settle();
    expect(lanes.lane('one.example')).toMatchObject({ state: 'healthy', pending: 1 });
    await lanes.advance(8_000);
    expect(lanes.sent).toHaveLength(2);
    expect(lanes.logged()).toBe(0);
  });
});
