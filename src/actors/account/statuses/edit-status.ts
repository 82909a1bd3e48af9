/**
 * Edits a status (behaviour of the Mastodon API): the text and its attachments change; visibility and parent do not.
 * Accounts that reblogged it are notified, in slices.
 */

import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { tellWebhooks } from '../../partition/tell-webhooks.ts';
import { contentOfEdit } from '../../policy/status-parts.ts';
import { reachOf } from '../../policy/visibility.ts';
import type { AccountTurn } from '../account.turn.ts';
import { statusHooks } from '../hooks-of-statuses.ts';
import { distinctDestinations } from '../relationships/follower-distribution.ts';
import { deliverStatus } from './deliver-status.ts';
import { reviseStatus } from './revise-status.ts';
import type { EditStatus, StatusReference } from './statuses.messages.ts';
import type { Status } from './statuses.records.ts';
import { ownStatus } from './statuses.turn.ts';

/** Runs on the author, who is local. Throws notFound for any but an own status with a text. */
export function edit(turn: AccountTurn, message: EditStatus): StatusReference {
  const { statusId, mentions, formerDestinations = [] } = message;
  const status = ownStatus(turn, statusId);
  if (status.reblogOfId !== undefined) throw new Failure('notFound');
  const edited = {
    ...status,
    ...contentOfEdit(status, message, turn.now),
    editedAt: timeOfEdit(status, turn.now),
    formerlyMentioned: formerlyMentioned(status, mentions),
  };
  const ranks = mentions.map(({ mention: { id }, isBelow }) => ({ id, isBelow }));
  if (!reviseStatus(turn, status, edited, { ranks })) {
    if (!adjustParts(turn, status, edited, message)) return { statusId };
    if (status.heldReply === undefined) tellWebhooks(turn, 'status.updated', statusId);
  }
  deliverStatus(
    turn,
    status,
    { kind: 'update', actorId: turn.self.key, activityId: turn.nextId(), statusId },
    {
      ...reachOf(status),
      destinations: distinctDestinations([
        ...formerDestinations,
        ...mentions.flatMap(({ destination }) => destination ?? []),
      ]),
    },
  );
  return { statusId };
}

/** Without an edit of the text. True where other servers have to be informed. */
function adjustParts(turn: AccountTurn, before: Status, after: Status, message: EditStatus): boolean {
  let isChanged = false;
  for (const part of statusHooks) if (part.adjusted?.(turn, before, after, message) === true) isChanged = true;
  return isChanged;
}

/**
 * Later than what it changes, also where the clock was set back: other servers drop an edit that is older than the version
 * that they have.
 */
export function timeOfEdit({ createdAt, editedAt = createdAt }: Status, now: number): number {
  return Math.max(now, editedAt + 1);
}

/** Mentions that edits remove, oldest first; the oldest are forgotten. */
const formerlyMentionedMax = 500;

function formerlyMentioned(before: Status, mentions: EditStatus['mentions']): Id[] | undefined {
  const all = new Set([...(before.formerlyMentioned ?? []), ...before.mentions.map(({ id }) => id)]);
  for (const { mention } of mentions) all.delete(mention.id);
  return all.size === 0 ? undefined : [...all].slice(-formerlyMentionedMax);
}
