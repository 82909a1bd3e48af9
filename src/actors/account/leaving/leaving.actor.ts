/** The handlers of an account that its owner deletes: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import { awaits } from '../../../runtime/storage/rules.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { logins } from '../profile/profile.state.ts';
import { deleteSelf, keepSelf, selfDeletionDue } from './delete-self.ts';
import { leavingMessages } from './leaving.messages.ts';

export const leavingFeature = feature<AccountTurn>()({
  messages: leavingMessages,
  handlers: { deleteSelf, keepSelf, selfDeletionDue },
  state: [],
  rules: [awaits(logins, [Account.selfDeletionDue], { isAwaiting: (_key, { deletesAt }) => deletesAt !== undefined })],
});
