import { describe, expect, test } from 'vitest';
import { TimeSlices } from '../../src/services/time-slices.ts';

function* counting(name: string, slices: number, done: string[]): Generator<undefined, string> {
  for (let slice = 1; slice < slices; slice += 1) {
    done.push(`${name}${slice}`);
    yield;
  }
  done.push(`${name}${slices}`);
  return name;
}

describe('work', () => {
  test('of one slice is done at once', () => {
    expect(new TimeSlices().run(counting('a', 1, []))).toBe('a');
  });

  test('of many slices takes turns, one slice in each round of the event loop', async () => {
    const slices = new TimeSlices();
    const done: string[] = [];
    const both = Promise.all([slices.run(counting('a', 3, done)), slices.run(counting('b', 3, done))]);
    const rounds: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      rounds.push(done.length);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await both).toEqual(['a', 'b']);
    expect(done).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
    expect(rounds).toEqual([2, 3, 4, 5, 6]);
  });

  test('of an asker who has left ends with the slice that it has come to, and the others go on', async () => {
    const slices = new TimeSlices();
    const [alice, bob] = [{ hasLeft: false }, { hasLeft: false }];
    const done: string[] = [];
    let isCleanedUp = false;
    function* work(): Generator<undefined, string> {
      try {
        return yield* counting('a', 9, done);
      } finally {
        isCleanedUp = true;
      }
    }
    const left = slices.run(work(), alice);
    const stayed = slices.run(counting('b', 3, done), bob);
    await new Promise((resolve) => setImmediate(resolve));
    alice.hasLeft = true;
    await expect(left).rejects.toMatchObject({ code: 'expired' });
    await expect(stayed).resolves.toBe('b');
    expect(done).toEqual(['a1', 'b1', 'a2', 'b2', 'b3']);
    expect(isCleanedUp).toBe(true);
  });

  test('that fails rejects, and the others go on', async () => {
    const slices = new TimeSlices();
    const failing = slices.run(
      (function* (): Generator<undefined, never> {
        yield;
        throw new Error('no');
      })(),
    );
    const other = slices.run(counting('b', 2, []));
    await expect(failing).rejects.toThrow('no');
    await expect(other).resolves.toBe('b');
  });
});
