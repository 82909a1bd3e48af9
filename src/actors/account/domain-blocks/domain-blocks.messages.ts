/** Domains that an account hides. Message numbers 127 to 129. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';

/**
 * Accounts of the domain that this account follows. The caller looks them up: the actor does not know their domains.
 */
const followed = z.array(z.object({ targetId: identifier, targetDestination: Destination.optional() }));

export const domainBlockMessages = {
  /** `domain`: a host[:port] in normal form. */
  blockDomain: call(127, z.object({ domain: z.string(), followed }), Done),
  unblockDomain: call(128, z.object({ domain: z.string() }), Done),
  /** Ends follows in both directions, in slices. The ids are those of the last follower and request looked at. */
  severDomain: cast(
    129,
    z.object({
      domain: z.string(),
      followed,
      afterFollowerId: identifier.optional(),
      afterRequesterId: identifier.optional(),
      /** How many have ended so far: the account gets one notification for all. */
      severed: z.object({ followers: z.number(), following: z.number() }).optional(),
    }),
  ),
};
