/**
 * Which process a test file runs in. Most files share three processes, which load the sources once; `left-behind.ts`
 * fails a file that leaves something behind.
 */

/**
 * These files replace a module (`vi.mock`) or the timers (`vi.useFakeTimers`) for their whole process, or measure a fresh
 * one. The HTTP client keeps one timer per process for the deadlines of all connections: set on a faked clock, it never
 * rings again.
 */
export const filesAlone: readonly string[] = [
  'test/bench/*.test.ts',
  'test/gateway/http/large-answers.test.ts',
  'test/gateway/http/upload-pace.test.ts',
  'test/gateway/pages/live-threads.test.ts',
  'test/gateway/pages/live.test.ts',
  'test/gateway/streaming/turns.test.ts',
  'test/runtime/dead-letters-bounds.test.ts',
  'test/runtime/deadlines.test.ts',
  'test/runtime/partition-effects-bounds.test.ts',
  'test/runtime/partition-lowered-bounds.test.ts',
  'test/runtime/threads/clock.test.ts',
  'test/runtime/threads/overload.test.ts',
  'test/runtime/threads/requests.test.ts',
  'test/runtime/threads/supervisor.test.ts',
  'test/server/cluster/keep-snapshots.test.ts',
  'test/sim/*.test.ts',
];
