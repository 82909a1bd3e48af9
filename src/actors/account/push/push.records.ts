/** The record of a web push subscription. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

export const pushAlerts = [
  ...['mention', 'quote', 'status', 'reblog', 'follow', 'follow_request', 'favourite', 'poll', 'update'],
  ...['quoted_update', 'added_to_collection', 'collection_update', 'severed_relationships', 'moderation_warning'],
  ...['admin.sign_up', 'admin.report'],
] as const;

/** Whose notifications are pushed: everybody's, those of followed accounts, those of followers, nobody's. */
export const pushPolicies = ['all', 'followed', 'follower', 'none'] as const;

export const PushSubscription = z.object({
  id: identifier,
  endpoint: z.string(),
  /** The public key of the receiver and the shared secret (RFC 8291), base64url. */
  p256dh: z.string(),
  auth: z.string(),
  /** RFC 8291 and 8292, or their drafts. */
  isStandard: z.boolean(),
  /** Notification types that are pushed. */
  alerts: z.array(z.string()),
  policy: z.enum(pushPolicies),
  /** The access token as issued, sealed (services/sealed-tokens.ts). Absent in subscriptions of older versions, as the next two. */
  sealedToken: z.string().optional(),
  /** The digest of the token. */
  tokenId: z.string().optional(),
  /** How many notifications were to be pushed to it so far. */
  pushes: z.number().optional(),
  /** Whether it belongs to a session of the pages, whose id is its `tokenId`. */
  isOfBrowser: z.boolean().optional(),
});
/** What its client decides. */
export const NewPushSubscription = PushSubscription.omit({ id: true, tokenId: true, pushes: true });
export type NewPushSubscription = z.infer<typeof NewPushSubscription>;
export type PushSubscription = z.infer<typeof PushSubscription>;
