/** Which reblogs a feed leaves out, case by case; ids are numbers that grow with time. */
import { describe, expect, test } from 'vitest';
import { repeatedAmong } from '../../../src/operations/timelines/repeated-reblogs.ts';

const entriesBefore = 3;

/** An entry is its id, for a reblog with that of its original. */
type Entry = number | readonly [id: number, reblogOfId: number];

const original = 1;
const idOf = (entry: Entry) => (typeof entry === 'number' ? entry : entry[0]);
const shownBy = (entry: Entry) => (typeof entry === 'number' ? entry : entry[1]);

/** Of a feed, newest first. */
function leftOut(feed: readonly Entry[], { hidden = [] as number[], byTag = [] as number[] } = {}): number[] {
  const isReblog = (entry: Entry): entry is readonly [number, number] => typeof entry !== 'number';
  const reblogs = feed.filter(isReblog).map(([id, reblogOfId]) => ({ id: BigInt(id), reblogOfId: BigInt(reblogOfId) }));
  const window = {
    ids: BigUint64Array.from(feed, (entry) => BigInt(idOf(entry))),
    originals: BigUint64Array.from(feed, (entry) => BigInt(shownBy(entry))),
  };
  const repeated = repeatedAmong(reblogs, window, entriesBefore, {
    isShown: (id) => !hidden.includes(Number(id)),
    comesByTag: (id) => byTag.includes(Number(id)),
  });
  return [...repeated].map(Number);
}

describe('a reblog', () => {
  test.each<[string, readonly Entry[], number[]]>([
    ['of what is not in the feed stays', [[9, original], 8, 7], []],
    ['is left out above its original', [[9, original], 8, original], [9]],
    ['is left out above the last entry that counts', [[9, original], 8, 7, original], [9]],
    ['stays where its original is further away', [[9, original], 8, 7, 6, original], []],
    ['is left out above another one, which stays', [[9, original], 8, [7, original]], [9]],
    ['is left out above one that is left out', [[9, original], 8, 7, [6, original], 5, 4, original], [9, 6]],
    ['stays above a reblog of another status', [[9, original], [8, 2], 7], []],
    ['stays below its original, where a server has dated it wrongly', [9, [8, 9], 7], []],
  ])('%s', (_what, feed, expected) => {
    expect(leftOut(feed)).toEqual(expected);
  });

  test('stays where the reader is not shown the others', () => {
    const feed: readonly Entry[] = [[9, original], [8, original], [7, original], 6];
    expect(leftOut(feed)).toEqual([9, 8]);
    expect(leftOut(feed, { hidden: [7] })).toEqual([9]);
    expect(leftOut(feed, { hidden: [7, 8] })).toEqual([]);
  });
});

describe('a reblog of what a followed tag brings', () => {
  test.each<[string, readonly Entry[], number, number[]]>([
    ['is left out', [[9, 6], 8, 7, 5], 6, [9]],
    ['is left out where it is as old as the last entry that counts', [[9, 5], 8, 7, 5], 5, [9]],
    ['stays where there are other entries between them', [[9, 4], 8, 7, 5], 4, []],
    ['is left out at the end of the feed', [[9, 1], 8], 1, [9]],
    ['stays where it is older than what it reblogs', [[8, 9], 7], 9, []],
  ])('%s', (_what, feed, tagged, expected) => {
    expect(leftOut(feed, { byTag: [tagged] })).toEqual(expected);
  });

  test('stays where the reader is not shown that', () => {
    expect(leftOut([[9, 6], 8], { byTag: [6], hidden: [6] })).toEqual([]);
  });
});
