/** What long work shows. */
import { expect, test } from 'vitest';
import { progressBar } from '../../src/server/progress-bar.ts';

test.each([
  [0, 10, '[                              ]   0 %'],
  [47, 100, '[##############                ]  47 %'],
  [10, 10, '[##############################] 100 %'],
  // Nothing to do is done.
  [0, 0, '[##############################] 100 %'],
  // A file may grow meanwhile.
  [11, 10, '[##############################] 100 %'],
])('%d of %d', (done, total, bar) => {
  expect(progressBar(done, total)).toBe(bar);
});
