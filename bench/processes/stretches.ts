/**
 * Loaded into every thread of a server (`--import`): SIGPWR begins to measure how long its event loop runs without looking
 * for new requests, the next one writes the stretches to BENCH_STRETCHES_FOLDER. Each is measured in CPU of the thread,
 * which is what the server did, and in time, which includes what the machine did meanwhile.
 *
 * While it measures the loop never sleeps: a stretch begins with one callback of `setImmediate` and ends with the next.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { BroadcastChannel, isMainThread, threadId, workerData } from 'node:worker_threads';

/** What a thread writes: in milliseconds, those worth mentioning. */
export interface WrittenStretches {
  readonly cpu: readonly number[];
  readonly wall: readonly number[];
}

const folder = process.env.BENCH_STRETCHES_FOLDER!;
const shownFromMilliseconds = 0.25;
const channel = new BroadcastChannel('bench stretches');
channel.unref();
let running = false;
let cpu: number[] = [];
let wall: number[] = [];
let cpuBefore = 0;
let wallBefore = 0;

/**
 * Linux counts the CPU of a running thread at each tick of its clock, every few milliseconds. Asked for the process it
 * brings the count of the asking thread up to date first.
 */
function threadCpuMilliseconds(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function tick(): void {
  if (!running) return;
  const cpuNow = threadCpuMilliseconds();
  const wallNow = performance.now();
  if (cpuNow - cpuBefore >= shownFromMilliseconds) cpu.push(cpuNow - cpuBefore);
  if (wallNow - wallBefore >= shownFromMilliseconds) wall.push(wallNow - wallBefore);
  cpuBefore = cpuNow;
  wallBefore = wallNow;
  setImmediate(tick);
}

function toggle(): void {
  const path = join(folder, `${role}-${threadId}`);
  running = !running;
  if (!running) {
    writeFileSync(`${path}.running`, JSON.stringify({ cpu, wall } satisfies WrittenStretches));
    renameSync(`${path}.running`, `${path}.json`);
    return;
  }
  [cpu, wall] = [[], []];
  cpuBefore = threadCpuMilliseconds();
  wallBefore = performance.now();
  writeFileSync(`${path}.running`, '');
  setImmediate(tick);
}

const role = (workerData as { readonly name?: { readonly role: string } } | null)?.name?.role;
if (role === 'gateway' || role === 'owner') channel.onmessage = () => toggle();
if (isMainThread) {
  process.on('SIGPWR', () => channel.postMessage('toggle'));
}
