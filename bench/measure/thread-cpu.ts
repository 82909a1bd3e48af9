/** The CPU of each thread of a process, as the scheduler counts it. Threads of Node have no names that tell them apart. */
import { readdirSync, readFileSync } from 'node:fs';

export type ThreadCpu = ReadonlyMap<string, number>;

/** Microseconds since they began. Throws where the kernel keeps no such statistics. */
export function threadCpuOf(processId: number): ThreadCpu {
  const folder = `/proc/${processId}/task`;
  const threads = readdirSync(folder).map((thread) => {
    const [nanoseconds] = readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ');
    return [thread, Number(nanoseconds) / 1_000] as const;
  });
  return new Map(threads);
}

export function grown(before: ThreadCpu, after: ThreadCpu): ThreadCpu {
  return new Map(Array.from(after, ([thread, cpu]) => [thread, cpu - (before.get(thread) ?? 0)] as const));
}
