/** Whether somebody who has subscribed to an account is to get a mail of it now: that may have changed since it was caused. */
import {
  findEmailSubscription,
  offersEmails,
} from '../../actors/account/email-subscriptions/email-subscriptions.queries.ts';
import type { EmailSubscription } from '../../actors/account/email-subscriptions/email-subscriptions.records.ts';
import type { MailContent } from '../../actors/account/mail/mail.records.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { storedSettings } from '../../actors/instance/instance.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';

/** Undefined where the server, the account or its role offer it no longer, and for a subscription that has ended. */
export function subscriberOf(
  snapshots: Snapshots,
  accountId: Id,
  { kind, subscriptionId }: Extract<MailContent, { kind: 'posts' | 'subscriptionConfirmation' }>,
): EmailSubscription | undefined {
  if (storedSettings(snapshots).emailSubscriptions !== true) return undefined;
  const profile = findProfile(snapshots, accountId);
  if (profile === undefined || !offersEmails(snapshots, profile)) return undefined;
  const subscription = findEmailSubscription(snapshots, accountId, subscriptionId);
  const isConfirmed = subscription?.confirmedAt !== undefined;
  return isConfirmed === (kind === 'posts') ? subscription : undefined;
}
