/** What an account takes along: an archive of everything that it has here. Times are milliseconds since 1970. */
import { z } from 'zod';
import { HeldBlob } from '../../blob/blob.records.ts';
import { identifier } from '../account.records.ts';

/** How far an archive is built: everything above these lengths of its files is written anew. */
export const ArchiveProgress = z.object({
  /** The index of the document that is written (operations/leaving/archive/documents.ts). */
  document: z.number(),
  /** The last entry of its list that is in it. */
  after: identifier.optional(),
  items: z.number(),
  documentBytes: z.number(),
  archiveBytes: z.number(),
});
export type ArchiveProgress = z.infer<typeof ArchiveProgress>;

/** The archive that an account asked for last. */
export const Archive = z.object({
  id: identifier,
  requestedAt: z.number(),
  /** Once it is ready, with when that was. */
  blob: HeldBlob.optional(),
  readyAt: z.number().optional(),
  /** It could not be built. */
  failedAt: z.number().optional(),
});
export type Archive = z.infer<typeof Archive>;

/** The folder in which it is built, among the incoming files. */
export function folderOfArchive(archiveId: bigint): string {
  return `archive-${archiveId}`;
}
