/** The network of this server is out of order: every host fails, and none of them is to blame. */
import { expect, test } from 'vitest';
import { alice, create, createLanes, type LanesBed, slow, unreachable } from './delivery/lanes-bed.ts';

const minute = 60_000;
const hour = 60 * minute;
const followers = { followersOf: alice };
const hosts = Array.from({ length: 30 }, (_, number) => `host${number}.example`);

/** Alice has a follower at each host. */
async function lanesToAll(more: readonly string[] = []): Promise<LanesBed> {
  const lanes = await createLanes();
  for (const host of [...hosts, ...more]) lanes.follow(alice, `https://${host}/inbox`);
  return lanes;
}

function answerAll(lanes: LanesBed, isThere: boolean): void {
  for (const host of hosts)
    lanes.answer(host, () => (isThere ? 202 : { result: unreachable, afterMilliseconds: 3_000 }));
}

const statesOf = (lanes: LanesBed) => new Set(hosts.map((host) => lanes.lane(host)?.state));

test('the first host that answers again brings all others what waits for them', async () => {
  const lanes = await lanesToAll();
  lanes.tell(create(), followers);
  await lanes.advance(minute);
  answerAll(lanes, false);
  lanes.tell(create(), followers);
  await lanes.advance(3 * hour);
  expect(statesOf(lanes)).toEqual(new Set(['backing off']));
  answerAll(lanes, true);
  await lanes.advance(10 * minute);
  expect(statesOf(lanes)).toEqual(new Set(['backing off']));
  lanes.hearFrom(hosts[0]!);
  await lanes.advance(5_000);
  expect(statesOf(lanes)).toEqual(new Set(['healthy']));
  expect(lanes.logged()).toBe(0);
  expect(lanes.problems).toEqual([]);
});

test('each of them is tried with one request first', async () => {
  const lanes = await lanesToAll();
  answerAll(lanes, false);
  for (let posts = 0; posts < 5; posts += 1) lanes.tell(create(), followers);
  await lanes.advance(3 * hour);
  answerAll(lanes, true);
  for (const host of hosts.slice(1)) lanes.answer(host, () => slow(20_000));
  lanes.hearFrom(hosts[0]!);
  const before = lanes.sent.length;
  await lanes.advance(1_000);
  for (const host of hosts.slice(1))
    expect(lanes.sent.slice(before).filter((one) => one.host === host)).toHaveLength(1);
});

/** When a dead host is tried in a day in which others get something every hour, and answer after a while. */
async function attemptsOfDead(failsAfter: number, othersAnswerAfter: number): Promise<number[]> {
  const lanes = await lanesToAll(['dead.example']);
  lanes.answer('dead.example', () => ({ result: unreachable, afterMilliseconds: failsAfter }));
  for (const host of hosts) lanes.answer(host, () => slow(othersAnswerAfter));
  for (let posts = 0; posts < 24; posts += 1) {
    lanes.tell(create(), followers);
    await lanes.advance(hour);
  }
  return lanes.sentTo('dead.example').map(({ at }) => at - lanes.started);
}

test.each([
  ['while others answer', 3_000, 500],
  ['shortly before others answer', 1, 500],
])('a host that fails %s is not tried again because of them', async (_when, failsAfter, othersAnswerAfter) => {
  const times = await attemptsOfDead(failsAfter, othersAnswerAfter);
  expect(times).toHaveLength(7);
  expect(times[1]).toBeGreaterThan(0.8 * 30_000);
});

test('a host that fails while nobody else is asked is forgiven once, and no more', async () => {
  const lanes = await createLanes();
  lanes.answer('dead.example', () => ({ result: unreachable, afterMilliseconds: 3_000 }));
  lanes.tell(create(), { to: ['https://dead.example/inbox'] });
  await lanes.advance(hour);
  const before = lanes.sent.length;
  for (let posts = 0; posts < 24; posts += 1) {
    lanes.tell(create(), { to: ['https://well.example/inbox'] });
    await lanes.advance(hour);
  }
  const [again, ...later] = lanes.sent.slice(before).filter(({ host }) => host === 'dead.example');
  expect(again!.at - lanes.started).toBe(hour);
  expect(later).toHaveLength(5);
});
