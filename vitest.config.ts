import { defineConfig } from 'vitest/config';
import { filesAlone } from './test/support/process-of-files.ts';

const include = ['test/**/*.test.ts'];
const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;

export default defineConfig({
  test: {
    // Files with servers, threads and browsers use less than a core each: they wait for disks, deadlines and each other. Three
    // at a time keep a two-core machine busy.
    pool: 'forks',
    maxWorkers: 3,
    // Tests make objects and drop them. V8 begins with little memory for new objects, collects often, and copies what lives.
    execArgv: ['--min-semi-space-size=16'],
    // For a test that never ends. A busy machine takes ten times as long, the long suites tell thousands of stories in one test.
    testTimeout: isLong ? 600_000 : 120_000,
    hookTimeout: 120_000,
    // Files that share a process must pass in any order; the run prints the seed of its order.
    sequence: { shuffle: { files: isLong } },
    projects: [
      { extends: true, test: { name: 'alone', include: [...filesAlone] } },
      {
        extends: true,
        test: {
          name: 'together',
          include,
          exclude: [...filesAlone],
          // Loading the sources anew costs as much as running the tests of most files.
          isolate: false,
          // Node itself loads the sources. Modules as Vite loads them read each import through a getter, which cost a quarter
          // of the CPU time of tests; files that replace modules need them.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          execArgv: ['--disable-warning=ExperimentalWarning'],
          setupFiles: ['test/support/left-behind.ts', 'test/support/fixed-seeds.ts'],
        },
      },
    ],
  },
});
