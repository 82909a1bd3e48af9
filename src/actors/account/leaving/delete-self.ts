/**
 * A local account that its owner deletes. Until the delay is over everything stays as it is, but nobody can act for the
 * account: its tokens end, its streams close, and a sign-in offers to take it back. Then its address is free again, its name
 * is not, and the rest is removed (moderation/remove-data.ts).
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import { Directory, nameOfEmail } from '../../directory/directory.messages.ts';
import { isUser } from '../../policy/usage.ts';
import { loginChanged } from '../../session/session.events.ts';
import { Session, userKey } from '../../session/session.messages.ts';
import { countUsage } from '../../usage.state.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { forgetMail } from '../mail/mail.turn.ts';
import { sendMail } from '../mail/send-mail.ts';
import { removeData } from '../moderation/remove-data.ts';
import type { Login } from '../profile/profile.records.ts';
import { logins } from '../profile/profile.state.ts';
import { ownLogin, ownProfile, putLogin } from '../profile/profile.turn.ts';
import { useTwoFactorCode } from '../two-factor/codes.ts';
import type { leavingMessages } from './leaving.messages.ts';

export function deleteSelf(
  turn: AccountTurn,
  { delayMilliseconds, code }: BodyOf<typeof leavingMessages.deleteSelf>,
): { deletesAt: number } {
  const { key: accountId } = turn.self;
  const login = ownLogin(turn);
  const isShut = login.disabled || ownProfile(turn).suspendedAt !== undefined;
  if (isShut || login.deletesAt !== undefined) throw new Failure('conflict');
  if (code !== undefined) useTwoFactorCode(turn, { code });
  const deletesAt = turn.now + delayMilliseconds;
  if (delayMilliseconds === 0) leave(turn, login);
  else {
    putLogin(turn, { ...login, deletesAt });
    turn.schedule(deletesAt, Account.selfDeletionDue.to(accountId, { until: deletesAt }));
    turn.tell(Session.revokeTokensOfUser.to(userKey(accountId), {}));
    sendMail(turn, { kind: 'deletionBegun', deletesAt });
  }
  turn.emit(loginChanged, { accountId });
  return { deletesAt };
}

export function keepSelf(turn: AccountTurn): undefined {
  const login = ownLogin(turn);
  if (login.deletesAt === undefined) throw new Failure('conflict');
  putLogin(turn, { ...login, deletesAt: undefined });
  sendMail(turn, { kind: 'deletionTakenBack' });
  turn.emit(loginChanged, { accountId: turn.self.key });
}

/** Does nothing where it was taken back, or decided again later. */
export function selfDeletionDue(
  turn: AccountTurn,
  { until }: BodyOf<typeof leavingMessages.selfDeletionDue>,
): undefined {
  const login = turn.get(logins, [turn.self.key]);
  if (login?.deletesAt === until) leave(turn, login);
}

function leave(turn: AccountTurn, login: Login): void {
  const { key: accountId } = turn.self;
  const profile = ownProfile(turn);
  sendMail(turn, { kind: 'deleted' });
  turn.tell(Directory.leaveEmail.to(nameOfEmail(login.email), { accountId }));
  if (isUser(profile, login)) countUsage(turn, { users: -1 });
  forgetMail(turn);
  removeData(turn, profile, {
    profile: {
      suspendedAt: profile.suspendedAt ?? turn.now,
      deletedRemotelyAt: turn.now,
      role: 'user',
      discoverable: false,
    },
    login: {
      email: '',
      confirmed: false,
      role: 'user',
      reason: undefined,
      applicationId: undefined,
      invitation: undefined,
    },
  });
}
