/** The effect of archives. Effect numbers are append-only over all actors: this file has 28. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import type { HeldBlob } from '../../blob/blob.records.ts';
import { identifier } from '../account.records.ts';
import { ArchiveProgress } from './leaving.records.ts';

const ArchiveSlice = z.object({
  accountId: identifier,
  archiveId: identifier,
  /** Absent for the first slice. */
  progress: ArchiveProgress.optional(),
});

/** With nothing else it is begun anew, or, of an archive that is ready or that nobody wants any more, its files are gone. */
export interface BuiltArchive {
  readonly archiveId: bigint;
  readonly progress?: ArchiveProgress;
  readonly blob?: HeldBlob;
  readonly hasFailed?: boolean;
}

/** Writes the next slice of an archive, after the last one stores it, and then removes its files. */
export const buildArchive = effectType<z.infer<typeof ArchiveSlice>, BuiltArchive>(28, 'build archive', ArchiveSlice);
