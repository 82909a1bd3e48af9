/** Windows of HTTP load on a process, as the scenarios use them. */

import type { Window } from '../measure/pairs.ts';
import { cpuMicrosecondsOf } from '../measure/process-cpu.ts';
import { type Child, openChild } from '../processes/child.ts';
import type { GeneratorTarget, LoadResult, Schedule, ScheduleResult } from './generator.ts';

export interface HttpLoad {
  prepare(target: GeneratorTarget): Promise<void>;
  /** A window of waves; the CPU is that of the process `processId`. */
  waves(processId: number, milliseconds: number): Promise<Window>;
  /** A window of the closed loop; the CPU is that of the process `processId`. */
  loop(processId: number, milliseconds: number): Promise<Window>;
  /** Every request once, as fast as they are answered. */
  once(): Promise<LoadResult>;
  /** Open loop. */
  schedule(ratePerSecond: number, milliseconds: number, inTime?: Schedule['inTime']): Promise<ScheduleResult>;
  stop(): Promise<void>;
}

export function openHttpLoad(core?: number): HttpLoad {
  const child: Child = openChild(new URL('./generator.ts', import.meta.url), { core });
  const window = (kind: 'waves' | 'loop') => async (processId: number, milliseconds: number) => {
    const before = cpuMicrosecondsOf(processId);
    const result = await child.ask<LoadResult>(kind, { milliseconds });
    return { ...result, cpuMicroseconds: cpuMicrosecondsOf(processId) - before };
  };
  return {
    // By name: the caller may have handed over more than can be sent to another process.
    prepare: ({ host, port, connections, requests }) => child.ask('prepare', { host, port, connections, requests }),
    waves: window('waves'),
    loop: window('loop'),
    once: () => child.ask('once'),
    schedule: (ratePerSecond, milliseconds, inTime) => child.ask('schedule', { ratePerSecond, milliseconds, inTime }),
    stop: () => child.stop(),
  };
}

/** The bytes of a request as a client library sends it. */
export function httpRequest(
  method: string,
  host: string,
  path: string,
  options: { readonly token?: string; readonly json?: unknown } = {},
): string {
  const body = options.json === undefined ? '' : JSON.stringify(options.json);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    'User-Agent: bench',
    'Accept: application/json',
    ...(options.token === undefined ? [] : [`Authorization: Bearer ${options.token}`]),
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
