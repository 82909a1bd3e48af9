/**
 * Finds accounts by the beginnings of their names: range reads of the index, then what a limited number of accounts are
 * ranked by. Where there are more, the accounts of this server and those that the searcher follows are examined separately,
 * the latter by their follows, newest first.
 */

import type { Id } from '../../runtime/ids.ts';
import { beginningWith } from '../../runtime/storage/keyspace.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Viewer } from '../policy/visibility.ts';
import { accountNames, localAccountNames } from '../search.state.ts';
import { searchWords } from '../text/search-words.ts';
import { wordsOfNames } from './profile/names.ts';
import { findPublicAccount } from './profile/profiles.queries.ts';
import { relationshipLimits } from './relationships/limits.ts';
import { isBlockedBy } from './relationships/relationships.queries.ts';
import { followingByTime } from './relationships/relationships.state.ts';

export interface AccountSearch {
  readonly searcher: Viewer;
  /** As typed, trimmed. */
  readonly words: string;
  /** The account that the words name exactly, if any. */
  readonly exactId: Id | undefined;
  /** The host of local handles. */
  readonly ownDomain: string;
  /** The words are an address: they are not searched for in names. */
  readonly namesNothingElse: boolean;
  /** The account that the words name exactly is found even if the searcher blocks it, in order to unblock it. */
  readonly findsBlocked: boolean;
  /** Others that the searcher mutes, or whose domain the searcher blocks, are left out. */
  readonly leavesOutMuted: boolean;
  readonly followedOnly: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Names read per search, and as many of accounts of this server. */
const candidatesMax = 240;
/** Of so many it is looked up for each whether the searcher follows it; for more, all follows are read. */
const lookedUpMax = 40;
/** Accounts examined between two pauses. */
const examinedPerSlice = 60;

/** What a search needs to know of an account. */
export interface SearchedAccount {
  readonly id: Id;
  /** In lower case. */
  readonly username: string;
  /** Undefined for an account of this server. */
  readonly domain: string | undefined;
  /** The words by which it is found. */
  readonly words: readonly string[];
  readonly followers: number;
  /** Then it is found by its exact name only. */
  readonly hasMoved: boolean;
}

/** Undefined for an account that nobody finds. */
export type FindSearched = (accountId: Id) => SearchedAccount | undefined;

export function findSearched(reader: Reader, accountId: Id): SearchedAccount | undefined {
  const account = findPublicAccount(reader, accountId);
  if (account === undefined || account.profile.suspendedAt !== undefined) return undefined;
  const { profile, counters } = account;
  const { id, username, domain, movedTo } = profile;
  return {
    id,
    username: username.toLowerCase(),
    domain,
    words: wordsOfNames(profile),
    followers: counters.followers,
    hasMoved: movedTo !== undefined,
  };
}

interface Found {
  readonly account: SearchedAccount;
  /** The lower the better: named exactly, followed, begins with the words, contains such a word. */
  readonly rank: number;
}

/**
 * The exact account, then followed accounts, then handles with this beginning, then other names; each by followers. In
 * slices (see TimeSlices).
 */
export function* searchAccounts(
  snapshots: Snapshots,
  search: AccountSearch,
  find: FindSearched,
): Generator<undefined, Id[]> {
  const asked = askedNames(search.words);
  const found: Found[] = [];
  const { accountIds, isFollowed } = candidates(snapshots, search, asked);
  for (let index = 0; index < accountIds.length; index += examinedPerSlice) {
    // Reading many names and follows takes a slice of its own.
    if (accountIds.length > examinedPerSlice) yield;
    for (const accountId of accountIds.slice(index, index + examinedPerSlice)) {
      const account = examine(find, search, asked, accountId, isFollowed);
      if (account !== undefined) found.push(account);
    }
  }
  found.sort((one, other) => one.rank - other.rank || followersOf(other) - followersOf(one) || byAge(one, other));
  return pageOf(snapshots, search, found);
}

/** Blocks and mutes are looked up last: one that was made between two slices counts. */
function pageOf(snapshots: Snapshots, search: AccountSearch, found: readonly Found[]): Id[] {
  const end = search.offset + search.limit;
  const shown: Id[] = [];
  for (const { account } of found) {
    if (shown.length === end) break;
    if (!isHidden(snapshots, search, account)) shown.push(account.id);
  }
  return shown.slice(search.offset);
}

function isHidden(snapshots: Snapshots, search: AccountSearch, { id, domain }: SearchedAccount): boolean {
  const { searcher, exactId, findsBlocked, leavesOutMuted } = search;
  if (searcher.accountId === undefined) return false;
  if (id === exactId) return findsBlocked ? isBlockedBy(snapshots, searcher.accountId, id) : searcher.blocks(id);
  return searcher.blocks(id) || (leavesOutMuted && (searcher.mutes(id) || searcher.hidesDomain(domain)));
}

/** Undefined for an account that does not match, or that nobody finds. */
function examine(
  find: FindSearched,
  search: AccountSearch,
  asked: AskedNames,
  accountId: Id,
  isFollowed: (accountId: Id) => boolean,
): Found | undefined {
  const { exactId, followedOnly } = search;
  const isExact = accountId === exactId;
  const account = find(accountId);
  if (account === undefined || !(isExact || matches(account, asked, search.ownDomain))) return undefined;
  const follows = isFollowed(accountId);
  if (followedOnly && !follows) return undefined;
  const beginsSo = account.username.startsWith(asked.handle);
  return { account, rank: isExact ? 0 : follows ? 1 : beginsSo ? 2 : 3 };
}

function followersOf({ account }: Found): number {
  return account.followers;
}

function byAge(one: Found, other: Found): number {
  return one.account.id < other.account.id ? -1 : 1;
}

interface AskedNames {
  /** The beginning of a handle, `user` or `user@host`. */
  readonly handle: string;
  /** Each is the beginning of a word; none where a host was typed, which only handles have. */
  readonly words: readonly string[];
}

function askedNames(typed: string): AskedNames {
  const handle = typed.replace(/^@/, '').toLowerCase();
  return { handle, words: handle.includes('@') ? [] : searchWords(typed) };
}

interface Candidates {
  readonly accountIds: readonly Id[];
  readonly isFollowed: (accountId: Id) => boolean;
}

/** Follows that were read at once are not looked up one by one. */
function candidates(snapshots: Snapshots, search: AccountSearch, asked: AskedNames): Candidates {
  const { searcher, exactId } = search;
  const named = namedSo(snapshots, asked, search.namesNothingElse);
  const found = new Set(exactId === undefined ? named.accountIds : [exactId, ...named.accountIds]);
  const { accountId } = searcher;
  if (accountId === undefined || (named.isAll && found.size <= lookedUpMax))
    return { accountIds: [...found], isFollowed: searcher.follows };
  const { searchedFollowsMax: limit } = relationshipLimits;
  const followed = new Set<Id>();
  for (const { value } of snapshots.range(followingByTime, [accountId], { reverse: true, limit })) {
    followed.add(value.id);
    if (!named.isAll) found.add(value.id);
  }
  const isFollowed = followed.size < limit ? (id: Id) => followed.has(id) : searcher.follows;
  return { accountIds: [...found], isFollowed };
}

interface Named {
  readonly accountIds: ReadonlySet<Id>;
  /** Otherwise there are more. */
  readonly isAll: boolean;
}

function namedSo(snapshots: Snapshots, asked: AskedNames, namesNothingElse: boolean): Named {
  const found = new Set<Id>();
  const rarest = asked.words.toSorted((one, other) => other.length - one.length)[0] ?? asked.handle.split('@')[0]!;
  if (namesNothingElse || rarest === '') return { accountIds: found, isAll: true };
  const limit = Math.ceil(candidatesMax / snapshots.partitions.length);
  let isAll = true;
  for (const partition of snapshots.partitions) {
    let count = 0;
    for (const { key } of partition.range(accountNames, [], { ...beginningWith(rarest), limit })) {
      found.add(key[1]);
      count += 1;
    }
    isAll &&= count < limit;
    if (count < limit) continue;
    for (const { key } of partition.range(localAccountNames, [], { ...beginningWith(rarest), limit }))
      found.add(key[1]);
  }
  return { accountIds: found, isAll };
}

function matches(account: SearchedAccount, { handle, words }: AskedNames, ownDomain: string): boolean {
  const { username, domain, words: names, hasMoved } = account;
  if (hasMoved) return false;
  if (words.length === 0) return `${username}@${domain ?? ownDomain}`.toLowerCase().startsWith(handle);
  return words.every((word) => names.some((name) => name.startsWith(word)));
}
