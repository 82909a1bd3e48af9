/**
 * Loaded into every thread of a server (`--import`): at each SIGPWR the gateways and owners write what CPU they have used
 * since their start, in milliseconds, to BENCH_ROLE_CPU_FOLDER. Who is there has a file `ROLE-THREAD`, which a question
 * removes and an answer writes again.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BroadcastChannel, isMainThread, threadId, workerData } from 'node:worker_threads';

const folder = process.env.BENCH_ROLE_CPU_FOLDER!;
const channel = new BroadcastChannel('bench role cpu');
channel.unref();

function write(role: string): void {
  // Brings the count of this thread up to date.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  const path = join(folder, `${role}-${threadId}`);
  rmSync(path, { force: true });
  writeFileSync(`${path}.part`, String((user + system) / 1_000));
  renameSync(`${path}.part`, path);
}

const role = (workerData as { readonly name?: { readonly role: string } } | null)?.name?.role;
if (role === 'gateway' || role === 'owner') {
  write(role);
  channel.onmessage = () => write(role);
}
if (isMainThread) process.on('SIGPWR', () => channel.postMessage('write'));
