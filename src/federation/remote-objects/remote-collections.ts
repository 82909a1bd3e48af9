/** Fetches the collections of accounts that a remote account shows on its profile (FEP-7aa9). */
import { Account } from '../../actors/account/account.messages.ts';
import { collectionsOf } from '../../actors/account/collections/collections.queries.ts';
import { collectionLimits } from '../../actors/account/collections/limits.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { traced } from '../../runtime/flow.ts';
import { flowOfHost } from '../../services/services.ts';
import { storeCollection } from '../activities/collections.ts';
import { readListed } from '../documents/read-collection.ts';
import { isSameHost } from '../documents/values.ts';
import { ignoreFailure } from '../failures.ts';
import type { RemotePinsOptions } from './remote-pins.ts';
import { wholeCollectionAt } from './whole-collection.ts';

/** Never rejects: after a failure they are fetched again another time. */
export async function fetchFeaturedCollections(options: RemotePinsOptions, uri: string): Promise<void> {
  const { inbound, cause } = options;
  const { accounts, snapshots, client } = inbound;
  const account = accounts.find(uri);
  const list = account && findProfile(snapshots, account.id)?.remote?.featuredCollections;
  if (account === undefined || list === undefined || !isSameHost(list, uri)) return;
  const listed = await wholeCollectionAt(options, list, collectionLimits.perRemoteAccountMax);
  if (listed === undefined) return;
  const uris = new Set<string>();
  for (const member of listed) {
    const found = readListed(member);
    if (found === undefined) continue;
    uris.add(typeof found === 'string' ? found : found.uri);
    const source = options.statuses.source({ cause });
    const collection = typeof found === 'string' ? await source.collection(found).catch(ignoreFailure) : found;
    if (collection?.owner === uri) await storeCollection(inbound, collection, account, source).catch(ignoreFailure);
  }
  for (const { uri: keptUri, discoverable } of collectionsOf(snapshots, account.id))
    if (keptUri !== undefined && discoverable && !uris.has(keptUri))
      await client
        .call(
          Account.receiveUncollected.to(account.id, { collectionUri: keptUri }),
          traced(flowOfHost(account.host), cause),
        )
        .catch(ignoreFailure);
}
