/** Ends a follow, or takes a request back. */
import { Account } from '../../actors/account/account.messages.ts';
import { relationshipChange } from './change-relationship.ts';

export const unfollowAccount = relationshipChange({
  message: (ownId, targetId, targetDestination) => Account.unfollow.to(ownId, { targetId, targetDestination }),
});
