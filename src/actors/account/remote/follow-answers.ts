/** Follows of remote accounts that were believed to be accepted, until their servers say so. */
import type { BodyOf } from '../../../runtime/contract.ts';
import type { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { takeBack } from '../relationships/follow-requests.ts';
import { followers } from '../relationships/relationships.state.ts';

/** A follow that was not accepted by now waits until it is. */
export function followAnswerDue(turn: AccountTurn, message: BodyOf<typeof Account.followAnswerDue>): undefined {
  const { requesterId, followId } = message;
  const follower = turn.get(followers, [turn.self.key, requesterId]);
  if (follower?.id !== followId || follower.isUnanswered !== true) return;
  const told = takeBack(turn, requesterId);
  if (told !== undefined) turn.tell(told);
}
