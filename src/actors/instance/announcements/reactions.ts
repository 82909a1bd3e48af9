/**
 * Reactions to announcements. Each is stored at once; streams get the counts at most once a second per announcement,
 * because every reaction goes to everybody: a thousand reactions must not become a million frames.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { PartitionActor } from '../../partition/partition.messages.ts';
import { Instance } from '../instance.messages.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import { announcementOf, tellPartitions } from './announcements.actor.ts';
import type { announcementMessages } from './announcements.messages.ts';
import { announcements, reactionCounts, reactions } from './announcements.state.ts';

type Body<Name extends keyof typeof announcementMessages> = BodyOf<(typeof announcementMessages)[Name]>;

export function react(turn: InstanceTurn, { announcementId, accountId, name }: Body<'react'>): undefined {
  announcementOf(turn, announcementId);
  const { key } = turn.self;
  if (turn.get(reactions, [key, announcementId, name, accountId]) !== undefined) return;
  const before = turn.get(reactionCounts, [key, announcementId, name]);
  const kinds = [...turn.range(reactionCounts, [key, announcementId])].filter(({ value }) => value.count > 0);
  const isNewKind = before === undefined || before.count === 0;
  if (isNewKind && kinds.length >= instanceLimits.reactionKindsMax)
    throw validationFailure('Limit of different reactions reached', { reason: 'tooManyReactions' });
  turn.put(reactions, [key, announcementId, name, accountId], true);
  const counted = isNewKind ? { name, count: 0, firstAt: turn.now, told: before?.told ?? 0 } : before;
  turn.put(reactionCounts, [key, announcementId, name], { ...counted, count: counted.count + 1 });
  tellSoon(turn, announcementId);
}

export function takeReactionBack(
  turn: InstanceTurn,
  { announcementId, accountId, name }: Body<'takeReactionBack'>,
): undefined {
  const { key } = turn.self;
  const counted = turn.get(reactionCounts, [key, announcementId, name]);
  const isThere = turn.get(reactions, [key, announcementId, name, accountId]) !== undefined;
  if (!isThere || counted === undefined) throw new Failure('notFound');
  turn.delete(reactions, [key, announcementId, name, accountId]);
  turn.put(reactionCounts, [key, announcementId, name], { ...counted, count: counted.count - 1 });
  tellSoon(turn, announcementId);
}

/** Now, or a second after the last time; a timer that is already set covers all reactions until then. */
function tellSoon(turn: InstanceTurn, announcementId: Id): void {
  const announcement = announcementOf(turn, announcementId);
  const { reactionsToldAt = 0 } = announcement;
  if (reactionsToldAt > turn.now) return;
  const at = Math.max(turn.now, reactionsToldAt + instanceLimits.reactionsToldMilliseconds);
  turn.put(announcements, [turn.self.key, announcementId], { ...announcement, reactionsToldAt: at });
  if (at > turn.now) turn.schedule(at, Instance.tellReactions.to(turn.self.key, { announcementId }));
  else tellReactions(turn, { announcementId });
}

export function tellReactions(turn: InstanceTurn, { announcementId }: Body<'tellReactions'>): undefined {
  const { key } = turn.self;
  const counts = Array.from(turn.range(reactionCounts, [key, announcementId]), ({ value }) => value);
  const changed = counts.filter(({ count, told }) => count !== told);
  for (const counted of changed) {
    if (counted.count === 0) turn.delete(reactionCounts, [key, announcementId, counted.name]);
    else turn.put(reactionCounts, [key, announcementId, counted.name], { ...counted, told: counted.count });
  }
  // Includes reactions that streams never saw: added and removed within the second.
  for (const { name, count, told } of counts)
    if (count === 0 && told === 0) turn.delete(reactionCounts, [key, announcementId, name]);
  if (changed.length === 0) return;
  const told = changed.map(({ name, count }) => ({ name, count }));
  tellPartitions(turn, (partition) =>
    PartitionActor.announcementReacted.to(partition, { announcementId, reactions: told }),
  );
}
