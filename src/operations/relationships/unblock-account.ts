/** Unblocks an account. */
import { Account } from '../../actors/account/account.messages.ts';
import { relationshipChange } from './change-relationship.ts';

export const unblockAccount = relationshipChange((ownId, targetId, targetDestination) =>
  Account.unblock.to(ownId, { targetId, targetDestination }),
);
