/**
 * Confirms addresses of the account: that of its sign-up, and one that is to replace it. An address is owned by one account
 * only, which its directory actor decides:
 *
 *   account confirmEmail   the link holds
 *   email:… claimEmail     nobody else owns the address
 *   account emailClaimed   the address counts, and the one before is told and left
 */
import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import { recordAudit } from '../../audit.state.ts';
import { Directory, nameOfEmail, type Registration } from '../../directory/directory.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { askToConfirm } from '../mail/ask-to-confirm.ts';
import { ownMail, putMail } from '../mail/mail.turn.ts';
import { sendMail, sendMailTo } from '../mail/send-mail.ts';
import { logins } from '../profile/profile.state.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { changeLogin } from './lifecycle.ts';
import type { localMessages } from './local.messages.ts';
import { notifyOfSignUp } from './sign-up-notice.ts';

export function requestConfirmation(turn: AccountTurn): undefined {
  const login = turn.get(logins, [turn.self.key]);
  const pending = ownMail(turn).confirmation?.email;
  if (login === undefined || (login.confirmed && pending === undefined)) throw new Failure('forbidden');
  askToConfirm(turn, pending ?? login.email);
}

export function changeEmail(turn: AccountTurn, { email, audit }: BodyOf<typeof localMessages.changeEmail>): undefined {
  if (turn.get(logins, [turn.self.key]) === undefined) throw new Failure('notFound');
  recordAudit(turn, audit, { targetId: turn.self.key, name: ownProfile(turn).username, changed: ['email'] });
  askToConfirm(turn, email);
}

export function confirmEmail(
  turn: AccountTurn,
  { requestId, staffIds }: BodyOf<typeof localMessages.confirmEmail>,
): DelegatedReply {
  const { confirmation } = ownMail(turn);
  if (confirmation?.requestId !== requestId || confirmation.expiresAt < turn.now) throw new Failure('forbidden');
  const { email } = confirmation;
  const claim = { accountId: turn.self.key, email, staffIds };
  return turn.delegateReply(Directory.claimEmail.to(nameOfEmail(email), claim));
}

export function emailClaimed(
  turn: AccountTurn,
  { email, staffIds }: BodyOf<typeof localMessages.emailClaimed>,
): Registration {
  const { key } = turn.self;
  const before = turn.get(logins, [key]);
  if (before === undefined) throw new Failure('notFound');
  const { confirmation, refused: _refused, ...mail } = ownMail(turn);
  putMail(turn, confirmation?.email === email ? mail : { ...mail, confirmation });
  changeLogin(turn, { email, confirmed: true });
  if (!before.confirmed) {
    notifyOfSignUp(turn, staffIds);
    if (before.approved) sendMail(turn, { kind: 'welcome' });
  }
  if (before.confirmed && nameOfEmail(before.email) !== nameOfEmail(email)) {
    turn.tell(Directory.leaveEmail.to(nameOfEmail(before.email), { accountId: key }));
    sendMailTo(turn, before.email, { kind: 'emailChanged', email });
  }
  return { accountId: key };
}
