/**
 * Reblogs (specification 6.2: Announce). The author of the status decides; the reblogging account publishes the reblog,
 * a status of its own that refers to the original; the author is notified and counts. Each of the three steps may be
 * repeated, and both accounts may be the same.
 */

import type { BodyOf, DelegatedReply, Envelope } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { Visibility } from '../account.records.ts';
import type { AccountTurn } from '../account.turn.ts';
import { addNotification, takeBack } from '../notifications/notify.ts';
import { isLocal, ownDestination, ownTraits } from '../profile/profile.turn.ts';
import { tellFollowers } from '../relationships/follower-distribution.ts';
import { deliverStatus } from '../statuses/deliver-status.ts';
import { forget } from '../statuses/forget-status.ts';
import { factsOf } from '../statuses/status-facts.ts';
import { statusPublished } from '../statuses/statuses.events.ts';
import type { StatusReference } from '../statuses/statuses.messages.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { storeStatus } from '../statuses/store-status.ts';
import { withdraw } from '../statuses/withdraw-status.ts';
import { forgetInteraction, noteInteraction } from '../suggestions/note-interaction.ts';
import { countInteraction, isBlockedEitherWay, statusFor } from './interaction.ts';
import { viewerStateChanged } from './interactions.events.ts';
import { reblogOf, reblogOfStatusBy, reblogsOfStatus } from './interactions.state.ts';
import { forgetReblog, rememberReblog } from './interactions.turn.ts';

/** Runs on the author. Throws notFound for a status that the account may not see or may not reblog. */
export function reblog(turn: AccountTurn, message: BodyOf<typeof Account.reblog>): DelegatedReply {
  const { statusId, by } = message;
  const status = statusFor(turn, statusId, by);
  if (!mayReblog(status, by)) throw new Failure('notFound');
  return turn.delegateReply(
    Account.reblogAllowed.to(by, {
      statusId,
      statusUri: status.uri,
      authorId: turn.self.key,
      authorDestination: ownDestination(turn),
      visibility: visibilityOf(status, message.visibility),
      language: status.language,
      hasMedia: status.attachments.length > 0,
      ...(status.localOnly === true && { localOnly: true }),
    }),
  );
}

/** An author may reblog own followers-only statuses; nobody may reblog direct ones. */
function mayReblog(status: Status, accountId: Id): boolean {
  const { visibility } = status;
  if (visibility === 'private') return status.accountId === accountId;
  return visibility !== 'direct';
}

function visibilityOf(status: Status, wish: Visibility | undefined): Visibility {
  if (status.visibility === 'private') return 'private';
  return wish === undefined || wish === 'direct' ? 'public' : wish;
}

/** Runs on the reblogging account. Repeating it keeps the first reblog. */
export function reblogAllowed(turn: AccountTurn, message: BodyOf<typeof Account.reblogAllowed>): DelegatedReply {
  const { statusId, authorId } = message;
  const kept = turn.get(reblogOf, [turn.self.key, statusId]);
  const reblogId = kept?.id ?? publishReblog(turn, message);
  const told = { statusId, by: turn.self.key, reblogId, sender: ownTraits(turn) };
  return turn.delegateReply(Account.reblogged.to(authorId, told));
}

function publishReblog(turn: AccountTurn, message: BodyOf<typeof Account.reblogAllowed>): Id {
  const reblog: Status = {
    id: turn.nextId(),
    accountId: turn.self.key,
    createdAt: turn.now,
    visibility: message.visibility,
    sensitive: false,
    spoilerText: '',
    text: '',
    content: '',
    language: message.language,
    reblogOfId: message.statusId,
    reblogOfAccountId: message.authorId,
    mentions: [],
    tags: [],
    emojis: [],
    attachments: [],
    ...(message.localOnly === true && { localOnly: true }),
  };
  const facts = { ...factsOf(reblog), hasMedia: message.hasMedia };
  storeStatus(turn, reblog, facts);
  rememberReblog(turn, message.statusId, reblog.id);
  noteInteraction(turn, message.authorId, 'reblog', reblog.id);
  turn.emit(viewerStateChanged, { accountId: turn.self.key, statusId: message.statusId });
  turn.emit(statusPublished, facts);
  tellFollowers(turn, 'arrived', facts);
  announce(turn, 'announce', reblog, reblog.id, message);
  return reblog.id;
}

type Original = BodyOf<typeof Account.unreblog>;

/** Delivers the Announce to the servers of followers and of the author, where the reblogging account is local. */
function announce(
  turn: AccountTurn,
  kind: 'announce' | 'undoAnnounce',
  reblog: Status,
  activityId: Id,
  { statusId, statusUri, authorId, authorDestination }: Original,
): void {
  if (!isLocal(turn)) return;
  const { id: reblogId, visibility } = reblog;
  deliverStatus(
    turn,
    reblog,
    { kind, actorId: turn.self.key, activityId, statusId, statusUri, reblogId, authorId, visibility },
    { toFollowers: true, destinations: authorDestination === undefined ? [] : [authorDestination] },
  );
}

/** Runs on the author. The reblog of a deleted status, or one that was not allowed, is removed again. */
export function reblogged(turn: AccountTurn, message: BodyOf<typeof Account.reblogged>): StatusReference {
  const { statusId, by, reblogId } = message;
  if (turn.get(reblogOfStatusBy, [statusId, by])?.id === reblogId) return { statusId: reblogId };
  const status = turn.get(statuses, [statusId]);
  if (status === undefined) turn.tell(Account.originalDeleted.to(by, { statusId }));
  else if (!mayReblog(status, by) || isBlockedEitherWay(turn, by)) turn.tell(refused(turn, status, message));
  else count(turn, status, message);
  return { statusId: reblogId };
}

/**
 * Its answer arrives here: the same reblog may have been allowed meanwhile, if it was asked for again after the end of a
 * block.
 */
function refused(
  turn: AccountTurn,
  { id: statusId, uri: statusUri }: Status,
  { by, reblogId }: BodyOf<typeof Account.reblogged>,
): Envelope<undefined> {
  const authorDestination = ownDestination(turn);
  return Account.unreblog.to(by, { statusId, statusUri, authorId: turn.self.key, authorDestination, reblogId });
}

function count(turn: AccountTurn, status: Status, message: BodyOf<typeof Account.reblogged>): void {
  const { statusId, by, reblogId, sender } = message;
  const known = turn.get(reblogOfStatusBy, [statusId, by]);
  if (known === undefined) {
    countInteraction(turn, status, 'reblogs', 1);
    addNotification(turn, { type: 'reblog', fromId: by, statusId, threadId: status.threadId, sender });
  } else turn.delete(reblogsOfStatus, [statusId, known.id]);
  turn.put(reblogsOfStatus, [statusId, reblogId], { id: by });
  turn.put(reblogOfStatusBy, [statusId, by], { id: reblogId });
}

/** Runs on the reblogging account. Repeating removes any remaining half. */
export function unreblog(turn: AccountTurn, message: Original): undefined | DelegatedReply {
  const { statusId, authorId, reblogId } = message;
  const kept = turn.get(reblogOf, [turn.self.key, statusId]);
  if (reblogId !== undefined && kept?.id !== reblogId) return undefined;
  if (kept !== undefined) {
    forgetReblog(turn, statusId);
    forgetInteraction(turn, authorId, kept.id);
    turn.emit(viewerStateChanged, { accountId: turn.self.key, statusId });
    const reblog = turn.get(statuses, [kept.id]);
    if (reblog !== undefined) {
      withdraw(turn, reblog);
      announce(turn, 'undoAnnounce', reblog, turn.nextId(), message);
    }
  }
  return turn.delegateReply(Account.unreblogged.to(authorId, { statusId, by: turn.self.key }));
}

/** Runs on the author. */
export function unreblogged(turn: AccountTurn, { statusId, by }: BodyOf<typeof Account.unreblogged>): undefined {
  const known = turn.get(reblogOfStatusBy, [statusId, by]);
  const status = turn.get(statuses, [statusId]);
  if (known === undefined || status === undefined) return;
  turn.delete(reblogOfStatusBy, [statusId, by]);
  turn.delete(reblogsOfStatus, [statusId, known.id]);
  countInteraction(turn, status, 'reblogs', -1);
  takeBack(turn, { type: 'reblog', fromId: by, statusId });
}

/** A status that this account had reblogged was deleted or forgotten, and the reblog with it. */
export function originalDeleted(turn: AccountTurn, message: BodyOf<typeof Account.originalDeleted>): undefined {
  const { statusId, isForgotten } = message;
  const reblog = turn.get(reblogOf, [turn.self.key, statusId]);
  if (reblog === undefined) return;
  forgetReblog(turn, statusId);
  turn.emit(viewerStateChanged, { accountId: turn.self.key, statusId });
  const wrapper = turn.get(statuses, [reblog.id]);
  if (wrapper === undefined) return;
  if (isForgotten === true && wrapper.activityUri !== undefined) forget(turn, wrapper);
  else withdraw(turn, wrapper);
}
