/** `npm start` of a folder, as an operator types it, until the first request is answered. */
import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { performance } from 'node:perf_hooks';
import { rawAnswerOf } from '../generators/raw-answer.ts';

export interface StartInput {
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  /** A whole request, sent again and again until it is answered with 200. */
  readonly request: string;
  readonly environment: Readonly<Record<string, string>>;
}

const answerMilliseconds = 60_000;
const pauseMilliseconds = 5;

/** From the spawn to the end of the first answer. The server has ended when it settles; throws when it does not answer. */
export async function millisecondsToFirstAnswer(input: StartInput): Promise<number> {
  const begunAt = performance.now();
  const npm = spawn('npm', ['start'], {
    cwd: input.folder,
    env: { ...operatorEnvironment(), ...input.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group of its own, so that all of it can be told to stop.
    detached: true,
  });
  npm.stdout.resume();
  // When the last of the group has let go of the pipe; npm itself does not wait for what it started.
  const ended = new Promise((resolve) => npm.once('close', resolve));
  const kill = () => signalGroup(npm, 'SIGKILL');
  process.once('exit', kill);
  try {
    while (!(await answers(input))) {
      if (performance.now() - begunAt > answerMilliseconds) throw new Error('npm start: nobody answers');
      await pause();
    }
    return performance.now() - begunAt;
  } finally {
    signalGroup(npm, 'SIGTERM');
    await ended;
    process.off('exit', kill);
  }
}

async function answers({ host, port, request }: StartInput): Promise<boolean> {
  try {
    return (await rawAnswerOf(host, port, request)).status === 200;
  } catch (error) {
    // Not yet: nobody listens, or whoever tried the port has left it again.
    if (error instanceof Error) return false;
    throw error;
  }
}

/** Without what npm has put there if it runs the bench: another Node may be first in its path. */
function operatorEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_)/.test(name));
  const path = process.env.PATH?.split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return { ...Object.fromEntries(kept), PATH: path?.join(delimiter) };
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid!, signal);
  } catch (error) {
    // Nobody of it is left.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
}
