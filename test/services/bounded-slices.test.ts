import { expect, test } from 'vitest';
import { BoundedSlices } from '../../src/services/bounded-slices.ts';
import { TimeSlices } from '../../src/services/time-slices.ts';

const underWayMax = 2;

/** Says how many have begun, and how many of those are not done. */
function workshop() {
  const counts = { begun: 0, held: 0, mostHeld: 0 };
  const slices = new BoundedSlices(new TimeSlices(), underWayMax);
  function* work(pauses: number): Generator<undefined, number> {
    counts.begun += 1;
    for (let pause = 0; pause < pauses; pause += 1) {
      // What waits for its turn holds nothing before its first step.
      if (pause === 1) {
        counts.held += 1;
        counts.mostHeld = Math.max(counts.mostHeld, counts.held);
      }
      yield;
    }
    if (pauses > 1) counts.held -= 1;
    return pauses;
  }
  return { counts, run: (pauses: number, asker?: { hasLeft: boolean }) => slices.run(() => work(pauses), asker) };
}

test('work of one slice is done at once, however much is under way', async () => {
  const { run } = workshop();
  const long = Array.from({ length: 5 }, () => run(4));
  expect(run(0)).toBe(0);
  expect(await Promise.all(long)).toEqual([4, 4, 4, 4, 4]);
});

test('only some work is under way, and what waits begins anew', async () => {
  const { counts, run } = workshop();
  expect(await Promise.all(Array.from({ length: 7 }, () => run(3)))).toEqual([3, 3, 3, 3, 3, 3, 3]);
  expect(counts).toEqual({ begun: 7 + (7 - underWayMax), held: 0, mostHeld: underWayMax });
});

test('the second slice runs in another round of the event loop than the first', async () => {
  const { counts, run } = workshop();
  const long = run(2);
  expect(counts.held).toBe(0);
  expect(await long).toBe(2);
});

test('work of an asker who has left ends, and gives its place to others', async () => {
  const { counts, run } = workshop();
  const askers = Array.from({ length: 4 }, () => ({ hasLeft: false }));
  const asked = askers.map((asker) => Promise.resolve(run(9, asker)).catch((error: { code: string }) => error.code));
  for (const asker of askers.slice(0, 3)) asker.hasLeft = true;
  expect(await Promise.all(asked)).toEqual(['expired', 'expired', 'expired', 9]);
  expect(counts.held).toBe(0);
});
