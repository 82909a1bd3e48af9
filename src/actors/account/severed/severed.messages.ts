/** How rules for other servers reach the accounts that are known. Message numbers 220 to 223. */
import { z } from 'zod';
import { call, cast, Done, Slice } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { domainSeverities } from '../../policy/domains.ts';
import { identifier } from '../account.records.ts';

export const severedMessages = {
  /**
   * On a remote account: what the rules say of its server now. Repeating changes nothing. `domain`: of the rule, as
   * those are told whose follows end.
   */
  treatByDomain: call(220, z.object({ severity: z.enum(domainSeverities), domain: z.string() }), Done),
  /**
   * On a suspended remote account: ends its follows in both directions, in slices. `isPurge`: the rest goes after them.
   * `isAlone`: it was suspended by itself, not with its server.
   */
  severFollows: cast(
    221,
    z.object({
      domain: z.string(),
      isPurge: z.boolean().optional(),
      ...Slice.shape,
      isAlone: z.boolean().optional(),
    }),
  ),
  /** On a local account: the follow of the remote account `by`, or by it, has ended with its server, or by itself. */
  severed: cast(
    222,
    z.object({
      by: identifier,
      acct: z.string(),
      domain: z.string(),
      followId: identifier,
      /** The local account was followed; otherwise it followed. */
      isFollower: z.boolean(),
      /** Of an account that was suspended by itself: its server is told that it does not follow any more. */
      byDestination: Destination.optional(),
      /** It was suspended by itself, which its server is not told. */
      isAlone: z.boolean().optional(),
    }),
  ),
  /** Notifies of a severance, once nothing was added to it for a while. `counted`: what it had when this was scheduled. */
  tellSevered: cast(223, z.object({ severanceId: identifier, counted: z.number() })),
};
