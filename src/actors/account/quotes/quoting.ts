/** Quotes, on the quoting account: its status stores the decision of the quoted author (FEP-044f). */

import type { BodyOf, DelegatedReply, Envelope } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Destination } from '../../intents.ts';
import { isVerifiable } from '../../policy/quotes.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { isLocal, ownDestination, ownTraits } from '../profile/profile.turn.ts';
import { deliverTo } from '../relationships/follow-deliveries.ts';
import { deliverStatus } from '../statuses/deliver-status.ts';
import type { PublishedStatus } from '../statuses/statuses.messages.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { putStatus } from '../statuses/statuses.turn.ts';
import { fetchQuoteAuthorization } from './quotes.effects.ts';
import type { Quote } from './quotes.records.ts';
import { quoted, quoteRemoved, showAnew, tellChanged } from './quotes.ts';

/**
 * The message for the author of the quoted status. It is returned, because that account may give the reply of the call.
 * A quote of an own status is stored at once; for one that waits for a remote author there is no message.
 */
export function tellQuoted(turn: AccountTurn, { id: quoteId, quote }: Status): Envelope<PublishedStatus> | undefined {
  if (quote === undefined) return undefined;
  const { statusId, accountId, state, authorizationUri } = quote;
  const message = { statusId, quoteId, by: turn.self.key, isAccepted: state === 'accepted', authorizationUri };
  if (accountId !== turn.self.key) return Account.quoted.to(accountId, { ...message, sender: ownTraits(turn) });
  quoted(turn, message);
  return undefined;
}

/** Asks the server of a remote author. */
export function requestQuote(turn: AccountTurn, { id: statusId }: Status, quotedUri: string, destination: Destination) {
  deliverTo(turn, destination, () => ({
    kind: 'quoteRequest',
    actorId: turn.self.key,
    activityId: turn.nextId(),
    statusId,
    quotedUri,
  }));
}

/**
 * The same after the quoting status was deleted, or quotes something else (`stays`). An own quoted status changes at once.
 */
export function tellQuoteRemoved(turn: AccountTurn, { id: quoteId, quote }: Status, stays?: true): void {
  if (quote === undefined) return;
  const { statusId, accountId } = quote;
  const message = { statusId, quoteId, ...(stays ? { stays } : {}) };
  if (accountId === turn.self.key) quoteRemoved(turn, message);
  else turn.tell(Account.quoteRemoved.to(accountId, message));
}

export function decideQuote(turn: AccountTurn, message: BodyOf<typeof Account.decideQuote>): undefined {
  const { statusId, quoteId } = message;
  const status = turn.get(statuses, [quoteId]);
  if (status?.accountId === turn.self.key && status.quote?.statusId === statusId)
    decide(turn, status, status.quote, message);
}

type Decision = Pick<BodyOf<typeof Account.decideQuote>, 'state' | 'authorizationUri' | 'destinations' | 'threadId'>;

/** Refusing an accepted quote revokes it. */
function decide(turn: AccountTurn, status: Status, quote: Quote, decision: Decision): void {
  const { authorizationUri = quote.authorizationUri, destinations = [], threadId } = decision;
  const state = decision.state === 'rejected' && quote.state === 'accepted' ? 'revoked' : decision.state;
  const isOver = quote.state === 'revoked' || quote.state === 'deleted';
  if (quote.state === state || (isOver && state !== 'deleted')) return;
  const changed = { ...status, quote: { ...quote, state, authorizationUri } };
  putStatus(turn, changed);
  if (state === 'accepted' || state === 'revoked') tellChanged(turn, changed, destinations);
  else showAnew(turn, changed);
  const cause = { type: 'quote', fromId: turn.self.key, statusId: status.id, threadId } as const;
  if (state === 'accepted') turn.tell(Account.notify.to(quote.accountId, { ...cause, sender: ownTraits(turn) }));
  if (state === 'revoked' && quote.authorizationUri === undefined) spreadRevocation(turn, changed, quote, destinations);
}

/**
 * A local author has revoked the quote: servers that got the quoting status are informed, in the name of that author.
 */
function spreadRevocation(
  turn: AccountTurn,
  status: Status,
  { statusId, accountId }: Quote,
  destinations: readonly Destination[],
): void {
  if (!isLocal(turn)) return;
  deliverStatus(
    turn,
    status,
    { kind: 'revokeQuote', actorId: accountId, activityId: turn.nextId(), statusId, quoteId: status.id },
    { toFollowers: true, destinations },
  );
}

/** Throws notFound where the actor was not asked. */
export function receiveQuoteAnswer(turn: AccountTurn, message: BodyOf<typeof Account.receiveQuoteAnswer>): undefined {
  const { quoteId, by, isAccepted, authorizationUri, destinations } = message;
  const status = turn.get(statuses, [quoteId]);
  const quote = status?.quote;
  if (status?.accountId !== turn.self.key || quote?.accountId !== by) throw new Failure('notFound');
  if (quote.state !== 'pending' && (isAccepted || quote.state !== 'accepted')) return;
  decide(turn, status, quote, { state: isAccepted ? 'accepted' : 'rejected', authorizationUri, destinations });
  const { statusId } = quote;
  if (isAccepted)
    turn.tell(Account.quoted.to(by, { statusId, quoteId, by: turn.self.key, isAccepted, authorizationUri }));
  else turn.tell(Account.quoteRemoved.to(by, { statusId, quoteId }));
}

/** Runs on a remote account; the author decides. Throws notFound where the status does not quote. */
export function receiveQuoteRequest(
  turn: AccountTurn,
  message: BodyOf<typeof Account.receiveQuoteRequest>,
): DelegatedReply {
  const { authorId, ...request } = message;
  const { statusId, quoteId } = request;
  const status = quoteId === undefined ? undefined : turn.get(statuses, [quoteId]);
  const isQuote = status?.accountId === turn.self.key && status.quote?.statusId === statusId;
  if (quoteId !== undefined && !isQuote) throw new Failure('notFound');
  const asking = { by: turn.self.key, byDestination: ownDestination(turn) };
  return turn.delegateReply(Account.quoteRequested.to(authorId, { ...request, ...asking }));
}

/** At most once within this age, however often the status is read. */
export function verifyQuote(turn: AccountTurn, message: BodyOf<typeof Account.verifyQuote>): undefined {
  const { quoteId, ageMilliseconds } = message;
  const status = turn.get(statuses, [quoteId]);
  if (status?.accountId !== turn.self.key || !isVerifiable(status, turn.now - ageMilliseconds)) return;
  putStatus(turn, { ...status, quote: { ...status.quote!, verifiedAt: turn.now } });
  turn.effect(fetchQuoteAuthorization, { quoteId }, Account.refreshed);
}

/**
 * Takes over what another server now reports about the quote in a known status: an authorization that was added or
 * removed. Where the quoted author is local, only that author decides.
 */
export function takeQuote(turn: AccountTurn, before: Status, received: Quote | undefined): Status {
  const { quote } = before;
  if (received === undefined) return before;
  if (quote === undefined) return adoptQuote(turn, before, received);
  if (quote.statusId !== received.statusId || quote.accountId === turn.self.key) return before;
  const isAuthorized = received.state === 'accepted';
  if (isAuthorized && quote.state === 'pending') {
    const changed = { ...before, quote: { ...received } };
    putStatus(turn, changed);
    showAnew(turn, changed);
    turn.tell(tellQuoted(turn, changed)!);
    return changed;
  }
  if (isAuthorized || quote.state !== 'accepted' || quote.authorizationUri === undefined) return before;
  const changed = { ...before, quote: { ...quote, state: 'revoked' as const } };
  putStatus(turn, changed);
  showAnew(turn, changed);
  tellQuoteRemoved(turn, changed);
  return changed;
}

/** After an edit: informs the author of what was quoted, and of what is. */
export function tellOtherQuote(turn: AccountTurn, before: Status, after: Status): void {
  tellQuoteRemoved(turn, before, true);
  const message = tellQuoted(turn, after);
  if (message !== undefined) turn.tell(message);
}

function adoptQuote(turn: AccountTurn, before: Status, quote: Quote): Status {
  const changed = { ...before, quote };
  putStatus(turn, changed);
  showAnew(turn, changed);
  const message = tellQuoted(turn, changed);
  if (message !== undefined) turn.tell(message);
  return changed;
}
