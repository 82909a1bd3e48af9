/**
 * The `@context` of each kind of document: only the terms that it uses. Only two contexts are referred to by address,
 * both bundled with every server: others would have to be fetched by JSON-LD processors.
 */
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { JsonObject, JsonValue } from '../../outbound/fetcher/json.ts';
import { quoteTerms } from './note-parts/quote.ts';
import { contextIndexOf, contextsOfNotes } from './note-parts.ts';
import { fep7aa9 } from './vocabulary.ts';

const activityStreams = 'https://www.w3.org/ns/activitystreams';
const security = 'https://w3id.org/security/v1';
/** FEP-2c59. */
const webfinger = {
  '@id': 'https://purl.archive.org/socialweb/webfinger#webfinger',
  '@type': 'http://www.w3.org/2001/XMLSchema#string',
};

export const plainContext: JsonValue = activityStreams;

/** Interaction policies, as defined by GoToSocial. */
const interactionPolicyTerms = {
  gts: 'https://gotosocial.org/ns#',
  interactionPolicy: { '@id': 'gts:interactionPolicy', '@type': '@id' },
  canQuote: { '@id': 'gts:canQuote', '@type': '@id' },
  automaticApproval: { '@id': 'gts:automaticApproval', '@type': '@id' },
};

const noteTerms = {
  ...interactionPolicyTerms,
  toot: 'http://joinmastodon.org/ns#',
  Emoji: 'toot:Emoji',
  blurhash: 'toot:blurhash',
  focalPoint: { '@container': '@list', '@id': 'toot:focalPoint' },
  Hashtag: 'as:Hashtag',
  sensitive: 'as:sensitive',
  votersCount: 'toot:votersCount',
};

const noteContexts = contextsOfNotes((terms) => [activityStreams, { ...noteTerms, ...terms }]);

/** For an activity about a status, or for the status itself: the terms of the parts that it has. */
export function contextOfNote(status: Partial<Status>): JsonValue {
  return noteContexts[contextIndexOf(status)]!;
}

/** For several statuses: the terms of all parts. */
export const notesContext: JsonValue = noteContexts.at(-1)!;

export const quoteRequestContext: JsonValue = [
  activityStreams,
  { ...noteTerms, ...quoteTerms, QuoteRequest: 'fep044f:QuoteRequest' },
];

/** The reply that is embedded may have any part. */
export const replyRequestContext: JsonValue = [
  activityStreams,
  { ...termsOfAllParts(), ReplyRequest: 'gts:ReplyRequest' },
];

function termsOfAllParts(): JsonObject {
  return (notesContext as readonly JsonValue[])[1] as JsonObject;
}

export const replyAnswerContext: JsonValue = [
  activityStreams,
  { gts: 'https://gotosocial.org/ns#', ReplyRequest: 'gts:ReplyRequest' },
];

/** For the documents that prove consent (FEP-044f, FEP-7aa9, interaction policies of GoToSocial). */
const authorizationTerms = {
  gts: 'https://gotosocial.org/ns#',
  interactingObject: { '@id': 'gts:interactingObject', '@type': '@id' },
  interactionTarget: { '@id': 'gts:interactionTarget', '@type': '@id' },
};

export const quoteAuthorizationContext: JsonValue = [
  activityStreams,
  { ...authorizationTerms, QuoteAuthorization: 'https://w3id.org/fep/044f#QuoteAuthorization' },
];

export const replyAuthorizationContext: JsonValue = [
  activityStreams,
  { ...authorizationTerms, ReplyAuthorization: 'gts:ReplyAuthorization' },
];

const featureTerms = {
  fep7aa9,
  FeaturedCollection: 'fep7aa9:FeaturedCollection',
  FeaturedItem: 'fep7aa9:FeaturedItem',
  topic: { '@id': 'fep7aa9:topic', '@type': '@id' },
  featuredObject: { '@id': 'fep7aa9:featuredObject', '@type': '@id' },
  featuredObjectType: { '@id': 'fep7aa9:featuredObjectType', '@type': '@vocab' },
  featureAuthorization: { '@id': 'fep7aa9:featureAuthorization', '@type': '@id' },
  toot: 'http://joinmastodon.org/ns#',
  discoverable: 'toot:discoverable',
  Hashtag: 'as:Hashtag',
  sensitive: 'as:sensitive',
};

/** For collections of accounts (FEP-7aa9), and for activities about them. */
export const featuredCollectionContext: JsonValue = [activityStreams, featureTerms];

export const featureRequestContext: JsonValue = [
  activityStreams,
  { fep7aa9, FeatureRequest: 'fep7aa9:FeatureRequest' },
];

export const featureAuthorizationContext: JsonValue = [
  activityStreams,
  { ...authorizationTerms, FeatureAuthorization: `${fep7aa9}FeatureAuthorization` },
];

export const hashtagContext: JsonValue = [activityStreams, { Hashtag: 'as:Hashtag' }];

export const actorContext: JsonValue = [
  activityStreams,
  security,
  {
    webfinger,
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
    gts: 'https://gotosocial.org/ns#',
    interactionPolicy: { '@id': 'gts:interactionPolicy', '@type': '@id' },
    automaticApproval: { '@id': 'gts:automaticApproval', '@type': '@id' },
    canFeature: { '@id': 'https://w3id.org/fep/7aa9#canFeature', '@type': '@id' },
    featuredCollections: { '@id': 'https://w3id.org/fep/7aa9#featuredCollections', '@type': '@id' },
    implements: { '@id': 'https://w3id.org/fep/844e/implements', '@type': '@id', '@container': '@list' },
    sec: 'https://w3id.org/security#',
    Multikey: 'sec:Multikey',
    assertionMethod: { '@id': 'sec:assertionMethod', '@type': '@id' },
    controller: { '@id': 'sec:controller', '@type': '@id' },
    publicKeyMultibase: { '@id': 'sec:publicKeyMultibase', '@type': 'sec:multibase' },
  },
];
