/** What an account takes over from elsewhere. Message numbers 558, 559, 580, 581, 645 to 648. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { HeldBlob } from '../../blob/blob.records.ts';
import { identifier } from '../account.records.ts';
import { Attachment, DecodedAttachment } from '../media/media.records.ts';
import { PollTally } from '../polls/polls.records.ts';
import { PublishedStatus, PublishStatus } from '../statuses/statuses.messages.ts';
import { ArchiveProblem, ImportedList, ImportedRow, RowResult } from './imports.records.ts';

/** A file of a post, decoded and stored. */
const ImportedMedium = Attachment.pick({ description: true, focusX: true, focusY: true }).extend({
  attachment: DecodedAttachment,
  blobs: z.array(HeldBlob),
});

const ImportedPost = PublishStatus.omit({ attachments: true, application: true, idempotencyKey: true }).extend({
  /** Where it was written. */
  uri: z.string(),
  publishedAt: z.number(),
  editedAt: z.number().optional(),
  media: z.array(ImportedMedium),
  /** The totals of its poll, which has ended. */
  tally: PollTally.pick({ votes: true, voters: true }).optional(),
  /** It answers a status that is not known here. */
  answersUnknown: z.boolean().optional(),
});

export const importMessages = {
  /** Throws conflict while another one runs. */
  beginImport: call(
    558,
    z.object({ list: ImportedList, overwrites: z.boolean(), rows: z.array(ImportedRow) }),
    z.object({ importId: identifier }),
  ),
  /** The answer of the effect. */
  importSliceDone: cast(
    559,
    z.object({
      importId: identifier,
      chunk: z.number(),
      results: z.array(RowResult),
      hasMore: z.boolean().optional(),
      isBarred: z.boolean().optional(),
    }),
  ),
  /** What was done stays. Throws notFound, and conflict for one that has ended. */
  cancelImport: call(580, z.object({ importId: identifier }), Done),
  /** It was kept long enough, or its account is gone: removed in slices. */
  importDue: cast(581, z.object({ importId: identifier })),
  /** Takes over the posts of an archive, an incoming file. Throws conflict while another import runs. */
  beginPosts: call(645, z.object({ file: z.string() }), z.object({ importId: identifier })),
  /** The answers of the effects. */
  archiveRead: cast(
    646,
    z.object({
      importId: identifier,
      rows: z.number().optional(),
      problem: ArchiveProblem.optional(),
      isBarred: z.boolean().optional(),
      bookmarks: z.array(z.string()).optional(),
    }),
  ),
  postsTried: cast(
    647,
    z.object({
      importId: identifier,
      from: z.number(),
      tried: z.number(),
      failed: z.array(ImportedRow),
      problem: ArchiveProblem.optional(),
      isBarred: z.boolean().optional(),
      leftOut: z.number().optional(),
    }),
  ),
  /** Stores a post of an archive, once for each address at which it was written; nobody is told. */
  importPost: call(648, ImportedPost, PublishedStatus),
};
