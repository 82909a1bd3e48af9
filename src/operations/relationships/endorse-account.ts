/** Features an account on the caller's profile, or stops featuring it. */
import { Account } from '../../actors/account/account.messages.ts';
import { relationshipChange } from './change-relationship.ts';

export const endorseAccount = relationshipChange((ownId, targetId) => Account.endorse.to(ownId, { targetId }));

export const unendorseAccount = relationshipChange((ownId, targetId) => Account.unendorse.to(ownId, { targetId }));
