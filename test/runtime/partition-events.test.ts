/** The event log: one record per commit, published after it, retained for a while. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { EventBatch } from '../../src/runtime/events/event.ts';
import { reachesBack } from '../../src/runtime/events/event-log.ts';
import { partitionLimits } from '../../src/runtime/limits.ts';
import type { PartitionView } from '../../src/runtime/partition/views.ts';
import { StorageFailure } from '../../src/runtime/storage/log.ts';
import { events } from '../../src/runtime/storage/machine.ts';
import type { Reader } from '../../src/runtime/storage/reader.ts';
import { act, notes, playerOf, Said } from './support/players.ts';
import { Rig } from './support/rig.ts';

const alice = playerOf(0, 1);

let rig: Rig;

function prepare(): void {
  rig.scripts.define('say', (turn, argument) => {
    for (const what of argument as string[]) turn.emit(Said, { what });
  });
  rig.scripts.define('write', (turn) => turn.put(notes, [alice, 1], 'x'));
}

beforeEach(() => {
  rig = new Rig();
  prepare();
});

function said(batch: EventBatch): unknown[] {
  return batch.events.map(({ body }) => (body as { what: string }).what);
}

function logged(): [number, unknown[]][] {
  return [...rig.seat.disk.range(events, [])].map(({ key, value }) => [
    key[0],
    value.events.map(({ body }) => (body as { what: string }).what),
  ]);
}

test('events are told after their commit, together, in the order of their turns', () => {
  rig.call(act(alice, 'say', ['a', 'b']));
  rig.call(act(alice, 'say', ['c']));
  rig.seat.run();
  expect(rig.seat.published).toEqual([]);
  rig.seat.log.complete();
  expect(rig.seat.published.map(said)).toEqual([['a', 'b', 'c']]);
  expect(logged()).toEqual([[rig.seat.published[0]!.commit, ['a', 'b', 'c']]]);
});

test('commits are numbered upwards over restarts and failures; a commit without events has no record', () => {
  rig.call(act(alice, 'say', ['a']));
  rig.seat.settle();
  rig.call(act(alice, 'write'));
  rig.seat.settle();
  rig.seat.restart();
  rig.call(act(alice, 'say', ['b']));
  rig.seat.run();
  rig.seat.lose(0);
  rig.call(act(alice, 'say', ['c']));
  rig.seat.settle();
  expect(rig.seat.published.map(({ commit }) => commit)).toEqual([1, 3]);
  expect(logged()).toEqual([
    [1, ['a']],
    [3, ['c']],
  ]);
});

test('the commit of a partition is the last one that was told, not one that is under way', () => {
  rig.call(act(alice, 'say', ['a']));
  rig.seat.settle();
  rig.call(act(alice, 'say', ['b']));
  rig.seat.run();
  expect(rig.seat.partition.commit).toBe(1);
  rig.seat.log.complete();
  expect(rig.seat.partition.commit).toBe(2);
  rig.seat.restart();
  expect(rig.seat.partition.commit).toBe(2);
});

describe('an append that failed', () => {
  const publishedOf = () => rig.seat.published.map((batch) => [batch.commit, ...said(batch)]);

  test('and was applied is told all the same, once, before the commits after it', () => {
    rig.call(act(alice, 'say', ['a']));
    rig.seat.settle();
    rig.call(act(alice, 'say', ['the token was revoked', 'b']));
    rig.seat.run();
    rig.seat.lose(1);
    expect(publishedOf()).toEqual([
      [1, 'a'],
      [2, 'the token was revoked', 'b'],
    ]);
    rig.call(act(alice, 'say', ['c']));
    rig.seat.settle();
    expect(publishedOf().slice(2)).toEqual([[3, 'c']]);
    expect(rig.seat.partition.commit).toBe(3);
  });

  test('and was lost tells nothing', () => {
    rig.call(act(alice, 'say', ['a']));
    rig.seat.run();
    rig.seat.lose(0);
    rig.seat.settle();
    expect(publishedOf()).toEqual([]);
  });

  test('and was applied tells nothing to those who come after a restart', () => {
    rig.call(act(alice, 'say', ['a']));
    rig.seat.run();
    rig.seat.restart(1);
    rig.seat.settle();
    expect(publishedOf()).toEqual([]);
    expect(rig.seat.partition.commit).toBe(1);
  });
});

describe('the log forgets', () => {
  test('what is older than its age, a few records with each commit', () => {
    for (let commit = 0; commit < 10; commit += 1) {
      rig.call(act(alice, 'say', [`old ${commit}`]));
      rig.seat.settle();
    }
    rig.elapse(partitionLimits.eventAgeMilliseconds + 1);
    for (let commit = 1; commit <= 3; commit += 1) {
      rig.call(act(alice, 'say', [`new ${commit}`]));
      rig.seat.settle();
      const kept = Math.max(0, 10 - commit * partitionLimits.eventSweepPerCommit) + commit;
      expect(logged()).toHaveLength(kept);
    }
    expect(logged().map(([, what]) => what[0])).toEqual(['new 1', 'new 2', 'new 3']);
  });

  test('nothing that is younger, also when commits without events pass', () => {
    rig.call(act(alice, 'say', ['a']));
    rig.seat.settle();
    rig.elapse(partitionLimits.eventAgeMilliseconds);
    for (let commit = 0; commit < 5; commit += 1) {
      rig.call(act(alice, 'write'));
      rig.seat.settle();
    }
    expect(logged()).toHaveLength(1);
  });

  test('again, when the append that forgot was lost', () => {
    for (let commit = 0; commit < 6; commit += 1) {
      rig.call(act(alice, 'say', [`old ${commit}`]));
      rig.seat.settle();
    }
    rig.elapse(partitionLimits.eventAgeMilliseconds + 1);
    rig.call(act(alice, 'write'));
    rig.seat.run();
    rig.seat.lose(0);
    for (let commit = 0; commit < 2; commit += 1) {
      rig.call(act(alice, 'write'));
      rig.seat.settle();
    }
    expect(logged()).toEqual([]);
  });

  test('and knows which event went last', () => {
    const reaches = (commit: number, index: number) => reachesBack(rig.seat.disk, commit, index);
    rig.call(act(alice, 'say', ['a', 'b']));
    rig.seat.settle();
    expect(reaches(0, 0)).toBe(true);
    rig.elapse(partitionLimits.eventAgeMilliseconds + 1);
    rig.call(act(alice, 'write'));
    rig.seat.settle();
    expect(logged()).toEqual([]);
    expect([reaches(0, 0), reaches(1, 0), reaches(1, 1), reaches(2, 0)]).toEqual([false, false, true, true]);
  });
});

describe('what a view reads', () => {
  let reader: Reader | undefined;
  const note = () => reader?.get(notes, [alice, 1]);
  const allNotes = () => [...reader!.range(notes, [alice])].map(({ value }) => value);

  beforeEach(() => {
    rig = new Rig(1, [
      {
        name: 'looker',
        opened: (given) => {
          reader = given;
        },
        committed: () => [],
        control: () => [note(), ...allNotes()],
      },
    ]);
    rig.scripts.define('write', (turn, text) => turn.put(notes, [alice, 1], text as string));
    rig.scripts.define('look', (turn) => turn.get(notes, [alice, 1]));
  });
  const seen = () => rig.seat.partition.control('looker', undefined);

  test('is committed: neither what is in flight nor what waits behind it', () => {
    rig.call(act(alice, 'write', 'committed'));
    rig.seat.settle();
    rig.call(act(alice, 'write', 'in flight'));
    rig.seat.run();
    rig.call(act(alice, 'write', 'waiting'));
    rig.seat.run();
    expect(seen()).toEqual(['committed', 'committed']);
    rig.seat.log.complete();
    expect(seen()).toEqual(['in flight', 'in flight']);
    rig.seat.lose(0);
    rig.seat.settle();
    expect(seen()).toEqual(['in flight', 'in flight']);
  });

  test('is not kept for turns from before a commit', () => {
    rig.call(act(alice, 'write', 'first'));
    rig.seat.settle();
    rig.call(act(alice, 'write', 'second'));
    rig.seat.run();
    expect(seen()).toEqual(['first', 'first']);
    rig.seat.settle();
    const look = rig.call(act(alice, 'look'));
    rig.seat.settle();
    expect([rig.valueOf(look), seen()]).toEqual(['second', ['second', 'second']]);
  });
});

describe('a view', () => {
  const told: string[] = [];
  const view: PartitionView = {
    name: 'listener',
    opened: (_reader, commit) => void told.push(`opened at ${commit}`),
    committed: (batch) => {
      if (said(batch).includes('provocation')) throw new Error('provoked');
      told.push(`commit ${batch.commit}: ${said(batch)}`);
      return [{ index: 0, ids: [alice] }];
    },
    control: (request) => `heard ${request}`,
  };

  beforeEach(() => {
    told.length = 0;
    rig = new Rig(1, [view]);
    prepare();
  });

  test('follows the commits in order, before their replies leave, and names the recipients', () => {
    const call = rig.call(act(alice, 'say', ['a']));
    rig.seat.run();
    expect(told).toEqual(['opened at 0']);
    rig.seat.log.complete();
    expect(rig.repliesTo(call)).toHaveLength(1);
    rig.call(act(alice, 'say', ['b']));
    rig.seat.settle();
    expect(told).toEqual(['opened at 0', 'commit 1: a', 'commit 2: b']);
    expect(rig.seat.recipients).toEqual([[{ index: 0, ids: [alice] }], [{ index: 0, ids: [alice] }]]);
  });

  test('starts anew after a restart and after an append that was lost, and only then', () => {
    for (const [what, applied] of [
      ['a', 1],
      ['b', 0],
    ] as const) {
      rig.call(act(alice, 'say', [what]));
      rig.seat.run();
      rig.seat.lose(applied);
    }
    rig.seat.restart();
    expect(told).toEqual(['opened at 0', 'commit 1: a', 'opened at 1', 'opened at 1']);
  });

  test('that throws starts anew, and what was committed leaves all the same', () => {
    rig.scripts.define('provoke', (turn) => turn.emit(Said, { what: 'provocation' }));
    const call = rig.call(act(alice, 'provoke'));
    rig.seat.settle();
    expect(rig.repliesTo(call)).toHaveLength(1);
    expect(rig.seat.published).toHaveLength(1);
    expect(rig.seat.recipients).toEqual([undefined]);
    expect(rig.seat.problems.map(({ message }) => message)).toEqual(['the view listener failed']);
    expect(told).toEqual(['opened at 0', 'opened at 1']);
  });

  test.each([
    ['the disk cannot be read', () => new StorageFailure(new Error('EIO'))],
    ['a record cannot be decoded', () => new Error('it is no MessagePack')],
  ])('that cannot start anew either (%s) hides no event, and is tried again', (_why, failure) => {
    let fails = false;
    const reading: PartitionView = {
      ...view,
      opened(reader, commit) {
        if (fails) throw failure();
        view.opened(reader, commit);
      },
      committed(batch) {
        if (fails) throw failure();
        return view.committed(batch);
      },
    };
    rig = new Rig(1, [reading]);
    prepare();
    fails = true;
    const calls = ['the token was revoked', 'b'].map((what) => {
      const call = rig.call(act(alice, 'say', [what]));
      rig.seat.settle();
      return call;
    });
    expect(calls.map((call) => rig.repliesTo(call).length)).toEqual([1, 1]);
    expect(rig.seat.published.map(said)).toEqual([['the token was revoked'], ['b']]);
    expect(() => rig.seat.partition.control('listener', 'you')).toThrow(failure().message);
    fails = false;
    told.length = 0;
    expect(rig.seat.partition.control('listener', 'you')).toBe('heard you');
    rig.call(act(alice, 'say', ['c']));
    rig.seat.settle();
    expect(told).toEqual(['opened at 2', 'commit 3: c']);
    // Whoever depends on recipients is told where they are unknown.
    expect(rig.seat.recipients).toEqual([undefined, undefined, [{ index: 0, ids: [alice] }]]);
    expect(rig.seat.problems.map(({ message }) => message)).toEqual(['the view listener failed']);
  });

  test('answers a control request at once', () => {
    expect(rig.seat.partition.control('listener', 'you')).toBe('heard you');
    expect(() => rig.seat.partition.control('nobody', 'you')).toThrow('no view nobody');
  });
});
