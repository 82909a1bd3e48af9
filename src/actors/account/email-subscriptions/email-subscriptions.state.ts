/** The keyspaces of subscriptions by mail, by id and by address. */
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { awaits, disagreement, isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { Account } from '../account.messages.ts';
import { owner, Reference } from '../account.state.ts';
import { logins } from '../profile/profile.state.ts';
import { EmailSubscription, EmailSubscriptions } from './email-subscriptions.records.ts';
import { emailSubscriptionLimits } from './limits.ts';

const { perAccountMax } = emailSubscriptionLimits;

export const emailSubscriptions = keyspace<[bigint, bigint], EmailSubscription>({
  number: 143,
  name: 'subscriptions by mail',
  owner,
  sparse: true,
  key: [id('account'), id('subscription')],
  value: record(EmailSubscription),
  bound: { by: 'count', entries: perAccountMax },
});

export const emailSubscriptionOf = keyspace<[bigint, string], Reference>({
  number: 151,
  name: 'subscription by mail by address',
  owner,
  derived: true,
  sparse: true,
  key: [id('account'), hashedString('email')],
  value: record(Reference),
  bound: { by: 'count', entries: perAccountMax },
});

export const emailSubscriptionCounts = keyspace<[bigint], EmailSubscriptions>({
  number: 152,
  name: 'subscriptions by mail of account',
  owner,
  sparse: true,
  key: [id('account')],
  value: record(EmailSubscriptions),
  bound: { by: 'owner', reason: 'one per local account' },
});

const isMeant = ([, subscriptionId]: [bigint, bigint], body: { readonly subscriptionId: bigint }) =>
  body.subscriptionId === subscriptionId;

export const emailSubscriptionRules: readonly Rule[] = [
  rule(emailSubscriptions, ([account, subscription], { email }, reader) =>
    reader.get(emailSubscriptionOf, [account, email])?.id === subscription ? undefined : 'is not found by its address',
  ),
  rule(emailSubscriptionOf, ([account], { id: subscription }, reader, bytes) => {
    const found = reader.get(emailSubscriptions, [account, subscription]);
    const isSame = found !== undefined && isKey(emailSubscriptionOf, [account, found.email], bytes);
    return isSame ? undefined : 'leads to a subscription of another address';
  }),
  rule(emailSubscriptions, ([account], _subscription, reader) =>
    reader.get(emailSubscriptionCounts, [account]) === undefined ? 'is not counted' : undefined,
  ),
  rule(emailSubscriptionCounts, ([account], { total, confirmed }, reader) => {
    if (reader.get(logins, [account]) === undefined) return 'is of an account without a login';
    const found = [...reader.range(emailSubscriptions, [account])];
    return (
      disagreement('subscriptions', total, found.length) ??
      disagreement('confirmed', confirmed, found.filter(({ value }) => value.confirmedAt !== undefined).length)
    );
  }),
  awaits(emailSubscriptions, [Account.emailSubscriptionExpires], {
    isAwaiting: (_key, { confirmedAt }) => confirmedAt === undefined,
    isMeant,
  }),
  awaits(emailSubscriptionCounts, [Account.emailsDue], { isAwaiting: (_key, { waiting }) => waiting !== undefined }),
  awaits(emailSubscriptionCounts, [Account.removeEmailSubscriptions], {
    isAwaiting: (_key, { isEnding }) => isEnding === true,
  }),
];
