/** Reads statuses with everything that is shown with them. */
import { type Id, slotOfId } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import { anonymous, maySee, type Viewer } from '../../policy/visibility.ts';
import { blocksDomain } from '../domain-blocks/domain-blocks.queries.ts';
import type { PollTally } from '../polls/polls.records.ts';
import { pollTallies } from '../polls/polls.state.ts';
import type { AccountCounters, Profile } from '../profile/profile.records.ts';
import { accountCounters, profiles } from '../profile/profile.state.ts';
import { blockedBy, blocks, following, mutes } from '../relationships/relationships.state.ts';
import type { Status, StatusCounters } from './statuses.records.ts';
import { idempotencyKeys, statusByUri, statusCounters, statuses } from './statuses.state.ts';

export interface AccountView {
  readonly profile: Profile;
  readonly counters: AccountCounters;
}

export interface StatusView {
  readonly status: Status;
  readonly counters: StatusCounters;
  readonly author: AccountView;
  /** The totals of its poll, if any votes were counted. */
  readonly tally?: PollTally | undefined;
  /** The original, when this is a reblog. */
  readonly reblog: StatusView | undefined;
}

const noAccountCounters: AccountCounters = { statuses: 0, followers: 0, following: 0 };
/** The counters of a status without reactions. */
export const noStatusCounters: StatusCounters = { favourites: 0, reblogs: 0, replies: 0, quotes: 0 };

export function countersOf(reader: Reader, statusId: Id): StatusCounters {
  return reader.get(statusCounters, [statusId]) ?? noStatusCounters;
}

export function findAccount(reader: Reader, accountId: Id): AccountView | undefined {
  const profile = reader.get(profiles, [accountId]);
  if (profile === undefined) return undefined;
  return { profile, counters: findCounters(reader, accountId) };
}

export function findCounters(reader: Reader, accountId: Id): AccountCounters {
  return reader.get(accountCounters, [accountId]) ?? noAccountCounters;
}

/** A status with its author and, for a reblog, its original; undefined when any of them is gone, or suspended. */
export function findStatus(reader: Reader, statusId: Id): StatusView | undefined {
  const view = findAnybodysStatus(reader, statusId);
  if (view === undefined || view.author.profile.suspendedAt !== undefined) return undefined;
  const { reblogOfId } = view.status;
  if (reblogOfId === undefined) return { ...view, reblog: undefined };
  const reblog = findStatus(reader, reblogOfId);
  return reblog && { ...view, reblog };
}

/** A status with its author, who may be suspended; a reblog without its original. */
export function findAnybodysStatus(reader: Reader, statusId: Id): Omit<StatusView, 'reblog'> | undefined {
  const status = reader.get(statuses, [statusId]);
  const author = status && findAccount(reader, status.accountId);
  if (status === undefined || author === undefined) return undefined;
  const counters = countersOf(reader, statusId);
  if (status.poll === undefined) return { status, counters, author };
  return { status, counters, author, tally: reader.get(pollTallies, [statusId]) };
}

/** An account as a viewer. Reads storage only when it is asked. */
export function viewerOf(reader: Reader, accountId: Id | undefined, now: number): Viewer {
  if (accountId === undefined) return anonymous;
  return {
    accountId,
    follows: (other) => reader.get(following, [accountId, other])?.state === 'accepted',
    blocks: (other) =>
      reader.get(blocks, [accountId, other]) !== undefined || reader.get(blockedBy, [accountId, other]) !== undefined,
    hasBlocked: (other) => reader.get(blocks, [accountId, other]) !== undefined,
    mutes: (other) => {
      const mute = reader.get(mutes, [accountId, other]);
      return mute !== undefined && (mute.expiresAt === undefined || mute.expiresAt > now);
    },
    hidesDomain: (domain) => blocksDomain(reader, accountId, domain),
  };
}

/** A status that the viewer may see; undefined for all others, which hides whether they exist. */
export function findVisibleStatus(reader: Reader, statusId: Id, viewer: Viewer): StatusView | undefined {
  const view = findStatus(reader, statusId);
  if (view === undefined || !maySee(view.status, viewer)) return undefined;
  return view.reblog !== undefined && !maySee(view.reblog.status, viewer) ? undefined : view;
}

/** The id of a remote status or reblog by its ActivityPub id. Reads the partitions until it is found. */
export function statusIdOfUri(snapshots: Snapshots, uri: string): Id | undefined {
  for (const statusId of statusIdsOfUri(snapshots, uri)) return statusId;
  return undefined;
}

/** At most one for each partition. */
export function* statusIdsOfUri(snapshots: Snapshots, uri: string): Generator<Id> {
  for (const partition of snapshots.partitions) {
    const found = partition.get(statusByUri, [uri]);
    if (found !== undefined) yield found.id;
  }
}

/** Whether a partition other than the account's has a status with this ActivityPub id. */
export function isUriElsewhere({ partitions, placement }: Snapshots, uri: string, accountId: Id): boolean {
  const own = placement.partitionOf(slotOfId(accountId));
  return partitions.some((partition, number) => number !== own && partition.get(statusByUri, [uri]) !== undefined);
}

/**
 * Accounts whose statuses a viewer does not see in timelines, each with the end of that (milliseconds; Infinity for
 * ever).
 */
export type HiddenAccounts = ReadonlyMap<Id, number>;

export function hiddenAccounts(reader: Reader, accountId: Id): HiddenAccounts {
  const hidden = new Map<Id, number>();
  for (const { key, value } of reader.range(mutes, [accountId]))
    hidden.set(key[1], value.expiresAt ?? Number.POSITIVE_INFINITY);
  for (const { key } of reader.range(blocks, [accountId])) hidden.set(key[1], Number.POSITIVE_INFINITY);
  for (const { key } of reader.range(blockedBy, [accountId])) hidden.set(key[1], Number.POSITIVE_INFINITY);
  return hidden;
}

/** What the account published, or scheduled, under an idempotency key within the last hour; it may be deleted since. */
export function statusOfIdempotencyKey(reader: Reader, accountId: Id, key: string): Id | undefined {
  return reader.get(idempotencyKeys, [accountId, key])?.statusId;
}
