/**
 * Accounts of other servers, as their servers describe them: translated, with the sender's authority checked before.
 * Every message may be repeated; the second time changes nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import { type Id, slotOfId } from '../../../runtime/ids.ts';
import { Directory, nameOfHandle } from '../../directory/directory.messages.ts';
import { isSuspendedHere } from '../../policy/suspension.ts';
import { Account } from '../account.messages.ts';
import { type AccountTurn, ownProfile, ownTraits } from '../account.turn.ts';
import { featurings } from '../collections/collections.state.ts';
import { deleteFeatureAuthorization } from '../collections/featuring.ts';
import { receiveUncollected } from '../collections/received-collections.ts';
import { reblogOf } from '../interactions/interactions.state.ts';
import { takeTally } from '../polls/remote-tally.ts';
import { profileChanged } from '../profile/profile.events.ts';
import type { Profile } from '../profile/profile.records.ts';
import { profiles } from '../profile/profile.state.ts';
import { storeProfile } from '../profile/store-profile.ts';
import { deleteAuthorization } from '../quotes/quotes.ts';
import { editedQuote, takeQuote, tellOtherQuote, tellQuoted } from '../quotes/quoting.ts';
import { tellFollowers } from '../relationships/follower-distribution.ts';
import { statusLimits } from '../statuses/limits.ts';
import { reviseStatus } from '../statuses/revise-status.ts';
import { statusCounted, statusPublished } from '../statuses/statuses.events.ts';
import type { StatusReference } from '../statuses/statuses.messages.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { statusByUri, statuses, tombstones } from '../statuses/statuses.state.ts';
import { factsOf, storeStatus } from '../statuses/store-status.ts';
import { tellConcerned } from '../statuses/tell-concerned.ts';
import { withdraw } from '../statuses/withdraw-status.ts';
import { backdatedIds } from './backdated-ids.ts';
import { hasMoved } from './refresh.ts';
import type { ReceivedStatus } from './remote.messages.ts';
import { ownStatusOfUri } from './status-of-uri.ts';
import { addWithdrawal, dropsWithdrawn, isOvertaken, isWithdrawn } from './withdrawals.ts';

/** An edit of an unknown status counts as its publication, unless the status is older than this. */
const editAsNewMilliseconds = 24 * 60 * 60 * 1000;

/** A remote profile as its server shows it now. Decisions of this server about the account stay. */
export function learn(turn: AccountTurn, { profile, signedAt }: BodyOf<typeof Account.learn>): { accountId: Id } {
  const accountId = turn.self.key;
  if (isOvertaken(turn, 'profile', signedAt)) return { accountId };
  const before = turn.get(profiles, [accountId]);
  const kept = before === undefined ? {} : keptOf(before, profile, signedAt !== undefined);
  const suspension = suspensionOf(before, profile, turn.now);
  const times = { updatedAt: turn.now, fetchedAt: turn.now };
  storeProfile(turn, { ...profile, ...kept, ...suspension, ...times, id: accountId }, before);
  if (before?.username !== profile.username || before.domain !== profile.domain) {
    turn.tell(Directory.point.to(nameOfHandle(profile.username, profile.domain), { accountId }));
  }
  if (before !== undefined) turn.emit(profileChanged, { accountId });
  if (before?.remote !== undefined && profile.remote !== undefined && hasMoved(before.remote, profile.remote))
    turn.tell(Account.tellInbox.to(accountId, {}));
  // Items that were added before items stored an inbox have none.
  else if (isFeatured(turn)) turn.tell(Account.tellInbox.to(accountId, { afterCollectionId: 0n }));
  return { accountId };
}

function isFeatured(turn: AccountTurn): boolean {
  for (const _featuring of turn.range(featurings, [turn.self.key], { limit: 1 })) return true;
  return false;
}

/** What the profile refers to: nobody is led there, which takes a Move (behaviour of the Mastodon API). */
export function showMove(turn: AccountTurn, { targetId, uri }: BodyOf<typeof Account.showMove>): undefined {
  const profile = ownProfile(turn);
  if (profile.remote?.movedTo !== uri || profile.movedTo === targetId || targetId === turn.self.key) return;
  turn.put(profiles, [turn.self.key], { ...profile, movedTo: targetId });
  turn.emit(profileChanged, { accountId: turn.self.key });
}

export function receiveHiding(turn: AccountTurn, { hideCollections }: BodyOf<typeof Account.receiveHiding>): undefined {
  const profile = ownProfile(turn);
  if (profile.remote === undefined || profile.hideCollections === hideCollections) return;
  turn.put(profiles, [turn.self.key], { ...profile, hideCollections });
  turn.emit(profileChanged, { accountId: turn.self.key });
}

function keptOf(before: Profile, { remote }: Profile, isUpdate: boolean): Partial<Profile> {
  const { deletedRemotelyAt, limited, hideCollections, createdAt, movedAt } = before;
  const { pinsAskedAt, collectionsAskedAt, followedAgainAt } = before;
  const named = remote?.movedTo;
  // An account whose server no longer names another one is in use again; one that names a third has moved on.
  const hasMovedOn = before.remote?.movedTo !== undefined && before.remote.movedTo !== named;
  const movedTo = named === undefined || hasMovedOn ? undefined : before.movedTo;
  // No Update says whether the account hides its lists: they are asked for again when somebody looks.
  const asked = { pinsAskedAt: isUpdate ? undefined : pinsAskedAt, collectionsAskedAt, followedAgainAt };
  return { deletedRemotelyAt, limited, hideCollections, createdAt, movedAt, movedTo, ...asked };
}

/**
 * This server's decision stays, whatever the other server says; a suspension by the other server ends when it says so.
 */
function suspensionOf(
  before: Profile | undefined,
  { isSuspendedByOrigin }: Profile,
  now: number,
): Pick<Profile, 'suspendedAt' | 'isSuspendedByOrigin'> {
  if (before !== undefined && isSuspendedHere(before))
    return { suspendedAt: before.suspendedAt, isSuspendedByOrigin: undefined };
  if (isSuspendedByOrigin !== true) return { suspendedAt: undefined, isSuspendedByOrigin: undefined };
  return { suspendedAt: before?.suspendedAt ?? now, isSuspendedByOrigin };
}

/**
 * Stores a status of this remote account, once per URI. Throws forbidden when the account is suspended here, notFound
 * when it has deleted the status.
 */
export function receive(
  turn: AccountTurn,
  { status: received, receivedAt }: BodyOf<typeof Account.receive>,
): StatusReference {
  refuseSuspended(turn);
  const known = turn.get(statusByUri, [received.uri]);
  if (known !== undefined) return { statusId: known.id };
  if (isWithdrawn(turn, received.uri)) throw new Failure('notFound');
  const id = freeId(turn, received.uri, received.publishedAt, receivedAt);
  const status = statusOf(turn, id, received);
  const facts = factsOf(status);
  storeStatus(turn, status, facts, received.tally);
  turn.emit(statusPublished, facts);
  tellFollowers(turn, 'arrived', facts);
  const last = tellConcerned(turn, status, received.localMentions);
  if (last !== undefined) turn.tell(last);
  const toQuoted = tellQuoted(turn, status);
  if (toQuoted !== undefined) turn.tell(toQuoted);
  return { statusId: id };
}

/** Throws forbidden when the account is suspended here; what it wrote before its own server suspended it may change. */
export function receiveEdit(turn: AccountTurn, message: BodyOf<typeof Account.receiveEdit>): undefined {
  const { status: received, receivedAt, activityId } = message;
  if (isSuspendedHere(ownProfile(turn))) throw new Failure('forbidden');
  const isKnown = turn.get(statusByUri, [received.uri]) !== undefined;
  let before = ownStatusOfUri(turn, received.uri);
  if (!isKnown) {
    if (received.publishedAt <= receivedAt - editAsNewMilliseconds) return;
    receive(turn, message);
    countEdit(turn, activityId, receivedAt);
    return;
  }
  // The id of a boost, or of a neighbour's status: neither can become this status.
  if (before === undefined || before.reblogOfId !== undefined) return;
  const shownAt = before.editedAt ?? before.createdAt;
  const editedAt = received.editedAt === undefined ? shownAt : Math.min(received.editedAt, turn.now);
  if (editedAt < shownAt) return;
  before = takeTally(turn, before, received);
  before = takeQuote(turn, before, received.quote);
  before = takeApproval(turn, before, received);
  before = takeCollections(turn, before, received);
  // Most servers send whole seconds: of two edits with the same time the later arrival wins, and each counts once.
  if (editedAt === shownAt && (activityId === undefined || isWithdrawn(turn, activityId))) return;
  countEdit(turn, activityId, receivedAt);
  const { visibility, limited, inReplyToId, inReplyToAccountId, threadId, answersUnknown, createdAt } = before;
  const addressed = addressedBy(before, received);
  const kept = { visibility, limited, addressed, inReplyToId, inReplyToAccountId, threadId, answersUnknown };
  const quote = editedQuote(before.quote, received);
  const edited = { ...statusOf(turn, before.id, received), ...kept, createdAt, editedAt, quote };
  reviseStatus(turn, before, edited, received.tally);
  if (quote !== before.quote) tellOtherQuote(turn, before, edited);
}

/** Who was given a version may see the later ones. */
function addressedBy(before: Status, { addressed = [], mentions }: ReceivedStatus): Id[] | undefined {
  const all = new Set([...(before.addressed ?? []), ...addressed]);
  for (const { id } of mentions) all.delete(id);
  return all.size === 0 ? undefined : [...all].slice(0, statusLimits.addressedMax);
}

/** The quote policy may change without an edit. */
function takeApproval(turn: AccountTurn, before: Status, { quoteApproval }: ReceivedStatus): Status {
  if (isDeepStrictEqual(before.quoteApproval, quoteApproval)) return before;
  const changed = { ...before, quoteApproval };
  turn.put(statuses, [before.id], changed);
  turn.emit(statusCounted, { id: before.id });
  return changed;
}

/** A collection that its text links to may have become known, or was deleted, without an edit. */
function takeCollections(turn: AccountTurn, before: Status, { taggedCollections }: ReceivedStatus): Status {
  if (isDeepStrictEqual(before.taggedCollections, taggedCollections)) return before;
  const changed = { ...before, taggedCollections };
  turn.put(statuses, [before.id], changed);
  turn.emit(statusCounted, { id: before.id });
  return changed;
}

/** Remembers the activity's id, so that a repetition of the same bytes changes nothing. */
function countEdit(turn: AccountTurn, activityId: string | undefined, receivedAt: number): void {
  if (activityId !== undefined) addWithdrawal(turn, activityId, { signedThrough: receivedAt, isAwaited: false });
}

export function receiveDelete(turn: AccountTurn, { uri }: BodyOf<typeof Account.receiveDelete>): undefined {
  addWithdrawal(turn, uri, { signedThrough: turn.now, isAwaited: false });
  if (deleteAuthorization(turn, uri) || deleteFeatureAuthorization(turn, uri)) return;
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
  turn.put(reblogOf, [turn.self.key, statusId], { id });
  turn.emit(statusPublished, facts);
  tellFollowers(turn, 'arrived', facts);
  turn.tell(Account.reblogged.to(authorId, { statusId, by: turn.self.key, reblogId: id, sender: ownTraits(turn) }));
}

export function removeReblog(turn: AccountTurn, statusId: Id, authorId: Id): void {
  const reblog = turn.get(reblogOf, [turn.self.key, statusId]);
  if (reblog === undefined) return;
  turn.delete(reblogOf, [turn.self.key, statusId]);
  const wrapper = turn.get(statuses, [reblog.id]);
  if (wrapper !== undefined) withdraw(turn, wrapper);
  turn.tell(Account.unreblogged.to(authorId, { statusId, by: turn.self.key }));
}

function refuseSuspended(turn: AccountTurn): void {
  if (ownProfile(turn).suspendedAt !== undefined) throw new Failure('forbidden');
}

/** An id at the time of publication; a live one when 64 in a row are taken. */
function freeId(turn: AccountTurn, uri: string, publishedAt: number, receivedAt: number): Id {
  for (const id of backdatedIds(slotOfId(turn.self.key), publishedAt, Math.min(receivedAt, turn.now), uri)) {
    if (turn.get(statuses, [id]) === undefined && turn.get(tombstones, [id]) === undefined) return id;
  }
  return turn.nextId();
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
  return {
    ...emptyStatus,
    id,
    accountId: turn.self.key,
    uri: received.uri,
    url: received.url,
    createdAt: Math.max(0, Math.min(received.publishedAt, turn.now)),
    editedAt: received.editedAt === undefined ? undefined : Math.min(received.editedAt, turn.now),
    visibility: received.visibility,
    sensitive: received.sensitive,
    spoilerText: received.spoilerText,
    content: received.content,
    language: received.language,
    inReplyToId: received.inReplyToId,
    inReplyToAccountId: received.inReplyToAccountId,
    threadId: received.threadId,
    mentions: received.mentions,
    tags: received.tags,
    emojis: received.emojis,
    attachments: received.attachments,
    poll: received.poll,
    quote: received.quote,
    quoteApproval: received.quoteApproval,
    taggedCollections: received.taggedCollections,
    answersUnknown: received.answersUnknown,
    addressed: received.addressed?.slice(0, statusLimits.addressedMax),
    limited: received.limited,
  };
}
