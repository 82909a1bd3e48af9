import { describe, expect, test } from 'vitest';
import { backdatedIds } from '../../../../src/actors/account/statuses/backdated-ids.ts';
import { slotOfId, timeOfId } from '../../../../src/runtime/ids.ts';

const now = 1_700_000_000_000;

describe('the ids of what was published elsewhere', () => {
  const uri = 'https://social.example/notes/1';
  const candidates = (published: number, received: number, about = uri) => [
    ...backdatedIds(9, published, received, about),
  ];

  test('carry the time of publication to the millisecond', () => {
    expect(timeOfId(candidates(now - 5_001, now)[0]!)).toBe(now - 5_001);
  });

  test('whole seconds are spread over the second by the URI, and the same URI has the same place', () => {
    const published = Math.floor((now - 60_000) / 1000) * 1000;
    const times = Array.from({ length: 200 }, (_, index) =>
      timeOfId(candidates(published, now, `https://social.example/notes/${index}`)[0]!),
    );
    for (const time of times) expect(time - published).toBeGreaterThanOrEqual(0);
    for (const time of times) expect(time - published).toBeLessThan(1000);
    expect(new Set(times).size).toBeGreaterThan(150);
    expect(candidates(published, now)).toEqual(candidates(published, now));
  });

  test('are 64 different ones, all of the slot', () => {
    const ids = candidates(now - 5_001, now);
    expect(new Set(ids).size).toBe(64);
    for (const id of ids) expect(slotOfId(id)).toBe(9);
  });

  test.each([
    ['published in the future', now + 3_600_000, now],
    ['published this very millisecond', now, now],
    ['published in the second that is not over', Math.floor(now / 1000) * 1000, now],
    ['published before 1970', -62_135_596_800_000, now],
    ['published in 1970', 0, now],
  ])('%s: lie between 1970 and the millisecond before this one, where no live id will come', (_, published, received) => {
    for (const id of candidates(published, received)) {
      expect(timeOfId(id)).toBeGreaterThanOrEqual(0);
      expect(timeOfId(id)).toBeLessThan(received);
    }
  });
});
