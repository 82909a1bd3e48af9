/**
 * A pool of child processes, for tasks that run native code on files of strangers. A file that crashes such a task, makes
 * it run for ever or fills its memory costs one child process and nothing of the server. Tasks of trusted code belong to a pool of
 * threads (`pool.ts`), which is cheaper.
 *
 * 1. A process runs one task at a time. It is killed with its own children when the task passes its deadline or the
 *    memory bound, and a new one starts for the next task.
 * 2. Processes get no variables of the server's environment but the path, so that no secret reaches them.
 * 3. They start with the first task, end when idle, and end with the server, however that ends.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { Failure, fromWireFailure } from './errors.ts';
import { processPoolLimits } from './limits.ts';
import type { Pool } from './pool.ts';
import type { HostAnswer, HostTask } from './process-host.task.ts';

export interface ProcessPoolOptions {
  /** The built module `runtime/process-host.task`. */
  readonly host: URL;
  /** At least 1. */
  readonly processes: number;
  /** Resident memory of one process. Known on Linux only; elsewhere nothing is bounded. */
  readonly memoryBytesMax: number;
}

/** The process of a task was ended: the input is at fault, and would be again. */
export class TaskKilled extends Error {
  readonly reason: 'deadline' | 'memory' | 'crash';

  constructor(reason: TaskKilled['reason']) {
    super(`the process of the task ended: ${reason}`);
    this.name = 'TaskKilled';
    this.reason = reason;
  }
}

interface Waiting {
  readonly task: HostTask;
  readonly deadlineMilliseconds: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export class ProcessPool implements Pool {
  private readonly options: ProcessPoolOptions;
  private readonly waiting: Waiting[] = [];
  private readonly processes = new Set<PoolProcess>();
  private isClosed = false;

  constructor(options: ProcessPoolOptions) {
    this.options = options;
  }

  /**
   * Runs the exported function `name` of a `*.task.ts` file with a structured-clonable input. The deadline counts from
   * the start of the task. Throws Failure `overloaded` when too many wait, TaskKilled, and Failures of the task.
   */
  run<Result>(file: URL, name: string, input: unknown, deadlineMilliseconds: number): Promise<Result> {
    if (this.isClosed || this.waiting.length >= processPoolLimits.waitingTasksMax)
      return Promise.reject(new Failure('overloaded'));
    return new Promise<Result>((resolve, reject) => {
      const task = { file: file.href, name, input };
      this.waiting.push({ task, deadlineMilliseconds, resolve: (value) => resolve(value as Result), reject });
      this.assign();
    });
  }

  /** Tasks that run or wait. */
  get load(): number {
    return this.waiting.length + [...this.processes].filter((process) => process.isBusy).length;
  }

  /** Kills what runs; its callers, and those that wait, get `overloaded`. */
  close(): Promise<void> {
    this.isClosed = true;
    for (const { reject } of this.waiting.splice(0)) reject(new Failure('overloaded'));
    for (const process of this.processes) process.end(new Failure('overloaded'));
    return Promise.resolve();
  }

  private assign(): void {
    while (this.waiting.length > 0) {
      const process = [...this.processes].find(({ isBusy }) => !isBusy) ?? this.start();
      if (process === undefined) return;
      process.run(this.waiting.shift()!);
    }
  }

  private start(): PoolProcess | undefined {
    if (this.processes.size >= this.options.processes) return undefined;
    const process = new PoolProcess(this.options, {
      freed: () => this.assign(),
      ended: () => {
        this.processes.delete(process);
        if (!this.isClosed) this.assign();
      },
    });
    this.processes.add(process);
    return process;
  }
}

interface Listener {
  freed(): void;
  ended(): void;
}

class PoolProcess {
  private readonly child: ChildProcess;
  private readonly memoryBytesMax: number;
  private readonly listener: Listener;
  private current: Waiting | undefined;
  private tasks = 0;
  private deadline: NodeJS.Timeout | undefined;
  private memoryWatch: NodeJS.Timeout | undefined;
  private idle: NodeJS.Timeout | undefined;
  private hasEnded = false;

  constructor({ host, memoryBytesMax }: ProcessPoolOptions, listener: Listener) {
    this.memoryBytesMax = memoryBytesMax;
    this.listener = listener;
    // A group of its own, so that whatever the task has started is killed with it.
    this.child = fork(host, {
      detached: true,
      execArgv: [],
      serialization: 'advanced',
      stdio: 'ignore',
      env: environment(),
    });
    // Serving comes first.
    if (this.child.pid !== undefined) setPriority(this.child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    this.child.on('message', (answer) => this.settle(answer as HostAnswer));
    this.child.on('error', () => this.end(new TaskKilled('crash')));
    this.child.once('exit', () => this.end(new TaskKilled('crash')));
    this.child.unref();
    this.child.channel?.unref();
  }

  get isBusy(): boolean {
    return this.current !== undefined;
  }

  run(waiting: Waiting): void {
    clearTimeout(this.idle);
    this.current = waiting;
    this.tasks += 1;
    this.child.channel?.ref();
    this.deadline = setTimeout(() => this.end(new TaskKilled('deadline')), waiting.deadlineMilliseconds);
    this.memoryWatch = setInterval(() => void this.watchMemory(), processPoolLimits.memoryWatchMilliseconds);
    this.child.send(waiting.task);
  }

  /** Kills the process and its children. The task that runs, if any, fails with `error`. */
  end(error: Error): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.stopWatching();
    clearTimeout(this.idle);
    killGroup(this.child);
    const { current } = this;
    this.current = undefined;
    current?.reject(error);
    this.listener.ended();
  }

  private settle(answer: HostAnswer): void {
    const { current } = this;
    if (current === undefined) return;
    this.current = undefined;
    this.stopWatching();
    this.child.channel?.unref();
    if (answer.ok) current.resolve(answer.value);
    else current.reject(fromWireFailure(answer.failure));
    // Memory that native code leaks or scatters is returned by ending now and then.
    if (this.tasks >= processPoolLimits.tasksOfProcessMax) this.end(new Failure('overloaded'));
    else this.rest();
  }

  private rest(): void {
    this.idle = setTimeout(() => this.end(new Failure('overloaded')), processPoolLimits.idleMilliseconds).unref();
    this.listener.freed();
  }

  private stopWatching(): void {
    clearTimeout(this.deadline);
    clearInterval(this.memoryWatch);
  }

  private async watchMemory(): Promise<void> {
    const { current } = this;
    const bytes = await residentBytes(this.child.pid!);
    if (bytes > this.memoryBytesMax && this.current === current && current !== undefined)
      this.end(new TaskKilled('memory'));
  }
}

function environment(): Record<string, string> {
  const { PATH = '' } = process.env;
  // One thread each for input, output and decoding; few arenas, because every one keeps freed memory.
  return { PATH, UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2' };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const pageBytes = 4_096;

/** 0 where the system does not tell. */
async function residentBytes(pid: number): Promise<number> {
  try {
    const [, pages] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ', 2);
    return Number(pages) * pageBytes;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return 0;
    throw error;
  }
}
