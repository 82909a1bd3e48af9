/**
 * Announcements: published, changed and withdrawn by staff, and withdrawn automatically at their end. Streams get them
 * through every partition's own event log, so that each account's channel includes and replays them.
 */
import type { BodyOf, Envelope } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { GivenAudit } from '../../audit.records.ts';
import { recordAudit } from '../../audit.state.ts';
import { PartitionActor } from '../../partition/partition.messages.ts';
import { Instance } from '../instance.messages.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import type { announcementMessages } from './announcements.messages.ts';
import type { Announcement, AnnouncementContent } from './announcements.records.ts';
import { announcements, reactionCounts, reactions } from './announcements.state.ts';

type Body<Name extends keyof typeof announcementMessages> = BodyOf<(typeof announcementMessages)[Name]>;

export function publishAnnouncement(
  turn: InstanceTurn,
  { audit, ...content }: Body<'publishAnnouncement'>,
): { announcementId: Id } {
  const announcementId = keepAnnouncement(turn, content);
  recordAudit(turn, audit, { targetId: announcementId, name: content.text, after: factsOf(content) });
  return { announcementId };
}

/** Throws Failure validation above the bound. */
export function keepAnnouncement(turn: InstanceTurn, content: AnnouncementContent): Id {
  if ([...turn.range(announcements, [turn.self.key])].length >= instanceLimits.announcementsMax)
    throw validationFailure('There are too many announcements: withdraw some first');
  const announcementId = turn.nextId();
  store(turn, announcementId, { ...content, publishedAt: turn.now, updatedAt: turn.now });
  return announcementId;
}

export function changeAnnouncement(
  turn: InstanceTurn,
  { announcementId, content, audit }: Body<'changeAnnouncement'>,
): undefined {
  const before = announcementOf(turn, announcementId);
  store(turn, announcementId, { ...before, startsAt: undefined, endsAt: undefined, ...content, updatedAt: turn.now });
  const facts = { before: factsOf(before), after: factsOf(content) };
  recordAudit(turn, audit, { targetId: announcementId, name: content.text, ...facts });
}

function factsOf({ text, startsAt, endsAt, allDay }: AnnouncementContent) {
  return { text, startsAt, endsAt, allDay };
}

function store(turn: InstanceTurn, announcementId: Id, announcement: Announcement): void {
  turn.put(announcements, [turn.self.key, announcementId], announcement);
  const { endsAt } = announcement;
  if (endsAt !== undefined) turn.schedule(endsAt, Instance.endAnnouncement.to(turn.self.key, { announcementId }));
  tellPartitions(turn, (partition) => PartitionActor.announced.to(partition, { announcementId }));
}

export function withdrawAnnouncement(
  turn: InstanceTurn,
  { announcementId, audit }: Body<'withdrawAnnouncement'>,
): undefined {
  withdraw(turn, announcementId, announcementOf(turn, announcementId), audit);
}

export function endAnnouncement(turn: InstanceTurn, { announcementId }: Body<'endAnnouncement'>): undefined {
  const announcement = turn.get(announcements, [turn.self.key, announcementId]);
  if (announcement?.endsAt === undefined || announcement.endsAt > turn.now) return;
  withdraw(turn, announcementId, announcement, { action: 'withdrawAnnouncement', by: 'server' });
}

function withdraw(
  turn: InstanceTurn,
  announcementId: Id,
  announcement: Announcement,
  audit: GivenAudit | undefined,
): void {
  turn.delete(announcements, [turn.self.key, announcementId]);
  recordAudit(turn, audit, { targetId: announcementId, name: announcement.text, before: factsOf(announcement) });
  const names = Array.from(turn.range(reactionCounts, [turn.self.key, announcementId]), ({ value }) => value.name);
  for (const name of names) turn.delete(reactionCounts, [turn.self.key, announcementId, name]);
  tellPartitions(turn, (partition) => PartitionActor.announcementWithdrawn.to(partition, { announcementId }));
  turn.tell(Instance.sweepReactions.to(turn.self.key, { announcementId, names }));
}

/** A key does not contain the name of a reaction, so the message carries the names. */
export function sweepReactions(
  turn: InstanceTurn,
  { announcementId, names, slice: before = 0 }: Body<'sweepReactions'>,
): undefined {
  const [name, ...others] = names;
  if (name === undefined) return;
  const { reactionsSweptPerTurn: limit } = instanceLimits;
  const slice = [...turn.range(reactions, [turn.self.key, announcementId, name], { limit })];
  for (const { key } of slice) turn.delete(reactions, [turn.self.key, announcementId, name, key[3]]);
  const left = slice.length === limit ? names : others;
  turn.tell(Instance.sweepReactions.to(turn.self.key, { announcementId, names: left, slice: before + 1 }));
}

/** Throws notFound. */
export function announcementOf(turn: InstanceTurn, announcementId: Id): Announcement {
  const announcement = turn.get(announcements, [turn.self.key, announcementId]);
  if (announcement === undefined) throw new Failure('notFound');
  return announcement;
}

/** One message per partition, however many accounts it has. */
export function tellPartitions(turn: InstanceTurn, message: (partition: bigint) => Envelope): void {
  for (let partition = 0; partition < turn.partitions; partition += 1) turn.tell(message(BigInt(partition)));
}
