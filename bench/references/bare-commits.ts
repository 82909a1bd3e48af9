/**
 * The limit of a write: the puts of recorded batches, the same bytes in the same groups, committed by LMDB itself into a
 * copy of the same database. Each environment commits its batches in order, one at a time, and they run side by side, as
 * those of a server do.
 */

import { performance } from 'node:perf_hooks';
import { type Key, open, type RootDatabase } from 'lmdb';
import type { Window } from '../measure/pairs.ts';
import { serveChild } from '../processes/child.ts';
import { type RecordedBatch, readRecording } from '../seed/recording.ts';

type Environment = RootDatabase<Uint8Array, Key>;

let environments: Environment[] = [];
let recording: Iterator<RecordedBatch>;

serveChild({
  prepare(request: { paths: readonly string[]; recording: string }) {
    environments = request.paths.map(openEnvironment);
    recording = readRecording(request.recording);
  },
  commit,
});

/** The settings of the server's log (src/runtime/storage/lmdb-log.ts): durable when the promise settles. */
function openEnvironment(path: string): Environment {
  return open<Uint8Array, Key>({
    path,
    encoding: 'binary',
    keyEncoding: 'binary',
    overlappingSync: false,
    eventTurnBatching: false,
    cache: false,
  });
}

/** Commits the next `commits` batches; `operations` is what they stand for. */
async function commit({ commits, operations }: { commits: number; operations: number }): Promise<Window> {
  const queues = environments.map((): RecordedBatch[] => []);
  for (let count = 0; count < commits; count += 1) {
    const next = recording.next();
    if (next.done === true) throw new Error('the recording is too short');
    queues[next.value.partition]!.push(next.value);
  }
  const startedAt = performance.now();
  const startedCpu = process.cpuUsage();
  await Promise.all(queues.map((batches, partition) => commitAll(environments[partition]!, batches)));
  const { user, system } = process.cpuUsage(startedCpu);
  const wallMilliseconds = performance.now() - startedAt;
  return { operations, cpuMicroseconds: user + system, wallMilliseconds, busyShare: undefined, failures: 0 };
}

async function commitAll(environment: Environment, batches: readonly RecordedBatch[]): Promise<void> {
  for (const { keys, values } of batches) {
    await environment.batch(() => {
      for (const [index, key] of keys.entries()) {
        const value = values[index];
        if (value === undefined) environment.remove(key);
        else environment.put(key, value);
      }
    });
  }
}
