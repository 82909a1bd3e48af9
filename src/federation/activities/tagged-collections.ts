/**
 * The collections of accounts that a remote status links to (Mastodon API 4.6: tags of the kind FeaturedCollection). A tag
 * is only a reference: the collection and the consent of its members come from their own servers.
 */
import type { Id } from '../../runtime/ids.ts';
import { collectionIdAt } from '../known-collections.ts';
import { fetchCollection } from './collections.ts';
import type { ReceivedFields, ReceivedPart } from './received-part.ts';

export const taggedCollections: ReceivedPart = {
  known(inbound, { collections }) {
    if (collections.length === 0) return {};
    const found = collections.map((uri) => collectionIdAt(inbound, uri));
    const isIncomplete = found.some((id, index) => id === undefined && !inbound.addresses.isLocal(collections[index]!));
    return isIncomplete ? 'incomplete' : taggedAs(found);
  },
  async fetched(inbound, { collections }, _author, source) {
    const found: (Id | undefined)[] = [];
    for (const uri of collections) {
      const isFetchable = !inbound.addresses.isLocal(uri);
      const known = collectionIdAt(inbound, uri);
      found.push(known ?? (isFetchable ? await fetchCollection(inbound, uri, source) : undefined));
    }
    return taggedAs(found);
  },
  soFar: (inbound, { collections }) => taggedAs(collections.map((uri) => collectionIdAt(inbound, uri))),
};

function taggedAs(found: readonly (Id | undefined)[]): ReceivedFields {
  const ids = new Set(found.filter((id) => id !== undefined));
  return ids.size === 0 ? {} : { taggedCollections: [...ids] };
}
