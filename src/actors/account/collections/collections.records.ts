/** What is kept of a collection, of an account in it, and by that account of being in it (FEP-7aa9). */
import { z } from 'zod';
import { identifier } from '../account.records.ts';
import { Tag } from '../statuses/statuses.records.ts';

export const Collection = z.object({
  accountId: identifier,
  name: z.string(),
  /** Plain text of a local collection, the cleaned HTML of a remote one. */
  description: z.string(),
  language: z.string().optional(),
  sensitive: z.boolean(),
  /** Whether it is listed on the profile; everybody may see it at its address. */
  discoverable: z.boolean(),
  tag: Tag.optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** The ActivityPub id of a remote one, and its page. */
  uri: z.string().optional(),
  url: z.string().optional(),
});
export type Collection = z.infer<typeof Collection>;

export const itemStates = ['pending', 'accepted'] as const;

export const CollectionItem = z.object({
  accountId: identifier,
  /** Of the account. */
  isLocal: z.boolean(),
  state: z.enum(itemStates),
  createdAt: z.number(),
  /** The ActivityPub id of an item of a remote collection; absent while only its account has agreed. */
  uri: z.string().optional(),
  /** Where the server of a remote account says that it agreed; those of local accounts derive. */
  authorizationUri: z.string().optional(),
});
export type CollectionItem = z.infer<typeof CollectionItem>;

/** As the account keeps it: it agreed, unless it took that back. */
export const Featuring = z.object({
  ownerId: identifier,
  itemId: identifier,
  isRevoked: z.boolean().optional(),
  authorizationUri: z.string().optional(),
});
export type Featuring = z.infer<typeof Featuring>;
