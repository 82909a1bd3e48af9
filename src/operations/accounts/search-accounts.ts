/**
 * Finds accounts by handle or address, and followed accounts by name. A handle that is not known here is looked up at its
 * server when `resolve` asks for it.
 */
import { z } from 'zod';
import { searchAccounts } from '../../actors/account/profile/account-search.queries.ts';
import { type AccountView, findAccount } from '../../actors/account/statuses/statuses.queries.ts';
import { nameOfHandle } from '../../actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../actors/directory/directory.queries.ts';
import { refreshWhenOld } from '../../federation/remote-objects/refresh-account.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { operation } from '../operation.ts';
import { accountIdOfHandle } from './handles.ts';
import { resolveHandle } from './resolve-handle.ts';

const webAddress = /^https?:\/\//;

export const searchForAccounts = operation({
  input: z.object({
    words: z.string(),
    resolve: z.boolean(),
    followedOnly: z.boolean(),
    offset: z.int().min(0),
    limit: z.int().min(1),
  }),
  permission: 'resolve',
  async run(context, { words, resolve, followedOnly, offset, limit }): Promise<AccountView[]> {
    const { caller, services } = context;
    let exactId = knownId(services, words);
    if (exactId === undefined && resolve && !followedOnly) exactId = await resolveHandle(context, { handle: words });
    const exact = exactId === undefined ? undefined : findAccount(services.snapshots, exactId);
    if (exact !== undefined) refreshWhenOld(services, exact.profile);
    return searchAccounts(services.snapshots, {
      searcherId: caller.accountId,
      words,
      exactId,
      followedOnly,
      offset,
      limit,
    });
  },
});

/**
 * By handle, or by the address of the account. Only addresses and handles are asked of the directory as they were typed:
 * it also knows e-mail addresses.
 */
function knownId({ snapshots, addresses }: Services, words: string): Id | undefined {
  if (webAddress.test(words)) {
    const username = addresses.usernameOf(words);
    return accountIdOfName(snapshots, username === undefined ? words : nameOfHandle(username, undefined));
  }
  return accountIdOfHandle(snapshots, words, addresses);
}
