/** Accepts a follow request. */
import { Account } from '../../actors/account/account.messages.ts';
import { relationshipChange } from './change-relationship.ts';

export const authorizeFollowRequest = relationshipChange((ownId, requesterId, requesterDestination) =>
  Account.authorizeFollow.to(ownId, { requesterId, requesterDestination }),
);
