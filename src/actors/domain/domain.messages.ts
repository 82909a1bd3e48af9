/** The messages of a remote host's actor. Its key is the host[:port], as in `Destination`. */
import { z } from 'zod';
import { call, cast, contract } from '../../runtime/contract.ts';
import { identifier } from '../account/account.records.ts';
import { NewReport } from '../account/reports/reports.messages.ts';
import { domainKind } from '../kinds.ts';
import { cardMessages } from './cards/cards.messages.ts';
import { threadFetchMessages } from './threads/threads.messages.ts';

/** A verified activity that refers to something not known here yet. */
export const Received = z.object({
  /** JSON, as received. */
  activity: z.string(),
  /** The URI of the actor that signed it. */
  signerUri: z.string(),
  receivedAt: z.number(),
  /** 1 for the first attempt. */
  attempt: z.number(),
  /** When the request that delivered it was signed. */
  signedAt: z.number().optional(),
  /** The name of the local account to whose inbox it came. */
  owner: z.string().optional(),
});
export type Received = z.infer<typeof Received>;

/** `again`: the activity to process again later, because something it needs could not be fetched. */
export const Processed = z.object({ again: Received.optional() });
export type Processed = z.infer<typeof Processed>;

/** `rfc9421`: HTTP Message Signatures. `at`: when the host has last shown or proved it. */
export const SignatureDialect = z.object({ dialect: z.enum(['draftCavage', 'rfc9421']), at: z.number() });
export type SignatureDialect = z.infer<typeof SignatureDialect>;

export const Domain = contract(domainKind, {
  /** An account of this host follows a local account: deliveries to its followers use this inbox. May be repeated. */
  followerGained: cast(
    1,
    z.object({
      accountId: identifier,
      followerId: identifier,
      inbox: z.string(),
      sharedInbox: z.string().optional(),
      /** The shared inbox is on another host than the follower: above a bound it is not used. */
      isElsewhere: z.boolean().optional(),
    }),
  ),
  followerLost: cast(2, z.object({ accountId: identifier, followerId: identifier })),
  /** Stores an activity until it has been processed. Throws overloaded when too many of this host wait. */
  received: call(3, Received, z.undefined()),
  processed: cast(4, Processed),
  receivedAgain: cast(5, Received),
  /**
   * An account of this host reports another account; the reporting account stores it. Throws forbidden above the daily
   * bound.
   */
  receiveReport: call(
    6,
    z.object({ accountId: identifier, report: NewReport.omit({ forwardTo: true, alsoForwardTo: true }) }),
    z.object({ reportId: identifier }),
  ),
  ...cardMessages,
  ...threadFetchMessages,
  /** The form of request signatures that the host takes. */
  dialectLearned: call(13, SignatureDialect.pick({ dialect: true }), z.undefined()),
});
