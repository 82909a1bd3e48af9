/** Which copy a log is made of anew. */
import { describe, expect, test } from 'vitest';
import type { Examination } from '../../../src/runtime/cluster/examination.ts';
import {
  type KnownCopy,
  remedyOf,
  sentenceOfRemedy,
  sentencesOfLoss,
  withCompanions,
} from '../../../src/server/cluster/repair-plan.ts';

const log = (epoch: number, commit: number, given: Partial<Examination> = {}): Examination => ({
  ...{
    first: 1,
    last: commit + 1,
    standing: { epoch, commit },
    ends: new Map([[epoch, commit]]),
    broken: undefined,
    digests: new Map(),
  },
  ...given,
});
const copy = (
  name: string,
  epoch: number,
  commit: number,
  { kind = 'elsewhere', goesOn = false }: Partial<KnownCopy> = {},
): KnownCopy => ({ name, kind, standing: { epoch, commit }, goesOn });
const chosen = (...given: Parameters<typeof remedyOf>) => {
  const remedy = remedyOf(...given);
  return remedy.kind === 'copy' ? remedy.copy.name : remedy.kind;
};

describe('the copy with the most becomes the log', () => {
  test.each<[string, Examination, KnownCopy[], string]>([
    ['a log with everything stays', log(2, 9), [copy('a', 2, 7, { goesOn: true })], 'none'],
    ['also where a copy has as much', log(2, 9), [copy('a', 2, 9, { goesOn: true })], 'none'],
    ['and where a copy of another history has as much', log(2, 9), [copy('a', 2, 9)], 'none'],
    ['a copy that has more is taken', log(2, 9), [copy('a', 2, 10)], 'a'],
    ['of several the one with the most', log(2, 9), [copy('a', 2, 10), copy('b', 2, 12), copy('c', 2, 11)], 'b'],
    ['a later epoch has more, with however little', log(2, 9), [copy('a', 2, 50), copy('b', 3, 10)], 'b'],
    ['also that of the log', log(3, 9), [copy('a', 2, 50)], 'none'],
    ['of two alike the one that is here', log(1, 1), [copy('a', 2, 10), copy('b', 2, 10, { kind: 'here' })], 'b'],
    ['a node before a snapshot', log(1, 1), [copy('s', 2, 10, { kind: 'snapshot' }), copy('a', 2, 10)], 'a'],
    ['a snapshot with the most', log(1, 1), [copy('s', 2, 11, { kind: 'snapshot' }), copy('a', 2, 10)], 's'],
    [
      'a log without its beginning goes on with a copy',
      log(2, 9, { first: 5 }),
      [copy('a', 2, 7, { goesOn: true })],
      'none',
    ],
    ['and is nothing without one', log(2, 9, { first: 5 }), [copy('a', 2, 7)], 'a'],
    ['a damaged log is made anew', log(2, 9, { broken: 'x' }), [copy('a', 2, 9, { goesOn: true })], 'a'],
    [
      'from a copy that it brings as far as it is whole',
      log(2, 9, { broken: 'x' }),
      [copy('a', 2, 5, { goesOn: true }), copy('b', 2, 7)],
      'a',
    ],
    ['a log that is gone is made anew', log(0, 0, { last: 0, standing: undefined }), [copy('a', 2, 5)], 'a'],
    ['where nothing is left, nothing can be done', log(0, 0, { standing: undefined }), [], 'lost'],
  ])('%s', (_name, examined, copies, expected) => {
    expect(chosen(examined, copies)).toBe(expected);
  });

  test('and the operator is told so', () => {
    const told = (examined: Examination, copies: KnownCopy[]) =>
      sentenceOfRemedy(0, examined, remedyOf(examined, copies));
    expect(told(log(2, 9), [])).toBe('Partition 0: its log is whole, with batch 9 of epoch 2, and no copy has more.');
    expect(told(log(2, 9), [copy('me', 2, 10, { kind: 'here' })])).toBe(
      'Partition 0: its log has batch 9 of epoch 2. The copy of this node has batch 10 of epoch 2: the log is made anew from it.',
    );
    expect(told(log(2, 9, { broken: 'Record 4 is odd.' }), [copy('http://b', 2, 10)])).toBe(
      'Partition 0: its log has batch 9 of epoch 2 and ends there. Record 4 is odd. The copy of http://b has batch 10 of epoch 2: the log is made anew from it, by this command there.',
    );
    expect(told(log(0, 0, { standing: undefined }), [])).toBe(
      'Partition 0: its log has no whole state. No copy is known that has one: restore a backup.',
    );
  });

  test('also of what a copy of an earlier epoch has alone', () => {
    const told = (examined: Examination, copies: KnownCopy[]) =>
      sentencesOfLoss(0, examined, { copies, remedy: remedyOf(examined, copies) });
    const ends = new Map([
      [2, 40],
      [4, 60],
    ]);
    const log4 = log(4, 60, { ends });
    expect(told(log4, [copy('a', 3, 50)])).toEqual([
      'Partition 0: The copy of a has 10 batches beyond where it parted from the log: they are nowhere else, and are lost unless its data folder is kept.',
    ]);
    expect(told(log4, [copy('a', 1, 61)])).toEqual([
      'Partition 0: The copy of a has at least 1 batch beyond where it parted from the log: they are nowhere else, and are lost unless its data folder is kept.',
    ]);
    expect(told(log4, [copy('a', 3, 50), copy('b', 5, 45)])).toEqual([
      'Partition 0: The copy of a has 10 batches beyond where it parted from the log: where the copy of b does not have them too, they are lost unless its data folder is kept.',
    ]);
    expect(told(log4, [copy('a', 2, 40), copy('b', 4, 55), copy('c', 3, 50, { goesOn: true })])).toEqual([]);
    expect(told(log4, [copy('s', 3, 50, { kind: 'snapshot' })])).toEqual([]);
  });

  test('and with one log the others too with which the same copy could not go on', () => {
    const here = (epoch: number, commit: number, goesOn: boolean) =>
      copy('me', epoch, commit, { kind: 'here', goesOn });
    const judged = [
      { log: log(2, 9), copies: [here(2, 9, false), copy('b', 2, 9, { goesOn: true })] },
      { log: log(2, 9), copies: [here(2, 10, false)] },
      { log: log(2, 9), copies: [here(2, 8, true)] },
      { log: log(2, 9), copies: [here(2, 8, false)] },
    ].map((one) => ({ ...one, remedy: remedyOf(one.log, one.copies) }));
    const kindsOf = (all: typeof judged) => all.map(({ remedy }) => remedy.kind);
    expect(kindsOf(judged)).toEqual(['none', 'copy', 'none', 'none']);
    expect(kindsOf(withCompanions(judged))).toEqual(['copy', 'copy', 'none', 'none']);
    expect(kindsOf(withCompanions(judged.slice(2)))).toEqual(['none', 'none']);
  });
});
