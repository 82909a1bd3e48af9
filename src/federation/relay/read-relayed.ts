/** Reads what a relay may pass on from an activity: bounded, and nothing of it is stored but what filters look at. */
import { type Relayed, type RelayedType, type RelayTraits, relayedTypes } from '../../actors/relay/relay.records.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import {
  addressOf,
  isSameHost,
  isTrue,
  namesOf,
  objectsOf,
  referenceOf,
  timeOf,
  typeOf,
  valuesOf,
} from '../documents/values.ts';
import { isPublicAudience } from '../documents/vocabulary.ts';
import { activityLimits } from '../limits.ts';
import { relayBounds } from './limits.ts';

/** An activity of a type that is passed on. */
export interface Offer {
  readonly type: RelayedType;
  readonly id: string;
  readonly author: string;
  readonly object: string;
  /** Milliseconds since 1970; undefined where it does not say. */
  readonly publishedAt: number | undefined;
  /** Whether everybody is addressed first, as `public` of Mastodon does, not in passing as `unlisted` does. */
  readonly isPublic: boolean;
  /** Whether it carries a signature of its own, which proves its author whoever passes it on. */
  readonly isSigned: boolean;
  readonly traits: Omit<RelayTraits, 'isBot'>;
}

/** Undefined for what a relay does not pass on. Its id, and that of its object where it is theirs, are on the author's host. */
export function readOffer(json: JsonObject): Offer | undefined {
  const type = relayedTypes.find((relayed) => relayed === typeOf(json));
  const id = addressOf(json.id);
  const author = referenceOf(json.actor);
  const object = referenceOf(json.object);
  if (type === undefined || id === undefined || author === undefined || object === undefined) return undefined;
  if (!isSameHost(id, author)) return undefined;
  if (type !== 'Announce' && !isSameHost(object, author)) return undefined;
  if (type === 'Move' && object !== author) return undefined;
  const embedded = isJsonObject(json.object) ? json.object : undefined;
  return {
    type,
    id,
    author,
    object,
    publishedAt: timeOf(json.published) ?? timeOf(embedded?.published),
    isPublic: type === 'Move' || isForEverybody(json, embedded),
    isSigned: isSigned(json),
    traits: traitsOf(embedded ?? {}),
  };
}

/** A post fetched from its own server, as if its author had just sent it. Undefined for anything else. */
export function readFetchedPost(json: JsonObject): Offer | undefined {
  const id = addressOf(json.id);
  const author = referenceOf(json.attributedTo);
  if (id === undefined || author === undefined || !isSameHost(id, author)) return undefined;
  const isPublic = isForEverybody(json, undefined);
  const publishedAt = timeOf(json.published);
  return { type: 'Create', id, author, object: id, publishedAt, isPublic, isSigned: false, traits: traitsOf(json) };
}

export function relayedOf(offer: Offer, more: Pick<Relayed, 'from' | 'body'> & { readonly isBot: boolean }): Relayed {
  const { type, id, author, object, traits } = offer;
  const { from, body, isBot } = more;
  return { type, id, author, object, from, ...(body && { body }), traits: { ...traits, isBot } };
}

/** A Delete may say nothing about its audience but in itself. */
function isForEverybody(json: JsonObject, embedded: JsonObject | undefined): boolean {
  const isPublic = (value: JsonValue | undefined) =>
    namesOf(value, activityLimits.addresseesMax).some((name) => isPublicAudience(name));
  if (embedded?.to === undefined) return isPublic(json.to);
  return isPublic(json.to) && isPublic(embedded.to);
}

/** Only the type that every server knows: one that is not recognised would be dropped without a word. */
function isSigned({ signature }: JsonObject): boolean {
  return (
    isJsonObject(signature) &&
    signature.type === 'RsaSignature2017' &&
    typeof signature.signatureValue === 'string' &&
    typeof signature.creator === 'string'
  );
}

const languagePattern = /^([A-Za-z]{2,3})(?:-|$)/;

function traitsOf(object: JsonObject): Offer['traits'] {
  const tags = objectsOf(object.tag, activityLimits.tagsMax)
    .filter((tag) => typeOf(tag) === 'Hashtag')
    .flatMap(({ name }) => (typeof name === 'string' && name.length <= relayBounds.tagCharactersMax ? name : []))
    .map((name) => name.replace(/^#/, '').toLowerCase());
  const [first = ''] = isJsonObject(object.contentMap) ? Object.keys(object.contentMap) : [];
  const language = languagePattern.exec(first)?.[1]?.toLowerCase();
  return {
    tags: [...new Set(tags)].slice(0, relayBounds.tagsMax),
    ...(language !== undefined && { language }),
    hasMedia: valuesOf(object.attachment, 1).length > 0,
    isSensitive: isTrue(object.sensitive),
  };
}
