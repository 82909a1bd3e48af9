/**
 * Lists of accounts for staff, newest first, that match everything they ask for. Each condition that has an index gives the
 * ids of each partition in order, and can be entered anywhere: what is common to all is found by leaps, at the cost of the
 * shortest. What too many accounts match has no index of this kind, and is looked at account by account. Either way the
 * entries that are looked at for one page have a bound (actors/pages.ts).
 */
import type { Id } from '../../runtime/ids.ts';
import { beginningWith } from '../../runtime/storage/keyspace.ts';
import type { RangeQuery, Reader, ServerReader } from '../../runtime/storage/reader.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import { accountBeginnings, type Beginning, beginningsOf, listedAccounts } from '../account-lists.state.ts';
import { mergeIds } from '../merge.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../pages.ts';
import {
  type AccountOrigin,
  type AccountStanding,
  accountOrigins,
  comparableName,
  nameOfInvited,
  nameOfList,
} from '../policy/account-lists.ts';
import { type AddressRange, isInRange } from '../policy/addresses.ts';
import { builtInRoles, type HeldRole } from '../policy/roles.ts';
import { accountsOfHosts } from '../search.state.ts';
import { findLogin } from './profile/logins.queries.ts';
import type { Role } from './profile/profile.records.ts';
import { holdersOfRoles, staff } from './profile/profile.state.ts';
import { type AccountView, findAccount } from './profile/profiles.queries.ts';
import { findProfile } from './remote/federation.queries.ts';
import { addressesOf, idsOfAddresses } from './sign-ins/sign-ins.queries.ts';

/** Accounts match all that is given. */
export interface AccountFilter {
  readonly origin?: AccountOrigin | undefined;
  readonly standing?: AccountStanding | undefined;
  /** One of these. */
  readonly roles?: readonly HeldRole[] | undefined;
  /** Of their handles. */
  readonly domain?: string | undefined;
  /** They begin so, whatever the case. */
  readonly username?: string | undefined;
  readonly displayName?: string | undefined;
  readonly email?: string | undefined;
  /** Addresses from which they were used. */
  readonly range?: AddressRange | undefined;
  /** Who has invited them. */
  readonly invitedBy?: Id | undefined;
}

/** Of more that match one condition in a partition each is looked at. */
const candidatesMax = 1_000;

/** Conditions that too many match, which reads of one list after the other need not find out again. */
export type Unselective = Set<Beginning>;

export function accountsPage(
  snapshots: Snapshots,
  filter: AccountFilter,
  bounds: PageBounds,
  unselective: Unselective = new Set(),
): Page<AccountView> {
  const query = rangeOf(bounds);
  const unwanted = new Set<Id>();
  const sources = snapshots.partitions.map((partition) =>
    commonIds(conditionsOf(partition, filter, query, unselective), query, unwanted),
  );
  return takePage(
    mergeIds(sources, query.reverse === true ? 'newest first' : 'oldest first'),
    bounds,
    (accountId) => accountId,
    (accountId) => (unwanted.has(accountId) ? undefined : matching(snapshots, accountId, filter)),
  );
}

export function hasInvitedAnybody(snapshots: Snapshots, creatorId: Id): boolean {
  return snapshots.partitions.some((partition) => {
    for (const _listed of partition.range(listedAccounts, [nameOfInvited(creatorId)], { limit: 1 })) return true;
    return false;
  });
}

/** The accounts of a partition after the other that are on the lists of all, oldest first in each list. */
export function* accountIdsListed(
  { partitions }: Pick<ServerReader, 'partitions'>,
  origin: AccountOrigin,
  range: Pick<RangeQuery, 'from' | 'until'> = {},
): Generator<Id> {
  for (const partition of partitions)
    for (const standing of ['active', 'suspended'] as const)
      yield* secondParts(partition.range(listedAccounts, [nameOfList(origin, standing)], range));
}

type Order = Pick<RangeQuery, 'reverse'>;

/** The first id at `at` or behind it, in the order of reading; the very first where it is undefined. */
type Seek = (at: Id | undefined) => Id | undefined;

function conditionsOf(partition: Reader, filter: AccountFilter, order: Order, unselective: Unselective): Seek[] {
  const { origin, standing, roles, domain, range, invitedBy } = filter;
  const origins = origin === undefined ? accountOrigins : [origin];
  const standings = standing === undefined ? (['active', 'suspended'] as const) : [standing];
  const lists = origins.flatMap((one) => standings.map((other) => nameOfList(one, other)));
  const onList = (list: string) =>
    seekIn((query) => secondParts(partition.range(listedAccounts, [list], query)), order);
  const among = [
    ...textConditions.map((what) => textCondition(partition, what, filter[what], order, unselective)),
    range && candidates(idsOfAddresses(partition, range), order),
    // Most accounts are users, of whom there is no list.
    roles?.some(({ builtIn }) => builtIn === 'user') === false && holdersOf(partition, roles, order),
    domain !== undefined && seekIn((query) => secondParts(partition.range(accountsOfHosts, [domain], query)), order),
    invitedBy !== undefined && onList(nameOfInvited(invitedBy)),
  ];
  const listed = lists.map(onList);
  return [...among.filter((seek) => seek !== undefined && seek !== false), firstOf(listed, order)];
}

function* secondParts(entries: Iterable<{ readonly key: readonly [unknown, Id] }>): Generator<Id> {
  for (const { key } of entries) yield key[1];
}

function holdersOf(partition: Reader, roles: readonly HeldRole[], order: Order): Seek {
  const builtIn = roles.flatMap((role) => role.builtIn ?? []);
  const added = roles.filter((role) => role.builtIn === undefined);
  return firstOf(
    [
      seekIn((query) => idsOfStaff(partition, builtIn, query), order),
      ...added.map(({ id }) =>
        seekIn((query) => secondParts(partition.range(holdersOfRoles, [BigInt(id)], query)), order),
      ),
    ],
    order,
  );
}

function* idsOfStaff(partition: Reader, roles: readonly Role[], query: RangeQuery): Generator<Id> {
  for (const { key, value } of partition.range(staff, [], query)) if (roles.includes(value.role)) yield key[0];
}

/** Undefined where it is not asked for, and where too many match it in any partition. */
function textCondition(
  partition: Reader,
  what: Beginning,
  text: string | undefined,
  order: Order,
  unselective: Unselective,
): Seek | undefined {
  if (text === undefined || unselective.has(what)) return undefined;
  const found = candidates(idsBeginning(partition, what, text), order);
  if (found === undefined) unselective.add(what);
  return found;
}

/** In no order. */
function idsBeginning(partition: Reader, what: Beginning, text: string): Iterable<Id> {
  return thirdParts(partition.range(accountBeginnings, [beginningsOf[what]], beginningWith(comparableName(text))));
}

function* thirdParts(entries: Iterable<{ readonly key: readonly [unknown, unknown, Id] }>): Generator<Id> {
  for (const { key } of entries) yield key[2];
}

function seekIn(idsWithin: (query: RangeQuery) => Iterable<Id>, { reverse = false }: Order): Seek {
  return (at) => {
    const query = reverse ? { until: at === undefined ? undefined : at + 1n } : { from: at };
    for (const accountId of idsWithin({ ...query, reverse })) return accountId;
    return undefined;
  };
}

/** Undefined where they are too many. */
function candidates(found: Iterable<Id> | undefined, { reverse = false }: Order): Seek | undefined {
  const distinct = new Set<Id>();
  for (const accountId of found ?? []) if (distinct.add(accountId).size > candidatesMax) return undefined;
  if (found === undefined) return undefined;
  const ids = [...distinct].sort((one, other) => (one < other === reverse ? 1 : -1));
  let index = 0;
  return (at) => {
    while (at !== undefined && index < ids.length && (reverse ? ids[index]! > at : ids[index]! < at)) index += 1;
    return ids[index];
  };
}

/** Each is entered again only where what it found last was passed. */
function firstOf(seeks: readonly Seek[], { reverse = false }: Order): Seek {
  const heads = seeks.map((seek) => ({ seek, isKnown: false, id: undefined as Id | undefined }));
  return (at) => {
    let first: Id | undefined;
    for (const head of heads) {
      const { id } = head;
      const isPassed = id !== undefined && at !== undefined && (reverse ? id > at : id < at);
      if (!head.isKnown || isPassed) Object.assign(head, { isKnown: true, id: head.seek(at) });
      const found = head.id;
      if (found !== undefined && (first === undefined || found > first === reverse)) first = found;
    }
    return first;
  };
}

/** What all have in common, and between it where the leaps led: those ids are added to `unwanted`, and count as read. */
function* commonIds(
  [first, ...others]: readonly Seek[],
  { from, until, reverse = false }: RangeQuery,
  unwanted: Set<Id>,
): Generator<Id> {
  const [lowest, behind] = [from, until] as (Id | undefined)[];
  const isOver = (accountId: Id) =>
    reverse ? lowest !== undefined && accountId < lowest : behind !== undefined && accountId >= behind;
  if (behind === 0n) return;
  const begin = reverse ? behind && behind - 1n : lowest;
  let candidate = first!(begin);
  while (candidate !== undefined && !isOver(candidate)) {
    const reached = leap(others, candidate);
    if (reached !== candidate) unwanted.add(candidate);
    yield candidate;
    if (reached === undefined) return;
    const next: Id = reached === candidate ? candidate + (reverse ? -1n : 1n) : reached;
    candidate = first!(next);
  }
}

/** `candidate` where all have it, otherwise an id before which they have nothing in common; undefined where there is none. */
function leap(others: readonly Seek[], candidate: Id): Id | undefined {
  for (const seek of others) {
    const found = seek(candidate);
    if (found !== candidate) return found;
  }
  return candidate;
}

const textConditions = Object.keys(beginningsOf) as readonly Beginning[];

/** Also what an index says, of which it has only the beginning. */
function matching(snapshots: Snapshots, accountId: Id, filter: AccountFilter): AccountView | undefined {
  const { roles, username, displayName, email, range } = filter;
  const profile = findProfile(snapshots, accountId);
  // Before anything else of the account is read: many are looked at that do not match.
  if (!(profile && beginsWith(profile.username, username) && beginsWith(profile.displayName, displayName)))
    return undefined;
  const account = findAccount(snapshots, accountId);
  if (account === undefined) return undefined;
  if (roles !== undefined && !roles.some((role) => hasRole(account, role))) return undefined;
  if (email !== undefined && !beginsWith(findLogin(snapshots, accountId)?.email ?? '', email)) return undefined;
  if (range === undefined) return account;
  return addressesOf(snapshots, accountId).some(({ address }) => isInRange(address, range)) ? account : undefined;
}

function hasRole({ profile, addedRole }: AccountView, role: HeldRole): boolean {
  return profile.remote === undefined && (addedRole ?? builtInRoles[profile.role]).id === role.id;
}

function beginsWith(text: string, beginning = ''): boolean {
  return comparableName(text).startsWith(comparableName(beginning));
}

/** Accounts of this server in a partition that are not suspended, newest first. */
export function localAccountsBefore(partition: Reader, limit: number, before?: Id): Id[] {
  const query = { reverse: true, limit, until: before };
  const entries = partition.range(listedAccounts, [nameOfList('local', 'active')], query);
  return Array.from(entries, ({ key: [, accountId] }) => accountId);
}

/** The same after one, oldest first. */
export function localAccountsAfter(partition: Reader, limit: number, after = 0n): Id[] {
  const entries = partition.range(listedAccounts, [nameOfList('local', 'active')], { limit, from: after + 1n });
  return Array.from(entries, ({ key: [, accountId] }) => accountId);
}
