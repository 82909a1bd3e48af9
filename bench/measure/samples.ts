/** Raw samples as JSON lines, one file a run: whoever doubts a figure computes it again. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';

export interface Samples {
  write(sample: Readonly<Record<string, unknown>>): void;
}

export function discardSamples(): Samples {
  return { write: () => undefined };
}

/** Begins a file in `folder` with what the machine is; answers its path too. */
export function openSamples(folder: string, size: string): Samples & { readonly path: string } {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${new Date().toISOString().replaceAll(':', '-')}.jsonl`);
  writeFileSync(path, `${JSON.stringify({ kind: 'machine', size, ...machine() })}\n`);
  return { path, write: (sample) => appendFileSync(path, `${JSON.stringify(sample)}\n`) };
}

export function machine() {
  const processors = cpus();
  return {
    at: new Date().toISOString(),
    processor: processors[0]?.model,
    cores: processors.length,
    memoryBytes: totalmem(),
    kernel: release(),
    node: process.version,
    commit: commitOfProject(),
  };
}

function commitOfProject(): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch (error) {
    // A copy without its history, or a history without a commit.
    if (error instanceof Error) return undefined;
    throw error;
  }
}
