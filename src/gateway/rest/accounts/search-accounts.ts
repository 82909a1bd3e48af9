/**
 * GET /api/v1/accounts/search (specification 4.2: `following` limits the results to followed accounts). A handle that is
 * not known here is looked up at its server when `resolve` asks for it.
 */
import { z } from 'zod';
import { searchAccounts } from '../../../actors/account/profile/account-search.queries.ts';
import { findAccount } from '../../../actors/account/statuses/statuses.queries.ts';
import { nameOfHandle } from '../../../actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../../actors/directory/directory.queries.ts';
import { refreshWhenOld } from '../../../federation/remote-objects/refresh-account.ts';
import type { Id } from '../../../runtime/ids.ts';
import { relationshipLimits } from '../../../runtime/limits.ts';
import type { Services } from '../../../services/services.ts';
import { AccountEntity, accountEntity } from '../../entities/account.ts';
import { json } from '../../http/answers.ts';
import { boolean, integerWithin, limit, required, textUpTo } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { accountIdOfHandle } from './handles.ts';

const resolveMilliseconds = 5_000;
const webAddress = /^https?:\/\//;
const remoteHandle = /^@?([^@\s]+@[^@\s/]+)$/;

const parameters = z.object({
  q: required(textUpTo(relationshipLimits.searchCharactersMax)).transform((words) => words.trim()),
  limit: limit(40, 80),
  offset: integerWithin(0, relationshipLimits.searchedFollowsMax),
  resolve: boolean,
  following: boolean,
});

export const searchForAccounts = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/search',
  authentication: 'user',
  scopes: ['read:accounts'],
  parameters,
  summary: 'Finds accounts by handle or address, and followed accounts by name.',
  answer: z.array(AccountEntity),
  async handler({ services, grant }, { q: words, limit, offset = 0, resolve = false, following = false }) {
    let exactId = knownId(services, words);
    if (exactId === undefined && resolve && !following) exactId = await resolved(services, words);
    const exact = exactId === undefined ? undefined : findAccount(services.snapshots, exactId);
    if (exact !== undefined) refreshWhenOld(services, exact.profile);
    const search = { searcherId: grant.accountId, words, exactId, followedOnly: following, offset, limit };
    const accounts = searchAccounts(services.snapshots, search);
    return json(accounts.map((account) => accountEntity(account, services.addresses)));
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
  return accountIdOfHandle(snapshots, words, addresses.host);
}

async function resolved(services: Services, words: string): Promise<Id | undefined> {
  const handle = remoteHandle.exec(words)?.[1]?.toLowerCase();
  if (handle === undefined) return undefined;
  const found = await services.resolver.resolveHandles([handle], resolveMilliseconds);
  return found.get(handle);
}
