/** Reads remote collections of accounts, their items, and the documents of consent (FEP-7aa9). */
import { collectionLimits } from '../../actors/account/collections/limits.ts';
import type { Tag } from '../../actors/account/statuses/statuses.records.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { activityLimits } from '../limits.ts';
import { readHashtag } from './featured-tags.ts';
import { urlOf } from './read-note.ts';
import { addressOf, cutTextOf, isTrue, objectsOf, referenceOf, timeOf, typeOf } from './values.ts';

export interface RemoteItem {
  readonly uri: string;
  /** The account. */
  readonly featured: string;
  /** The address of the account's consent on its own server. */
  readonly authorization: string | undefined;
  readonly publishedAt: number | undefined;
}

export interface RemoteCollection {
  readonly uri: string;
  readonly url: string | undefined;
  readonly owner: string;
  readonly name: string;
  /** HTML, not sanitised yet. */
  readonly summary: string;
  readonly language: string | undefined;
  readonly sensitive: boolean;
  readonly discoverable: boolean;
  readonly tag: Tag | undefined;
  readonly publishedAt: number | undefined;
  readonly updatedAt: number | undefined;
  readonly items: readonly RemoteItem[];
}

/** Undefined for anything but a collection of accounts with an id and a curator. */
export function readCollection(object: JsonObject): RemoteCollection | undefined {
  const uri = addressOf(object.id);
  const owner = referenceOf(object.attributedTo);
  if (typeOf(object) !== 'FeaturedCollection' || uri === undefined || owner === undefined) return undefined;
  const { language, summary } = readSummary(object);
  const { orderedItems, items, first } = object;
  const page = isJsonObject(first) ? first : {};
  const members = orderedItems ?? items ?? page.orderedItems ?? page.items;
  return {
    uri,
    url: urlOf(object, uri),
    owner,
    name: cleanText(cutTextOf(object.name, collectionLimits.remoteNameCharactersMax)),
    summary,
    language,
    sensitive: isTrue(object.sensitive),
    discoverable: object.discoverable !== false,
    tag: isJsonObject(object.topic) ? readHashtag(object.topic) : undefined,
    publishedAt: timeOf(object.published),
    updatedAt: timeOf(object.updated),
    items: objectsOf(members, collectionLimits.itemsPerRemoteCollectionMax).flatMap((item) => readItem(item) ?? []),
  };
}

function readSummary({ summary, summaryMap }: JsonObject): { language: string | undefined; summary: string } {
  const [language, text] = isJsonObject(summaryMap) ? (Object.entries(summaryMap)[0] ?? []) : [];
  const isLanguage = language !== undefined && language.length <= activityLimits.languageCharactersMax;
  return {
    language: isLanguage ? language : undefined,
    summary: cutTextOf(text ?? summary, collectionLimits.remoteDescriptionCharactersMax),
  };
}

/** Undefined for anything but an item that names an account. */
export function readItem(object: JsonObject): RemoteItem | undefined {
  const uri = addressOf(object.id);
  const featured = referenceOf(object.featuredObject);
  if (typeOf(object) !== 'FeaturedItem' || uri === undefined || featured === undefined) return undefined;
  return {
    uri,
    featured,
    authorization: referenceOf(object.featureAuthorization),
    publishedAt: timeOf(object.published),
  };
}

export interface RemoteFeatureAuthorization {
  readonly featured: string;
  readonly collection: string;
}

export function readFeatureAuthorization(object: JsonObject): RemoteFeatureAuthorization | undefined {
  const featured = referenceOf(object.interactionTarget);
  const collection = referenceOf(object.interactingObject);
  if (typeOf(object) !== 'FeatureAuthorization' || featured === undefined || collection === undefined) return undefined;
  return { featured, collection };
}

/** An entry of an account's list of collections: embedded, or its address. */
export function readListed(value: JsonValue): RemoteCollection | string | undefined {
  return isJsonObject(value) ? (readCollection(value) ?? addressOf(value.id)) : addressOf(value);
}
