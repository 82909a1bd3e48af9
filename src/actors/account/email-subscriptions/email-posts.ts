/**
 * Sends posts to those who have subscribed to an account: minutes later, so that posts that follow each other go into one
 * mail, and to some subscribers a turn. Whether the server and the role of the account still offer it is known when the mail
 * is sent (outbound/mail/mails.ts).
 *
 * INVARIANT one timer per account, which is set while a post waits.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import { isMailed } from '../../policy/mailed-posts.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { sendMailTo } from '../mail/send-mail.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { statuses, statusesOfAccount } from '../statuses/statuses.state.ts';
import type { emailSubscriptionMessages } from './email-subscriptions.messages.ts';
import { emailSubscriptionCounts, emailSubscriptions } from './email-subscriptions.state.ts';
import { emailSubscriptionLimits } from './limits.ts';

const { mailWaitMilliseconds, mailsADayMax, postsPerMailMax, mailsPerTurnMax, mailsPauseMilliseconds } =
  emailSubscriptionLimits;
const dayMilliseconds = 24 * 60 * 60 * 1000;

/** In the commit of the post. */
export function announcePost(turn: AccountTurn, statusId: Id): void {
  const { key } = turn.self;
  const own = turn.get(emailSubscriptionCounts, [key]);
  if (own === undefined || own.confirmed === 0 || own.waiting !== undefined) return;
  const day = Math.floor(turn.now / dayMilliseconds);
  const isSpent = own.sent !== undefined && own.sent.day >= day && own.sent.mails >= mailsADayMax;
  const tomorrow = (day + 1) * dayMilliseconds;
  turn.put(emailSubscriptionCounts, [key], { ...own, waiting: { afterId: statusId - 1n } });
  turn.schedule(isSpent ? tomorrow : turn.now + mailWaitMilliseconds, Account.emailsDue.to(key, {}));
}

export function emailsDue(turn: AccountTurn): undefined {
  const { key } = turn.self;
  const own = turn.get(emailSubscriptionCounts, [key]);
  if (own?.waiting === undefined) return;
  const { waiting, ...rest } = own;
  const statusIds = mailedAfter(turn, waiting.afterId);
  const isSent = statusIds.length > 0 && own.confirmed > 0 && ownProfile(turn).emailSubscriptions === true;
  const day = Math.floor(turn.now / dayMilliseconds);
  const before = own.sent?.day === day ? own.sent.mails : 0;
  turn.put(emailSubscriptionCounts, [key], { ...rest, ...(isSent && { sent: { day, mails: before + 1 } }) });
  if (isSent) turn.tell(Account.emailPosts.to(key, { statusIds }));
}

/** Newest first. */
function mailedAfter(turn: AccountTurn, afterId: Id): Id[] {
  const newest = turn.range(statusesOfAccount, [turn.self.key], { from: afterId + 1n, reverse: true });
  const found: Id[] = [];
  for (const { key } of newest) {
    const status = turn.get(statuses, [key[1]]);
    if (status !== undefined && isMailed(status) && found.push(status.id) === postsPerMailMax) break;
  }
  return found;
}

export function emailPosts(
  turn: AccountTurn,
  { statusIds, afterId = 0n }: BodyOf<typeof emailSubscriptionMessages.emailPosts>,
): undefined {
  const { key } = turn.self;
  const next = [...turn.range(emailSubscriptions, [key], { from: afterId + 1n, limit: mailsPerTurnMax })];
  for (const { key: place, value } of next)
    if (value.confirmedAt !== undefined)
      sendMailTo(turn, value.email, { kind: 'posts', subscriptionId: place[1], statusIds });
  const last = next.at(-1)?.key[1];
  if (last !== undefined && next.length === mailsPerTurnMax)
    turn.schedule(turn.now + mailsPauseMilliseconds, Account.emailPosts.to(key, { statusIds, afterId: last }));
}
