/** A copy of the project in which faults are planted, one at a time: the checkout is never touched. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type PlantedFault, withFault } from './fault.ts';

const leftOut = /^(node_modules|\.git|dist|data|bench\/results)$/;
/** A test file is ended after this, which counts as not found. A busy machine takes minutes. */
const fileMillisecondsMax = 600_000;
/** Simulations run three times as many seeds as in the normal suite. */
const seedFactor = '3';

export interface TestRun {
  readonly seconds: number;
  /** The first test that failed, and its first complaint; undefined where all have passed or none has run. */
  readonly failure: { readonly test: string; readonly complaint: string } | undefined;
  readonly hasPassed: boolean;
}

/** The part of Vitest's JSON report that is read. */
interface Report {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

export class CopiedTree {
  private readonly root = mkdtempSync(join(tmpdir(), 'murmuration-faults-'));

  constructor(original: string) {
    cpSync(original, this.root, {
      recursive: true,
      filter: (path) => !leftOut.test(relative(original, path).replaceAll('\\', '/')),
    });
    symlinkSync(join(original, 'node_modules'), join(this.root, 'node_modules'));
  }

  /** Runs the test that must find the fault, with the fault planted. */
  async tryFault(fault: PlantedFault): Promise<TestRun> {
    const path = join(this.root, fault.file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, withFault(fault, source));
    try {
      return await this.run([fault.foundBy]);
    } finally {
      writeFileSync(path, source);
    }
  }

  /** Runs tests until one fails. */
  async run(files: readonly string[]): Promise<TestRun> {
    const report = join(this.root, 'report.json');
    rmSync(report, { force: true });
    const vitest = join(this.root, 'node_modules/vitest/vitest.mjs');
    const flags = ['--bail=1', '--retry=0', '--reporter=json', `--outputFile=${report}`];
    const begunAt = performance.now();
    await new Promise<void>((resolve) => {
      const child = spawn(process.execPath, [vitest, 'run', ...files, ...flags], {
        cwd: this.root,
        env: { ...process.env, MURMURATION_SEED_FACTOR: seedFactor },
        stdio: 'ignore',
        timeout: files.length * fileMillisecondsMax,
        killSignal: 'SIGKILL',
      });
      child.once('exit', () => resolve());
    });
    const seconds = (performance.now() - begunAt) / 1_000;
    if (!existsSync(report)) return { seconds, failure: undefined, hasPassed: false };
    return { seconds, ...resultOf(JSON.parse(readFileSync(report, 'utf8')) as Report) };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A file that does not load has no failed test: then the planting is wrong, not the code. */
function resultOf({ success, testResults }: Report): Pick<TestRun, 'failure' | 'hasPassed'> {
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === 'failed');
  if (failed === undefined) return { failure: undefined, hasPassed: success };
  const complaint = (failed.failureMessages?.[0] ?? '').split('\n', 1)[0]!;
  return { failure: { test: failed.fullName.trim(), complaint }, hasPassed: false };
}
