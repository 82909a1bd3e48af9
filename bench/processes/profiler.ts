/**
 * Loaded into every thread of a process that is profiled (`--import`): SIGUSR2 begins a CPU profile in all of them, the
 * next one writes it to BENCH_PROFILE_FOLDER. So a profile shows the windows that count, not the start.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

const folder = process.env.BENCH_PROFILE_FOLDER!;
const intervalMicroseconds = 200;
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: intervalMicroseconds });
const channel = new BroadcastChannel('bench profiler');
channel.unref();
channel.onmessage = () => toggle();
let running = false;

function toggle(): void {
  running = !running;
  if (running) {
    session.post('Profiler.start');
    return;
  }
  session.post('Profiler.stop', (error, result) => {
    if (error !== null) throw error;
    const path = join(folder, `${process.pid}-${threadId}.cpuprofile`);
    writeFileSync(path, JSON.stringify(result.profile));
  });
}

if (isMainThread) {
  process.on('SIGUSR2', () => {
    toggle();
    channel.postMessage('toggle');
  });
}
