/** Lists that an account takes over from elsewhere, with what became of each row. Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

/** Names are stored: append only. */
export const importedLists = [
  ...(['follows', 'blocks', 'mutes', 'domainBlocks', 'lists', 'bookmarks', 'filters'] as const),
] as const;
export const ImportedList = z.enum(importedLists);
export type ImportedList = z.infer<typeof ImportedList>;

/**
 * What became of a row; `unreadable`: it is none of its list. `unreachable`: its server does not answer. `refused`: it is not
 * possible here. Names are stored: append only.
 */
const rowResults = ['done', 'unreadable', 'unknown', 'unreachable', 'refused'] as const;
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

export const Import = z.object({
  id: identifier,
  list: ImportedList,
  /** What is not in the file is removed first. */
  overwrites: z.boolean(),
  startedAt: z.number(),
  rows: z.number(),
  chunks: z.number(),
  done: z.number(),
  failed: z.number(),
  endedAt: z.number().optional(),
  isCancelled: z.boolean().optional(),
});
export type Import = z.infer<typeof Import>;
