/** What the actor of a remote host can be told. Its key is the host[:port], as in `Destination`. */
import { z } from 'zod';
import { call, cast, contract } from '../../runtime/contract.ts';
import { identifier } from '../account/account.records.ts';
import { NewReport } from '../account/reports/reports.messages.ts';
import { domainKind } from '../kinds.ts';

/** An activity whose signature held, and which needs something that is not here yet. */
export const Received = z.object({
  /** JSON, as it came. */
  activity: z.string(),
  /** The URI of the actor that signed it. */
  signerUri: z.string(),
  receivedAt: z.number(),
  /** 1 for the first time. */
  attempt: z.number(),
  /** When the request that brought it was signed. */
  signedAt: z.number().optional(),
});
export type Received = z.infer<typeof Received>;

/** `again`: the same once more, later, because something that had to be fetched was out of reach. */
export const Processed = z.object({ again: Received.optional() });
export type Processed = z.infer<typeof Processed>;

export const Domain = contract(domainKind, {
  /** An account of this host follows a local account: fan-out to its followers finds this inbox. May be said again. */
  followerGained: cast(
    1,
    z.object({
      accountId: identifier,
      followerId: identifier,
      inbox: z.string(),
      sharedInbox: z.string().optional(),
      /** Fan-outs would go to another host than the follower's: above a bound this one is left out. */
      isElsewhere: z.boolean().optional(),
    }),
  ),
  followerLost: cast(2, z.object({ accountId: identifier, followerId: identifier })),
  /** Keeps an activity until it was carried out. Throws overloaded when too many of this host wait. */
  received: call(3, Received, z.undefined()),
  processed: cast(4, Processed),
  receivedAgain: cast(5, Received),
  /** An account of this host reports another, which then has the report. Throws forbidden above the number of a day. */
  receiveReport: call(
    6,
    z.object({ accountId: identifier, report: NewReport.omit({ forwardTo: true }) }),
    z.object({ reportId: identifier }),
  ),
});
