/** Replaces a status by its changed version, for local and remote edits. */
import { pack } from '../../../runtime/codec.ts';
import type { Id } from '../../../runtime/ids.ts';
import { tellWebhooks } from '../../partition/tell-webhooks.ts';
import { shownContent } from '../../policy/status-parts.ts';
import { isInTagTimelines } from '../../policy/visibility.ts';
import { mediaTimelines, tagTimeline } from '../../timelines.state.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { statusHooks } from '../hooks-of-statuses.ts';
import { tellFollowers } from '../relationships/follower-distribution.ts';
import type { ReceivedStatus } from '../remote/remote.messages.ts';
import { hasOwnMedia, mediaListsOf } from './media-lists.ts';
import { rankStatus } from './rank-status.ts';
import { factsOf } from './status-facts.ts';
import { keepVersion } from './status-versions.ts';
import { type StatusFacts, statusEdited } from './statuses.events.ts';
import { type Status, threadOf } from './statuses.records.ts';
import { mediaOfAccount } from './statuses.state.ts';
import { writeStatus } from './store-status.ts';
import { type Concerned, mentionIn, mentionTo } from './tell-concerned.ts';

/**
 * Replaces `before` by `status`, for a local or remote account, keeps the earlier version, and informs everybody on
 * this server. False when nothing differs that makes it an edit; `received`: of a remote account. Id, visibility and
 * parent must be unchanged.
 */
export function reviseStatus(
  turn: AccountTurn,
  before: Status,
  status: Status,
  { received, ranks = [] }: { readonly received?: ReceivedStatus; readonly ranks?: readonly Concerned[] } = {},
): boolean {
  if (Buffer.compare(pack(shownContent(before)), pack(shownContent(status))) === 0) return false;
  const facts = factsOf(status);
  if (isInTagTimelines(before)) {
    for (const { name } of before.tags) if (!facts.tags.includes(name)) turn.delete(tagTimeline, [name, status.id]);
  }
  if (hasOwnMedia(before)) turn.delete(mediaOfAccount, [before.accountId, before.id]);
  const mediaLists = new Set(mediaListsOf(status));
  for (const list of mediaListsOf(before)) if (!mediaLists.has(list)) turn.delete(mediaTimelines, [list, status.id]);
  keepVersion(turn, before);
  writeStatus(turn, status, facts);
  rankStatus(turn, status);
  for (const hooks of statusHooks) hooks.changed?.(turn, before, status, received);
  turn.emit(statusEdited, facts);
  tellFollowers(turn, 'revised', facts, before.mentions);
  if (status.heldReply === undefined) tellNewlyMentioned(turn, before, status, ranks);
  tellNotified(turn, before, status, facts);
  tellNoLongerMentioned(turn, before, status, facts);
  turn.tell(Account.tellRebloggers.to(turn.self.key, { statusId: status.id }));
  if (facts.local && status.heldReply === undefined) tellWebhooks(turn, 'status.updated', status.id);
  if (status.heldReply === undefined) for (const hooks of statusHooks) hooks.edited?.(turn, before, status);
  return true;
}

/**
 * Remote accounts get the message too, and ignore it. Whom an earlier version mentioned still has its notification, unless
 * the status is direct.
 */
function tellNewlyMentioned(turn: AccountTurn, before: Status, after: Status, ranks: readonly Concerned[]): void {
  const formerly = after.visibility === 'direct' ? [] : (before.formerlyMentioned ?? []);
  const known = new Set([...before.mentions.map(({ id }) => id), ...formerly]);
  for (const { id } of after.mentions) {
    const isBelow = ranks.find((one) => one.id === id)?.isBelow;
    if (!known.has(id)) turn.tell(mentionTo({ id, isBelow }, mentionIn(turn, after)));
  }
}

/**
 * Those who may know the status from a notification alone: whom it mentioned before, also in an earlier version, whom it is
 * addressed to, and the author of what it quotes.
 */
function tellNotified(turn: AccountTurn, before: Status, after: Status, facts: StatusFacts): void {
  const isNamed = (id: Id) => after.mentions.some((mention) => mention.id === id);
  const mentioned = before.mentions.map(({ id }) => id);
  const known =
    after.visibility === 'direct' ? mentioned.filter(isNamed) : [...mentioned, ...(before.formerlyMentioned ?? [])];
  const notified = new Set([...known, ...(after.addressed ?? [])]);
  if (after.quote !== undefined) notified.add(after.quote.accountId);
  notified.delete(after.accountId);
  for (const id of notified) turn.tell(Account.hearOfEdit.to(id, { facts }));
}

/** A direct status is hidden from accounts that it no longer mentions; others stay in their notifications. */
function tellNoLongerMentioned(turn: AccountTurn, before: Status, after: Status, facts: StatusFacts): void {
  if (after.visibility !== 'direct') return;
  const gone = { statusId: after.id, threadId: threadOf(after), facts };
  const kept = new Set([after.accountId, ...after.mentions.map(({ id }) => id), ...(after.addressed ?? [])]);
  for (const { id } of before.mentions) if (!kept.has(id)) turn.tell(Account.dismissStatus.to(id, gone));
}
