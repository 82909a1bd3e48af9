/** The effects of media. Effect numbers are append-only over all actors: this file has 24 and 25. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import type { HeldBlob } from '../../blob/blob.records.ts';
import { identifier } from '../account.records.ts';
import { type DecodedAttachment, Upload } from './media.records.ts';

const UploadedMedia = z.object({ accountId: identifier, mediaId: identifier, upload: Upload });

export interface DecodedMedia {
  readonly mediaId: bigint;
  readonly upload: Upload;
  readonly decoded?: { readonly attachment: z.infer<typeof DecodedAttachment>; readonly blobs: HeldBlob[] };
  /** A sentence for its author. */
  readonly failure?: string;
}

/** Decodes uploaded files and stores the results as blobs. */
export const decodeMedia = effectType<z.infer<typeof UploadedMedia>, DecodedMedia>(24, 'decode media', UploadedMedia);

/** Removes files that were received. */
export const removeUploadedFiles = effectType<Upload, object>(25, 'remove uploaded files', Upload);
