/** Records of link cards: the preview of a page that a status links to. Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

/** Texts are plain, but for `html`. Fields are stored by position: new ones come last. */
export const Card = z.object({
  /** The page as it names itself: not always what the status links to. */
  url: z.string(),
  title: z.string(),
  description: z.string(),
  /** Absent for a link. */
  type: z.enum(['link', 'photo', 'video']).optional(),
  authorName: z.string().optional(),
  authorUrl: z.string().optional(),
  providerName: z.string().optional(),
  providerUrl: z.string().optional(),
  /** The sanitised player of a video. */
  html: z.string().optional(),
  /** Of the player, the photo or the picture, in pixels. */
  width: z.number().optional(),
  height: z.number().optional(),
  /** Its address at the other site: readers see it through this server. */
  image: z.string().optional(),
  imageDescription: z.string().optional(),
  blurhash: z.string().optional(),
  /** Of a photo, or a file to play. */
  embedUrl: z.string().optional(),
  publishedAt: z.number().optional(),
  language: z.string().optional(),
  /** The account that the page names as its author, and that allows its host to do so. */
  authorId: identifier.optional(),
  /** The page does not want to be found: it does not trend. */
  isUnlisted: z.boolean().optional(),
  /** The page says that it is an article: only those trend. */
  isArticle: z.boolean().optional(),
  /** The account that the page names as its author, and that does not allow its host to do so. */
  claimedAuthorId: identifier.optional(),
});
export type Card = z.infer<typeof Card>;
