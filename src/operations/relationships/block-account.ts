/** Blocks an account, which ends follows in both directions. */
import { Account } from '../../actors/account/account.messages.ts';
import { relationshipChange } from './change-relationship.ts';

export const blockAccount = relationshipChange((ownId, targetId, targetDestination) =>
  Account.block.to(ownId, { targetId, targetDestination }),
);
