/** What an account takes over from elsewhere, with what became of each row. Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

/** Names are stored: append only. */
export const importedLists = [
  ...(['follows', 'blocks', 'mutes', 'domainBlocks', 'lists', 'bookmarks', 'filters'] as const),
] as const;
export const ImportedList = z.enum(importedLists);
export type ImportedList = z.infer<typeof ImportedList>;

/** A list from a file of rows, or the posts of an archive. Names are stored: append only. */
export const ImportedKind = z.enum([...importedLists, 'posts']);
export type ImportedKind = z.infer<typeof ImportedKind>;

/**
 * What became of a row; `unreadable`: it is none of its list. `unreachable`: its server does not answer. `refused`: it is not
 * possible here. Of posts, `boost` and `direct` are left out on purpose, `foreign` is by somebody else, `undated` has no time at
 * which anybody can have written it, and `withoutMedia` is there, but without some of its files. Names are stored: append only.
 */
const rowResults = [
  ...(['done', 'unreadable', 'unknown', 'unreachable', 'refused'] as const),
  ...(['boost', 'direct', 'foreign', 'undated', 'withoutMedia'] as const),
] as const;
export const RowResult = z.enum(rowResults);
export type RowResult = z.infer<typeof RowResult>;

export const ImportedRow = z.object({
  /** In the file, from 1 on. */
  line: z.number(),
  values: z.array(z.string()),
  /** Absent until it was tried. */
  result: RowResult.optional(),
});
export type ImportedRow = z.infer<typeof ImportedRow>;

export const ImportChunk = z.object({ rows: z.array(ImportedRow) });
export type ImportChunk = z.infer<typeof ImportChunk>;

/** Why the posts of an archive could not be taken over, or not all of them. Names are stored: append only. */
const archiveProblems = [
  ...(['archiveUnknown', 'archiveBroken', 'archiveEncrypted', 'archiveUnsafe', 'archiveTooLarge'] as const),
  ...(['archiveWithoutPosts', 'archiveOfOther', 'archiveTooManyPosts', 'archiveLost', 'archiveDiskFull'] as const),
] as const;
export const ArchiveProblem = z.enum(archiveProblems);
export type ArchiveProblem = z.infer<typeof ArchiveProblem>;

export const Import = z.object({
  id: identifier,
  list: ImportedKind,
  /** What is not in the file is removed first. */
  overwrites: z.boolean(),
  startedAt: z.number(),
  rows: z.number(),
  chunks: z.number(),
  done: z.number(),
  failed: z.number(),
  endedAt: z.number().optional(),
  isCancelled: z.boolean().optional(),
  /** Of posts: the archive as it was received, the name of an incoming file. */
  file: z.string().optional(),
  /** Of posts: the archive was read, so that the number of rows is known. */
  isRead: z.boolean().optional(),
  problem: ArchiveProblem.optional(),
  /** Of posts: of the failed ones, how many rows are stored. */
  rowsStored: z.number().optional(),
});
export type Import = z.infer<typeof Import>;

/** The folder of an archive that was unpacked, among the incoming files. */
export function folderOfImport(importId: bigint): string {
  return `import-${importId}`;
}
