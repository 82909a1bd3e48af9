/** The handlers of a local account: each message is run by the function of its name. */
import { handlersOf } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import * as lifecycle from './lifecycle.ts';
import { profileMessages } from './profile.messages.ts';

export const profileHandlers = handlersOf<AccountTurn>()(profileMessages, { ...lifecycle });
