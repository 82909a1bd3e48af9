/**
 * What searches rank accounts by, kept for each thread: a search examines some hundred accounts with each letter that
 * somebody types, and reading them from storage took most of its time.
 */
import { type FindSearched, findSearched, type SearchedAccount } from '../../actors/account/account-search.queries.ts';
import { cacheables } from '../../actors/cacheables.ts';
import type { Id } from '../../runtime/ids.ts';
import { SizedMap } from '../../runtime/sized-map.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';

/** About the memory of an account without its words, and of each of them. */
const accountBytes = 200;
const wordBytes = 60;

/** Accounts that nobody finds are not kept: no event tells of an account that is new. */
export const searchedAccounts = member((services: Pick<Services, 'snapshots' | 'events' | 'caches'>): FindSearched => {
  const { events, caches } = services;
  const kept = new SizedMap<Id, SearchedAccount>({
    bytesMax: caches.bytesMax('searchedAccounts'),
    bytesOf: ({ words }) => accountBytes + words.length * wordBytes,
  });
  caches.measure('searchedAccounts', kept);
  events.onInvalidation(cacheables.account, (accountId) => kept.delete(accountId));
  events.onInvalidation(cacheables.accountCounters, (accountId) => kept.delete(accountId));
  events.onLoss(() => kept.clear());
  return (accountId) => {
    const known = kept.get(accountId);
    if (known !== undefined) return known;
    const found = findSearched(services.snapshots, accountId);
    if (found !== undefined) kept.set(accountId, found);
    return found;
  };
});
