/** Withdrawals: the account itself removes those that are too old. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { withdrawalMessages } from './withdrawals.messages.ts';
import * as state from './withdrawals.state.ts';
import { sweepWithdrawals } from './withdrawals.turn.ts';

export const withdrawalsFeature = feature<AccountTurn>()({
  messages: withdrawalMessages,
  handlers: { sweepWithdrawals },
  state: [state],
  rules: state.withdrawalRules,
});
