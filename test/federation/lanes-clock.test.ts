/** Somebody sets the wall clock while lanes wait: they wait for as long as they meant to. */
import { expect, test } from 'vitest';
import { alice, create, createLanes, type LanesBed, unreachable } from './delivery/lanes-bed.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const followers = { followersOf: alice };

/** A host that alice's posts go to. */
async function lanesTo(...hosts: readonly string[]): Promise<LanesBed> {
  const lanes = await createLanes();
  for (const host of hosts) lanes.follow(alice, `https://${host}/inbox`);
  return lanes;
}

/** When each request to the host was sent, counted from the first. */
function timesOf(lanes: LanesBed, host: string): number[] {
  const sent = lanes.sentTo(host);
  return sent.map(({ at }) => at - sent[0]!.at);
}

test.each([
  ['back', -day],
  ['ahead', day],
])('a failing host is tried again after its wait where the clock was set %s', async (_where, milliseconds) => {
  const lanes = await lanesTo('dead.example');
  lanes.answer('dead.example', () => unreachable);
  lanes.tell(create(), followers);
  await lanes.settle();
  lanes.setClock(milliseconds);
  lanes.tell(create(), followers);
  await lanes.advance(20_000);
  expect(timesOf(lanes, 'dead.example')).toEqual([0]);
  await lanes.advance(20_000);
  expect(lanes.sentTo('dead.example')).toHaveLength(2);
  const { failingSince, nextAttemptAt } = lanes.lane('dead.example')!;
  expect(failingSince! - (lanes.started + milliseconds)).toBeLessThan(minute);
  expect(nextAttemptAt! - (lanes.now() + milliseconds)).toBeGreaterThan(0);
  expect(nextAttemptAt! - (lanes.now() + milliseconds)).toBeLessThan(3 * minute);
});

test('a host that fails after the clock was set back is not asked again at once', async () => {
  const lanes = await lanesTo('ill.example');
  lanes.answer('ill.example', () => unreachable);
  lanes.tell(create(), followers);
  await lanes.advance(0);
  lanes.answer('ill.example', () => 202);
  await lanes.advance(minute);
  expect(lanes.sentTo('ill.example')).toHaveLength(2);
  lanes.setClock(-day);
  lanes.answer('ill.example', () => unreachable);
  lanes.tell(create(), followers);
  await lanes.advance(20_000);
  expect(lanes.sentTo('ill.example')).toHaveLength(3);
  expect(lanes.lane('ill.example')).toMatchObject({ state: 'backing off', failures: 1 });
});

test('connections are opened after the clock was set back', async () => {
  const hosts = Array.from({ length: 700 }, (_, number) => `host${number}.example`);
  const lanes = await lanesTo(...hosts);
  lanes.tell(create(), { to: ['https://first.example/inbox'] });
  await lanes.settle();
  lanes.setClock(-day);
  lanes.tell(create(), followers);
  await lanes.advance(5_000);
  expect(lanes.sent).toHaveLength(1 + hosts.length);
});

test('what was delivered leaves the log after the clock was set back', async () => {
  const lanes = await lanesTo('well.example');
  lanes.tell(create(), followers);
  await lanes.advance(5_000);
  lanes.setClock(-day);
  lanes.tell(create(), followers);
  await lanes.advance(5_000);
  expect(lanes.logged()).toBe(0);
});

test('a restart with the clock set back waits no longer than the failures of a host ask for', async () => {
  const lanes = await lanesTo('dead.example');
  lanes.answer('dead.example', () => unreachable);
  lanes.tell(create(), followers);
  await lanes.advance(5_000);
  lanes.setClock(-day);
  await lanes.crash();
  lanes.answer('dead.example', () => 202);
  await lanes.advance(10_000);
  expect(lanes.sentTo('dead.example')).toHaveLength(1);
  await lanes.advance(60 * minute);
  expect(lanes.sentTo('dead.example')).toHaveLength(2);
});
