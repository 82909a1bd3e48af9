/** Records of a collection, of an account in it, and of that account's consent (FEP-7aa9). */
import { z } from 'zod';
import { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';
import { Tag } from '../statuses/statuses.records.ts';

export const Collection = z.object({
  accountId: identifier,
  name: z.string(),
  /** Plain text of a local collection, sanitised HTML of a remote one. */
  description: z.string(),
  language: z.string().optional(),
  sensitive: z.boolean(),
  /** Whether the profile lists it; at its own address it is public in any case. */
  discoverable: z.boolean(),
  tag: Tag.optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** The ActivityPub id of a remote collection, and its page. */
  uri: z.string().optional(),
  url: z.string().optional(),
});
export type Collection = z.infer<typeof Collection>;

export const itemStates = ['pending', 'accepted'] as const;

export const CollectionItem = z.object({
  accountId: identifier,
  /** Whether the account is local. */
  isLocal: z.boolean(),
  state: z.enum(itemStates),
  createdAt: z.number(),
  /** The ActivityPub id of an item of a remote collection; absent while only its account has agreed. */
  uri: z.string().optional(),
  /** Where the server of a remote account publishes its consent; the addresses of local ones are derived. */
  authorizationUri: z.string().optional(),
  /** Of a remote account in a local collection: its server gets the changes, as those of followers do. */
  destination: Destination.optional(),
});
export type CollectionItem = z.infer<typeof CollectionItem>;

/** The account's own record: it has agreed, unless it has revoked that. */
export const Featuring = z.object({
  ownerId: identifier,
  itemId: identifier,
  isRevoked: z.boolean().optional(),
  authorizationUri: z.string().optional(),
});
export type Featuring = z.infer<typeof Featuring>;
