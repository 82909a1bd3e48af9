/**
 * Reads the quote in a remote status, in FEP-044f and in older properties; its quote policy; and the documents by which
 * quotes are requested and authorised.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { activityLimits } from '../limits.ts';
import { addressOf, firstOf, isSameHost, namesOf, objectsOf, referenceOf, typeOf } from './values.ts';

export interface RemoteQuote {
  readonly uri: string;
  /** The address of the author's authorization. */
  readonly authorization: string | undefined;
  /** Given by an older property, whose users make no request. */
  readonly isLegacy: boolean;
}

/** Names of actors and collections, as written. */
export interface RemoteApproval {
  readonly automatic: readonly string[];
  readonly manual: readonly string[];
  /** In the words before version 0.20 of GoToSocial. */
  readonly isOld?: boolean;
}

/** A deleted status is quoted as a Tombstone, which has no address: then there is no quote. */
export function readQuote(object: JsonObject): RemoteQuote | undefined {
  const quoted = referenceOf(object.quote);
  if (quoted !== undefined)
    return { uri: quoted, authorization: referenceOf(object.quoteAuthorization), isLegacy: false };
  const { _misskey_quote: misskey, quoteUrl, quoteUri } = object;
  const legacy = referenceOf(misskey) ?? referenceOf(quoteUrl) ?? referenceOf(quoteUri) ?? linkedQuote(object.tag);
  return legacy === undefined ? undefined : { uri: legacy, authorization: undefined, isLegacy: true };
}

/** Whether the quote is a Tombstone without an address: what is quoted is unknown, and deleted. */
export function quotesTombstone({ quote }: JsonObject): boolean {
  const quoted = firstOf(quote);
  return isJsonObject(quoted) && typeOf(quoted) === 'Tombstone' && referenceOf(quoted) === undefined;
}

const quoteRelation = 'https://misskey-hub.net/ns#_misskey_quote';

/** FEP-e232: an object link among the tags whose relation is a quote. */
function linkedQuote(tags: JsonValue | undefined): string | undefined {
  const link = objectsOf(tags, activityLimits.tagsMax).find(
    (tag) => typeOf(tag) === 'Link' && namesOf(tag.rel, activityLimits.objectsMax).includes(quoteRelation),
  );
  return addressOf(link?.href);
}

/** Undefined where there is no quote policy. GoToSocial used other names for the lists before version 0.20. */
export function readQuoteApproval(object: JsonObject): RemoteApproval | undefined {
  return readApproval(object, 'canQuote');
}

/** The same for any subject of an interaction policy. */
export function readApproval(
  { interactionPolicy }: JsonObject,
  about: 'canQuote' | 'canReply' | 'canFeature',
): RemoteApproval | undefined {
  const policy = isJsonObject(interactionPolicy) ? interactionPolicy[about] : undefined;
  if (!isJsonObject(policy)) return undefined;
  const read = (list: JsonValue | undefined) => namesOf(list, activityLimits.objectsMax);
  const isOld = policy.automaticApproval === undefined && policy.manualApproval === undefined;
  return {
    automatic: read(policy.automaticApproval ?? policy.always),
    manual: read(policy.manualApproval ?? policy.approvalRequired),
    ...(isOld && { isOld }),
  };
}

export interface RemoteAuthorization {
  readonly author: string;
  /** The quoting status and the quoted one. */
  readonly quote: string;
  readonly quoted: string;
}

/** Undefined for anything but an authorization of a quote by an author on its own host. */
export function readQuoteAuthorization(object: JsonObject): RemoteAuthorization | undefined {
  const uri = addressOf(object.id);
  const author = referenceOf(object.attributedTo);
  const quote = referenceOf(object.interactingObject);
  const quoted = referenceOf(object.interactionTarget);
  if (typeOf(object) !== 'QuoteAuthorization' || uri === undefined || author === undefined) return undefined;
  if (quote === undefined || quoted === undefined || !isSameHost(uri, author)) return undefined;
  return { author, quote, quoted };
}
