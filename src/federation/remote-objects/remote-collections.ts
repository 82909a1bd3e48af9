/** Fetches the collections of accounts that a remote account shows on its profile (FEP-7aa9). */
import { Account } from '../../actors/account/account.messages.ts';
import { collectionsOf } from '../../actors/account/collections/collections.queries.ts';
import { collectionLimits } from '../../actors/account/collections/limits.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { traced } from '../../runtime/flow.ts';
import { flowOfHost } from '../../services/services.ts';
import { storeCollection } from '../activities/collections.ts';
import { readListed } from '../documents/read-collection.ts';
import { isSameHost, referenceOf, valuesOf } from '../documents/values.ts';
import { ignoreFailure } from '../failures.ts';
import { fetchActivityDocument } from '../fetch-activity-document.ts';
import type { RemotePinsOptions } from './remote-pins.ts';

const pagesMax = 10;

/** Never rejects: after a failure they are fetched again another time. */
export async function fetchFeaturedCollections(options: RemotePinsOptions, uri: string): Promise<void> {
  const { inbound, cause } = options;
  const { accounts, snapshots, client } = inbound;
  const account = accounts.find(uri);
  const list = account && findProfile(snapshots, account.id)?.remote?.featuredCollections;
  if (account === undefined || list === undefined || !isSameHost(list, uri)) return;
  const listed = await membersOf(options, list);
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

/** All entries, or undefined: entries on a page that could not be read are not removed. */
async function membersOf(options: RemotePinsOptions, list: string): Promise<JsonValue[] | undefined> {
  const members: JsonValue[] = [];
  let next: JsonValue | undefined = list;
  for (let pages = 0; next !== undefined && pages <= pagesMax; pages += 1) {
    const page: JsonObject | undefined = isJsonObject(next) ? next : await documentAt(options, next, list);
    if (page === undefined) return undefined;
    members.push(...valuesOf(page.orderedItems ?? page.items, collectionLimits.perRemoteAccountMax));
    if (members.length >= collectionLimits.perRemoteAccountMax) return undefined;
    next = page.first ?? page.next ?? undefined;
  }
  return next === undefined ? members : undefined;
}

async function documentAt(
  { fetcher, signer }: RemotePinsOptions,
  address: JsonValue,
  list: string,
): Promise<JsonObject | undefined> {
  const url = referenceOf(address);
  if (url === undefined || !isSameHost(url, list)) return undefined;
  const fetched = await fetchActivityDocument(fetcher, { url, signer: await signer(), fresh: true });
  return fetched.ok ? fetched.document : undefined;
}
