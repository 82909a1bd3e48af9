/** So much work of one kind is under way, the rest waits in order. */
import { expect, test } from 'vitest';
import { Slots } from '../../src/services/slots.ts';

interface Begun {
  end(): void;
  fail(): void;
}

test('work begins at once while there are slots, then in order as others end, also by failing', async () => {
  const slots = new Slots(2);
  const begun: Begun[] = [];
  const work = () =>
    new Promise<void>((end, reject) => begun.push({ end, fail: () => reject(new Error('it failed')) }));
  const results = Array.from({ length: 5 }, () => slots.run(work).then(() => 'done', String));
  expect([begun.length, slots.isFull]).toEqual([2, true]);
  begun[1]!.fail();
  expect(await results[1]).toBe('Error: it failed');
  expect(begun).toHaveLength(3);
  begun[0]!.end();
  begun[2]!.end();
  expect([await results[0], await results[2], begun.length]).toEqual(['done', 'done', 5]);
  begun[3]!.end();
  expect([await results[3], slots.isFull]).toEqual(['done', false]);
  begun[4]!.end();
  expect(await results[4]).toBe('done');
});

test('work that throws at once frees its slot, and an answer is handed on', async () => {
  const slots = new Slots(1);
  const failing = slots.run(() => {
    throw new Error('it failed');
  });
  await expect(failing).rejects.toThrow('it failed');
  expect([await slots.run(() => 7), slots.isFull]).toEqual([7, false]);
});
