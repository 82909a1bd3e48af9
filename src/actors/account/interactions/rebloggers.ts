/** Notifies the accounts that reblogged a status of its edits, in slices. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { notificationLimits } from '../notifications/limits.ts';
import { ownTraits } from '../profile/profile.turn.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { reblogsOfStatus } from './interactions.state.ts';

export function tellRebloggers(turn: AccountTurn, message: BodyOf<typeof Account.tellRebloggers>): undefined {
  const { statusId, afterReblogId } = message;
  const threadId = turn.get(statuses, [statusId])?.threadId;
  const from = afterReblogId === undefined ? undefined : afterReblogId + 1n;
  const slice = [...turn.range(reblogsOfStatus, [statusId], { from, limit: notificationLimits.rebloggersPerTurn })];
  const cause = { type: 'update', fromId: turn.self.key, statusId, threadId, sender: ownTraits(turn) } as const;
  for (const { value } of slice) turn.tell(Account.notify.to(value.id, cause));
  if (slice.length < notificationLimits.rebloggersPerTurn) return;
  turn.tell(Account.tellRebloggers.to(turn.self.key, { statusId, afterReblogId: slice.at(-1)!.key[1] }));
}
