/** The logs for the conformance suite, each with its disk and the faults that can be injected. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import { type NatsAddress, natsAccess } from '../../../src/runtime/cluster/nats-access.ts';
import { NatsStream } from '../../../src/runtime/cluster/nats-stream.ts';
import type { LogStream } from '../../../src/runtime/cluster/stream.ts';
import { StreamLog } from '../../../src/runtime/cluster/stream-log.ts';
import { LmdbLog } from '../../../src/runtime/storage/lmdb-log.ts';
import {
  isRefusal,
  type LogRefusalReason,
  type LogTail,
  type PartitionLog,
  type TailAnswer,
} from '../../../src/runtime/storage/log.ts';
import { systemClock } from '../../../src/runtime/threads/clock.ts';
import { MemoryLog, MemoryStore } from '../../support/memory-log.ts';
import { UnreliableStream } from '../../support/unreliable-stream.ts';

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

/** A log over a stream, with a view in a folder of its own. Whoever opens it in no epoch is the first owner. */
async function openStream(path: string, streamOf: () => LogStream, views = 0): Promise<Opened> {
  const stream = new UnreliableStream(streamOf());
  const store = new LmdbLog({ path: `${path}-${views}`, mapBytes: 1 << 30 });
  const log = new StreamLog({
    ...{ stream, store, clock: systemClock, patienceMilliseconds: 50 },
    writer: randomUUID(),
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  });
  await answerOf((answer) => log.open(0, answer));
  return {
    log,
    reopen: async () => {
      await log.close();
      return openStream(path, streamOf, views);
    },
    other: () => openStream(path, streamOf, views + 1),
    refuseNext: (reason, applied) => {
      if (reason === 'full') stream.fill();
      else stream.loseNext(applied);
      const append = log.append.bind(log);
      log.append = (batch, completed) => {
        log.append = append;
        append(batch, (refusal) => {
          stream.heal();
          completed(refusal);
        });
      };
    },
    keepsRecords: true,
  };
}

/** A partition whose stream is in NATS servers. */
export function openNats(
  path: string,
  address: NatsAddress,
  names: { name: string; subject: string },
): Promise<Opened> {
  return openStream(path, () => new NatsStream({ access: natsAccess(address), ...names }));
}

/** What a question is answered with. */
export function answerOf(ask: (answer: TailAnswer) => void): Promise<LogTail | LogRefusalReason> {
  return new Promise((resolve) => ask((found) => resolve(isRefusal(found) ? found.reason : found)));
}
