/** What refers to blobs. */
import { z } from 'zod';
import { identifier } from '../account/account.records.ts';

export const HeldBlob = z.object({ name: z.string(), bytes: z.number() });
export type HeldBlob = z.infer<typeof HeldBlob>;

/** A decoded picture whose bytes are in the blob store. */
export const StoredPicture = z.object({
  file: HeldBlob,
  /** The first frame as PNG, of one that moves. */
  still: HeldBlob.optional(),
  /** A smaller one, where its form has that. */
  preview: HeldBlob.optional(),
  blurhash: z.string().optional(),
});
export type StoredPicture = z.infer<typeof StoredPicture>;

/** One that stays in the blob store, where it is held under an id of its own. */
export const HeldPicture = StoredPicture.extend({ holderId: identifier });
export type HeldPicture = z.infer<typeof HeldPicture>;
