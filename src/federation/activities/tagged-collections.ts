/**
 * The collections of accounts that a remote status links to (Mastodon API 4.6: tags of the kind FeaturedCollection). A tag
 * is only a reference: the collection and the consent of its members come from their own servers.
 */
import type { ReceivedStatus } from '../../actors/account/remote/remote.messages.ts';
import type { Id } from '../../runtime/ids.ts';
import type { RemoteNote } from '../documents/read-note.ts';
import { collectionIdAt } from '../known-collections.ts';
import { fetchCollection } from './collections.ts';
import type { Inbound, RemoteSource } from './inbound.ts';

export type Tagged = Pick<ReceivedStatus, 'taggedCollections'>;

const nothing: Tagged = {};

/** Without a fetch; `incomplete` where one is needed first. */
export function taggedIn(inbound: Inbound, { collections }: RemoteNote): Tagged | 'incomplete' {
  if (collections.length === 0) return nothing;
  const found = collections.map((uri) => collectionIdAt(inbound, uri));
  const isIncomplete = found.some((id, index) => id === undefined && !inbound.addresses.isLocal(collections[index]!));
  return isIncomplete ? 'incomplete' : taggedAs(found);
}

/** The same with fetches. A collection that cannot be fetched is left out. */
export async function fetchedTagged(
  inbound: Inbound,
  { collections }: RemoteNote,
  source: RemoteSource,
): Promise<Tagged> {
  const found: (Id | undefined)[] = [];
  for (const uri of collections) {
    const isFetchable = !inbound.addresses.isLocal(uri);
    found.push(collectionIdAt(inbound, uri) ?? (isFetchable ? await fetchCollection(inbound, uri, source) : undefined));
  }
  return taggedAs(found);
}

/** Without a fetch and without waiting: what is not known is left out. */
export function taggedSoFar(inbound: Inbound, { collections }: RemoteNote): Tagged {
  return taggedAs(collections.map((uri) => collectionIdAt(inbound, uri)));
}

function taggedAs(found: readonly (Id | undefined)[]): Tagged {
  const ids = new Set(found.filter((id) => id !== undefined));
  return ids.size === 0 ? nothing : { taggedCollections: [...ids] };
}
