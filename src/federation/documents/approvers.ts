/** The interaction policy of a local account, as addresses of actors and collections. */
import type { Approver } from '../../actors/account/account.records.ts';
import type { Addresses } from '../../services/addresses.ts';
import { publicAudience } from './vocabulary.ts';

/** An empty list could be read as "not specified": the account itself stands for nobody else. */
export function approverAddresses(addresses: Addresses, approvers: readonly Approver[], username: string): string[] {
  const approved = approvers.flatMap((approver) => {
    if (approver === 'public') return [publicAudience];
    if (approver === 'following') return [addresses.following(username)];
    return approver === 'followers' ? [addresses.followers(username)] : [];
  });
  return approved.length > 0 ? approved : [addresses.actor(username)];
}
