/** Setup for tests of federated collections of accounts: alice here, bob and carol elsewhere, and documents of bob. */
import { Account } from '../../src/actors/account/account.messages.ts';
import { itemsOf } from '../../src/actors/account/collections/collections.queries.ts';
import { findProfile } from '../../src/actors/account/remote/federation.queries.ts';
import { unlimited } from '../../src/operations/rate-limits.ts';
import { storedNotifications } from '../support/stored-notifications.ts';
import { home, publicAudience } from './inbound-bed.ts';
import { soundBed } from './sound-bed.ts';

export const list = 'https://remote.example/users/bob/featured_collections';
const featurable = { interactionPolicy: { canFeature: { automaticApproval: [publicAudience] } } };

export async function bedOfAlice() {
  const bed = soundBed();
  const alice = await bed.local('alice');
  await bed.gateway.actors.call(Account.changeProfile.to(alice, { discoverable: true }));
  const bob = bed.person('remote.example', 'bob', { featuredCollections: list, ...featurable });
  const carol = bed.person('other.example', 'carol', { ...featurable });
  const as = {
    caller: { kind: 'account' as const, accountId: alice, limits: unlimited },
    services: bed.gateway.services,
  };
  /** Newest first; those that are filtered in brackets. */
  const notified = () =>
    storedNotifications(bed.read, alice, { includeFiltered: true }, { limit: 40 }, (_id, { type }, isFiltered) =>
      isFiltered ? `(${type})` : type,
    ).items;
  const fetched = async (path: string) => {
    const response = await bed.gateway.fetch(path, { headers: { accept: 'application/activity+json' } } as never);
    return { status: response.status, body: response.status === 200 ? await response.json() : undefined };
  };
  const membersOf = (collectionId: bigint) =>
    itemsOf(bed.read, collectionId).map(
      ({ accountId, state }) => `${findProfile(bed.read, accountId)?.username} ${state}`,
    );
  return { bed, alice, bob, carol, as, sent: () => bed.sent(), notified, fetched, membersOf };
}

export type Bed = Awaited<ReturnType<typeof bedOfAlice>>;

/** A collection of bob as Mastodon shows it. */
export const cats = (items: readonly object[] = [], more: object = {}) => ({
  '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/fep/7aa9'],
  id: 'https://remote.example/ap/users/1/collections/7',
  type: 'FeaturedCollection',
  attributedTo: 'https://remote.example/users/bob',
  url: 'https://remote.example/collections/7',
  name: 'Cats',
  summaryMap: { en: 'Purr<script>x</script>' },
  sensitive: false,
  discoverable: true,
  published: '2025-01-01T10:00:00Z',
  updated: '2025-01-01T10:30:00Z',
  topic: { type: 'Hashtag', href: 'https://remote.example/tags/cats', name: '#Cats' },
  totalItems: items.length,
  orderedItems: items,
  ...more,
});

export const item = (featured: string, authorization: string, number = 1) => ({
  id: `https://remote.example/ap/users/1/collection_items/${number}`,
  type: 'FeaturedItem',
  featuredObject: featured,
  featuredObjectType: 'Person',
  featureAuthorization: authorization,
  published: '2025-01-01T10:00:00Z',
});

/** What carol's server shows. */
export function authorize({ bed, carol }: Bed, collection = cats().id, featured = carol.uri): string {
  const id = 'https://other.example/users/carol/feature_authorizations/1';
  const document = { type: 'FeatureAuthorization', interactingObject: collection, interactionTarget: featured };
  bed.web.set(id, { '@context': 'https://www.w3.org/ns/activitystreams', id, ...document });
  return id;
}

export const actorOf = (name: string) => `${home}/users/${name}`;
