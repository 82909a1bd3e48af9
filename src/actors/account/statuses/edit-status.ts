/**
 * Editing a status (behaviour of the Mastodon API): the text and what hangs on it change; visibility and
 * parent do not. Accounts that are newly mentioned are told, and those that reblogged it hear of an update.
 */
import { pack } from '../../../runtime/codec.ts';
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import { notificationLimits } from '../../../runtime/limits.ts';
import { isInTagTimelines, reachesFollowers } from '../../policy/visibility.ts';
import { tagTimeline } from '../../timelines.state.ts';
import { Account } from '../account.messages.ts';
import { type AccountTurn, ownStatus } from '../account.turn.ts';
import { reblogsOfStatus } from '../interactions/interactions.state.ts';
import { deliver, distinctDestinations, tellFollowers } from '../relationships/follower-distribution.ts';
import { statusEdited } from './statuses.events.ts';
import type { StatusReference } from './statuses.messages.ts';
import type { Status } from './statuses.records.ts';
import { factsOf, writeStatus } from './store-status.ts';

/** On the author, who is local. Throws notFound for anything but an own status with a text. */
export function edit(turn: AccountTurn, message: BodyOf<typeof Account.edit>): StatusReference {
  const { statusId, mentions, formerDestinations = [], ...changes } = message;
  const status = ownStatus(turn, statusId);
  if (status.reblogOfId !== undefined) throw new Failure('notFound');
  const edited = { ...status, ...changes, mentions: mentions.map(({ mention }) => mention), editedAt: turn.now };
  if (!reviseStatus(turn, status, edited)) return { statusId };
  deliver(
    turn,
    { kind: 'update', actorId: turn.self.key, activityId: turn.nextId(), statusId },
    {
      toFollowers: reachesFollowers(status),
      destinations: distinctDestinations([
        ...formerDestinations,
        ...mentions.flatMap(({ destination }) => destination ?? []),
      ]),
    },
  );
  return { statusId };
}

/**
 * Puts `status` in the place of `before`, of this account, local or remote, and tells everybody on this server. False
 * when nothing that is shown differs. Id, visibility and parent must be those of before.
 */
export function reviseStatus(turn: AccountTurn, before: Status, status: Status): boolean {
  if (Buffer.compare(pack(contentOf(before)), pack(contentOf(status))) === 0) return false;
  const facts = factsOf(status);
  if (isInTagTimelines(before)) {
    for (const { name } of before.tags) if (!facts.tags.includes(name)) turn.delete(tagTimeline, [name, status.id]);
  }
  writeStatus(turn, status, facts);
  turn.emit(statusEdited, facts);
  tellFollowers(turn, 'revised', facts, before.mentions);
  tellNewlyMentioned(turn, before, status);
  turn.tell(Account.tellRebloggers.to(turn.self.key, { statusId: status.id }));
  return true;
}

function contentOf(status: Status): unknown[] {
  const { text, content, sensitive, spoilerText, language, mentions, tags, emojis, attachments } = status;
  return [text, content, sensitive, spoilerText, language, mentions, tags, emojis, attachments];
}

/** Remote accounts are told as well, and do not care. */
function tellNewlyMentioned(turn: AccountTurn, before: Status, after: Status): void {
  const known = new Set(before.mentions.map(({ id }) => id));
  const { id: statusId, visibility } = after;
  for (const { id } of after.mentions)
    if (!known.has(id)) turn.tell(Account.mentioned.to(id, { by: turn.self.key, statusId, visibility }));
}

export function tellRebloggers(turn: AccountTurn, message: BodyOf<typeof Account.tellRebloggers>): undefined {
  const { statusId, afterReblogId } = message;
  const from = afterReblogId === undefined ? undefined : afterReblogId + 1n;
  const slice = [...turn.range(reblogsOfStatus, [statusId], { from, limit: notificationLimits.rebloggersPerTurn })];
  for (const { value } of slice) {
    turn.tell(Account.notify.to(value.id, { type: 'update', fromId: turn.self.key, statusId }));
  }
  if (slice.length < notificationLimits.rebloggersPerTurn) return;
  turn.tell(Account.tellRebloggers.to(turn.self.key, { statusId, afterReblogId: slice.at(-1)!.key[1] }));
}
