/** The turn of an account, and helpers that most of its handlers use. */
import { Failure } from '../../runtime/errors.ts';
import { type Id, slotOfId } from '../../runtime/ids.ts';
import type { ReadTurn, Turn } from '../../runtime/partition/turn.ts';
import { type SenderTraits, senderTraitsOf } from '../policy/notification-policy.ts';
import { accountCounted } from './profile/profile.events.ts';
import type { AccountCounters, Profile } from './profile/profile.records.ts';
import { accountCounters, profiles } from './profile/profile.state.ts';
import type { Status, StatusCounters } from './statuses/statuses.records.ts';
import { statusCounters, statuses } from './statuses/statuses.state.ts';

export type AccountTurn = Turn<bigint>;

/** This account's profile. Throws notFound when there is no such account, gone when it is suspended. */
export function ownProfile(turn: ReadTurn & { readonly self: { readonly key: bigint } }): Profile {
  const profile = turn.get(profiles, [turn.self.key]);
  if (profile === undefined) throw new Failure('notFound');
  return profile;
}

/** Traits of this account that recipients of its notifications cannot look up themselves; undefined for most. */
export function ownTraits(turn: AccountTurn): SenderTraits | undefined {
  const profile = turn.get(profiles, [turn.self.key]);
  return profile && senderTraitsOf(profile, turn.now);
}

/** A status of this account. Throws notFound for any other. */
export function ownStatus(turn: AccountTurn, statusId: Id): Status {
  // Statuses of an account are in its slot.
  const status = slotOfId(statusId) === slotOfId(turn.self.key) ? turn.get(statuses, [statusId]) : undefined;
  if (status === undefined || status.accountId !== turn.self.key) throw new Failure('notFound');
  return status;
}

const noCounters: AccountCounters = { statuses: 0, followers: 0, following: 0 };
const noStatusCounters: StatusCounters = { favourites: 0, reblogs: 0, replies: 0, quotes: 0 };

export function countAccount(
  turn: AccountTurn,
  change: Partial<Record<'statuses' | 'followers' | 'following', number>>,
  lastStatusAt?: number,
): void {
  const before = turn.get(accountCounters, [turn.self.key]) ?? noCounters;
  turn.put(accountCounters, [turn.self.key], {
    ...before,
    statuses: Math.max(0, before.statuses + (change.statuses ?? 0)),
    followers: Math.max(0, before.followers + (change.followers ?? 0)),
    following: Math.max(0, before.following + (change.following ?? 0)),
    lastStatusAt: Math.max(before.lastStatusAt ?? 0, lastStatusAt ?? 0) || undefined,
  });
  if (change.statuses === undefined) turn.emit(accountCounted, { accountId: turn.self.key });
}

export function countStatus(turn: AccountTurn, statusId: Id, counter: keyof StatusCounters, change: 1 | -1): void {
  const before = turn.get(statusCounters, [statusId]) ?? noStatusCounters;
  turn.put(statusCounters, [statusId], { ...before, [counter]: Math.max(0, before[counter] + change) });
}
