/** Subscribing to the posts of an account by mail: by whoever has an address, with or without an account. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { offersEmails } from '../../actors/account/email-subscriptions/email-subscriptions.queries.ts';
import { emailSubscriptionLimits } from '../../actors/account/email-subscriptions/limits.ts';
import { findPublicAccount } from '../../actors/account/profile/profiles.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { offersEmailSubscriptions } from '../../services/email-subscriptions.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import { type MailToken, type MailTokenPurpose, mailTokenKey, readMailToken } from '../../services/mail-tokens.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { blank, invalid, refuseFields, tooLong } from '../refused-fields.ts';
import { admissionOfEmail } from '../registration/admission.ts';
import { isEmailAddress } from '../registration/sign-up-problems.ts';

const { emailCharactersMax } = emailSubscriptionLimits;

export const subscribeByEmail = operation({
  input: z.object({ accountId: z.bigint(), email: z.string(), locale: z.string() }),
  permission: 'signUp',
  limit: 'mailRequests',
  /**
   * Sends a link to the address that confirms it. The answer does not tell who has subscribed already. Throws Failure
   * notFound where nobody may subscribe, and FieldsRefused for what is no address.
   */
  async run({ caller, services }, { accountId, email: given, locale }): Promise<void> {
    if (!isOffered(services, accountId)) throw new Failure('notFound');
    const email = given.trim().toLowerCase();
    refuseFields({ email: problemsOf(services, email) });
    caller.limits.takeFor('emailSubscriptions', email);
    await services.client.call(Account.subscribeByEmail.to(accountId, { email, locale }), flowOf(caller));
  },
});

function problemsOf(services: Pick<Services, 'snapshots'>, email: string) {
  if (email === '') return [blank];
  if (email.length > emailCharactersMax) return [tooLong(emailCharactersMax)];
  return isEmailAddress(email) ? admissionOfEmail(services, email).problems : [invalid];
}

/** Whether others may subscribe to the account. */
export function isOffered(
  services: Pick<Services, 'snapshots' | 'events' | 'mail' | 'members'>,
  accountId: Id,
): boolean {
  if (!offersEmailSubscriptions(services)) return false;
  const account = findPublicAccount(services.snapshots, accountId);
  return account !== undefined && offersEmails(services.snapshots, account.profile);
}

export const confirmEmailSubscription = operation({
  input: z.object({ token: z.string() }),
  permission: 'signUp',
  /** Whoever has the link may do it. Throws Failure forbidden (linkExpired). */
  async run({ caller, services }, { token }): Promise<{ accountId: Id }> {
    const { accountId, requestId } = await subscriptionTokenOf(services, 'confirm a subscription', token);
    try {
      const message = Account.confirmEmailSubscription.to(accountId, { subscriptionId: requestId });
      await services.client.call(message, flowOf(caller));
    } catch (error) {
      throw error instanceof Failure && error.code === 'notFound' ? linkExpired() : error;
    }
    return { accountId };
  },
});

export const endEmailSubscription = operation({
  input: z.object({ token: z.string() }),
  permission: 'signUp',
  /** Whoever has the link may do it, as often as he likes. Throws Failure forbidden (linkExpired). */
  async run({ caller, services }, { token }): Promise<{ accountId: Id }> {
    const { accountId, requestId } = await subscriptionTokenOf(services, 'end a subscription', token);
    const message = Account.endEmailSubscription.to(accountId, { subscriptionId: requestId });
    await services.client.call(message, flowOf(caller));
    return { accountId };
  },
});

/** Throws Failure forbidden (linkExpired) for a token that is none of this server for this, and for an account that is gone. */
export async function subscriptionTokenOf(
  services: Services,
  purpose: MailTokenPurpose,
  token: string,
): Promise<MailToken> {
  const read = readMailToken(mailTokenKey(await secretsOf(services)), purpose, token);
  if (read === undefined || findPublicAccount(services.snapshots, read.accountId) === undefined) throw linkExpired();
  return read;
}

function linkExpired(): Failure {
  return new Failure('forbidden', { reason: 'linkExpired' });
}
