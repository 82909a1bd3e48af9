/**
 * Writes a profile with the indexes that find it: by the words of its names, by its host, among discoverable accounts, on
 * the lists of staff, and among them. Every change of names or roles goes through here.
 */

import { pack } from '../../../runtime/codec.ts';
import type { Id } from '../../../runtime/ids.ts';
import { startOfText } from '../../../runtime/storage/keyspace.ts';
import { tellWebhooks } from '../../partition/tell-webhooks.ts';
import {
  type AccountOfHost,
  accountNames,
  accountsOfHosts,
  discoverableAccounts,
  discoverableLocals,
  localAccountNames,
} from '../../search.state.ts';
import type { AccountTurn } from '../account.turn.ts';
import { wordsOfNames } from './names.ts';
import type { Profile, Role } from './profile.records.ts';
import { holdersOfRoles, logins, profiles, staff } from './profile.state.ts';
import { relist } from './relist.ts';

/** The index entries of a profile. */
export interface ProfileIndexes {
  readonly words: readonly string[];
  readonly isListed: boolean;
  /** Staff only. */
  readonly role: Exclude<Role, 'user'> | undefined;
  /** Of an account of another server. */
  readonly ofHost: AccountOfHost | undefined;
}

const noIndexes: ProfileIndexes = { words: [], isListed: false, role: undefined, ofHost: undefined };

export function storeProfile(turn: AccountTurn, profile: Profile, before: Profile | undefined): void {
  const accountId = turn.self.key;
  turn.put(profiles, [accountId], profile);
  const login = profile.remote === undefined ? turn.get(logins, [accountId]) : undefined;
  relist(turn, { profile: before, login }, { profile, login });
  const { words, isListed, role, ofHost } = indexesOf(profile);
  const former = before === undefined ? noIndexes : indexesOf(before);
  const local = profile.remote === undefined;
  if (local && before !== undefined && isChanged(before, profile)) tellWebhooks(turn, 'account.updated', accountId);
  for (const names of local ? [accountNames, localAccountNames] : [accountNames]) {
    for (const word of former.words) if (!words.includes(word)) turn.delete(names, [word, accountId]);
    for (const word of words) if (!former.words.includes(word)) turn.put(names, [word, accountId], true);
  }
  if (role !== undefined && role !== former.role) turn.put(staff, [accountId], { role });
  if (role === undefined && former.role !== undefined) turn.delete(staff, [accountId]);
  if (before?.roleId !== profile.roleId) changeHolders(turn, before?.roleId, profile.roleId);
  const formerHost = former.ofHost?.host;
  if (formerHost !== undefined && formerHost !== ofHost?.host) turn.delete(accountsOfHosts, [formerHost, accountId]);
  if (ofHost !== undefined && !isSame(ofHost, former.ofHost))
    turn.put(accountsOfHosts, [ofHost.host, accountId], ofHost);
  if (isListed === former.isListed) return;
  if (isListed) turn.put(discoverableAccounts, [accountId], { local });
  else turn.delete(discoverableAccounts, [accountId]);
  if (isListed && local) turn.put(discoverableLocals, [accountId], true);
  else if (local) turn.delete(discoverableLocals, [accountId]);
}

/** Whether anything but the time of the change is different. */
export function isChanged(before: Profile, after: Profile): boolean {
  const names = Object.keys({ ...before, ...after }) as (keyof Profile)[];
  return names.some(
    (name) =>
      name !== 'updatedAt' &&
      before[name] !== after[name] &&
      Buffer.compare(pack(before[name]), pack(after[name])) !== 0,
  );
}

function changeHolders(turn: AccountTurn, formerId: Id | undefined, roleId: Id | undefined): void {
  const { key: accountId } = turn.self;
  if (formerId !== undefined) turn.delete(holdersOfRoles, [formerId, accountId]);
  if (roleId !== undefined) turn.put(holdersOfRoles, [roleId, accountId], true);
}

/** Each word once, as truncated in the index: two long words may begin alike. Deleted and purged accounts are not indexed. */
export function indexesOf(profile: Profile): ProfileIndexes {
  const ofHost = accountOfHost(profile);
  if (profile.deletedRemotelyAt !== undefined || profile.purgedAt !== undefined) return { ...noIndexes, ofHost };
  return {
    words: [...new Set(wordsOfNames(profile).map(startOfText))],
    isListed: profile.discoverable === true,
    role: profile.role === 'user' ? undefined : profile.role,
    ofHost,
  };
}

function accountOfHost({ domain: host, remote, byDomain, purgedAt }: Profile): AccountOfHost | undefined {
  if (host === undefined || remote === undefined) return undefined;
  const actorHost = URL.parse(remote.uri)?.host;
  return {
    host,
    ...(actorHost !== undefined && actorHost !== host && { actorHost }),
    ...(byDomain !== undefined && { severity: byDomain.severity }),
    ...(purgedAt !== undefined && { isPurged: true }),
  };
}

function isSame(one: AccountOfHost, other: AccountOfHost | undefined): boolean {
  return (
    one.host === other?.host &&
    one.actorHost === other.actorHost &&
    one.severity === other.severity &&
    one.isPurged === other.isPurged
  );
}
