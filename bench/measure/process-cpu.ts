/** What a process has used, as the kernel counts it: CPU of all its threads and children, user and kernel; memory. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const microsecondsPerTick = 1_000_000 / ticksPerSecond;

/** CPU time since its start, in steps of one clock tick (10 ms on Linux). Throws when there is no such process. */
export function cpuMicrosecondsOf(processId: number): number {
  return [processId, ...descendantsOf(processId)].reduce((sum, id) => sum + ticksOf(id), 0) * microsecondsPerTick;
}

/** The same to the microsecond, as the scheduler counts it. Throws where the kernel keeps no such statistics. */
export function exactCpuMicrosecondsOf(processId: number): number {
  return scheduledMicrosecondsOf([processId, ...descendantsOf(processId)]);
}

/** The same of its own threads, without the processes that it has started. */
export function ownCpuMicrosecondsOf(processId: number): number {
  return scheduledMicrosecondsOf([processId]);
}

export interface ResidentBytes {
  readonly all: number;
  /** Without pages of files, which belong to the kernel's cache and go when somebody needs the room. */
  readonly own: number;
}

export function residentBytesOf(processId: number): ResidentBytes {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  const bytesOf = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)![1]) * 1024;
  return { all: bytesOf('VmRSS'), own: bytesOf('RssAnon') + bytesOf('RssShmem') };
}

function scheduledMicrosecondsOf(processIds: readonly number[]): number {
  const nanoseconds = processIds.flatMap((id) =>
    readdirSync(`/proc/${id}/task`).map((thread) =>
      Number(readFileSync(`/proc/${id}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    ),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000;
}

/** Fields 14 and 15 of proc(5) stat; the name in field 2 may hold anything, so counting begins behind it. */
function ticksOf(processId: number): number {
  const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

function descendantsOf(processId: number): number[] {
  const children = readdirSync(`/proc/${processId}/task`).flatMap((thread) =>
    readFileSync(`/proc/${processId}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}
