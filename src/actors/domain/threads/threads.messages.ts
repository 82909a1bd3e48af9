/** Threads that somebody reads here: the host of the status that was opened fetches them. Message numbers 14 to 16. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';

/**
 * One request. `status`: a status, and the addresses of the replies to it. `ancestor`: the status that `answeredBy`
 * answers. `page`: more addresses of replies.
 */
export const ThreadStep = z.object({
  kind: z.enum(['status', 'ancestor', 'page']),
  url: z.string(),
  /** Replies between it and the status that was opened; of an ancestor, statuses. */
  depth: z.number(),
  /** The ActivityPub id of the answer. */
  answeredBy: z.string().optional(),
  /** Of the replies to one status. */
  page: z.number().optional(),
});
export type ThreadStep = z.infer<typeof ThreadStep>;

export const FoundStep = ThreadStep.extend({
  /** The status is here; only its replies may be missing. */
  isKnown: z.boolean().optional(),
});
export type FoundStep = z.infer<typeof FoundStep>;

/** A thread that is being fetched: `startedAt` tells it from an earlier time. */
const Fetch = { statusId: identifier, startedAt: z.number() };

export const ThreadStepRequest = z.object({ ...Fetch, host: z.string(), step: ThreadStep });
export type ThreadStepRequest = z.infer<typeof ThreadStepRequest>;

export const ThreadStepped = z.object({
  ...Fetch,
  step: ThreadStep,
  /** `failed`: another time it may succeed. `busy`: too much waits for its host. `blocked`: nothing is taken from the host. */
  outcome: z.enum(['done', 'failed', 'busy', 'blocked']),
  /** Statuses that were not here. */
  stored: z.number(),
  /** More requests than the one. */
  moreRequests: z.number(),
  found: z.array(FoundStep),
});
export type ThreadStepped = z.infer<typeof ThreadStepped>;

export const threadFetchMessages = {
  /** Nothing happens where that was done within this age, or too much of the host is under way. */
  fetchThread: call(
    14,
    z.object({
      statusId: identifier,
      uri: z.string(),
      ageMilliseconds: z.number(),
      requestsMax: z.number(),
      requestsPerHostMax: z.number(),
    }),
    Done,
  ),
  /** The answer of the effect. */
  threadStepped: cast(15, ThreadStepped),
  /** The timer: goes on where a host was busy, ends what takes too long, and forgets what is over. */
  threadDue: cast(16, z.object(Fetch)),
};
