/** Unfollows an account, or withdraws a follow request. */
import { Account } from '../../actors/account/account.messages.ts';
import { relationshipChange } from './change-relationship.ts';

export const unfollowAccount = relationshipChange((ownId, targetId, targetDestination) =>
  Account.unfollow.to(ownId, { targetId, targetDestination }),
);
