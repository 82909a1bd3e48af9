/** Web push subscriptions (specification 4.8): an access token has one. Message numbers 131 to 134, 206. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';
import { NewPushSubscription, PushSubscription } from './push.records.ts';

const Token = { tokenId: z.string() };

export const pushMessages = {
  /** Replaces an earlier subscription. Sent by the token (Session.subscribeToPush). */
  subscribeToPush: call(131, z.object({ ...Token, subscription: NewPushSubscription }), PushSubscription),
  /** Throws notFound where the token has none. Undefined fields stay unchanged. */
  changePush: call(
    132,
    z.object({ ...Token, changes: PushSubscription.pick({ alerts: true, policy: true }).partial() }),
    PushSubscription,
  ),
  unsubscribeFromPush: call(133, z.object(Token), Done),
  /** The token was revoked. */
  pushTokenGone: cast(134, z.object(Token)),
  /** The push service refuses messages for this subscription. Does nothing where the token has another one by now. */
  pushRefused: call(206, z.object({ ...Token, subscriptionId: identifier }), Done),
};
