/** What a remote account withdrew is forgotten after some hours. Message number 86. */
import { cast, Nothing } from '../../../runtime/contract.ts';

export const withdrawalMessages = {
  sweepWithdrawals: cast(86, Nothing),
};
