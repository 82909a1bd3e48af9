/** The two logs for the conformance suite, each with its disk and the faults that can be injected. */
import { constants } from 'node:os';
import { LmdbLog } from '../../../src/runtime/storage/lmdb-log.ts';
import {
  isRefusal,
  type LogRefusalReason,
  type LogTail,
  type PartitionLog,
  type TailAnswer,
} from '../../../src/runtime/storage/log.ts';
import { MemoryLog, MemoryStore } from '../../support/memory-log.ts';

export interface Opened {
  log: PartitionLog;
  /** Closes it and opens what it left. */
  reopen(): Promise<Opened>;
  /** Another owner of the same disk. */
  other(): Promise<Opened>;
  /** The next append is refused, and reaches the disk all the same or not. */
  refuseNext(reason: 'unknown' | 'full', applied: boolean): void;
  /** Whether it keeps its records. */
  keepsRecords: boolean;
}

/** As lmdb-js fails: the reason is in a second promise. */
function failedCommit(code: number): Promise<never> {
  const commitError = Promise.reject(Object.assign(new Error('the disk is at fault'), { code }));
  return Promise.reject(Object.assign(new Error('Commit failed'), { commitError }));
}

interface Failing {
  database: { batch: (write: () => void) => Promise<unknown> };
}

/** Before each commit it is asked which error it ends with, and does nothing then. */
export function failCommits(log: LmdbLog, nextCode: () => number | undefined): void {
  const { database } = log as unknown as Failing;
  const write = database.batch.bind(database);
  database.batch = (batch) => {
    const code = nextCode();
    return code === undefined ? write(batch) : failedCommit(code);
  };
}

export async function openLmdb(path: string): Promise<Opened> {
  const log = new LmdbLog({ path, mapBytes: 1 << 30 });
  return {
    log,
    reopen: async () => {
      await log.close();
      return openLmdb(path);
    },
    other: () => openLmdb(path),
    refuseNext: (reason, applied) => {
      const { database } = log as unknown as Failing;
      const write = database.batch.bind(database);
      database.batch = async (batch) => {
        database.batch = write;
        if (applied) await write(batch);
        return failedCommit(reason === 'full' ? constants.errno.ENOSPC : constants.errno.EIO);
      };
    },
    keepsRecords: false,
  };
}

/** A memory log whose appends complete by themselves, a turn of the event loop later. */
async function openMemory(store: MemoryStore): Promise<Opened> {
  const log = new MemoryLog(store);
  const complete = () =>
    void setImmediate(() => {
      if (log.waiting > 0) log.complete();
    });
  log.onAppend = complete;
  return {
    log,
    reopen: async () => {
      await log.close();
      return openMemory(store);
    },
    other: () => openMemory(store),
    refuseNext: (reason, applied) => {
      log.onAppend = () => {
        log.onAppend = complete;
        setImmediate(() => log.refuse(reason, applied ? 1 : 0));
      };
    },
    keepsRecords: true,
  };
}

/** One that keeps its records. */
export function openRecorded(): Promise<Opened> {
  const store = new MemoryStore();
  store.keepRecords();
  return openMemory(store);
}

/** What a question is answered with. */
export function answerOf(ask: (answer: TailAnswer) => void): Promise<LogTail | LogRefusalReason> {
  return new Promise((resolve) => ask((found) => resolve(isRefusal(found) ? found.reason : found)));
}
