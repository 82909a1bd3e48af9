/**
 * Replies for which an author has to be asked (interaction policies of GoToSocial). The author of the parent decides; the
 * reply waits with its author. Message numbers 680 to 690.
 */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { SenderTraits } from '../../policy/notification-policy.ts';
import { identifier, Visibility } from '../account.records.ts';
import { PublishedStatus } from '../statuses/statuses.messages.ts';
import { Question } from './reply-requests.records.ts';

/** The status, and the reply. */
const ends = { statusId: identifier, replyId: identifier };
/** Inboxes that get the reply besides those of followers. */
const where = { destinations: z.array(Destination).optional() };

export const replyRequestMessages = {
  /** Runs on a local author: decides by the policy of the status, or waits. Replies with the replying status. */
  replyRequested: call(
    680,
    z.object({
      ...ends,
      by: identifier,
      visibility: Visibility,
      sender: SenderTraits.optional(),
      question: Question.optional(),
      /** It is shown already: its author wants the proof of what was decided. */
      isPublished: z.boolean().optional(),
    }),
    PublishedStatus,
  ),
  /** Runs on a local author, who decides. Throws notFound where nothing waits. */
  decideReply: call(681, z.object({ replyId: identifier, isAccepted: z.boolean(), ...where }), PublishedStatus),
  /** Runs on the replying account. What was decided stays so. */
  replyDecided: call(682, z.object({ ...ends, isAccepted: z.boolean(), ...where }), PublishedStatus),
  /** Runs on a local replying account: the answer of the server of a remote author. */
  receiveReplyAnswer: call(
    683,
    z.object({
      replyId: identifier,
      by: identifier,
      isAccepted: z.boolean(),
      authorizationUri: z.string().optional(),
      ...where,
    }),
    Done,
  ),
  /** Runs on a remote account that asks; `replyId` is absent where it is refused without examining the status. */
  receiveReplyRequest: call(
    684,
    z.object({
      statusId: identifier,
      authorId: identifier,
      replyId: identifier.optional(),
      replyUri: z.string(),
      requestUri: z.string().optional(),
    }),
    PublishedStatus,
  ),
  /** Runs on a local author: the reply leaves the thread. Throws notFound for what is no reply to its status. */
  revokeReply: call(685, z.object({ ...ends, byDestination: Destination.optional() }), Done),
  /** Runs on a remote author, whose server has proved that it agrees to the reply. */
  replyAuthorized: call(686, z.object({ ...ends, by: identifier, authorizationUri: z.string() }), PublishedStatus),
  /** Runs on the author: the reply was deleted. */
  replyRequestRemoved: cast(687, z.object(ends)),
  /** The timer of a request. */
  replyRequestExpired: cast(688, z.object({ replyId: identifier })),
  /** Runs on a local author, who refuses a request of another server for which nothing was stored. */
  refuseReplyRequest: call(
    689,
    z.object({ statusId: identifier, by: identifier, question: Question }),
    PublishedStatus,
  ),
  /** Runs on a remote replying account: the author of another server that it answers agrees, or does not. */
  replyJudged: call(
    690,
    z.object({
      replyId: identifier,
      by: identifier,
      isAccepted: z.boolean(),
      authorizationUri: z.string().optional(),
    }),
    Done,
  ),
};
