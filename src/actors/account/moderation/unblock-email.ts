/** The e-mail address of a suspended account may sign up again. */
import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import { recordAudit } from '../../audit.state.ts';
import { Instance, instanceKey } from '../../instance/instance.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { ownLogin, ownProfile, putLogin } from '../profile/profile.turn.ts';
import type { moderationMessages } from './moderation.messages.ts';

export function unblockEmail(
  turn: AccountTurn,
  { audit }: BodyOf<typeof moderationMessages.unblockEmail>,
): DelegatedReply {
  const { key: accountId } = turn.self;
  const { emailBlock: hash, ...login } = ownLogin(turn);
  if (hash === undefined) throw new Failure('validation');
  putLogin(turn, login);
  recordAudit(turn, audit, { targetId: accountId, name: ownProfile(turn).username });
  return turn.delegateReply(Instance.unblockAccountEmail.to(instanceKey, { accountId, hash }));
}
