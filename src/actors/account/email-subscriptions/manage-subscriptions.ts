/** Who subscribes to an account by mail, confirms it, and ends it. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { recordAudit } from '../../audit.state.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { sendMailTo } from '../mail/send-mail.ts';
import { profileChanged } from '../profile/profile.events.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { storeProfile } from '../profile/store-profile.ts';
import type { emailSubscriptionMessages } from './email-subscriptions.messages.ts';
import type { EmailSubscriptions } from './email-subscriptions.records.ts';
import { emailSubscriptionCounts, emailSubscriptionOf, emailSubscriptions } from './email-subscriptions.state.ts';
import { emailSubscriptionLimits } from './limits.ts';

type Body<Name extends keyof typeof emailSubscriptionMessages> = BodyOf<(typeof emailSubscriptionMessages)[Name]>;

const { perAccountMax, unconfirmedMilliseconds, confirmationAgainMilliseconds } = emailSubscriptionLimits;
const removedPerTurn = 200;

export function allowEmailSubscriptions(turn: AccountTurn, { isAllowed }: Body<'allowEmailSubscriptions'>): undefined {
  const before = ownProfile(turn);
  if ((before.emailSubscriptions === true) === isAllowed) return;
  storeProfile(turn, { ...before, emailSubscriptions: isAllowed }, before);
  turn.emit(profileChanged, { accountId: turn.self.key });
}

export function subscribeByEmail(turn: AccountTurn, { email, locale }: Body<'subscribeByEmail'>): undefined {
  const { key } = turn.self;
  const { emailSubscriptions: isAllowed, suspendedAt } = ownProfile(turn);
  const own = ownSubscriptions(turn);
  if (isAllowed !== true || suspendedAt !== undefined || own.isEnding === true) throw new Failure('notFound');
  const known = turn.get(emailSubscriptionOf, [key, email]);
  if (known !== undefined) return askAgain(turn, known.id);
  if (own.total >= perAccountMax) throw validationFailure('Too many people have subscribed to this account');
  const subscriptionId = turn.nextId();
  turn.put(emailSubscriptions, [key, subscriptionId], { email, locale, createdAt: turn.now, askedAt: turn.now });
  turn.put(emailSubscriptionOf, [key, email], { id: subscriptionId });
  turn.put(emailSubscriptionCounts, [key], { ...own, total: own.total + 1 });
  turn.schedule(turn.now + unconfirmedMilliseconds, Account.emailSubscriptionExpires.to(key, { subscriptionId }));
  sendMailTo(turn, email, { kind: 'subscriptionConfirmation', subscriptionId });
}

/** Not oftener than it helps: whoever types an address is not known to own it. */
function askAgain(turn: AccountTurn, subscriptionId: Id): undefined {
  const { key } = turn.self;
  const known = turn.get(emailSubscriptions, [key, subscriptionId]);
  if (known === undefined || known.confirmedAt !== undefined) return;
  if (known.askedAt + confirmationAgainMilliseconds > turn.now) return;
  turn.put(emailSubscriptions, [key, subscriptionId], { ...known, askedAt: turn.now });
  sendMailTo(turn, known.email, { kind: 'subscriptionConfirmation', subscriptionId });
}

export function confirmEmailSubscription(
  turn: AccountTurn,
  { subscriptionId }: Body<'confirmEmailSubscription'>,
): undefined {
  const { key } = turn.self;
  const known = turn.get(emailSubscriptions, [key, subscriptionId]);
  if (known === undefined) throw new Failure('notFound');
  if (known.confirmedAt !== undefined) return;
  const own = ownSubscriptions(turn);
  turn.put(emailSubscriptions, [key, subscriptionId], { ...known, confirmedAt: turn.now });
  turn.put(emailSubscriptionCounts, [key], { ...own, confirmed: own.confirmed + 1 });
}

export function endEmailSubscription(turn: AccountTurn, { subscriptionId }: Body<'endEmailSubscription'>): undefined {
  remove(turn, [subscriptionId]);
}

export function emailSubscriptionExpires(
  turn: AccountTurn,
  { subscriptionId }: Body<'emailSubscriptionExpires'>,
): undefined {
  const known = turn.get(emailSubscriptions, [turn.self.key, subscriptionId]);
  if (known !== undefined && known.confirmedAt === undefined) remove(turn, [subscriptionId]);
}

export function endEmailSubscriptions(turn: AccountTurn, { audit }: Body<'endEmailSubscriptions'>): undefined {
  const { key } = turn.self;
  const { emailSubscriptions: isAllowed = false, username } = ownProfile(turn);
  const own = ownSubscriptions(turn);
  allowEmailSubscriptions(turn, { isAllowed: false });
  recordAudit(turn, audit, {
    targetId: key,
    name: username,
    before: { isAllowed, subscribers: own.confirmed },
    after: { isAllowed: false, subscribers: 0 },
  });
  if (own.total === 0) return;
  turn.put(emailSubscriptionCounts, [key], { ...own, isEnding: true });
  turn.tell(Account.removeEmailSubscriptions.to(key, {}));
}

export function removeEmailSubscriptions(turn: AccountTurn): undefined {
  const { key } = turn.self;
  const some = [...turn.range(emailSubscriptions, [key], { limit: removedPerTurn })];
  remove(
    turn,
    some.map(({ key: place }) => place[1]),
  );
  if (some.length === removedPerTurn) turn.tell(Account.removeEmailSubscriptions.to(key, {}));
  else {
    const { isEnding: _ended, ...own } = ownSubscriptions(turn);
    turn.put(emailSubscriptionCounts, [key], own);
  }
}

function ownSubscriptions(turn: AccountTurn): EmailSubscriptions {
  return turn.get(emailSubscriptionCounts, [turn.self.key]) ?? { total: 0, confirmed: 0 };
}

/** Nothing is left of them. */
function remove(turn: AccountTurn, subscriptionIds: readonly Id[]): void {
  const { key } = turn.self;
  let { total, confirmed, ...own } = ownSubscriptions(turn);
  for (const subscriptionId of subscriptionIds) {
    const known = turn.get(emailSubscriptions, [key, subscriptionId]);
    if (known === undefined) continue;
    turn.delete(emailSubscriptions, [key, subscriptionId]);
    turn.delete(emailSubscriptionOf, [key, known.email]);
    total -= 1;
    if (known.confirmedAt !== undefined) confirmed -= 1;
  }
  turn.put(emailSubscriptionCounts, [key], { ...own, total, confirmed });
}
