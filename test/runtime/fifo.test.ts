import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fifo } from '../../src/runtime/partition/fifo.ts';

test('gives back what came first, and nothing from an empty queue', () => {
  const queue = new Fifo<string>();
  expect([queue.length, queue.peek(), queue.shift()]).toEqual([0, undefined, undefined]);
  queue.push('alice');
  queue.push('bob');
  expect([queue.length, queue.peek()]).toEqual([2, 'alice']);
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(['alice', 'bob', undefined]);
  expect(queue.length).toBe(0);
});

test('is empty after clear', () => {
  const queue = new Fifo<number>();
  for (let item = 0; item < 3; item += 1) queue.push(item);
  queue.clear();
  expect([queue.length, queue.shift()]).toEqual([0, undefined]);
  queue.push(9);
  expect(queue.shift()).toBe(9);
});

test('behaves like an array under any mixture of pushes and shifts, also when it grows long', () => {
  const steps = fc.array(fc.oneof(fc.constant('shift' as const), fc.integer({ min: 1, max: 900 })), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (operations) => {
      const queue = new Fifo<number>();
      const model: number[] = [];
      let next = 0;
      for (const operation of operations) {
        const times = operation === 'shift' ? 700 : operation;
        for (let time = 0; time < times; time += 1) {
          expect([queue.at(0), queue.at(time), queue.at(-1)]).toEqual([model[0], model[time], undefined]);
          if (operation === 'shift') expect(queue.shift()).toBe(model.shift());
          else {
            queue.push(next);
            model.push(next);
            next += 1;
          }
        }
        expect([queue.length, queue.peek()]).toEqual([model.length, model[0]]);
      }
    }),
    { numRuns: 50 },
  );
});
