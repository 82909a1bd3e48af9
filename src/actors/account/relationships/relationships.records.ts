/** Records of follows, follow requests, blocks and mutes. */
import { z } from 'zod';
import { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';

/** Where an account's followers are, so that a post is sent only to the partitions that need it. */
export const FollowerDistribution = z.object({
  /** Partition number to the number of local followers there. */
  local: z.array(z.number()),
  /** Partition number to the number of remote followers whose domain actors live there. */
  remote: z.array(z.number()),
  /** Local followers to notify of each new status (the `notify` flag of their follow); absent for none. */
  notified: z.number().optional(),
});
export type FollowerDistribution = z.infer<typeof FollowerDistribution>;

export const FollowOptions = z.object({
  showReblogs: z.boolean(),
  notify: z.boolean(),
  /** Only statuses in these languages; undefined for all. */
  languages: z.array(z.string()).optional(),
});
export type FollowOptions = z.infer<typeof FollowOptions>;

/** The follower's side of a follow. */
export const Follow = z.object({
  id: identifier,
  state: z.enum(['requested', 'accepted']),
  showReblogs: z.boolean(),
  notify: z.boolean(),
  languages: z.array(z.string()).optional(),
  /** The ActivityPub id of the Follow, for the Undo and to match Accept and Reject. */
  uri: z.string().optional(),
  /** Options that applied before, newest first: those in force when an older status was published. */
  history: z.array(
    z.object({ until: z.number(), showReblogs: z.boolean(), languages: z.array(z.string()).optional() }),
  ),
  /** The account that has moved to this one: that follow ends when this one is accepted. */
  replaces: z.object({ accountId: identifier, destination: Destination.optional() }).optional(),
});
export type Follow = z.infer<typeof Follow>;

/** The followed account's side of a follow or request. */
export const Follower = z.object({
  id: identifier,
  uri: z.string().optional(),
  showReblogs: z.boolean(),
  notify: z.boolean(),
  /** Where a remote follower is reached: for the answer, and for the counts of its host when it goes. */
  destination: z
    .object({
      host: z.string(),
      inbox: z.string(),
      sharedInbox: z.string().optional(),
      isElsewhere: z.boolean().optional(),
    })
    .optional(),
  /** Of a remote account, by a local one: the follow was believed to be accepted, and its server has not said so yet. */
  isUnanswered: z.boolean().optional(),
});
export type Follower = z.infer<typeof Follower>;

export const Block = z.object({ id: identifier, uri: z.string().optional() });

export const Mute = z.object({ id: identifier, hideNotifications: z.boolean(), expiresAt: z.number().optional() });
export type Mute = z.infer<typeof Mute>;
