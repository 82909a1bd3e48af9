/** Finds collections of accounts that are known here by an address in a text, or in a document of another server. */
import { collectionIdOfAddress, findCollection } from '../actors/account/collections/collections.queries.ts';
import type { Id } from '../runtime/ids.ts';
import type { Services } from '../services/services.ts';

/** The address is the ActivityPub id of the collection, or its page. Reads storage only; nothing is fetched. */
export function collectionIdAt(
  { addresses, snapshots }: Pick<Services, 'addresses' | 'snapshots'>,
  address: string,
): Id | undefined {
  if (!addresses.isLocal(address)) return collectionIdOfAddress(snapshots, address);
  const collectionId = addresses.collectionIdOf(address);
  const collection = collectionId === undefined ? undefined : findCollection(snapshots, collectionId);
  return collection?.uri === undefined ? collection?.id : undefined;
}
