/**
 * What a status of another server quotes, in FEP-044f and in the properties that are older; whom a status lets quote it;
 * and the documents by which quotes are asked for and authorised.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../fetcher/json.ts';
import { activityLimits } from '../limits.ts';
import { addressOf, isSameHost, namesOf, objectsOf, referenceOf, typeOf } from './values.ts';

export interface RemoteQuote {
  readonly uri: string;
  /** Where its author says that the quote is authorised. */
  readonly authorization: string | undefined;
  /** Said by a property whose users ask nobody. */
  readonly isLegacy: boolean;
}

/** Names of actors and collections, as they are written. */
export interface RemoteApproval {
  readonly automatic: readonly string[];
  readonly manual: readonly string[];
}

/** A status that is gone is quoted as a Tombstone, which has no address: then nothing is quoted. */
export function readQuote(object: JsonObject): RemoteQuote | undefined {
  const quoted = referenceOf(object.quote);
  if (quoted !== undefined)
    return { uri: quoted, authorization: referenceOf(object.quoteAuthorization), isLegacy: false };
  const { _misskey_quote: misskey, quoteUrl, quoteUri } = object;
  const legacy = referenceOf(misskey) ?? referenceOf(quoteUrl) ?? referenceOf(quoteUri) ?? linkedQuote(object.tag);
  return legacy === undefined ? undefined : { uri: legacy, authorization: undefined, isLegacy: true };
}

const quoteRelation = 'https://misskey-hub.net/ns#_misskey_quote';

/** FEP-e232: an object link among the tags that says that it is a quote. */
function linkedQuote(tags: JsonValue | undefined): string | undefined {
  const link = objectsOf(tags, activityLimits.tagsMax).find(
    (tag) => typeOf(tag) === 'Link' && namesOf(tag.rel, activityLimits.objectsMax).includes(quoteRelation),
  );
  return addressOf(link?.href);
}

/** Undefined where nothing is said of quotes. GoToSocial named the lists otherwise before its version 0.20. */
export function readQuoteApproval(object: JsonObject): RemoteApproval | undefined {
  return readApproval(object, 'canQuote');
}

/** The same of anything that an interaction policy is about. */
export function readApproval(
  { interactionPolicy }: JsonObject,
  about: 'canQuote' | 'canFeature',
): RemoteApproval | undefined {
  const policy = isJsonObject(interactionPolicy) ? interactionPolicy[about] : undefined;
  if (!isJsonObject(policy)) return undefined;
  const read = (list: JsonValue | undefined) => namesOf(list, activityLimits.objectsMax);
  return {
    automatic: read(policy.automaticApproval ?? policy.always),
    manual: read(policy.manualApproval ?? policy.approvalRequired),
  };
}

export interface RemoteAuthorization {
  readonly author: string;
  /** The status that quotes, and the one that it quotes. */
  readonly quote: string;
  readonly quoted: string;
}

/** Undefined for what is no authorization of a quote, or claims to be of another host's author. */
export function readQuoteAuthorization(object: JsonObject): RemoteAuthorization | undefined {
  const uri = addressOf(object.id);
  const author = referenceOf(object.attributedTo);
  const quote = referenceOf(object.interactingObject);
  const quoted = referenceOf(object.interactionTarget);
  if (typeOf(object) !== 'QuoteAuthorization' || uri === undefined || author === undefined) return undefined;
  if (quote === undefined || quoted === undefined || !isSameHost(uri, author)) return undefined;
  return { author, quote, quoted };
}
