/** Fetches who of this server follows a remote account, as its server has it (FEP-8fcf). */
import { Account } from '../../actors/account/account.messages.ts';
import { traced } from '../../runtime/flow.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOfHost } from '../../services/services.ts';
import { isSameHost, referenceOf } from '../documents/values.ts';
import { ignoreFailure } from '../failures.ts';
import { activityLimits } from '../limits.ts';
import type { RemotePinsOptions } from './remote-pins.ts';
import { wholeCollectionAt } from './whole-collection.ts';

/**
 * Never rejects. A list that is not whole, or names somebody of another server, decides nothing: whoever is missing from
 * it would stop following.
 */
export async function fetchFollowers(
  options: Pick<RemotePinsOptions, 'inbound' | 'fetcher' | 'signer' | 'cause'>,
  { uri, url }: { readonly uri: string; readonly url: string },
): Promise<void> {
  const { inbound, cause } = options;
  const account = inbound.accounts.find(uri);
  if (account === undefined || account.isSuspended || !isSameHost(url, uri)) return;
  const members = await wholeCollectionAt(options, url, activityLimits.followersSynchronizedMax);
  if (members === undefined) return;
  const followerIds = new Set<Id>();
  for (const member of members) {
    const follower = referenceOf(member);
    if (follower === undefined || !inbound.addresses.isLocal(follower)) return;
    const local = inbound.accounts.find(follower);
    if (local?.isLocal === true) followerIds.add(local.id);
  }
  const inOrder = [...followerIds].sort((one, other) => (one < other ? -1 : 1));
  const message = Account.receiveFollowers.to(account.id, { followerIds: inOrder });
  await inbound.client.call(message, traced(flowOfHost(account.host), cause)).catch(ignoreFailure);
}
