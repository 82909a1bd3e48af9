/**
 * Which process a test file runs in. Most share two: the sources are loaded once there, and `left-behind.ts` complains
 * about a file that leaves something to the next one.
 */

/** These replace a module for every test of theirs (`vi.mock`), or measure a process that nobody else has used. */
export const filesAlone: readonly string[] = [
  'test/bench/*.test.ts',
  'test/runtime/deadlines.test.ts',
  'test/runtime/partition-effects-bounds.test.ts',
  'test/runtime/partition-lowered-bounds.test.ts',
  'test/sim/*.test.ts',
];
