/** What the load tool and the server under test use of the machine, second by second. */
import { existsSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { LoadFailure } from '../failure.ts';

export interface UsagePoint {
  readonly second: number;
  /** Shares of a core. */
  readonly tool: number;
  readonly server: number | undefined;
  /** Megabytes of its own, without pages of files. */
  readonly serverMegabytes: number | undefined;
}

export interface Usage {
  readonly toolCpuSeconds: number;
  /** The highest share of a core of any second. */
  readonly toolBusiest: number;
  readonly loopDelayP99Milliseconds: number;
  readonly loopDelayMostMilliseconds: number;
  readonly serverCpuSeconds: number | undefined;
  readonly serverMegabytesMost: number | undefined;
  readonly serverMegabytesLast: number | undefined;
}

export interface UsageMeter {
  begin(): void;
  endSecond(second: number): void;
  usage(): Usage;
  readonly points: readonly UsagePoint[];
}

interface Process {
  cpuMicroseconds(): number;
  megabytes(): number;
}

/** With a process id CPU and memory of that process and its children are read from /proc; a process that ends is 0 then. */
export async function openUsageMeter(processId: number | undefined): Promise<UsageMeter> {
  const server = processId === undefined ? undefined : await openProcess(processId);
  const loop = monitorEventLoopDelay({ resolution: 5 });
  const points: UsagePoint[] = [];
  let begun = process.cpuUsage();
  let last = { at: performance.now(), cpu: process.cpuUsage(), server: server?.cpuMicroseconds() };
  let serverBegun = last.server;
  return {
    points,
    begin() {
      begun = process.cpuUsage();
      last = { at: performance.now(), cpu: begun, server: server?.cpuMicroseconds() };
      serverBegun = last.server;
      loop.enable();
      loop.reset();
    },
    endSecond(second) {
      const at = performance.now();
      const microseconds = (at - last.at) * 1_000;
      const { user, system } = process.cpuUsage(last.cpu);
      const serverCpu = server?.cpuMicroseconds();
      points.push({
        second,
        tool: (user + system) / microseconds,
        server:
          serverCpu === undefined || last.server === undefined
            ? undefined
            : Math.max(0, serverCpu - last.server) / microseconds,
        serverMegabytes: server?.megabytes(),
      });
      last = { at, cpu: process.cpuUsage(), server: serverCpu };
    },
    usage() {
      const { user, system } = process.cpuUsage(begun);
      const serverCpu = server?.cpuMicroseconds();
      const megabytes = points.flatMap(({ serverMegabytes }) => serverMegabytes ?? []);
      return {
        toolCpuSeconds: (user + system) / 1e6,
        toolBusiest: Math.max(0, ...points.map(({ tool }) => tool)),
        loopDelayP99Milliseconds: loop.percentile(99) / 1e6,
        loopDelayMostMilliseconds: loop.max / 1e6,
        serverCpuSeconds: serverCpu === undefined ? undefined : Math.max(0, serverCpu - (serverBegun ?? 0)) / 1e6,
        serverMegabytesMost: megabytes.length === 0 ? undefined : Math.max(...megabytes),
        serverMegabytesLast: megabytes.at(-1),
      };
    },
  };
}

/** Rejects with a LoadFailure where there is no such process, or no /proc. */
async function openProcess(processId: number): Promise<Process> {
  if (!existsSync(`/proc/${processId}`)) throw new LoadFailure('processUnknown', `There is no process ${processId}.`);
  const { cpuMicrosecondsOf, residentBytesOf } = await import('../../measure/process-cpu.ts');
  const orZero = (read: () => number) => () => {
    try {
      return read();
    } catch (error) {
      if (error instanceof Error) return 0;
      throw error;
    }
  };
  return {
    cpuMicroseconds: orZero(() => cpuMicrosecondsOf(processId)),
    megabytes: orZero(() => residentBytesOf(processId).own / 1e6),
  };
}
