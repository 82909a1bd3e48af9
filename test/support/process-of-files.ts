/**
 * Which process a test file runs in. Most files share two processes, which load the sources once; `left-behind.ts`
 * fails a file that leaves something behind.
 */

/** These files replace a module for all of their tests (`vi.mock`), or measure a fresh process. */
export const filesAlone: readonly string[] = [
  'test/bench/*.test.ts',
  'test/runtime/dead-letters-bounds.test.ts',
  'test/runtime/deadlines.test.ts',
  'test/runtime/partition-effects-bounds.test.ts',
  'test/runtime/partition-lowered-bounds.test.ts',
  'test/sim/*.test.ts',
];
