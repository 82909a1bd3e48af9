/** A sign-up that staff reject: nothing of the account stays, and its name and address are free again. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import { recordAudit } from '../../audit.state.ts';
import { Directory, nameOfEmail, nameOfHandle } from '../../directory/directory.messages.ts';
import { Instance, instanceKey } from '../../instance/instance.messages.ts';
import { loginChanged } from '../../session/session.events.ts';
import { Session, userKey } from '../../session/session.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { forgetMail } from '../mail/mail.turn.ts';
import { forgetNotifications } from '../notifications/notify.ts';
import { profileChanged } from '../profile/profile.events.ts';
import { logins } from '../profile/profile.state.ts';
import { forgetProfile, ownProfile } from '../profile/profile.turn.ts';
import { storeProfile } from '../profile/store-profile.ts';
import { forgetAllSignIns } from '../sign-ins/sign-ins.turn.ts';
import type { moderationMessages } from './moderation.messages.ts';
import { warnings } from './warnings.state.ts';

/** Nobody could sign in to it, so there is nothing else of it. */
export function reject(turn: AccountTurn, { audit }: BodyOf<typeof moderationMessages.reject>): undefined {
  const { key: accountId } = turn.self;
  const profile = ownProfile(turn);
  const login = turn.get(logins, [accountId]);
  if (login === undefined || login.approved) throw new Failure('forbidden');
  recordAudit(turn, audit, { targetId: accountId, name: profile.username });
  // Takes it out of every index.
  storeProfile(turn, { ...profile, role: 'user', deletedRemotelyAt: turn.now }, profile);
  forgetNotifications(turn);
  for (const { key } of [...turn.range(warnings, [accountId])]) turn.delete(warnings, key);
  forgetMail(turn);
  forgetAllSignIns(turn);
  forgetProfile(turn);
  const { invitation } = login;
  if (invitation !== undefined) turn.tell(Instance.inviteUnused.to(instanceKey, { inviteId: invitation.inviteId }));
  turn.tell(Session.revokeTokensOfUser.to(userKey(accountId), {}));
  turn.tell(Directory.leaveName.to(nameOfHandle(profile.username, undefined), { accountId }));
  turn.tell(Directory.leaveEmail.to(nameOfEmail(login.email), { accountId }));
  turn.emit(loginChanged, { accountId });
  turn.emit(profileChanged, { accountId });
}
