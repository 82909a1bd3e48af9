/**
 * Informs the local accounts that a new status concerns besides followers: those it mentions, and the parent's author.
 */

import type { BodyOf, Envelope } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import { withoutUndefined } from '../../../runtime/plain-data.ts';
import { withRank } from '../../policy/notification-policy.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { statusHooks } from '../hooks-of-statuses.ts';
import { ownTraits } from '../profile/profile.turn.ts';
import { repliedTo } from './replies.ts';
import type { PublishedStatus, PublishStatus } from './statuses.messages.ts';
import type { Status } from './statuses.records.ts';

/** A local account that a status mentions. */
export interface Concerned {
  readonly id: Id;
  /** Whether the author reaches it as staff; undefined where both have built-in roles, which turns know. */
  readonly isBelow?: boolean | undefined;
}

/**
 * Informs the local accounts that a new status mentions, and the author of its parent. The message to the last of them
 * is returned: that account may give the reply of the call, so that its side of a conversation is visible with it. Only
 * one account can do that: the author of the parent, or else the first one mentioned.
 */
export function tellConcerned(
  turn: AccountTurn,
  status: Status,
  mentioned: readonly Concerned[],
): Envelope<PublishedStatus> | undefined {
  const mention = mentioned.length === 0 ? undefined : mentionIn(turn, status);
  const [first, ...others] = mention === undefined ? [] : mentioned.map((one) => mentionTo(one, mention));
  for (const message of others) turn.tell(message);
  const reply = tellParent(turn, status);
  if (first === undefined || reply === undefined) return reply ?? first;
  turn.tell(first);
  return reply;
}

/**
 * Informs those whom the parts of a new status concern, after everybody else. `last` is the message that was kept so far
 * for giving the reply of the call; the one that is kept now is returned.
 */
export function tellOfParts(
  turn: AccountTurn,
  status: Status,
  last: Envelope<PublishedStatus> | undefined,
  message?: PublishStatus,
): Envelope<PublishedStatus> | undefined {
  let kept = last;
  for (const part of statusHooks) {
    const next = part.published?.(turn, status, message);
    if (next === undefined) continue;
    if (kept !== undefined) turn.tell(kept);
    kept = next;
  }
  return kept;
}

/** Instead of everybody else, the author of the parent is asked. */
export function askForConsent(
  turn: AccountTurn,
  status: Status,
  message?: PublishStatus,
): Envelope<PublishedStatus> | undefined {
  let last: Envelope<PublishedStatus> | undefined;
  for (const part of statusHooks) last = part.held?.(turn, status, message) ?? last;
  return last;
}

export function mentionTo(
  { id, isBelow }: Concerned,
  mention: BodyOf<typeof Account.mentioned>,
): Envelope<PublishedStatus> {
  const sender = withRank(mention.sender, isBelow);
  return Account.mentioned.to(id, sender === undefined ? mention : { ...mention, sender });
}

/** The message to accounts that a status of this account mentions. */
export function mentionIn(turn: AccountTurn, status: Status): BodyOf<typeof Account.mentioned> {
  const { id: statusId, visibility, limited: isLimited, threadId, inReplyToId } = status;
  const [namedIds, sender] = [namedIn(status), ownTraits(turn)];
  return withoutUndefined({
    by: turn.self.key,
    statusId,
    visibility,
    isLimited,
    threadId,
    inReplyToId,
    sender,
    namedIds,
  });
}

/** Undefined for one account alone: the recipient of the message. */
function namedIn({ mentions, inReplyToAccountId }: Status): Id[] | undefined {
  const named = new Set(mentions.map(({ id }) => id));
  if (inReplyToAccountId !== undefined) named.add(inReplyToAccountId);
  return named.size <= 1 ? undefined : [...named];
}

/** A reply to an own status is stored at once: then, and without a parent, undefined. */
export function tellParent(
  turn: AccountTurn,
  status: Status,
  answer: Pick<PublishedStatus, 'isRepeated'> = {},
): Envelope<PublishedStatus> | undefined {
  const { id: replyId, visibility, localOnly, inReplyToId: statusId, inReplyToAccountId: parentAuthorId } = status;
  if (statusId === undefined || parentAuthorId === undefined || status.heldReply !== undefined) return undefined;
  const reply = { by: turn.self.key, statusId, replyId, visibility, ...(localOnly && { localOnly }), ...answer };
  if (parentAuthorId !== turn.self.key) return Account.repliedTo.to(parentAuthorId, reply);
  repliedTo(turn, reply);
  return undefined;
}
