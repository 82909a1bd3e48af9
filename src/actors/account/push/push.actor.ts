/** Web push subscriptions of an account, one for each of its tokens and browsers. */

import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { AccountTurn } from '../account.turn.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { pushMessages } from './push.messages.ts';
import type { PushSubscription } from './push.records.ts';
import * as state from './push.state.ts';

const { pushSubscriptions } = state;

function subscribeToPush(
  turn: AccountTurn,
  { tokenId, subscription }: BodyOf<typeof pushMessages.subscribeToPush>,
): PushSubscription {
  ownProfile(turn);
  const created = { ...subscription, id: turn.nextId(), tokenId };
  turn.put(pushSubscriptions, [turn.self.key, tokenId], created);
  return created;
}

function changePush(turn: AccountTurn, { tokenId, changes }: BodyOf<typeof pushMessages.changePush>): PushSubscription {
  const before = turn.get(pushSubscriptions, [turn.self.key, tokenId]);
  if (before === undefined) throw new Failure('notFound');
  const { alerts = before.alerts, policy = before.policy } = changes;
  const changed = { ...before, alerts, policy, tokenId };
  turn.put(pushSubscriptions, [turn.self.key, tokenId], changed);
  return changed;
}

function unsubscribeFromPush(
  turn: AccountTurn,
  { tokenId }: BodyOf<typeof pushMessages.unsubscribeFromPush>,
): undefined {
  turn.delete(pushSubscriptions, [turn.self.key, tokenId]);
}

function pushRefused(
  turn: AccountTurn,
  { tokenId, subscriptionId }: BodyOf<typeof pushMessages.pushRefused>,
): undefined {
  const present = turn.get(pushSubscriptions, [turn.self.key, tokenId]);
  if (present?.id === subscriptionId) turn.delete(pushSubscriptions, [turn.self.key, tokenId]);
}

export const pushFeature = feature<AccountTurn>()({
  messages: pushMessages,
  handlers: { subscribeToPush, changePush, unsubscribeFromPush, pushTokenGone: unsubscribeFromPush, pushRefused },
  state: [state],
});
