/**
 * CPU pools: they run work of more than about a millisecond outside of the thread that asks. Workers start with the first
 * task and end when idle; every task has a deadline, and the queue is bounded.
 */
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import { Failure } from './errors.ts';

/** A pool as those who have work for it see it, whatever runs its tasks. */
export interface Pool {
  /**
   * Runs the exported function `name` of a `*.task.ts` file on a worker. Throws `overloaded` when the queue is full or the
   * deadline passes; errors of the task are passed on.
   */
  run<Result>(file: URL, name: string, input: unknown, deadlineMilliseconds: number): Promise<Result>;
  close(): Promise<void>;
}

export interface ThreadPoolOptions {
  /** At least 1. */
  readonly threads: number;
  /** Running and waiting tasks; more are refused. */
  readonly tasksMax: number;
  /** A pool thread without work ends after this long. */
  readonly idleMilliseconds: number;
}

/** A pool whose workers are threads of this process. */
export class ThreadPool implements Pool {
  private readonly options: ThreadPoolOptions;
  /** Loaded with the first task, because most threads never need it. */
  private piscina: Promise<Piscina> | undefined;
  /** Counted here, because piscina's own bound does not count tasks with a deadline. */
  private tasks = 0;

  constructor(options: ThreadPoolOptions) {
    this.options = options;
  }

  async run<Result>(file: URL, name: string, input: unknown, deadlineMilliseconds: number): Promise<Result> {
    if (this.tasks >= this.options.tasksMax) throw new Failure('overloaded');
    this.tasks += 1;
    this.piscina ??= this.load();
    const signal = AbortSignal.timeout(deadlineMilliseconds);
    try {
      const piscina = await this.piscina;
      return (await piscina.run(input, { filename: fileURLToPath(file), name, signal })) as Result;
    } catch (error) {
      throw signal.aborted ? new Failure('overloaded', { cause: error }) : error;
    } finally {
      this.tasks -= 1;
    }
  }

  async close(): Promise<void> {
    await (await this.piscina)?.destroy();
  }

  private async load(): Promise<Piscina> {
    const { Piscina } = await import('piscina');
    return new Piscina({
      minThreads: 0,
      maxThreads: this.options.threads,
      idleTimeout: this.options.idleMilliseconds,
    });
  }
}
