/**
 * Web push subscriptions (specification 4.8): an access token has one, and so has a browser
 * session, whose id stands for that of a token. Message numbers 131 to 134, 206.
 */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';
import { NewPushSubscription, PushSubscription } from './push.records.ts';

const Token = { tokenId: z.string() };

export const pushMessages = {
  /** Replaces an earlier subscription. Sent by the token or the browser session (Session.subscribeToPush, Session.subscribeBrowserToPush). */
  subscribeToPush: call(131, z.object({ ...Token, subscription: NewPushSubscription }), PushSubscription),
  /** Throws notFound where the token has none. Undefined fields stay unchanged. */
  changePush: call(
    132,
    z.object({ ...Token, changes: PushSubscription.pick({ alerts: true, policy: true }).partial() }),
    PushSubscription,
  ),
  unsubscribeFromPush: call(133, z.object(Token), Done),
  /** The token was revoked, or the browser session is closed. */
  pushTokenGone: cast(134, z.object(Token)),
  /** The push service refuses messages for this subscription. Does nothing where the token has another one by now. */
  pushRefused: call(206, z.object({ ...Token, subscriptionId: identifier }), Done),
};
