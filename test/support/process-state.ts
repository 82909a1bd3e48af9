/** State of a process that test files could leave to each other, as plain data to compare. */

/** Servers and child processes. Connections of clients may be kept for a while; Node does not list threads. */
const resources = ['TCPServerWrap', 'PipeServerWrap', 'ProcessWrap', 'FSEventWrap'] as const;

export interface ProcessState {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly exitCode: unknown;
  readonly globals: readonly string[];
  /** By event of the process. */
  readonly listeners: Readonly<Record<string, number>>;
  readonly resources: Readonly<Record<string, number>>;
}

export function processState(): ProcessState {
  const active = process.getActiveResourcesInfo();
  return {
    environment: { ...process.env },
    folder: process.cwd(),
    exitCode: process.exitCode,
    globals: Object.getOwnPropertyNames(globalThis).sort(),
    listeners: Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)])),
    resources: Object.fromEntries(resources.map((kind) => [kind, active.filter((each) => each === kind).length])),
  };
}

/** Whether nothing runs that did not run before. */
export function isAtRest(before: ProcessState, after: ProcessState): boolean {
  return resources.every((kind) => after.resources[kind]! <= before.resources[kind]!);
}
