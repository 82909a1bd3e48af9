/** Follows, blocks and mutes. Called on the acting account. Message numbers 40 to 59. */
import { z } from 'zod';
import { call, cast, Done, Nothing } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { SenderTraits } from '../../policy/notification-policy.ts';
import { identifier } from '../account.records.ts';
import { Follow, FollowOptions } from './relationships.records.ts';

/** `refused`: a block, a suspension or a move forbids it. */
export const FollowAnswer = z.object({ state: z.enum(['requested', 'accepted', 'refused']) });
export type FollowAnswer = z.infer<typeof FollowAnswer>;

/** The acting account, and where to deliver answers to it (absent for local accounts). */
export const By = { by: identifier, byDestination: Destination.optional() };

export const relationshipMessages = {
  follow: call(
    40,
    z.object({
      targetId: identifier,
      options: FollowOptions.partial(),
      targetDestination: Destination.optional(),
      /** The ActivityPub id of a remote account's Follow. */
      uri: z.string().optional(),
      replaces: Follow.shape.replaces,
    }),
    FollowAnswer,
  ),
  /** Runs on the target: a request to follow. */
  followAsked: call(
    41,
    z.object({
      ...By,
      followId: identifier,
      options: FollowOptions,
      uri: z.string().optional(),
      /** Returned with the answer: where to deliver a new follow. */
      targetDestination: Destination.optional(),
      sender: SenderTraits.optional(),
    }),
    FollowAnswer,
  ),
  followAnswered: call(
    42,
    z.object({
      targetId: identifier,
      followId: identifier,
      options: FollowOptions,
      state: FollowAnswer.shape.state,
      targetDestination: Destination.optional(),
    }),
    FollowAnswer,
  ),
  unfollow: call(43, z.object({ targetId: identifier, targetDestination: Destination.optional() }), Done),
  /** Runs on the target: the follow has ended. With `followId` only that follow is meant. */
  unfollowed: call(44, z.object({ ...By, followId: identifier.optional() }), Done),
  /**
   * Runs on the follower: the target has accepted, or has removed the follower. With `followId` only that follow is
   * meant.
   */
  followAccepted: call(45, z.object({ targetId: identifier, followId: identifier.optional() }), Done),
  followRejected: call(46, z.object({ targetId: identifier, followId: identifier.optional() }), Done),
  authorizeFollow: call(47, z.object({ requesterId: identifier, requesterDestination: Destination.optional() }), Done),
  rejectFollow: call(48, z.object({ requesterId: identifier, requesterDestination: Destination.optional() }), Done),
  /** The account was unlocked: accepts the next slice of its pending requests. */
  authorizePending: cast(49, Nothing),
  block: call(
    50,
    z.object({
      targetId: identifier,
      targetDestination: Destination.optional(),
      /** The ActivityPub id of a remote account's Block. */
      uri: z.string().optional(),
    }),
    Done,
  ),
  /** Runs on the blocked account. */
  blocked: call(51, z.object(By), Done),
  unblock: call(52, z.object({ targetId: identifier, targetDestination: Destination.optional() }), Done),
  unblocked: call(53, z.object(By), Done),
  mute: call(54, z.object({ targetId: identifier, hideNotifications: z.boolean(), durationSeconds: z.number() }), Done),
  unmute: call(55, z.object({ targetId: identifier }), Done),
  muteExpired: cast(56, z.object({ targetId: identifier, muteId: identifier })),
  /** A remote account asks to follow the server's own actor. `uri`: the id of its Follow. */
  followServer: call(57, z.object({ uri: z.string().optional() }), Done),
  /** Runs on a remote account: it takes its acceptance back, so that the follower waits again. */
  unauthorizeFollow: call(58, z.object({ requesterId: identifier }), Done),
  /** Runs on the follower. */
  followUnauthorized: call(59, z.object({ targetId: identifier, followId: identifier }), Done),
};
