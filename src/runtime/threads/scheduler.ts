/**
 * Reads what Linux records about the threads of this process: how long they ran, and how long they waited for a
 * processor.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Since the start of the thread. */
export interface ProcessorTimes {
  readonly ranMilliseconds: number;
  /** The time spent ready to run without a processor. A wait counts once it has ended. */
  readonly waitedMilliseconds: number;
}

/** Threads are named by their ids in the kernel. */
export interface Scheduler {
  /** Undefined for a thread that has ended. */
  timesOf(threadId: number): ProcessorTimes | undefined;
  /** The thread runs now, or would if it had a processor. */
  isRunnable(threadId: number): boolean;
  /** All threads of the process, those of V8 and of libraries included. */
  threadIds(): readonly number[];
}

const tasks = '/proc/self/task';
const nanosecondsPerMillisecond = 1_000_000;

/** The kernel id of the calling thread; 0 where the system does not provide it. */
export function ownThreadId(): number {
  if (process.platform !== 'linux') return 0;
  try {
    // "<process>/task/<thread>"
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || 0;
  } catch (error) {
    if (isSystemError(error)) return 0;
    throw error;
  }
}

/** Undefined where the system does not record such times. */
export function systemScheduler(): Scheduler | undefined {
  const known = timesOf(ownThreadId());
  return known === undefined || known.ranMilliseconds === 0 ? undefined : { timesOf, isRunnable, threadIds };
}

function timesOf(threadId: number): ProcessorTimes | undefined {
  const text = readTask(threadId, 'schedstat');
  if (text === undefined) return undefined;
  const [ran, waited] = text.split(' ').map(Number);
  return { ranMilliseconds: ran! / nanosecondsPerMillisecond, waitedMilliseconds: waited! / nanosecondsPerMillisecond };
}

function isRunnable(threadId: number): boolean {
  const text = readTask(threadId, 'stat');
  // The state follows the name, which is in parentheses and may contain any character.
  return text !== undefined && text[text.lastIndexOf(')') + 2] === 'R';
}

function threadIds(): readonly number[] {
  return readdirSync(tasks).map(Number);
}

function readTask(threadId: number, file: 'schedstat' | 'stat'): string | undefined {
  try {
    return readFileSync(`${tasks}/${threadId}/${file}`, 'latin1');
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
