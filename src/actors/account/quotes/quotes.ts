/**
 * Quotes, on the author of the quoted status, who decides by the status' policy, counts, and may revoke (FEP-044f). For
 * a remote author its server has decided. Every message may be repeated; the second time changes nothing.
 */

import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Destination } from '../../intents.ts';
import { quoteApprovalOf, quotePermission } from '../../policy/quotes.ts';
import { reachesFollowers } from '../../policy/visibility.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { isSeenBy } from '../interactions/interaction.ts';
import { notificationLimits } from '../notifications/limits.ts';
import { addNotification, takeBack } from '../notifications/notify.ts';
import { profiles } from '../profile/profile.state.ts';
import { isLocal, ownTraits } from '../profile/profile.turn.ts';
import { deliverTo } from '../relationships/follow-deliveries.ts';
import { deliver, tellFollowers } from '../relationships/follower-distribution.ts';
import { followers, following } from '../relationships/relationships.state.ts';
import { deliverStatus } from '../statuses/deliver-status.ts';
import { factsOf } from '../statuses/status-facts.ts';
import { statusCounted, statusEdited } from '../statuses/statuses.events.ts';
import type { PublishedStatus } from '../statuses/statuses.messages.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { countStatus, ownStatus, putStatus } from '../statuses/statuses.turn.ts';
import type { QuoteOfStatus } from './quotes.records.ts';
import { quoteByAuthorization, quotesOfStatus } from './quotes.state.ts';

export function quoted(turn: AccountTurn, message: BodyOf<typeof Account.quoted>): PublishedStatus {
  const { statusId, quoteId, by, isAccepted, authorizationUri, sender } = message;
  // A remote author's server has to authorise it first.
  if (!isLocal(turn) && !isAccepted) return { statusId: quoteId };
  const refused = isLocal(turn)
    ? refusalOf(turn, statusId, quoteId, by)
    : refusalOfRemote(turn, statusId, quoteId, authorizationUri);
  const isNew = refused === undefined && addQuote(turn, statusId, quoteId, { accountId: by, authorizationUri });
  const threadId = threadIdOf(turn, statusId);
  if (isNew && isAccepted) addNotification(turn, { type: 'quote', fromId: by, statusId: quoteId, threadId, sender });
  if (refused === undefined && isAccepted) return { statusId: quoteId };
  const decision = { statusId, quoteId, state: refused ?? 'accepted', threadId } as const;
  turn.tell(Account.decideQuote.to(by, decision));
  return { statusId: quoteId };
}

export function quoteRequested(
  turn: AccountTurn,
  message: BodyOf<typeof Account.quoteRequested>,
): undefined | DelegatedReply {
  const { statusId, by, byDestination, quoteId, quoteUri, requestUri } = message;
  const refused = quoteId === undefined ? 'rejected' : refusalOf(turn, statusId, quoteId, by);
  const isAccepted = quoteId !== undefined && refused === undefined;
  if (isAccepted) addQuote(turn, statusId, quoteId, { accountId: by });
  deliverTo(turn, byDestination, () => ({
    kind: isAccepted ? 'acceptQuote' : 'rejectQuote',
    actorId: turn.self.key,
    activityId: turn.nextId(),
    targetId: by,
    statusId,
    quoteId,
    quoteUri,
    requestUri,
  }));
  if (quoteId === undefined) return undefined;
  const decision = { statusId, quoteId, state: refused ?? 'accepted', threadId: threadIdOf(turn, statusId) } as const;
  return turn.delegateReply(Account.decideQuote.to(by, decision));
}

/** An authorization is of one quote (FEP-044f): the first that came with it. */
function refusalOfRemote(
  turn: AccountTurn,
  statusId: Id,
  quoteId: Id,
  authorizationUri: string | undefined,
): 'deleted' | 'rejected' | undefined {
  if (turn.get(statuses, [statusId]) === undefined) return 'deleted';
  if (authorizationUri === undefined) return undefined;
  const known = turn.get(quoteByAuthorization, [turn.self.key, authorizationUri]);
  return known === undefined || known.quoteId === quoteId ? undefined : 'rejected';
}

/** Why a quote is refused: the status is gone, its policy or a block forbids it, or it was revoked before. */
function refusalOf(
  turn: AccountTurn,
  statusId: Id,
  quoteId: Id,
  by: Id,
): 'deleted' | 'rejected' | 'revoked' | undefined {
  const status = turn.get(statuses, [statusId]);
  if (status === undefined) return 'deleted';
  const known = turn.get(quotesOfStatus, [statusId, quoteId]);
  if (known !== undefined) return known.isRevoked === true ? 'revoked' : undefined;
  return mayQuote(turn, status, by) ? undefined : 'rejected';
}

function mayQuote(turn: AccountTurn, status: Status, accountId: Id): boolean {
  const author = turn.self.key;
  if (status.accountId !== author || !isSeenBy(turn, status, accountId)) return false;
  // Its authorization could not be fetched (docs/decisions/0039).
  if (turn.get(profiles, [author])?.suspendedAt !== undefined) return false;
  const permission = quotePermission(status, {
    accountId,
    follows: () => turn.get(followers, [author, accountId]) !== undefined,
    isFollowedBy: () => turn.get(following, [author, accountId])?.state === 'accepted',
  });
  return permission === 'automatic';
}

function threadIdOf(turn: AccountTurn, statusId: Id): Id {
  return turn.get(statuses, [statusId])?.threadId ?? statusId;
}

/** True where it was not counted before. */
function addQuote(turn: AccountTurn, statusId: Id, quoteId: Id, quote: QuoteOfStatus): boolean {
  const { authorizationUri } = quote;
  const known = turn.get(quotesOfStatus, [statusId, quoteId]);
  if (known !== undefined && known.isRevoked !== true && known.authorizationUri === authorizationUri) return false;
  forgetAuthorization(turn, quoteId, known);
  turn.put(quotesOfStatus, [statusId, quoteId], quote);
  if (authorizationUri !== undefined)
    turn.put(quoteByAuthorization, [turn.self.key, authorizationUri], { statusId, quoteId });
  if (known !== undefined && known.isRevoked !== true) return false;
  countQuote(turn, statusId, 1);
  return true;
}

function countQuote(turn: AccountTurn, statusId: Id, change: 1 | -1): void {
  countStatus(turn, statusId, 'quotes', change);
  turn.emit(statusCounted, { id: statusId });
}

function forgetAuthorization(turn: AccountTurn, quoteId: Id, quote: QuoteOfStatus | undefined): void {
  if (quote?.authorizationUri === undefined) return;
  const key: [Id, string] = [turn.self.key, quote.authorizationUri];
  if (turn.get(quoteByAuthorization, key)?.quoteId === quoteId) turn.delete(quoteByAuthorization, key);
}

/** Throws notFound for somebody else's status, and for a status that does not quote it. */
export function revokeQuote(turn: AccountTurn, message: BodyOf<typeof Account.revokeQuote>): DelegatedReply {
  const { statusId, quoteId, byDestination, destinations } = message;
  ownStatus(turn, statusId);
  const quote = turn.get(quotesOfStatus, [statusId, quoteId]);
  if (quote === undefined) throw new Failure('notFound');
  if (quote.isRevoked !== true) {
    turn.put(quotesOfStatus, [statusId, quoteId], { ...quote, isRevoked: true });
    withdrawQuote(turn, statusId, quoteId, quote);
    const intent = { kind: 'revokeQuote', actorId: turn.self.key, statusId, quoteId } as const;
    if (byDestination !== undefined)
      deliver(turn, { ...intent, activityId: turn.nextId() }, { toFollowers: true, destinations: [byDestination] });
  }
  const decision = { statusId, quoteId, state: 'revoked', destinations } as const;
  return turn.delegateReply(Account.decideQuote.to(quote.accountId, decision));
}

export function quoteRemoved(turn: AccountTurn, message: BodyOf<typeof Account.quoteRemoved>): undefined {
  const { statusId, quoteId, stays } = message;
  const quote = turn.get(quotesOfStatus, [statusId, quoteId]);
  if (quote === undefined || (stays === true && quote.isRevoked === true)) return;
  removeQuote(turn, statusId, quoteId, quote);
  if (quote.isRevoked !== true && turn.get(statuses, [statusId]) !== undefined)
    withdrawQuote(turn, statusId, quoteId, quote);
}

/** Removes and uncounts a quote; also used when a deleted status is swept. */
export function removeQuote(turn: AccountTurn, statusId: Id, quoteId: Id, quote: QuoteOfStatus): void {
  forgetAuthorization(turn, quoteId, quote);
  turn.delete(quotesOfStatus, [statusId, quoteId]);
}

function withdrawQuote(turn: AccountTurn, statusId: Id, quoteId: Id, { accountId }: QuoteOfStatus): void {
  countQuote(turn, statusId, -1);
  takeBack(turn, { type: 'quote', fromId: accountId, statusId: quoteId });
}

/** The server of this remote account deleted the object at this address: true where it was an authorization. */
export function deleteAuthorization(turn: AccountTurn, uri: string): boolean {
  const authorized = turn.get(quoteByAuthorization, [turn.self.key, uri]);
  if (authorized === undefined) return false;
  const { accountId } = turn.get(quotesOfStatus, [authorized.statusId, authorized.quoteId])!;
  quoteRemoved(turn, authorized);
  turn.tell(Account.decideQuote.to(accountId, { ...authorized, state: 'revoked' }));
  return true;
}

/** Earlier quotes stay accepted. Throws notFound for any but an own status with a text. */
export function changeQuotePolicy(turn: AccountTurn, message: BodyOf<typeof Account.changeQuotePolicy>): undefined {
  const { statusId, policy, destinations } = message;
  const status = ownStatus(turn, statusId);
  if (status.reblogOfId !== undefined) throw new Failure('notFound');
  const quoteApproval = quoteApprovalOf(policy, status.visibility);
  if (quoteApproval?.automatic[0] === status.quoteApproval?.automatic[0]) return;
  putStatus(turn, { ...status, quoteApproval });
  tellChanged(turn, status, destinations);
}

/** The quote state of a status has changed, which is not an edit. */
export function showAnew(turn: AccountTurn, status: Status): void {
  const facts = factsOf(status);
  turn.emit(statusEdited, facts);
  tellFollowers(turn, 'revised', facts, status.mentions);
}

/** The same, delivered to other servers too. */
export function tellChanged(turn: AccountTurn, status: Status, destinations: readonly Destination[] = []): void {
  showAnew(turn, status);
  if (!isLocal(turn)) return;
  const { id: statusId } = status;
  deliverStatus(
    turn,
    status,
    { kind: 'update', actorId: turn.self.key, activityId: turn.nextId(), statusId },
    { toFollowers: reachesFollowers(status), destinations },
  );
}

/**
 * The notification refers to the quoting status, and comes from the author of the edited one (behaviour of the Mastodon
 * API).
 */
export function tellQuoters(turn: AccountTurn, message: BodyOf<typeof Account.tellQuoters>): undefined {
  const { statusId, afterQuoteId } = message;
  const from = afterQuoteId === undefined ? undefined : afterQuoteId + 1n;
  const limit = notificationLimits.rebloggersPerTurn;
  const slice = [...turn.range(quotesOfStatus, [statusId], { from, limit })];
  const cause = { type: 'quoted_update', fromId: turn.self.key, sender: ownTraits(turn) } as const;
  for (const { key, value } of slice)
    if (value.isRevoked !== true) turn.tell(Account.notify.to(value.accountId, { ...cause, statusId: key[1] }));
  if (slice.length === limit)
    turn.tell(Account.tellQuoters.to(turn.self.key, { statusId, afterQuoteId: slice.at(-1)!.key[1] }));
}
