/** Unmutes an account. */
import { Account } from '../../actors/account/account.messages.ts';
import { relationshipChange } from './change-relationship.ts';

export const unmuteAccount = relationshipChange((ownId, targetId) => Account.unmute.to(ownId, { targetId }));
