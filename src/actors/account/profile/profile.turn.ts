/** What turns of other features do with the profile of their account: read it, count, and name it to others. */
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { ReadTurn } from '../../../runtime/partition/turn.ts';
import type { Destination } from '../../intents.ts';
import { type SenderTraits, senderTraitsOf } from '../../policy/notification-policy.ts';
import type { AccountTurn } from '../account.turn.ts';
import { accountCounted } from './profile.events.ts';
import type { KeyPair, Login, Profile } from './profile.records.ts';
import { accountCounters, keyPairs, logins, profiles } from './profile.state.ts';
import { destinationOf, findCounters, noAccountCounters } from './profiles.queries.ts';
import { relist } from './relist.ts';

/** This account's profile. Throws notFound when there is no such account. */
export function ownProfile(turn: ReadTurn & { readonly self: { readonly key: bigint } }): Profile {
  const profile = turn.get(profiles, [turn.self.key]);
  if (profile === undefined) throw new Failure('notFound');
  return profile;
}

/** Throws notFound for an account that is not local. */
export function ownLogin(turn: AccountTurn): Login {
  const login = turn.get(logins, [turn.self.key]);
  if (login === undefined) throw new Failure('notFound');
  return login;
}

/** Traits of this account that recipients of its notifications cannot look up themselves; undefined for most. */
export function ownTraits(turn: AccountTurn): SenderTraits | undefined {
  const profile = turn.get(profiles, [turn.self.key]);
  return profile && senderTraitsOf(profile, turn.now);
}

export function countAccount(
  turn: AccountTurn,
  change: Partial<Record<'statuses' | 'followers' | 'following', number>>,
  lastStatusAt?: number,
): void {
  const before = findCounters(turn, turn.self.key);
  turn.put(accountCounters, [turn.self.key], {
    ...before,
    statuses: Math.max(0, before.statuses + (change.statuses ?? 0)),
    followers: Math.max(0, before.followers + (change.followers ?? 0)),
    following: Math.max(0, before.following + (change.following ?? 0)),
    lastStatusAt: Math.max(before.lastStatusAt ?? 0, lastStatusAt ?? 0) || undefined,
  });
  if (change.statuses === undefined) turn.emit(accountCounted, { accountId: turn.self.key });
}

/** Local accounts deliver their activities to other servers; remote ones never do. */
export function isLocal(turn: AccountTurn): boolean {
  return turn.get(logins, [turn.self.key]) !== undefined;
}

/** This account as the sender of messages: its id, and where to deliver answers to a remote one. */
export function actingAccount(turn: AccountTurn): { by: Id; byDestination?: Destination } {
  const profile = turn.get(profiles, [turn.self.key]);
  const remote = profile?.remote;
  if (profile?.domain === undefined || remote === undefined) return { by: turn.self.key };
  const shared = remote.sharedInbox === undefined ? {} : { sharedInbox: remote.sharedInbox };
  const isElsewhere = hostOf(remote.sharedInbox ?? remote.inbox) !== hostOf(remote.uri);
  const where = isElsewhere ? { isElsewhere } : {};
  return { by: turn.self.key, byDestination: { host: profile.domain, inbox: remote.inbox, ...shared, ...where } };
}

function hostOf(address: string): string | undefined {
  return URL.parse(address)?.host;
}

/** Where to deliver activities about statuses of this account; undefined for a local account. */
export function ownDestination(turn: AccountTurn): Destination | undefined {
  const profile = turn.get(profiles, [turn.self.key]);
  return profile === undefined ? undefined : destinationOf(profile);
}

/** Stores the profile with other fields: none by which it is found, which take `storeProfile`. */
export function putProfile(turn: AccountTurn, profile: Profile): void {
  turn.put(profiles, [turn.self.key], profile);
}

export function putLogin(turn: AccountTurn, login: Login): void {
  const key: [Id] = [turn.self.key];
  const profile = turn.get(profiles, key);
  relist(turn, { profile, login: turn.get(logins, key) }, { profile, login });
  turn.put(logins, key, login);
}

export function ownKeyPair(turn: AccountTurn): KeyPair | undefined {
  return turn.get(keyPairs, [turn.self.key]);
}

export function putKeyPair(turn: AccountTurn, pair: KeyPair): void {
  turn.put(keyPairs, [turn.self.key], pair);
}

/** A new account has counters from the beginning. */
export function beginCounters(turn: AccountTurn): void {
  turn.put(accountCounters, [turn.self.key], noAccountCounters);
}

/** The account is gone, as if it had never been; its indexes must be empty. */
export function forgetProfile(turn: AccountTurn): void {
  const { key: accountId } = turn.self;
  turn.delete(profiles, [accountId]);
  turn.delete(logins, [accountId]);
  turn.delete(accountCounters, [accountId]);
  turn.delete(keyPairs, [accountId]);
}
