/**
 * Tells notifications by mail, two minutes later, to those who seem to be away: they have no push subscription, and have
 * not read them meanwhile. Whether a stream is open is known when the mail is sent (outbound/mail/mails.ts). Where mail
 * goes into files nobody waits for it: nothing is stored, and no timer is set.
 *
 * INVARIANT one timer per account, which is set while a notification waits: however many come, each is looked at once.
 */
import type { Id } from '../../../runtime/ids.ts';
import { mailRoute } from '../../partition/mail-route.state.ts';
import { wantsMail } from '../../policy/mail-topics.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { type AccountMail, type MailedNotification, mailedNotifications } from '../mail/mail.records.ts';
import { ownMail, putMail } from '../mail/mail.turn.ts';
import { sendMail } from '../mail/send-mail.ts';
import { markersOf } from '../markers/markers.queries.ts';
import { logins } from '../profile/profile.state.ts';
import { hasPushSubscriptions } from '../push/push.queries.ts';
import { notificationLimits } from './limits.ts';
import type { NotificationType } from './notifications.records.ts';
import { notifications } from './notifications.state.ts';

const { mailWaitMilliseconds, mailedAtOnceMax, refusedMailsMax } = notificationLimits;

/** In the commit of the notification. */
export function mailNotification(turn: AccountTurn, notificationId: Id, type: NotificationType): void {
  if (!isMailed(type)) return;
  const mail = ownMail(turn);
  if (mail.notifying !== undefined || !wantsMail(mail.settings, type) || !isReachedByMail(turn, mail)) return;
  wait(turn, mail, notificationId - 1n, turn.now + mailWaitMilliseconds);
}

export function notificationMailsDue(turn: AccountTurn): undefined {
  const { notifying, ...mail } = ownMail(turn);
  if (notifying === undefined) return;
  putMail(turn, mail);
  if (!isReachedByMail(turn, mail)) return;
  const { key: accountId } = turn.self;
  const readId = markersOf(turn, accountId).notifications?.lastReadId ?? 0n;
  const waiting = { from: notifying.afterId + 1n, limit: mailedAtOnceMax };
  let { afterId } = notifying;
  let count = 0;
  for (const { key, value } of turn.range(notifications, [accountId], waiting)) {
    const dueAt = value.createdAt + mailWaitMilliseconds;
    if (dueAt > turn.now) return wait(turn, mail, afterId, dueAt);
    [, afterId] = key;
    count += 1;
    const { type } = value;
    if (afterId > readId && isMailed(type) && wantsMail(mail.settings, type))
      sendMail(turn, { kind: 'notification', notificationId: afterId, type });
  }
  if (count === mailedAtOnceMax) wait(turn, mail, afterId, turn.now);
}

function wait(turn: AccountTurn, mail: AccountMail, afterId: Id, dueAt: number): undefined {
  putMail(turn, { ...mail, notifying: { afterId } });
  turn.schedule(dueAt, Account.notificationMailsDue.to(turn.self.key, {}));
}

function isMailed(type: NotificationType): type is MailedNotification {
  return (mailedNotifications as readonly string[]).includes(type);
}

/** Not without an SMTP server, nor at an address that is not confirmed, or that mail servers refuse. */
function isReachedByMail(turn: AccountTurn, { settings, refused }: AccountMail): boolean {
  const { key } = turn.self;
  if (turn.get(mailRoute, [0])?.isSmtp !== true) return false;
  const login = turn.get(logins, [key]);
  if (login === undefined || !login.confirmed || login.disabled) return false;
  if (refused?.email === login.email && refused.count >= refusedMailsMax) return false;
  return settings?.always === true || !hasPushSubscriptions(turn, key);
}
