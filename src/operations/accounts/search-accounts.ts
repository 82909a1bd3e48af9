/**
 * Finds accounts by the beginnings of their names, by handle or by address. What is not known here is looked up at its
 * server when `resolve` asks for it.
 */
import { z } from 'zod';
import { searchAccounts } from '../../actors/account/profile/account-search.queries.ts';
import { type AccountView, findAccount } from '../../actors/account/statuses/statuses.queries.ts';
import { refreshWhenOld } from '../../federation/remote-objects/refresh-when-old.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Resolved } from '../../services/services.ts';
import { type OperationContext, operation } from '../operation.ts';
import { isWebAddress, whatIsAt } from '../search/resolve-address.ts';
import { accountIdOfHandle } from './handles.ts';
import { resolveHandle } from './resolve-handle.ts';

const AccountSearch = z.object({
  words: z.string(),
  /** Of a caller without an account nothing is looked up elsewhere. */
  resolve: z.boolean(),
  followedOnly: z.boolean(),
  offset: z.int().min(0),
  limit: z.int().min(1),
});

export const searchForAccounts = operation({
  input: AccountSearch,
  permission: 'look',
  run: async (context, search) => foundAccounts(context, search, await exactAccount(context, search)),
});

/** With the one that the words name exactly, as was found out before. */
export function foundAccounts(
  { caller, services }: OperationContext,
  search: z.output<typeof AccountSearch>,
  exactId: Id | undefined,
): AccountView[] {
  const exact = exactId === undefined ? undefined : findAccount(services.snapshots, exactId);
  // A stranger's request must not make this server ask others.
  if (exact !== undefined && caller.kind === 'account') refreshWhenOld(services, exact.profile);
  return searchAccounts(services.snapshots, {
    ...search,
    searcherId: caller.accountId,
    exactId,
    ownDomain: services.addresses.domain,
    namesNothingElse: isWebAddress(search.words),
  });
}

/**
 * By handle, or by the address of the account. Only addresses and handles are asked of the directory as they were typed:
 * it also knows e-mail addresses.
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
