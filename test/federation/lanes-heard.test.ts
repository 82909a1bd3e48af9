/** A host that is down for us sends us signed requests: its lane tries it earlier, but is not driven by it. */
import { describe, expect, it, test } from 'vitest';
import { Lane, type LaneLog } from '../../src/outbound/lanes/lane.ts';
import { alice, create, createLanes, type LanesBed, slow, status, unreachable } from './delivery/lanes-bed.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const host = 'back.example';
const inbox = `https://${host}/inbox`;
const followers = { followersOf: alice };

/** A host that has failed for so long, with something to deliver. */
async function failingFor(milliseconds: number, options: Parameters<typeof createLanes>[0] = {}): Promise<LanesBed> {
  const lanes = await createLanes(options);
  lanes.follow(alice, inbox);
  lanes.answer(host, () => unreachable);
  lanes.tell(create(), followers);
  await lanes.advance(milliseconds);
  return lanes;
}

/** When each request to the host was sent, in milliseconds after the first. */
function times({ sent, started }: LanesBed): number[] {
  return sent.map(({ at }) => at - started);
}

/** The host is heard from every minute, which is as often as a gateway says so. */
async function hearFor(lanes: LanesBed, milliseconds: number): Promise<void> {
  for (let heard = 0; heard < milliseconds / minute; heard += 1) {
    lanes.hearFrom(host);
    await lanes.advance(minute);
  }
}

describe('a host that is heard from', () => {
  it('after two days of silence gets one probe at once, then everything', async () => {
    const lanes = await failingFor(2 * day);
    lanes.tellAll([create(), create(), create()], followers);
    await lanes.settle();
    expect(lanes.lane(host)).toMatchObject({ state: 'dead', pending: 4 });
    const before = lanes.sent.length;
    lanes.answer(host, () => slow(1_000));
    await lanes.advance(hour);
    expect(lanes.sent).toHaveLength(before);
    lanes.hearFrom(host);
    await lanes.settle();
    expect(lanes.sent).toHaveLength(before + 1);
    expect(lanes.lane(host)?.state).toBe('probing');
    await lanes.advance(minute);
    expect(lanes.lane(host)).toMatchObject({ state: 'healthy', pending: 0 });
    expect(lanes.sent).toHaveLength(before + 4);
    expect([lanes.waitsShortened, lanes.logged(), lanes.problems]).toEqual([1, 0, []]);
  });

  it('gets what is told to it later at once, where nothing was pending', async () => {
    const lanes = await failingFor(9 * day);
    expect(lanes.lane(host)).toMatchObject({ state: 'dead', pending: 0 });
    lanes.answer(host, () => 202);
    lanes.hearFrom(host);
    await lanes.settle();
    const before = lanes.sent.length;
    lanes.tell(create(), followers);
    await lanes.settle();
    expect(lanes.sent.slice(before)).toHaveLength(1);
  });

  it('is tried no sooner than a minute after an attempt that failed', async () => {
    const lanes = await failingFor(11.5 * minute);
    const [, , , last] = times(lanes);
    expect(lanes.lane(host)).toMatchObject({ failures: 4 });
    lanes.hearFrom(host);
    await lanes.advance(2 * minute);
    expect(times(lanes).slice(4)).toEqual([last! + minute]);
  });

  it.each([
    3, 4, 5, 8,
  ])('after a restart of %i minutes has answers to what it sends within a minute', async (minutes) => {
    const lanes = await failingFor(minutes * minute);
    lanes.answer(host, () => 202);
    lanes.hearFrom(host);
    lanes.tell({ kind: 'acceptFollow', actorId: alice, activityId: 7n, targetId: 8n }, { to: [inbox] });
    await lanes.advance(minute);
    expect(lanes.lane(host)).toMatchObject({ state: 'healthy', pending: 0 });
  });

  it('is not tried earlier than it is anyway, while its wait is short', async () => {
    const silent = await failingFor(minute);
    const heard = await failingFor(0);
    await hearFor(heard, minute);
    expect(times(heard)).toEqual(times(silent));
    expect(heard.waitsShortened).toBe(0);
  });

  it('and never accepts anything is tried more and more rarely', async () => {
    const lanes = await failingFor(0);
    await hearFor(lanes, 7 * day);
    const waits = times(lanes).map((at, index, all) => (at - (all[index - 1] ?? 0)) / minute);
    expect(waits.slice(2, 12)).toEqual([1, 2, 5, 10, 20, 40, 80, 160, 320, 720]);
    for (const wait of waits.slice(12)) expect(wait).toBe(720);
    expect(waits).toHaveLength(24);
  });

  it('is tried as often as at first after it has accepted something', async () => {
    const lanes = await failingFor(0);
    await hearFor(lanes, day);
    lanes.answer(host, () => 202);
    await hearFor(lanes, 13 * hour);
    expect(lanes.lane(host)?.state).toBe('healthy');
    lanes.answer(host, () => unreachable);
    lanes.tell(create(), followers);
    await hearFor(lanes, hour);
    const waits = times(lanes).map((at, index, all) => (at - (all[index - 1] ?? 0)) / minute);
    expect(waits.slice(-4)).toEqual([2, 5, 10, 20]);
  });

  it.each([
    429, 503,
  ])('and has asked for a pause with %i gets nothing before its end, nor after a restart', async (code) => {
    const lanes = await createLanes();
    lanes.follow(alice, inbox);
    lanes.answer(host, () => status(code, 40 * minute));
    lanes.tell(create(), followers);
    await hearFor(lanes, 20 * minute);
    await lanes.crash();
    await hearFor(lanes, 30 * minute);
    expect(times(lanes)).toEqual([0, 40 * minute]);
    expect(lanes.waitsShortened).toBe(0);
  });

  it('is tried at the same time after a restart, and the number of attempts in vain is not forgotten', async () => {
    const lanes = await failingFor(0);
    await hearFor(lanes, 4 * hour);
    await lanes.advance(5_000);
    const before = lanes.sent.length;
    const { nextAttemptAt } = lanes.lane(host)!;
    await lanes.crash();
    expect(lanes.lane(host)?.nextAttemptAt).toBe(nextAttemptAt);
    await hearFor(lanes, 10 * hour);
    const waits = times(lanes).map((at, index, all) => at - all[index - 1]!);
    expect(waits.slice(before).map((wait) => Math.round(wait / minute))).toEqual([160, 320]);
  });

  it('although its inbox had gone (410) is tried again, and its inbox may be there again', async () => {
    const lanes = await createLanes();
    for (let follower = 0; follower < 2; follower += 1) lanes.follow(alice, inbox);
    lanes.answer(host, () => 410);
    lanes.tell(create(), followers);
    await lanes.advance(hour);
    lanes.tellAll([create(), create()], followers);
    await lanes.settle();
    expect(lanes.lane(host)).toMatchObject({ state: 'dead', pending: 2 });
    lanes.answer(host, () => 202);
    lanes.hearFrom(host);
    await lanes.advance(minute);
    expect(lanes.lane(host)).toMatchObject({ state: 'healthy', pending: 0 });
    expect(lanes.sent).toHaveLength(3);
  });

  it('is tried after the wall clock was set back', async () => {
    const lanes = await failingFor(2 * day);
    lanes.setClock(-day);
    lanes.answer(host, () => 202);
    lanes.hearFrom(host);
    await lanes.settle();
    expect(lanes.lane(host)).toMatchObject({ state: 'healthy', pending: 0 });
  });
});

test('the thread that delivers to a host acts upon it, and no other', async () => {
  const lanes = await failingFor(2 * day, { threads: 2 });
  lanes.answer(host, () => 202);
  lanes.hearFrom(host);
  await lanes.settle();
  expect(lanes.lane(host)).toMatchObject({ state: 'healthy', pending: 0 });
  expect(lanes.waitsShortened).toBe(1);
});

test('a host that works, or that nothing was ever delivered to, is none of it', async () => {
  const lanes = await createLanes();
  lanes.follow(alice, inbox);
  lanes.tell(create(), followers);
  await lanes.advance(minute);
  lanes.hearFrom(host);
  lanes.hearFrom('never.example');
  await lanes.advance(minute);
  expect([lanes.sent.length, lanes.waitsShortened, lanes.lane('never.example')]).toEqual([1, 0, undefined]);
});

test('a wait that an older version has stored is kept: the host may have asked for it', () => {
  const known = { cursor: 0, ahead: [], failures: 7, failingSince: 1, nextAttemptAt: day };
  const clock = { now: () => 0, monotonic: () => 0 };
  const lane = new Lane({ log: { head: 0 } as LaneLog, number: 1, host, known, clock });
  expect(lane.health.heard(0)).toBe(false);
  expect(lane.health.nextAttemptAt).toBe(day);
});
