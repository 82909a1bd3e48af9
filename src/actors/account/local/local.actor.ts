/** The handlers of local accounts: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import * as confirmation from './confirmation.ts';
import { creatorFollowed } from './follow-creator.ts';
import * as keyRotation from './key-rotation.ts';
import * as lifecycle from './lifecycle.ts';
import { localMessages } from './local.messages.ts';
import * as passwordReset from './password-reset.ts';

export const localFeature = feature<AccountTurn>()({
  messages: localMessages,
  handlers: { ...lifecycle, ...confirmation, ...passwordReset, ...keyRotation, creatorFollowed },
  state: [],
});
