/** The program of a process of the process pool: runs one task after another, and ends with the server. */
import { toWireFailure, type WireFailure } from './errors.ts';

export interface HostTask {
  /** The address of a module, and the name of a function that it exports. */
  readonly file: string;
  readonly name: string;
  readonly input: unknown;
}

export type HostAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: WireFailure };

process.on('message', (task) => void answer(task as HostTask));
// The server has gone: this ends with whatever a task has started. The pool made this process the leader of its group.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));

async function answer({ file, name, input }: HostTask): Promise<void> {
  process.send!(await run(file, name, input));
}

async function run(file: string, name: string, input: unknown): Promise<HostAnswer> {
  try {
    const module = (await import(file)) as Record<string, (input: unknown) => unknown>;
    return { ok: true, value: await module[name]!(input) };
  } catch (error) {
    return { ok: false, failure: toWireFailure(error) };
  }
}
