/** An owner of a partition whose log is a stream, step by step: time passes only while it waits. */

import type { LogStream } from '../../../src/runtime/cluster/stream.ts';
import { StreamLog } from '../../../src/runtime/cluster/stream-log.ts';
import type { ViewStore } from '../../../src/runtime/cluster/view.ts';
import {
  type LogBatch,
  LogRefusal,
  type LogRefusalReason,
  type StorageReader,
} from '../../../src/runtime/storage/log.ts';
import { meta, startingMeta } from '../../../src/runtime/storage/machine.ts';
import type { MemoryStore } from '../../support/memory-log.ts';
import { UnreliableStream } from '../../support/unreliable-stream.ts';
import { answerOf } from './logs.ts';

/** A local store, whose appends complete a turn of the event loop later. */
export class MemoryView implements ViewStore {
  readonly store: MemoryStore;
  readonly reader: StorageReader;
  /** Appends are refused. */
  isFull = false;

  constructor(store: MemoryStore) {
    this.store = store;
    this.reader = store.snapshot();
  }

  append(batch: LogBatch, completed: (refusal: LogRefusal | undefined) => void): void {
    setImmediate(() => {
      if (!this.isFull) this.store.apply(batch);
      completed(this.isFull ? new LogRefusal('full') : undefined);
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const key = (text: string) => Buffer.from(text, 'latin1');

/** A batch as a partition makes it. */
export function batchAt(commit: number, epoch: number, value: Uint8Array = Buffer.from(String(commit))): LogBatch {
  const counters = meta.value.encode({ ...startingMeta, commit, epoch });
  return { keys: [key('last'), key(`batch ${commit}`), meta.encode([0])], values: [value, value, counters] };
}

export class StreamOwner {
  readonly stream: UnreliableStream;
  readonly view: MemoryView;
  readonly log: StreamLog;
  /** What became of each append, in the order in which it was told. */
  readonly told: [commit: number, outcome: LogRefusalReason | 'done'][] = [];
  private now = 0;

  constructor(stream: LogStream, store: MemoryStore, writer: string) {
    this.stream = new UnreliableStream(stream);
    this.view = new MemoryView(store);
    this.log = new StreamLog({
      ...{ stream: this.stream, store: this.view, writer },
      clock: { monotonic: () => this.now },
      pause: (milliseconds) => {
        this.now += milliseconds;
        return new Promise((resolve) => setImmediate(resolve));
      },
    });
  }

  open(epoch: number) {
    return answerOf((answer) => this.log.open(epoch, answer));
  }

  tail() {
    return answerOf((answer) => this.log.tail(answer));
  }

  append(commit: number, epoch: number, value?: Uint8Array): Promise<LogRefusalReason | 'done'> {
    return new Promise((resolve) =>
      this.log.append(batchAt(commit, epoch, value), (refusal) => {
        const outcome = refusal?.reason ?? 'done';
        this.told.push([commit, outcome]);
        resolve(outcome);
      }),
    );
  }

  /** What the view has. */
  read(name = 'last'): string | undefined {
    this.view.reader.refresh();
    const value = this.view.reader.get(key(name));
    return value && Buffer.from(value).toString();
  }
}
