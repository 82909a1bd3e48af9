/** Whether others may subscribe to an account by mail: its own choice, where the server and its role offer it. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import {
  emailSubscriptionsOf,
  mayOfferEmails,
} from '../../actors/account/email-subscriptions/email-subscriptions.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { offersEmailSubscriptions } from '../../services/email-subscriptions.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const allowEmailSubscriptions = operation({
  input: z.object({ isAllowed: z.boolean() }),
  permission: 'manageOwnAccount',
  /** Throws Failure forbidden where the server or the role of the account do not offer it. */
  async run({ caller, services }, { isAllowed }): Promise<void> {
    const { accountId } = caller;
    if (isAllowed && ownEmailSubscriptions(services, accountId) === undefined) throw new Failure('forbidden');
    await services.client.call(Account.allowEmailSubscriptions.to(accountId, { isAllowed }), flowOf(caller));
  },
});

interface OwnEmailSubscriptions {
  readonly isAllowed: boolean;
  /** Those who have confirmed it. */
  readonly subscribers: number;
}

/** Undefined where the server or the role of the account do not offer it. */
export function ownEmailSubscriptions(
  services: Pick<Services, 'snapshots' | 'events' | 'mail' | 'members'>,
  accountId: Id,
): OwnEmailSubscriptions | undefined {
  const { snapshots } = services;
  const profile = findProfile(snapshots, accountId);
  if (profile === undefined || !offersEmailSubscriptions(services) || !mayOfferEmails(snapshots, profile))
    return undefined;
  const { confirmed } = emailSubscriptionsOf(snapshots, accountId);
  return { isAllowed: profile.emailSubscriptions === true, subscribers: confirmed };
}
