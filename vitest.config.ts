import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real sockets, child processes and browsers: a test file owns its process, two at a time fit a two-core machine.
    pool: 'forks',
    maxWorkers: 2,
    // The long suites tell thousands of stories in one test.
    testTimeout: process.env.MURMURATION_LONG_TESTS === undefined ? 30_000 : 600_000,
    hookTimeout: 60_000,
  },
});
