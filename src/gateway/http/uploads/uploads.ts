/**
 * What the uploads of one server share: the folder of their temporary files, memory for what is not written yet, and the
 * order and pace in which they are read.
 *
 * A connection that is resumed delivers what has arrived at it, megabytes at once, and pausing it again does not stop that
 * (measured). Therefore uploads that wait are resumed one by one, each in a round of the event loop of its own, only while there
 * is room, and not faster than at a certain rate: that bounds the memory, and the time in which nobody else is served.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../runtime/errors.ts';
import type { AnswerBlocks } from '../answer-blocks.ts';
import { httpLimits } from '../limits.ts';
import { TemporaryFile } from './temporary-file.ts';
import { UploadPace } from './upload-pace.ts';
import { UploadWrites } from './upload-writes.ts';

export interface UploadsOptions {
  /** For temporary files, of this server alone; undefined where nothing takes files. What it contains is removed. */
  readonly folder: string | undefined;
  readonly blocks: AnswerBlocks;
}

/** An upload that waits to be read. */
export interface Reader {
  resume(): void;
  /** It will be resumed later: its connection stays open until then. */
  stay(): void;
}

export class Uploads {
  private readonly writes: UploadWrites;
  private readonly blocks: AnswerBlocks;
  private readonly pace = new UploadPace();
  private readonly folder: string | undefined;
  /** In the order in which they are resumed. */
  private readonly readers = new Set<Reader>();
  private isRoundDue = false;
  private inProgress = 0;
  private patience: NodeJS.Timeout | undefined;

  /** Throws the error of the operating system when the folder cannot be made. */
  constructor({ folder, blocks }: UploadsOptions) {
    this.folder = folder;
    this.blocks = blocks;
    this.writes = new UploadWrites({
      blocks,
      bytesMax: httpLimits.uploadBytesWaitingMax,
      onRoom: () => this.resumeNext(),
    });
    // What a killed process or a thread that was replaced has left.
    if (folder !== undefined) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
  }

  get load(): { readonly uploads: number; readonly bytes: number } {
    return { uploads: this.inProgress, bytes: this.writes.bytes };
  }

  /** Throws Failure overloaded when there are too many. */
  enter(): void {
    if (this.inProgress >= httpLimits.uploadsMax) throw new Failure('overloaded');
    this.inProgress += 1;
    if (this.inProgress > 1) return;
    this.blocks.keep(httpLimits.uploadBytesWaitingMax);
    this.patience = setInterval(() => this.stayAll(), httpLimits.uploadPatienceMilliseconds).unref();
  }

  leave(): void {
    this.inProgress -= 1;
    if (this.inProgress > 0) return;
    this.blocks.keep(0);
    clearInterval(this.patience);
  }

  /** So many bytes have arrived for one of them. */
  received(bytes: number): void {
    this.pace.received(bytes, performance.now());
  }

  /** Throws Failure storageUnavailable when it cannot be made. `onWritten` is told of each write that has ended. */
  createFile(onWritten: (error: Error | undefined) => void): TemporaryFile {
    if (this.folder === undefined) throw new Error('This server has no folder for uploads');
    try {
      return new TemporaryFile(join(this.folder, randomUUID()), this.writes, onWritten);
    } catch (cause) {
      throw new Failure('storageUnavailable', { cause });
    }
  }

  /** Resumes it when it is its turn. */
  awaitTurn(reader: Reader): void {
    this.readers.add(reader);
    this.resumeNext();
  }

  giveUpTurn(reader: Reader): void {
    this.readers.delete(reader);
  }

  private resumeNext(): void {
    if (this.isRoundDue || this.readers.size === 0 || !this.writes.hasRoomFor(httpLimits.uploadBurstBytes)) return;
    this.isRoundDue = true;
    const wait = this.pace.waitMilliseconds(performance.now());
    if (wait > 0) setTimeout(() => this.resumeOne(), wait);
    else setImmediate(() => this.resumeOne());
  }

  private resumeOne(): void {
    this.isRoundDue = false;
    const [next] = this.readers;
    if (next === undefined) return;
    this.readers.delete(next);
    next.resume();
    this.resumeNext();
  }

  private stayAll(): void {
    for (const reader of this.readers) reader.stay();
  }
}
