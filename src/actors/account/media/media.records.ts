/** Records of media. Times are milliseconds since 1970. */
import { z } from 'zod';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { HeldBlob } from '../../blob/blob.records.ts';
import { identifier } from '../account.records.ts';

/** The colours around a player, each as `#rrggbb`. */
const Colours = z.object({ background: z.string(), foreground: z.string(), accent: z.string() });

export const Attachment = z.object({
  id: identifier,
  type: z.enum(['unknown', 'image', 'gifv', 'video', 'audio']),
  /**
   * The name of a blob of this server, so that media can move to another host, or the address at another server. So is
   * `previewUrl`.
   */
  url: z.string(),
  previewUrl: z.string().optional(),
  remoteUrl: z.string().optional(),
  description: z.string().optional(),
  blurhash: z.string().optional(),
  mediaType: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  focusX: z.number().optional(),
  focusY: z.number().optional(),
  previewWidth: z.number().optional(),
  previewHeight: z.number().optional(),
  /** Seconds. */
  duration: z.number().optional(),
  /** Frames a second as a fraction, such as `30000/1001`. */
  frameRate: z.string().optional(),
  /** Bits a second. */
  bitrate: z.number().optional(),
  colours: Colours.optional(),
});
export type Attachment = z.infer<typeof Attachment>;

/** A file that was received and waits to be decoded. */
export const Upload = z.object({
  /** Absent where only the picture is replaced. Both are names of incoming files. */
  file: z.string().optional(),
  /** The picture of a film or of sound that the author chose. */
  thumbnail: z.string().optional(),
});
export type Upload = z.infer<typeof Upload>;

/** What decoding tells of an attachment; absent fields stay as they are. */
export const DecodedAttachment = Attachment.omit({ id: true, description: true, focusX: true, focusY: true }).partial();

/** Media that a local account has uploaded. */
export const Media = z.object({
  id: identifier,
  createdAt: z.number(),
  /** While it is being decoded. */
  upload: Upload.optional(),
  /** Without an address until it was decoded for the first time. */
  attachment: Attachment,
  /** What it holds in the blob store: also what earlier versions of its status show. */
  blobs: z.array(HeldBlob),
  /** Why it could not be decoded: a sentence for its author. */
  failure: z.string().optional(),
  /** What it is attached to; absent for neither. */
  statusId: identifier.optional(),
  scheduledId: identifier.optional(),
  /** Since when it is attached to nothing. */
  freeSince: z.number().optional(),
});
export type Media = z.infer<typeof Media>;

/** Sentences of the Mastodon API. */
export function mediaNotFound(mediaIds: readonly Id[]): Failure {
  const text = `Media ${mediaIds.join(', ')} not found or already attached to another post`;
  return new Failure('mediaRefused', { text, reason: 'mediaMissing' });
}

export function mediaNotReady(): Failure {
  const text = 'Cannot attach files that have not finished processing. Try again in a moment!';
  return new Failure('mediaRefused', { text, reason: 'mediaUnready' });
}
