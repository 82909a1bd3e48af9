/** The handlers of two-factor authentication: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import * as codes from './codes.ts';
import * as passkeys from './passkeys.ts';
import { twoFactorMessages } from './two-factor.messages.ts';
import * as state from './two-factor.state.ts';

export const twoFactorFeature = feature<AccountTurn>()({
  messages: twoFactorMessages,
  handlers: { ...codes, ...passkeys },
  state: [state],
  rules: state.twoFactorRules,
});
