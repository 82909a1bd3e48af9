import { expect, test } from 'vitest';
import { expectLinear } from './cost.ts';

test('work that looks at everything once is linear', () => {
  expectLinear(400_000, (size) => 'a'.repeat(size).replaceAll('a', 'b'));
});

test('work that looks from each place to the end is noticed', () => {
  // The engine starts at every position and scans to the end from each: quadratic.
  expect(() => expectLinear(15_000, (size) => /a+b/.test('a'.repeat(size)))).toThrow(/not linear/);
});
