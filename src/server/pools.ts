/**
 * The CPU pools: a row each. A role names those that its threads have (roles.ts); each of its threads has its own, opened
 * with the thread and idle until its first task.
 */

import { taskModule } from '../options/project-files.ts';
import type { Options } from '../options/table.ts';
import { type Pool, ThreadPool } from '../runtime/pool.ts';
import { ProcessPool } from '../runtime/process-pool.ts';
import { mediaLimits } from '../services/media/limits.ts';

interface PoolRow {
  /** The memory that its workers take when all of them run, counted for each thread that has the pool. */
  readonly workingBytes: number;
  /** Threads of this process, or whatever else runs tasks. */
  open(options: Options): Pool;
}

function processPool({ poolThreads }: Options): Pool {
  return new ProcessPool({
    host: taskModule('runtime/process-host.task'),
    processes: poolThreads,
    memoryBytesMax: mediaLimits.processBytesMax,
  });
}

export const pools = {
  /** Long or unusual HTML of other servers. Its workers end when idle, and take little: they are not counted. */
  html: {
    workingBytes: 0,
    open: ({ poolThreads }) => new ThreadPool({ threads: poolThreads, tasksMax: 256, idleMilliseconds: 30_000 }),
  },
  /**
   * Decoding of pictures, of uploads and of remote media. It runs in processes of its own, which end when idle, one job at a
   * time on small machines: the memory of a job is beyond what is planned for threads.
   */
  media: { workingBytes: 0, open: processPool },
  /** The same for films and sounds, which take minutes: no picture waits for them. */
  films: { workingBytes: 0, open: processPool },
} as const satisfies Record<string, PoolRow>;

export type PoolName = keyof typeof pools;

export class Pools {
  private readonly opened: ReadonlyMap<PoolName, Pool>;

  constructor(names: readonly PoolName[], options: Options) {
    this.opened = new Map(names.map((name) => [name, pools[name].open(options)]));
  }

  /** Throws for a pool that the role of the thread does not name. */
  get(name: PoolName): Pool {
    const pool = this.opened.get(name);
    if (pool === undefined) throw new Error(`this thread has no pool ${name}`);
    return pool;
  }

  async close(): Promise<void> {
    await Promise.all([...this.opened.values()].map((pool) => pool.close()));
  }
}
