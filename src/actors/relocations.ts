/** How entries that belong to partitions, not to slots, move to other partitions (server/folder/repartition.ts). */
import { slotOfActor } from '../runtime/contract.ts';
import { slotOfId, slotOfKey } from '../runtime/ids.ts';
import type { Placement } from '../runtime/ports.ts';
import type { Reader } from '../runtime/storage/reader.ts';
import {
  changed,
  countedAnew,
  type EntryToPut,
  entryToPut,
  type MoveInput,
  type Relocation,
  withSlot,
} from '../runtime/storage/relocation.ts';
import { collectionByAddress } from './account/collections/collections.state.ts';
import { appeals } from './account/moderation/appeals.state.ts';
import { holdersOfRoles, staff } from './account/profile/profile.state.ts';
import type { FollowerDistribution } from './account/relationships/relationships.records.ts';
import { followerDistributions, followers } from './account/relationships/relationships.state.ts';
import { listedReports, openReports, resolvedReports } from './account/reports/reports.state.ts';
import { accountsOfAddresses } from './account/sign-ins/sign-ins.state.ts';
import { rankedStatuses, ranksOfStatuses } from './account/statuses/ranks.state.ts';
import { statusByUri } from './account/statuses/statuses.state.ts';
import { accountBeginnings, listedAccounts } from './account-lists.state.ts';
import { auditEntries, auditIndex, lastAuditMoment } from './audit.state.ts';
import { dailyCounts } from './daily-counts.state.ts';
import { knownHosts } from './directory/directory.state.ts';
import { mailRouteRelocation } from './partition/mail-route.state.ts';
import { mailsSent } from './partition/mails.state.ts';
import { relayDestinationsRelocation } from './partition/relays.state.ts';
import { deliveryRelocation } from './partition/relocated-deliveries.ts';
import { webhookTargetsRelocation } from './partition/webhook-targets.state.ts';
import { hostOfAddress } from './policy/email-address.ts';
import {
  accountNames,
  accountsOfHosts,
  discoverableAccounts,
  discoverableLocals,
  localAccountNames,
  tagNames,
} from './search.state.ts';
import { linkTimeline, localTimeline, mediaTimelines, remoteTimeline, tagTimeline } from './timelines.state.ts';
import { lastActive, sumOfActivity, usageTotals, type WeeklyActivity, weeklyActivity } from './usage.state.ts';

/** The partitions in which an account has followers. */
function distributionOf(
  [account]: [bigint],
  { notified }: FollowerDistribution,
  reader: Reader,
  to: Placement,
): FollowerDistribution {
  const local = new Array<number>(to.partitions).fill(0);
  const remote = new Array<number>(to.partitions).fill(0);
  for (const { key, value } of reader.range(followers, [account])) {
    const host = value.destination?.host;
    if (host === undefined) local[to.partitionOf(slotOfActor(key[1]))]! += 1;
    else remote[to.partitionOf(slotOfKey(host))]! += 1;
  }
  return { local, remote, notified };
}

/** Each partition lists the tags of its statuses; a tag without any status may be in any of them. */
function* movedTagNames({ readers, to }: MoveInput): Generator<EntryToPut> {
  for (const reader of readers) {
    for (const { value } of reader.range(tagNames, [])) {
      const key = tagNames.encode([value.name, value.name]);
      for (const partition of partitionsWithTag(reader, value.name, to))
        yield { partition, key, value: tagNames.value.encode(value) };
    }
  }
}

function partitionsWithTag(reader: Reader, name: string, to: MoveInput['to']): ReadonlySet<number> {
  const partitions = new Set<number>();
  for (const { key } of reader.range(tagTimeline, [name])) {
    partitions.add(to.partitionOf(slotOfId(key[1])));
    if (partitions.size === to.partitions) return partitions;
  }
  return partitions.size === 0 ? partitions.add(to.partitionOf(slotOfKey(name))) : partitions;
}

/** Sums by day: here too it does not matter which partition has which part. */
function* movedDailyCounts({ readers }: MoveInput): Generator<EntryToPut> {
  const sums = new Map<string, { readonly key: [number, number]; sum: number }>();
  for (const reader of readers)
    for (const { key, value } of reader.range(dailyCounts, [])) {
      const counted = sums.get(key.join(' ')) ?? { key, sum: 0 };
      sums.set(key.join(' '), counted);
      counted.sum += value;
    }
  for (const { key, sum } of sums.values()) yield entryToPut(0, dailyCounts, key, sum);
}

/** Sums over the whole server: it does not matter which partition has which part. */
function* movedActivity({ readers }: MoveInput): Generator<EntryToPut> {
  const weeks = new Map<number, WeeklyActivity>();
  for (const reader of readers)
    for (const { key, value } of reader.range(weeklyActivity, [])) {
      const before = weeks.get(key[0]);
      weeks.set(key[0], before === undefined ? value : sumOfActivity(before, value));
    }
  for (const [week, sum] of weeks) yield entryToPut(0, weeklyActivity, [week], sum);
}

/** Later than all entries that any partition may get. */
function* movedAuditMoment({ readers, to }: MoveInput): Generator<EntryToPut> {
  const moment = Math.max(...readers.map((reader) => reader.get(lastAuditMoment, [0])?.moment ?? 0));
  if (moment === 0) return;
  for (let partition = 0; partition < to.partitions; partition++)
    yield entryToPut(partition, lastAuditMoment, [0], { moment });
}

export const relocations: readonly Relocation[] = [
  changed(followerDistributions, distributionOf),
  withSlot(mailsSent, (_key, { email }) => slotOfKey(hostOfAddress(email) ?? email)),
  withSlot(statusByUri, (_key, { id }) => slotOfId(id)),
  withSlot(collectionByAddress, (_key, { id }) => slotOfId(id)),
  withSlot(remoteTimeline, ([status]) => slotOfId(status)),
  withSlot(localTimeline, ([status]) => slotOfId(status)),
  withSlot(tagTimeline, ([, status]) => slotOfId(status)),
  withSlot(mediaTimelines, ([, status]) => slotOfId(status)),
  withSlot(linkTimeline, ([, status]) => slotOfId(status)),
  withSlot(rankedStatuses, ([, status]) => slotOfId(status)),
  withSlot(ranksOfStatuses, ([status]) => slotOfId(status)),
  // Its id is in the slot of the host's name.
  withSlot(knownHosts, ([id]) => slotOfId(id)),
  withSlot(accountNames, ([, account]) => slotOfId(account)),
  withSlot(accountsOfAddresses, ([, , account]) => slotOfId(account)),
  withSlot(listedAccounts, ([, account]) => slotOfId(account)),
  withSlot(accountBeginnings, ([, , account]) => slotOfId(account)),
  withSlot(accountsOfHosts, ([, account]) => slotOfId(account)),
  withSlot(localAccountNames, ([, account]) => slotOfId(account)),
  withSlot(discoverableAccounts, ([account]) => slotOfId(account)),
  withSlot(discoverableLocals, ([account]) => slotOfId(account)),
  withSlot(staff, ([account]) => slotOfId(account)),
  withSlot(holdersOfRoles, ([, account]) => slotOfId(account)),
  withSlot(openReports, ([report]) => slotOfId(report)),
  withSlot(resolvedReports, ([report]) => slotOfId(report)),
  withSlot(listedReports, ([, , report]) => slotOfId(report)),
  withSlot(appeals, ([, appeal]) => slotOfId(appeal)),
  withSlot(auditEntries, ([entry]) => slotOfId(entry)),
  withSlot(auditIndex, ([, entry]) => slotOfId(entry)),
  { kind: 'together', keyspaces: [lastAuditMoment], move: movedAuditMoment },
  { kind: 'together', keyspaces: [tagNames], move: movedTagNames },
  countedAnew(usageTotals),
  countedAnew(lastActive),
  { kind: 'together', keyspaces: [weeklyActivity], move: movedActivity },
  { kind: 'together', keyspaces: [dailyCounts], move: movedDailyCounts },
  deliveryRelocation,
  relayDestinationsRelocation,
  mailRouteRelocation,
  webhookTargetsRelocation,
];
