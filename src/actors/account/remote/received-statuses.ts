/**
 * Statuses and reblogs of accounts of other servers: translated, with the sender's authority checked before. Every message
 * may be repeated; the second time changes nothing.
 */

import { isDeepStrictEqual } from 'node:util';
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { heldFormOf } from '../../policy/held-replies.ts';
import { contentOfReceived, partsAfterReceivedEdit, silentFields } from '../../policy/status-parts.ts';
import { isSuspendedHere } from '../../policy/suspension.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { deleteFeatureAuthorization } from '../collections/featuring.ts';
import { receiveUncollected } from '../collections/received-collections.ts';
import { statusHooks } from '../hooks-of-statuses.ts';
import { reblogOf } from '../interactions/interactions.state.ts';
import { forgetReblog, rememberReblog } from '../interactions/interactions.turn.ts';
import { ownProfile, ownTraits } from '../profile/profile.turn.ts';
import { deleteAuthorization } from '../quotes/quotes.ts';
import { tellFollowers } from '../relationships/follower-distribution.ts';
import { deleteReplyAuthorization } from '../reply-requests/deciding.ts';
import { freeId } from '../statuses/backdated-ids.ts';
import { reviseStatus } from '../statuses/revise-status.ts';
import { factsOf } from '../statuses/status-facts.ts';
import { statusCounted, statusPublished } from '../statuses/statuses.events.ts';
import type { StatusReference } from '../statuses/statuses.messages.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { statusByUri, statuses } from '../statuses/statuses.state.ts';
import { countElsewhere, putStatus } from '../statuses/statuses.turn.ts';
import { storeStatus } from '../statuses/store-status.ts';
import { askForConsent, tellConcerned, tellOfParts } from '../statuses/tell-concerned.ts';
import { withdraw } from '../statuses/withdraw-status.ts';
import { addWithdrawal, dropsWithdrawn, isWithdrawn } from '../withdrawals/withdrawals.turn.ts';
import type { ReceivedStatus } from './remote.messages.ts';
import { ownStatusOfUri } from './status-of-uri.ts';

/** An edit of an unknown status counts as its publication, unless the status is older than this. */
const editAsNewMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Stores a status of this remote account, once per URI. Throws forbidden when the account is suspended here, notFound
 * when it has deleted the status.
 */
export function receiveStatus(
  turn: AccountTurn,
  { status: received, receivedAt }: BodyOf<typeof Account.receiveStatus>,
): StatusReference {
  refuseSuspended(turn);
  const known = turn.get(statusByUri, [received.uri]);
  if (known !== undefined) return { statusId: known.id };
  if (isWithdrawn(turn, received.uri)) throw new Failure('notFound');
  const id = freeId(turn, received.uri, received.publishedAt, receivedAt);
  const complete = statusOf(turn, id, received);
  const status = received.waitsForConsent === true ? heldFormOf(complete) : complete;
  const facts = factsOf(status);
  storeStatus(turn, status, facts, received);
  countElsewhere(turn, id, received.totals ?? {});
  turn.emit(statusPublished, facts);
  tellFollowers(turn, 'arrived', facts);
  const concerned = received.localMentions.map((id) => ({ id }));
  const last =
    status.heldReply === undefined
      ? tellOfParts(turn, status, tellConcerned(turn, status, concerned))
      : askForConsent(turn, status);
  if (last !== undefined) turn.tell(last);
  return { statusId: id };
}

/** Throws forbidden when the account is suspended here; what it wrote before its own server suspended it may change. */
export function receiveStatusEdit(turn: AccountTurn, message: BodyOf<typeof Account.receiveStatusEdit>): undefined {
  const { status: received, receivedAt, activityId } = message;
  if (isSuspendedHere(ownProfile(turn))) throw new Failure('forbidden');
  const isKnown = turn.get(statusByUri, [received.uri]) !== undefined;
  let before = ownStatusOfUri(turn, received.uri);
  if (!isKnown) {
    if (received.publishedAt <= receivedAt - editAsNewMilliseconds) return;
    receiveStatus(turn, message);
    countEdit(turn, activityId, receivedAt);
    return;
  }
  // The id of a boost, or of a neighbour's status: neither can become this status.
  if (before === undefined || before.reblogOfId !== undefined) return;
  const shownAt = before.editedAt ?? before.createdAt;
  const editedAt = received.editedAt === undefined ? shownAt : Math.min(received.editedAt, turn.now);
  if (editedAt < shownAt) return;
  before = takeReported(turn, before, received);
  // Most servers send whole seconds: of two edits with the same time the later arrival wins, and each counts once.
  if (editedAt === shownAt && (activityId === undefined || isWithdrawn(turn, activityId))) return;
  countEdit(turn, activityId, receivedAt);
  const { visibility, inReplyToId, inReplyToAccountId, threadId, answersUnknown, createdAt, heldReply, limited } =
    before;
  const kept = { visibility, inReplyToId, inReplyToAccountId, threadId, answersUnknown, createdAt };
  const parts = { ...partsAfterReceivedEdit(before, received), ...(heldReply && { limited }) };
  reviseStatus(turn, before, { ...statusOf(turn, before.id, received), ...kept, ...parts, editedAt }, { received });
}

/** Takes over what may change without an edit. Returns the status as stored then. */
function takeReported(turn: AccountTurn, known: Status, received: ReceivedStatus): Status {
  let before = known;
  if (countElsewhere(turn, known.id, received.totals ?? {})) turn.emit(statusCounted, { id: known.id });
  // What waits for consent concerns nobody yet.
  if (before.heldReply === undefined)
    for (const part of statusHooks) before = part.reported?.(turn, before, received) ?? before;
  const silent = silentFields.filter((field) => !isDeepStrictEqual(before[field], received[field]));
  if (silent.length === 0) return before;
  const changed: Status = { ...before, ...Object.fromEntries(silent.map((field) => [field, received[field]])) };
  putStatus(turn, changed);
  turn.emit(statusCounted, { id: before.id });
  return changed;
}

/** Remembers the activity's id, so that a repetition of the same bytes changes nothing. */
function countEdit(turn: AccountTurn, activityId: string | undefined, receivedAt: number): void {
  if (activityId !== undefined) addWithdrawal(turn, activityId, { signedThrough: receivedAt, isAwaited: false });
}

export function receiveDelete(turn: AccountTurn, { uri }: BodyOf<typeof Account.receiveDelete>): undefined {
  addWithdrawal(turn, uri, { signedThrough: turn.now, isAwaited: false });
  if (deleteAuthorization(turn, uri) || deleteReplyAuthorization(turn, uri)) return;
  if (deleteFeatureAuthorization(turn, uri)) return;
  receiveUncollected(turn, { collectionUri: uri });
  const status = ownStatusOfUri(turn, uri);
  if (status === undefined) return;
  if (status.reblogOfId === undefined) withdraw(turn, status);
  else removeReblog(turn, status.reblogOfId, status.reblogOfAccountId!);
}

/** This remote account has reblogged a known status. */
export function receiveReblog(turn: AccountTurn, message: BodyOf<typeof Account.receiveReblog>): undefined {
  refuseSuspended(turn);
  const { statusId, authorId, uri, publishedAt, visibility, signedAt = publishedAt } = message;
  // An id names one thing: it stays that of what came first.
  if (turn.get(reblogOf, [turn.self.key, statusId]) !== undefined || turn.get(statusByUri, [uri]) !== undefined) return;
  if (dropsWithdrawn(turn, uri, signedAt)) return;
  const id = freeId(turn, uri, publishedAt, turn.now);
  const reblog: Status = {
    ...emptyStatus,
    id,
    accountId: turn.self.key,
    activityUri: uri,
    createdAt: Math.min(publishedAt, turn.now),
    visibility,
    reblogOfId: statusId,
    reblogOfAccountId: authorId,
  };
  const facts = factsOf(reblog);
  storeStatus(turn, reblog, facts);
  rememberReblog(turn, statusId, id);
  turn.emit(statusPublished, facts);
  tellFollowers(turn, 'arrived', facts);
  turn.tell(Account.reblogged.to(authorId, { statusId, by: turn.self.key, reblogId: id, sender: ownTraits(turn) }));
}

export function removeReblog(turn: AccountTurn, statusId: Id, authorId: Id): void {
  const reblog = turn.get(reblogOf, [turn.self.key, statusId]);
  if (reblog === undefined) return;
  forgetReblog(turn, statusId);
  const wrapper = turn.get(statuses, [reblog.id]);
  if (wrapper !== undefined) withdraw(turn, wrapper);
  turn.tell(Account.unreblogged.to(authorId, { statusId, by: turn.self.key }));
}

function refuseSuspended(turn: AccountTurn): void {
  if (ownProfile(turn).suspendedAt !== undefined) throw new Failure('forbidden');
}

const emptyStatus = {
  sensitive: false,
  spoilerText: '',
  text: '',
  content: '',
  mentions: [],
  tags: [],
  emojis: [],
  attachments: [],
} satisfies Partial<Status>;

function statusOf(turn: AccountTurn, id: Id, received: ReceivedStatus): Status {
  const { uri, url, publishedAt, editedAt, answersUnknown } = received;
  return {
    ...contentOfReceived(received),
    id,
    accountId: turn.self.key,
    uri,
    url,
    createdAt: Math.max(0, Math.min(publishedAt, turn.now)),
    editedAt: editedAt === undefined ? undefined : Math.min(editedAt, turn.now),
    answersUnknown,
  };
}
