/** Reads a remote actor (ActivityPub, section 4): bounded, its HTML not sanitised yet. */
import type { CustomEmoji } from '../../actors/account/account.records.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { activityLimits } from '../limits.ts';
import { isUsername } from '../webfinger/handle.ts';
import { urlOf } from './read-note.ts';
import { type RemoteApproval, readApproval } from './read-quote.ts';
import { readTags } from './read-tags.ts';
import {
  addressOf,
  cutTextOf,
  firstOf,
  hostOf,
  isSameHost,
  isTrue,
  namesOf,
  objectsOf,
  referenceOf,
  textOf,
  timeOf,
  typeOf,
} from './values.ts';
import { actorTypes, messageSignatures } from './vocabulary.ts';

export interface RemoteKey {
  readonly id: string;
  /** PEM, or the text of a Multikey. */
  readonly text: string;
}

export interface RemoteActor {
  readonly uri: string;
  readonly type: Profile['actorType'];
  readonly username: string;
  /** FEP-2c59: `user@host`. */
  readonly webfinger: string | undefined;
  readonly url: string;
  readonly displayName: string;
  readonly note: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly emojis: readonly CustomEmoji[];
  readonly avatar: string | undefined;
  readonly header: string | undefined;
  readonly avatarDescription: string | undefined;
  readonly headerDescription: string | undefined;
  readonly locked: boolean;
  readonly discoverable: boolean | undefined;
  readonly indexable: boolean;
  readonly memorial: boolean;
  readonly suspended: boolean;
  readonly attributionDomains: readonly string[];
  readonly showMedia: boolean;
  readonly showMediaReplies: boolean;
  readonly showFeatured: boolean;
  readonly alsoKnownAs: readonly string[];
  readonly movedTo: string | undefined;
  readonly publishedAt: number | undefined;
  readonly inbox: string;
  readonly sharedInbox: string | undefined;
  readonly outbox: string | undefined;
  readonly followers: string | undefined;
  readonly following: string | undefined;
  readonly featured: string | undefined;
  readonly featuredTags: string | undefined;
  readonly featuredCollections: string | undefined;
  /** Who may add it to a collection (FEP-7aa9); undefined where not specified. */
  readonly featureApproval: RemoteApproval | undefined;
  /** Never empty; the first one is used unless a request names another. */
  readonly keys: readonly RemoteKey[];
  /** Its server says that it verifies RFC 9421 (FEP-844e). */
  readonly signsMessages: boolean;
}

/** Undefined for anything but an actor with an id, a usable name, an inbox and a key. */
export function readActor(object: JsonObject): RemoteActor | undefined {
  const type = typeOf(object);
  const uri = addressOf(object.id);
  const username = textOf(object.preferredUsername, activityLimits.usernameCharactersMax);
  const inbox = referenceOf(object.inbox);
  if (type === undefined || !actorTypes.has(type) || uri === undefined || inbox === undefined) return undefined;
  if (username === undefined || !isUsername(username, hostOf(uri))) return undefined;
  const keys = readKeys(object, uri);
  if (keys.length === 0) return undefined;
  const endpoints = isJsonObject(object.endpoints) ? object.endpoints : undefined;
  return {
    uri,
    type: type as Profile['actorType'],
    username,
    webfinger: textOf(object.webfinger, activityLimits.usernameCharactersMax),
    url: urlOf(object, uri) ?? uri,
    displayName: cleanText(cutTextOf(object.name, activityLimits.displayNameCharactersMax)),
    note: cutTextOf(object.summary, activityLimits.noteCharactersMax),
    fields: readFields(object.attachment),
    emojis: readTags(object.tag).emojis,
    avatar: imageOf(object.icon),
    header: imageOf(object.image),
    avatarDescription: descriptionOf(object.icon),
    headerDescription: descriptionOf(object.image),
    locked: isTrue(object.manuallyApprovesFollowers),
    discoverable: typeof object.discoverable === 'boolean' ? object.discoverable : undefined,
    indexable: isTrue(object.indexable),
    memorial: isTrue(object.memorial),
    suspended: isTrue(object.suspended),
    attributionDomains: namesOf(object.attributionDomains, activityLimits.attributionDomainsMax),
    showMedia: object.showMedia !== false,
    showMediaReplies: object.showRepliesInMedia !== false,
    showFeatured: object.showFeatured !== false,
    alsoKnownAs: namesOf(object.alsoKnownAs, activityLimits.aliasesMax),
    movedTo: referenceOf(object.movedTo),
    publishedAt: timeOf(object.published),
    inbox,
    sharedInbox: referenceOf(endpoints?.sharedInbox ?? object.sharedInbox),
    outbox: referenceOf(object.outbox),
    followers: referenceOf(object.followers),
    following: referenceOf(object.following),
    featured: referenceOf(object.featured),
    featuredTags: referenceOf(object.featuredTags),
    featuredCollections: referenceOf(object.featuredCollections),
    featureApproval: readApproval(object, 'canFeature'),
    keys,
    signsMessages: implementsMessageSignatures(object) || implementsMessageSignatures(firstOf(object.generator)),
  };
}

/** FEP-844e, of an actor or of the application that has made it. */
function implementsMessageSignatures(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const named = [value.implements ?? []].flat() as readonly JsonValue[];
  const addresses = named.map((one) => (isJsonObject(one) ? (one.href ?? one.id) : one));
  return addresses.slice(0, activityLimits.keysMax).some((address) => address === messageSignatures.href);
}

/** A key counts only if it names this actor as its owner; one without an owner counts in the actor's own document. */
function readKeys(object: JsonObject, uri: string): RemoteKey[] {
  const keys: RemoteKey[] = [];
  for (const key of objectsOf(object.publicKey, activityLimits.keysMax)) {
    const id = addressOf(key.id) ?? `${uri}#main-key`;
    const isOwn = (key.owner ?? uri) === uri && isSameHost(id, uri);
    if (typeof key.publicKeyPem === 'string' && isOwn) keys.push({ id, text: key.publicKeyPem });
  }
  for (const key of objectsOf(object.assertionMethod, activityLimits.keysMax)) {
    const id = addressOf(key.id);
    if (id === undefined || key.type !== 'Multikey' || key.controller !== uri || !isSameHost(id, uri)) continue;
    if (typeof key.publicKeyMultibase === 'string') keys.push({ id, text: key.publicKeyMultibase });
  }
  return keys;
}

/** The address of the actor's key, for an actor that publishes only that address; it must be on the actor's host. */
export function keyAddressOf(object: JsonObject): string | undefined {
  const address = addressOf(firstOf(object.publicKey));
  const uri = addressOf(object.id);
  return address !== undefined && uri !== undefined && isSameHost(address, uri) ? address : undefined;
}

/** The claimed owner of a key that was fetched from its own address. */
export function readKeyOwner(object: JsonObject): string | undefined {
  return object.publicKeyPem === undefined && object.publicKeyMultibase === undefined
    ? undefined
    : addressOf(object.owner ?? object.controller);
}

function readFields(value: JsonValue | undefined): RemoteActor['fields'] {
  const fields: { name: string; value: string }[] = [];
  for (const object of objectsOf(value, activityLimits.fieldsMax)) {
    if (object.type !== 'PropertyValue' || typeof object.name !== 'string') continue;
    fields.push({
      name: cleanText(cutTextOf(object.name, activityLimits.fieldCharactersMax)),
      value: cutTextOf(object.value, activityLimits.fieldCharactersMax),
    });
  }
  return fields;
}

/** An Image, a Link, or a bare address. */
function imageOf(value: JsonValue | undefined): string | undefined {
  const image = firstOf(value);
  if (!isJsonObject(image)) return addressOf(image);
  const url = firstOf(image.url ?? image.href);
  return addressOf(isJsonObject(url) ? url.href : url);
}

/** `summary`, which newer servers send, or `name`. */
function descriptionOf(value: JsonValue | undefined): string | undefined {
  const image = firstOf(value);
  if (!isJsonObject(image)) return undefined;
  const text = [image.summary, image.name].find((said) => typeof said === 'string' && said !== '');
  return text === undefined ? undefined : cleanText(cutTextOf(text, activityLimits.pictureDescriptionCharactersMax));
}
