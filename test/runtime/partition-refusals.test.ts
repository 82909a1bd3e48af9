/** A partition whose log refuses (fenced, full, unknown), with one and with several appends under way. */
import { beforeEach, describe, expect, test } from 'vitest';
import { conditionName, type PartitionCondition } from '../../src/runtime/condition.ts';
import { barrier } from '../../src/runtime/storage/log-state.ts';
import { meta } from '../../src/runtime/storage/machine.ts';
import { act, Fetch, hear, notes, Player, playerOf, Said } from './support/players.ts';
import { Rig } from './support/rig.ts';

const alice = playerOf(0, 2);
const bob = playerOf(1, 2);

let rig: Rig;

function begin(appendsMax = 1): void {
  rig = new Rig(2, [], appendsMax);
  rig.scripts.define('say', (turn, text) => {
    turn.put(notes, [alice, 1], `${turn.get(notes, [alice, 1]) ?? ''}${text}`);
    turn.emit(Said, { what: text as string });
    return text;
  });
  rig.scripts.define('read', (turn) => turn.get(notes, [alice, 1]));
  rig.scripts.define('all at once', (turn) => {
    turn.emit(Said, { what: 'all' });
    turn.tell(hear(bob, 'note'));
    turn.effect(Fetch, { what: 'page' }, Player.answered);
  });
  rig.scripts.define('note', (turn) => turn.put(notes, [bob, 1], 'noted'));
}

beforeEach(() => begin());

/** A call whose turn has run. */
function say(text: string): number {
  const call = rig.call(act(alice, 'say', text));
  rig.seat.run();
  return call;
}

/** How a call was answered: well, with the code of its refusal, or not. */
function answer(call: number): string | undefined {
  expect(rig.repliesTo(call).length).toBeLessThan(2);
  return rig.repliesTo(call)[0]?.ok ? 'well' : rig.refusalOf(call);
}

const answers = (calls: readonly number[]) => calls.map(answer);
const stored = () => rig.seat.disk.get(notes, [alice, 1]);
const told = () =>
  rig.seat.published.flatMap(({ events }) => events.map(({ body }) => (body as { what: string }).what));
const condition = () => rig.seat.partition.control(conditionName, {}) as PartitionCondition;
const reports = () => rig.seat.problems.map(({ message }) => message);

/** Another owner opens the log. */
function takeAway(): void {
  rig.seat.store.append(barrier(rig.seat.store, rig.epoch + 1));
}

/** All pauses that failures have earned pass. */
function rest(): void {
  for (let second = 0; second < 10; second += 1) {
    rig.pass(1_000);
    rig.seat.settle();
  }
}

describe('an outcome that is unknown', () => {
  test('is found out before anything else is appended, and nothing is dropped for it', () => {
    let answerTail: () => void = () => undefined;
    rig.seat.log.onQuestion = (give) => {
      answerTail = give;
    };
    const calls = [say('a'), say('b')];
    rig.seat.lose(1);
    calls.push(say('c'));
    rig.seat.run();
    expect([answers(calls), rig.seat.log.waiting, told()]).toEqual([[undefined, undefined, undefined], 0, []]);
    answerTail();
    rig.seat.settle();
    expect([answers(calls), stored(), told()]).toEqual([['well', 'well', 'well'], 'abc', ['a', 'b', 'c']]);
  });

  test('and cannot be found out: callers hear that, and once it can what was applied is told to all others', () => {
    rig.call(act(alice, 'all at once'));
    const call = say('a');
    rig.seat.log.isUnreachable = () => true;
    rig.seat.lose(1);
    expect([answer(call), told(), rig.seat.effects, rig.seat.frames]).toEqual(['outcomeUnknown', [], [], []]);
    const meanwhile = say('b');
    rest();
    expect([answer(meanwhile), condition().canWrite]).toEqual(['storageUnavailable', false]);
    rig.seat.log.isUnreachable = undefined;
    rest();
    rig.settle();
    expect([answer(call), told(), rig.seat.effects.length]).toEqual(['outcomeUnknown', ['all', 'a'], 1]);
    expect([rig.seats[1]!.disk.get(notes, [bob, 1]), condition().canWrite]).toEqual(['noted', true]);
    expect(answer(say('b'))).toBeUndefined();
  });

  test('a call that waits meanwhile is refused at its deadline', () => {
    rig.seat.log.onQuestion = () => undefined;
    say('a');
    rig.seat.lose(0);
    const waiting = rig.call(act(alice, 'read'), 'account:1', rig.monotonic + 500);
    rig.seat.run();
    rig.pass(1_000);
    rig.seat.run();
    expect(answer(waiting)).toBe('expired');
  });

  test('closing waits for the answer, and for none that does not come', async () => {
    say('a');
    rig.seat.log.isUnreachable = () => true;
    rig.seat.lose(1);
    const filling = say('b');
    const closed = rig.seat.partition.close();
    rest();
    await closed;
    expect([answer(filling), rig.seat.log.waiting]).toEqual(['storageUnavailable', 0]);
  });
});

describe('a log that is full', () => {
  test('refuses what was to be written, lets what was written be read, and takes more once there is room', () => {
    say('a');
    rig.seat.settle();
    const refused = [say('b'), say('c')];
    rig.seat.log.refuse('full');
    expect([answers(refused), stored(), told()]).toEqual([['storageUnavailable', 'storageUnavailable'], 'a', ['a']]);
    const reading = rig.call(act(alice, 'read'));
    rig.seat.run();
    expect([answer(reading), rig.valueOf(reading), condition().canWrite]).toEqual(['well', 'a', false]);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      refused.push(say('d'));
      if (rig.seat.log.waiting > 0) rig.seat.log.refuse('full');
    }
    expect(new Set(answers(refused))).toEqual(new Set(['storageUnavailable']));
    rest();
    const later = say('e');
    rig.seat.settle();
    expect([answer(later), stored(), told(), condition().canWrite]).toEqual(['well', 'ae', ['a', 'e'], true]);
  });

  test('refuses calls at once while it rests', () => {
    say('a');
    rig.seat.log.refuse('full');
    say('b');
    rig.seat.log.refuse('full');
    expect([answer(say('c')), rig.seat.log.waiting]).toEqual(['storageUnavailable', 0]);
  });
});

describe('a partition that another owner has opened', () => {
  const sentence = /^Partition 0 was opened by another owner/;

  test('serves nothing any more, says so, and leaves what is stored to the other', () => {
    say('a');
    rig.seat.settle();
    const underWay = say('b');
    const filling = say('c');
    takeAway();
    rig.seat.log.complete();
    expect(answers([underWay, filling])).toEqual(['storageUnavailable', 'storageUnavailable']);
    const later = rig.call(act(alice, 'read'));
    const letters = rig.orderLetters(0, { what: 'drop', sequences: [1] });
    rig.call(act(bob, 'note'));
    rig.settle();
    rest();
    expect(answers([later, letters])).toEqual(['storageUnavailable', 'overloaded']);
    expect([stored(), told(), rig.seat.log.waiting]).toEqual(['a', ['a'], 0]);
    expect(condition().isFenced).toBe(true);
    expect(() => rig.seat.partition.control('feeds', {})).toThrow('storageUnavailable');
    expect(reports()).toEqual([expect.stringMatching(sentence)]);
  });

  test('takes and sends no frames', () => {
    rig.call(act(alice, 'all at once'));
    rig.seat.settle();
    const frames = rig.seat.frames.splice(0);
    say('a');
    takeAway();
    rig.seat.log.complete();
    rig.seat.partition.resend();
    rig.seat.partition.repeatEffects(() => true);
    rig.pass(60_000);
    rig.seat.run();
    rig.seat.partition.receive({ ...frames[0]!, source: 1, destination: 0 });
    expect([rig.seat.frames, rig.seat.acknowledgements, rig.seat.effects.length]).toEqual([[], [], 1]);
  });

  test('before it knew what became of an append: its callers hear that', () => {
    rig.seat.log.onQuestion = (give) => {
      takeAway();
      give();
    };
    const call = say('a');
    rig.seat.lose(1);
    expect([answer(call), condition().isFenced]).toEqual(['outcomeUnknown', true]);
  });

  test('cannot be opened in the epoch of before', () => {
    takeAway();
    void rig.seat.partition.open(rig.epoch);
    rig.seat.run();
    expect([condition().isFenced, answer(say('a'))]).toEqual([true, 'storageUnavailable']);
  });

  test('closes', async () => {
    say('a');
    takeAway();
    rig.seat.log.complete();
    const closed = rig.seat.partition.close();
    rig.seat.run();
    await closed;
  });
});

describe('several appends under way', () => {
  beforeEach(() => begin(3));

  test('are as many as are allowed, and what follows fills one batch', () => {
    const calls = ['a', 'b', 'c', 'd', 'e'].map(say);
    expect(rig.seat.log.waiting).toBe(3);
    rig.seat.log.complete();
    expect([answers(calls), stored(), rig.seat.log.waiting]).toEqual([
      ['well', undefined, undefined, undefined, undefined],
      'a',
      3,
    ]);
    rig.seat.settle();
    expect([new Set(answers(calls)), stored(), told().join('')]).toEqual([new Set(['well']), 'abcde', 'abcde']);
    expect(rig.seat.disk.get(meta, [0])!.commit).toBe(4);
  });

  test('a turn reads what all of them write, and is answered when they are on disk', () => {
    ['a', 'b'].forEach(say);
    const reading = rig.call(act(alice, 'read'));
    rig.seat.run();
    rig.seat.log.complete();
    rig.seat.run();
    expect(answer(reading)).toBeUndefined();
    rig.seat.log.complete();
    rig.seat.run();
    expect(rig.valueOf(reading)).toBe('ab');
  });

  test.each([
    { applied: 0, kept: '', outcomes: ['storageUnavailable', 'storageUnavailable', 'storageUnavailable'] },
    { applied: 1, kept: 'a', outcomes: ['well', 'storageUnavailable', 'storageUnavailable'] },
    { applied: 2, kept: 'ab', outcomes: ['well', 'well', 'storageUnavailable'] },
    { applied: 3, kept: 'abc', outcomes: ['well', 'well', 'well'] },
  ])('of which $applied reached the disk: each is told once or lost for good', ({ applied, kept, outcomes }) => {
    const calls = ['a', 'b', 'c'].map(say);
    const filling = say('d');
    rig.seat.lose(applied);
    rig.seat.settle();
    const isWhole = applied === 3;
    expect(answers(calls)).toEqual(outcomes);
    expect(answer(filling)).toBe(isWhole ? 'well' : 'storageUnavailable');
    expect([stored() ?? '', told().join('')]).toEqual(isWhole ? ['abcd', 'abcd'] : [kept, kept]);
    say('e');
    rig.seat.settle();
    expect(told().join('')).toBe(`${isWhole ? 'abcd' : kept}e`);
  });

  test('are lost together where another owner opens the log', () => {
    const calls = ['a', 'b', 'c'].map(say);
    rig.seat.log.complete();
    takeAway();
    rig.seat.log.complete();
    expect([answers(calls), stored(), told()]).toEqual([
      ['well', 'storageUnavailable', 'storageUnavailable'],
      'a',
      ['a'],
    ]);
  });
});
