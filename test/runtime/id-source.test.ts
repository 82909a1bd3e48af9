/** Ids with a wrong clock: never one twice, and no permanent effect of a wrong time. */
import { describe, expect, test } from 'vitest';
import { timeOfId } from '../../src/runtime/ids.ts';
import { IdSource, mergedIds } from '../../src/runtime/partition/id-source.ts';
import { act, playerOf } from './support/players.ts';
import { Rig, startOfTime } from './support/rig.ts';

const alice = playerOf(0, 1);
const hour = 3_600_000;
const year = 365 * 24 * hour;

function mintingRig(): { rig: Rig; mint: (at: number) => number } {
  const rig = new Rig();
  rig.scripts.define('mint', (turn) => turn.nextId());
  const mint = (at: number) => {
    rig.now = at;
    const call = rig.call(act(alice, 'mint'));
    rig.settle();
    return timeOfId(rig.valueOf(call) as bigint);
  };
  return { rig, mint };
}

describe.each([
  ['by itself', false],
  ['with a restart at each change', true],
])('the clock of a server %s', (_how, restarts) => {
  function mintAll(times: readonly number[]): { made: number[]; problems: string[] } {
    const { rig, mint } = mintingRig();
    const problems: string[] = [];
    const made = times.map((time) => {
      const id = mint(startOfTime + time) - startOfTime;
      problems.push(...rig.seat.problems.splice(0).map(({ message }) => message));
      if (restarts) rig.seat.restart();
      return id;
    });
    return { made, problems };
  }

  test('that was 20 years ahead once gives ids of the present again, and says so', () => {
    const { made, problems } = mintAll([0, 20 * year, 20 * year + 5, 1_000, 2_000, 3 * hour]);
    expect(made).toEqual([0, 20 * year, expect.any(Number), 1_000, 2_000, 3 * hour]);
    expect(problems[0]).toContain('ids are of the present again');
  });

  test('that goes back a little goes on counting up', () => {
    const { made, problems } = mintAll([0, 10_000, 5_000, 6_000, 20_000]);
    expect(made.slice(0, 2)).toEqual([0, 10_000]);
    expect(made[2]).toBeGreaterThanOrEqual(10_000);
    expect(made[2]).toBeLessThan(10_010);
    expect(made.at(-1)).toBe(20_000);
    expect(problems).toEqual([]);
  });
});

test('no id is given twice, however the clock jumps, and each slot’s rise while it does not', () => {
  const source = new IdSource(() => undefined);
  source.open({ idMillisecondsMax: 0, idGapFrom: 0, idGapUntil: 0 });
  const given = new Set<bigint>();
  const clocks = [
    0,
    5,
    year,
    year + 1,
    10,
    20,
    2 * hour,
    20 * year,
    3 * hour,
    year,
    year + 2 * hour,
    0,
    21 * year,
    4 * hour,
  ];
  for (const clock of clocks)
    for (let count = 0; count < 200; count += 1) given.add(source.next(count % 2, startOfTime + clock));
  expect(given.size).toBe(clocks.length * 200);
});

test('without a known gap ids stay ahead, which is reported once', () => {
  const problems: string[] = [];
  const source = new IdSource(({ message }) => problems.push(message));
  source.open({ idMillisecondsMax: startOfTime + year, idGapFrom: 0, idGapUntil: 0 });
  for (const time of [0, 1, 2]) expect(timeOfId(source.next(1, startOfTime + time))).toBe(startOfTime + year + 1);
  expect(problems).toEqual([expect.stringContaining('ids stay of that time')]);
});

test.each([
  ['no gap anywhere', [ids(100), ids(200)], ids(200)],
  ['a gap that all have', [ids(1_000, 100, 900), ids(900, 200, 800)], ids(1_000, 200, 800)],
  ['a gap of one, above the highest of the other', [ids(1_000, 100, 900), ids(300)], ids(1_000, 300, 900)],
  ['a gap of one, below the highest of the other', [ids(1_000, 100, 900), ids(950)], ids(1_000)],
  ['nothing at all', [], ids(0)],
])('partitions that come together give no id twice: %s', (_what, before, after) => {
  const merged = mergedIds(before);
  const isGap = merged.idGapUntil > merged.idGapFrom;
  expect(isGap ? merged : ids(merged.idMillisecondsMax)).toEqual(after);
});

function ids(idMillisecondsMax: number, idGapFrom = 0, idGapUntil = 0) {
  return { idMillisecondsMax, idGapFrom, idGapUntil };
}
