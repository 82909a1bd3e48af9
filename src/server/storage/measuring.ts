/** Takes the figures of the storage on a thread of the server, when somebody asks for them. */
import { statfs } from 'node:fs/promises';
import type { Problem } from '../../runtime/ports.ts';
import type { Answerer } from '../../services/network-services.ts';
import { type StorageFigures, type StorageState, storageKinds, storagePlaces } from '../../services/storage.ts';
import { openToRead } from '../backup/moment.ts';
import { Pace } from '../backup/pace.ts';
import { findDataFolder } from '../folder/data-folder.ts';
import { measureFiles } from './files.ts';
import { measurePartition, type PartitionUse } from './measure.ts';
import { amountOf } from './report.ts';
import { countUnused } from './unused.ts';

export interface MeasuringOptions {
  readonly dataDirectory: string;
  readonly now: () => number;
  report(problem: Problem): void;
}

/** So long figures are shown before they are taken again. */
const keptMilliseconds = 3_600_000;
/** The thread delivers meanwhile. */
const bytesPerSecond = 16_000_000;
/** About two milliseconds. */
const slice = { bytes: 500_000, entries: 1_000 };

export class StorageMeasuring {
  private readonly options: MeasuringOptions;
  private readonly stopped = new AbortController();
  private figures: StorageFigures | undefined;
  private measuring: Promise<void> | undefined;

  constructor(options: MeasuringOptions) {
    this.options = options;
  }

  readonly answer: Answerer = async (): Promise<StorageState> => {
    const isFresh = this.figures !== undefined && this.figures.at > this.options.now() - keptMilliseconds;
    if (!isFresh && !this.stopped.signal.aborted)
      this.measuring ??= this.measure().finally(() => {
        this.measuring = undefined;
      });
    return { figures: this.figures, isMeasuring: this.measuring !== undefined };
  };

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.measuring;
  }

  private async measure(): Promise<void> {
    try {
      this.figures = await this.taken();
    } catch (error) {
      if (this.stopped.signal.aborted) return;
      this.options.report({ level: 'warn', message: 'the storage could not be measured', error });
    }
  }

  private async taken(): Promise<StorageFigures> {
    const { dataDirectory, now } = this.options;
    const { signal } = this.stopped;
    const folder = openToRead(findDataFolder(dataDirectory), true);
    try {
      const pace = new Pace(bytesPerSecond, signal);
      const partitions: PartitionUse[] = [];
      for (const partition of folder.partitions) partitions.push(await measurePartition(partition, pace, slice));
      const { olderThan } = await countUnused(folder.partitions, now(), signal);
      const files = await measureFiles(dataDirectory);
      const { bavail, bsize } = await statfs(dataDirectory);
      const sum = (of: (use: PartitionUse) => number) => partitions.reduce((total, use) => total + of(use), 0);
      return {
        at: now(),
        database: {
          bytes: sum(({ fileBytes }) => fileBytes),
          freeBytes: sum(({ freeBytes }) => freeBytes),
          kinds: storageKinds.map((kind) => ({ kind, ...amountOf({ partitions }, kind) })),
        },
        files: storagePlaces.map((place) => ({ place, ...files[place] })),
        diskFreeBytes: bavail * bsize,
        unused: olderThan,
      };
    } finally {
      await folder.close();
    }
  }
}
