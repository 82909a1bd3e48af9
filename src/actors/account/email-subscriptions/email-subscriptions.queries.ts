/** Reads subscriptions by mail, and who offers them. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { grants } from '../../policy/roles.ts';
import { heldRole } from '../../roles.queries.ts';
import type { Profile } from '../profile/profile.records.ts';
import type { EmailSubscription, EmailSubscriptions } from './email-subscriptions.records.ts';
import { emailSubscriptionCounts, emailSubscriptions } from './email-subscriptions.state.ts';

const nobody: EmailSubscriptions = { total: 0, confirmed: 0 };

export function emailSubscriptionsOf(reader: Reader, accountId: Id): EmailSubscriptions {
  return reader.get(emailSubscriptionCounts, [accountId]) ?? nobody;
}

export function findEmailSubscription(
  reader: Reader,
  accountId: Id,
  subscriptionId: Id,
): EmailSubscription | undefined {
  return reader.get(emailSubscriptions, [accountId, subscriptionId]);
}

/** Whether an account may let others subscribe: its role says so. */
export function mayOfferEmails(reader: Reader, profile: Profile): boolean {
  return profile.remote === undefined && grants(heldRole(reader, profile), 'manageEmailSubscriptions');
}

/** Whether others may subscribe, where the server offers it at all. */
export function offersEmails(reader: Reader, profile: Profile): boolean {
  if (profile.emailSubscriptions !== true || profile.suspendedAt !== undefined) return false;
  return mayOfferEmails(reader, profile);
}
