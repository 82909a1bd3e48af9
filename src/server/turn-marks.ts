/**
 * Finds a message over which the whole process dies, as it may in native code. No thread survives that could say what it
 * was, and if the message is durable the next process meets it again. So the owners of a process that follows one that did
 * not close the data folder mark what they run (runtime/threads/turn-mark.ts):
 *
 * 1. The first death tells nothing but that it happened.
 * 2. What was marked at the next one is suspected.
 * 3. What was suspected and is marked again at the one after it is a poison message.
 *
 * A process that closes the folder clears all suspicion.
 */
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { digestCharactersShown } from '../runtime/threads/poison.ts';
import { type RunningMessage, runningIn } from '../runtime/threads/turn-watch.ts';
import type { Report } from './log.ts';

export interface TurnMarks {
  /** For the owners of this process; undefined where the last one closed the folder. */
  readonly pathOf: ((owner: number) => string) | undefined;
  /** Messages over which two processes in a row have died. */
  readonly killers: readonly RunningMessage[];
}

const running = /^running-(\d+)\.mark$/;
const suspected = /^suspected-\d+\.mark$/;

/** `wasLeftOpen`: the last process did not close the folder. */
export function readTurnMarks(folder: string, wasLeftOpen: boolean, report: Report): TurnMarks {
  const names = readdirSync(folder);
  const marks = names.filter((name) => running.test(name));
  const suspicions = names.filter((name) => suspected.test(name));
  const remove = (name: string) => rmSync(join(folder, name), { force: true });
  const messageIn = (name: string) => read(join(folder, name), report);
  if (!wasLeftOpen) {
    for (const name of [...marks, ...suspicions]) remove(name);
    return { pathOf: undefined, killers: [] };
  }
  const killers: RunningMessage[] = [];
  // Without marks no process has come so far as to run anything since.
  if (marks.length > 0) {
    const suspects = new Set(suspicions.map((name) => messageIn(name)?.digest));
    for (const name of suspicions) remove(name);
    for (const name of marks) {
      const message = messageIn(name);
      if (message !== undefined && !suspects.has(message.digest)) suspect(folder, name, message, report);
      else remove(name);
      if (message !== undefined && suspects.has(message.digest)) killers.push(message);
    }
  }
  return { pathOf: (owner) => join(folder, `running-${owner}.mark`), killers };
}

function suspect(folder: string, name: string, { digest }: RunningMessage, report: Report): void {
  renameSync(join(folder, name), join(folder, name.replace('running', 'suspected')));
  const shown = digest.slice(0, digestCharactersShown);
  const message = `the last process died while it ran the message ${shown}: if another one dies over it, it is not run again`;
  report({ level: 'warn', message });
}

/** Undefined where nothing was running. */
function read(path: string, report: Report): RunningMessage | undefined {
  try {
    const record = Uint8Array.from(readFileSync(path));
    return record.byteLength === 0 ? undefined : runningIn(record.buffer);
  } catch (error) {
    report({ level: 'warn', message: `the mark ${path} cannot be read, and is ignored`, error });
    return undefined;
  }
}
