/** The effects of imports. Effect numbers are append-only over all actors: this file has 29, 37 and 38. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import { identifier } from '../account.records.ts';
import type { ArchiveProblem, ImportedRow, RowResult } from './imports.records.ts';

/** `chunk`: -1 removes what is not in the file. */
const ImportSlice = z.object({ accountId: identifier, importId: identifier, chunk: z.number() });

export interface DoneSlice {
  readonly importId: bigint;
  readonly chunk: number;
  /** Of each row of the chunk. */
  readonly results: RowResult[];
  /** The same slice has more to do. */
  readonly hasMore?: boolean;
  /** The account may not be used any more. */
  readonly isBarred?: boolean;
}

/** Does what some rows of an import say. */
export const importRows = effectType<z.infer<typeof ImportSlice>, DoneSlice>(29, 'import rows', ImportSlice);

const ArchiveToRead = z.object({ accountId: identifier, importId: identifier });

export interface ReadArchive {
  readonly importId: bigint;
  /** Activities in it. */
  readonly rows?: number;
  /** The addresses of what its author has bookmarked. */
  readonly bookmarks?: string[] | undefined;
  readonly problem?: ArchiveProblem;
  /** The account may not be used any more. */
  readonly isBarred?: boolean;
}

/** Unpacks an archive, and counts what is in it. */
export const readArchive = effectType<z.infer<typeof ArchiveToRead>, ReadArchive>(37, 'read archive', ArchiveToRead);

/** `from`: how many posts were tried before. */
const PostsSlice = z.object({ accountId: identifier, importId: identifier, from: z.number() });

export interface TriedPosts {
  readonly importId: bigint;
  readonly from: number;
  readonly tried: number;
  /** Of these, what was not taken over as it is. */
  readonly failed: ImportedRow[];
  /** Of these, how many were left out on purpose, besides the failed ones. */
  readonly leftOut?: number;
  readonly problem?: ArchiveProblem;
  readonly isBarred?: boolean;
}

/** Takes over some posts of an archive. */
export const importPosts = effectType<z.infer<typeof PostsSlice>, TriedPosts>(38, 'import posts', PostsSlice);
