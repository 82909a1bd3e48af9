/**
 * Counts the statuses with a featured tag, and finds the latest. When a tag is featured, the account's statuses are
 * counted once in slices, newest first; afterwards every turn that adds or removes a status updates the count.
 *
 * INVARIANT `statuses` is the number of those from `countedFrom` on; of all where it is absent.
 */
import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import { isForEverybody } from '../../policy/visibility.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { statuses, statusesOfAccount } from '../statuses/statuses.state.ts';
import type { FeaturedTag } from './featured-tags.records.ts';
import { featuredTagOf, featuredTags } from './featured-tags.state.ts';
import { featuredTagLimits } from './limits.ts';
import { countsFor } from './tagged-status.ts';

/** A status with these tags was added (+1) or removed (-1). Call after it was written or removed. */
export function countTags(turn: AccountTurn, status: Status, names: readonly string[], change: 1 | -1): void {
  if (names.length === 0 || !isForEverybody(status)) return;
  for (const name of new Set(names)) {
    const featured = turn.get(featuredTagOf, [turn.self.key, name]);
    if (featured !== undefined) count(turn, featured.id, status.id, change);
  }
}

function count(turn: AccountTurn, featuredId: Id, statusId: Id, change: 1 | -1): void {
  const key: [Id, Id] = [turn.self.key, featuredId];
  const tag = turn.get(featuredTags, key);
  if (tag === undefined || (tag.countedFrom !== undefined && statusId < tag.countedFrom)) return;
  const counted = { ...tag, statuses: tag.statuses + change };
  if (change === 1) turn.put(featuredTags, key, { ...counted, lastStatusId: later(tag.lastStatusId, statusId) });
  else if (tag.lastStatusId !== statusId) turn.put(featuredTags, key, counted);
  else {
    turn.put(featuredTags, key, { ...counted, lastStatusId: undefined });
    findLastTagged(turn, { featuredId, beforeId: statusId });
  }
}

function later(one: Id | undefined, other: Id): Id {
  return one === undefined || other > one ? other : one;
}

export function countTagged(
  turn: AccountTurn,
  { featuredId, slice = 0 }: BodyOf<typeof Account.countTagged>,
): { featuredId: Id } | DelegatedReply {
  const key: [Id, Id] = [turn.self.key, featuredId];
  const tag = turn.get(featuredTags, key);
  if (tag?.countedFrom === undefined) return { featuredId };
  const { ids, tagged, isLast } = sliceBefore(turn, tag, tag.countedFrom);
  const [latest] = tagged;
  turn.put(featuredTags, key, {
    ...tag,
    statuses: tag.statuses + tagged.length,
    lastStatusId: latest === undefined ? tag.lastStatusId : later(tag.lastStatusId, latest),
    countedFrom: isLast ? undefined : ids.at(-1),
  });
  if (isLast) return { featuredId };
  return turn.delegateReply(Account.countTagged.to(turn.self.key, { featuredId, slice: slice + 1 }));
}

/** Stops once a newer status has the tag. */
export function findLastTagged(turn: AccountTurn, message: BodyOf<typeof Account.findLastTagged>): undefined {
  const { featuredId, beforeId } = message;
  const key: [Id, Id] = [turn.self.key, featuredId];
  const tag = turn.get(featuredTags, key);
  if (tag === undefined || tag.lastStatusId !== undefined || tag.statuses === 0) return;
  const { ids, tagged, isLast } = sliceBefore(turn, tag, beforeId);
  const [latest] = tagged;
  if (latest !== undefined) turn.put(featuredTags, key, { ...tag, lastStatusId: latest });
  else if (!isLast) turn.tell(Account.findLastTagged.to(turn.self.key, { featuredId, beforeId: ids.at(-1)! }));
}

/** The next statuses of the account, newest first, and those of them that have the tag. */
function sliceBefore(
  turn: AccountTurn,
  { name }: FeaturedTag,
  beforeId: Id,
): { ids: Id[]; tagged: Id[]; isLast: boolean } {
  const limit = featuredTagLimits.countedPerTurn;
  const range = { until: beforeId, reverse: true, limit };
  const ids = Array.from(turn.range(statusesOfAccount, [turn.self.key], range), ({ key }) => key[1]);
  const tagged = ids.filter((id) => {
    const status = turn.get(statuses, [id]);
    return status !== undefined && countsFor(status, name);
  });
  return { ids, tagged, isLast: ids.length < limit };
}
