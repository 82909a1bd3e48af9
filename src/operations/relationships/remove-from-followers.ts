/** Removes a follower. */
import { Account } from '../../actors/account/account.messages.ts';
import { relationshipChange } from './change-relationship.ts';

export const removeFromFollowers = relationshipChange((ownId, requesterId, requesterDestination) =>
  Account.rejectFollow.to(ownId, { requesterId, requesterDestination }),
);
