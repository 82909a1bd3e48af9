/** Messages about the relays that this server joins. Message numbers 432 to 436 of the relay. */
import { z } from 'zod';
import { call } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { audited } from '../../audit.records.ts';
import { subscriptionForms } from '../relay.records.ts';
import { JoinedRelay, receiptCounts } from './joined.records.ts';

export const joinedMessages = {
  /**
   * Staff join a relay: this server follows it. Repeated while the relay has not accepted, it asks again. Throws Failure
   * validation above the bound.
   */
  join: call(
    432,
    z.object({
      host: z.string(),
      form: z.enum(subscriptionForms),
      inbox: z.string(),
      actor: z.string().optional(),
      ...audited,
    }),
    JoinedRelay,
  ),
  /** Staff leave a relay: nothing of it is taken, and nothing sent to it any more. Throws Failure notFound. */
  leaveRelay: call(433, z.object({ id: identifier, ...audited }), JoinedRelay),
  /** A relay has answered the Follow with this id, or ends what it had accepted. */
  answered: call(434, z.object({ followId: identifier, actor: z.string(), isAccepted: z.boolean() }), z.undefined()),
  /** A relay that this server joins follows it back (LitePub): accepted, with its Follow (JSON) as it was. */
  followedBack: call(435, z.object({ id: identifier, actor: z.string(), follow: z.string() }), z.undefined()),
  /** What relays have brought to a gateway since it has said so last. Of relays that were left meanwhile nothing is kept. */
  brought: call(
    436,
    z.object({ relays: z.array(z.object({ id: identifier, ...receiptCounts, lastAt: z.number() })) }),
    z.undefined(),
  ),
};
