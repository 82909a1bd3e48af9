/** A node that stands by makes snapshots again and again, each in a process of its own, which takes nothing from following the logs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Options } from '../../options/table.ts';
import type { Clock } from '../../runtime/ports.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import type { Report } from '../log.ts';
import type { Standby } from './standby.ts';

export interface KeepingInput {
  readonly options: Pick<Options, 'clusterSnapshotHours' | 'clusterSnapshotMegabytes'>;
  readonly standby: Pick<Standby, 'bytesRead'>;
  readonly entry: URL;
  /** Options of this server, which its commands take from the environment. */
  readonly programArguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly report: Report;
  readonly clock?: Pick<Clock, 'monotonic'>;
}

const lookMilliseconds = 10_000;
const hourMilliseconds = 3_600_000;
const bytesPerMegabyte = 1_000_000;

/** Returns what ends it, also a snapshot that is being made. */
export function keepSnapshots(input: KeepingInput): () => void {
  const { options, standby, report, clock = systemClock } = input;
  const ended = new AbortController();
  let isMaking = false;
  let madeAt = clock.monotonic();
  let madeBytes = 0;
  const look = async () => {
    const sinceHours = (clock.monotonic() - madeAt) / hourMilliseconds;
    const sinceBytes = standby.bytesRead - madeBytes;
    const isDue =
      sinceHours >= options.clusterSnapshotHours || sinceBytes >= options.clusterSnapshotMegabytes * bytesPerMegabyte;
    if (isMaking || !isDue || sinceBytes === 0) return;
    isMaking = true;
    madeAt = clock.monotonic();
    madeBytes = standby.bytesRead;
    try {
      await make(input, ended.signal);
    } catch (error) {
      // Its program could not be started.
      report({ level: 'error', message: 'a snapshot could not be made', error });
    } finally {
      isMaking = false;
    }
  };
  const timer = setInterval(() => void look(), lookMilliseconds).unref();
  return () => {
    clearInterval(timer);
    ended.abort();
  };
}

/** Whatever it says is reported where it fails; the next one is made as if it had not. */
async function make(
  { entry, programArguments, environment, report }: KeepingInput,
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(entry), 'cluster', 'snapshot'], {
    env: { ...environment, ...environmentOf(programArguments) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  signal.addEventListener('abort', () => child.kill(), { once: true });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-saidCharactersMax);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0 && !signal.aborted)
    report({ level: 'error', message: `a snapshot could not be made: ${said.trim()}` });
}

const saidCharactersMax = 1_000;

/** `--data-dir=x` as MURMURATION_DATA_DIR=x. */
function environmentOf(programArguments: readonly string[]): Record<string, string> {
  const options = programArguments.flatMap((argument) => {
    const [, name, value] = /^--([a-z0-9-]+)=(.*)$/s.exec(argument) ?? [];
    return name === undefined ? [] : [[`MURMURATION_${name.toUpperCase().replaceAll('-', '_')}`, value!] as const];
  });
  return Object.fromEntries(options);
}
