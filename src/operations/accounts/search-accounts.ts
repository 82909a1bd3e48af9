/**
 * Finds accounts by the beginnings of their names, by handle or by address. An unknown account is looked up at its
 * server where `resolve` is given.
 */

import { z } from 'zod';
import { searchAccounts } from '../../actors/account/account-search.queries.ts';
import { findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import { refreshWhenOld } from '../../federation/remote-objects/refresh-when-old.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Resolved } from '../../services/services.ts';
import { type OperationContext, operation } from '../operation.ts';
import { isWebAddress, whatIsAt } from '../search/resolve-address.ts';
import { accountIdOfHandle } from './handles.ts';
import { resolveHandle } from './resolve-handle.ts';
import { searchedAccounts } from './searched-accounts.ts';

const AccountSearch = z.object({
  words: z.string(),
  /** Ignored for a caller without an account. */
  resolve: z.boolean(),
  /**
   * Finds muted accounts too, and an exactly named one even if the caller blocks it, as with `resolve` (behaviour of the
   * Mastodon API). Other results are consistent with blocking and muting (specification 4.3).
   */
  forMentions: z.boolean().optional(),
  followedOnly: z.boolean(),
  offset: z.int().min(0),
  limit: z.int().min(1),
});

/** Throws Failure remoteUnreachable where the server of an account that is looked up does not answer. */
export const searchForAccounts = operation({
  input: AccountSearch,
  permission: 'look',
  run: async (context, search) => foundAccounts(context, search, await exactAccount(context, search)),
});

/** Searches, given the exactly named account that was found before, if any. */
export function foundAccounts(
  { caller, services }: OperationContext,
  search: z.output<typeof AccountSearch>,
  exactId: Id | undefined,
): Promise<Id[]> | Id[] {
  const exact = exactId === undefined ? undefined : findAccount(services.snapshots, exactId);
  // An anonymous request must not make this server contact others.
  if (exact !== undefined && caller.kind === 'account') refreshWhenOld(services, exact.profile, caller);
  const asked = {
    ...search,
    searcher: viewerOf(services.snapshots, caller.accountId, services.now()),
    exactId,
    ownDomain: services.addresses.domain,
    namesNothingElse: isWebAddress(search.words),
    findsBlocked: search.resolve || search.forMentions === true,
    leavesOutMuted: search.forMentions !== true,
  };
  const found = searchAccounts(services.snapshots, asked, searchedAccounts(services));
  return services.slices.run(found, caller.asker);
}

/**
 * By handle, or by the address of the account. Only addresses and handles are looked up in the directory as typed: it
 * also contains email addresses.
 */
async function exactAccount(
  context: OperationContext,
  { words, resolve }: z.output<typeof AccountSearch>,
): Promise<Id | undefined> {
  if (isWebAddress(words)) return accountIn(await whatIsAt(context, words, resolve));
  const { caller, services } = context;
  const known = accountIdOfHandle(services.snapshots, words, services.addresses);
  if (known !== undefined || !resolve || caller.kind !== 'account') return known;
  return resolveHandle({ caller, services }, { handle: words });
}

function accountIn(resolved: Resolved | undefined): Id | undefined {
  return resolved !== undefined && 'accountId' in resolved ? resolved.accountId : undefined;
}
