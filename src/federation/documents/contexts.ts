/** The `@context` of each kind of document: the terms that it uses, and no more. */
import type { JsonValue } from '../fetcher/json.ts';

const activityStreams = 'https://www.w3.org/ns/activitystreams';
const security = 'https://w3id.org/security/v1';
/** FEP-2c59. */
const webfinger = 'https://purl.archive.org/socialweb/webfinger';

export const plainContext: JsonValue = activityStreams;

export const noteContext: JsonValue = [
  activityStreams,
  {
    toot: 'http://joinmastodon.org/ns#',
    Emoji: 'toot:Emoji',
    blurhash: 'toot:blurhash',
    focalPoint: { '@container': '@list', '@id': 'toot:focalPoint' },
    Hashtag: 'as:Hashtag',
    sensitive: 'as:sensitive',
    votersCount: 'toot:votersCount',
  },
];

export const hashtagContext: JsonValue = [activityStreams, { Hashtag: 'as:Hashtag' }];

export const actorContext: JsonValue = [
  activityStreams,
  security,
  webfinger,
  {
    manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
    alsoKnownAs: { '@id': 'as:alsoKnownAs', '@type': '@id' },
    movedTo: { '@id': 'as:movedTo', '@type': '@id' },
    schema: 'http://schema.org#',
    PropertyValue: 'schema:PropertyValue',
    value: 'schema:value',
    toot: 'http://joinmastodon.org/ns#',
    Emoji: 'toot:Emoji',
    discoverable: 'toot:discoverable',
    indexable: 'toot:indexable',
    memorial: 'toot:memorial',
    suspended: 'toot:suspended',
    attributionDomains: { '@id': 'toot:attributionDomains', '@type': '@id' },
    showMedia: 'toot:showMedia',
    showRepliesInMedia: 'toot:showRepliesInMedia',
    showFeatured: 'toot:showFeatured',
    featured: { '@id': 'toot:featured', '@type': '@id' },
    featuredTags: { '@id': 'toot:featuredTags', '@type': '@id' },
  },
];
