/** Reads requests (QuoteRequest, FeatureRequest), the answers to them and to a Follow, and what undoes an activity. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { isFeatureRequestAddress, isQuoteRequestAddress } from '../local-addresses.ts';
import type { Act, FollowReference } from './acts.ts';
import { readCollection } from './read-collection.ts';
import { readNote } from './read-note.ts';
import { readReplyAnswer } from './read-reply-consent.ts';
import { addressOf, firstOf, naming, referenceOf, typeOf } from './values.ts';
import { isStatusType } from './vocabulary.ts';

/** The instrument is the quoting status: embedded, or by its address. */
export function readQuoteRequest(value: JsonValue, activity: JsonObject): Act | undefined {
  const { instrument } = activity;
  const quoteUri = referenceOf(instrument);
  if (quoteUri === undefined) return undefined;
  const note = isJsonObject(instrument) && isStatusType(typeOf(instrument)) ? readNote(instrument) : undefined;
  return naming(value, (quoted) => ({ kind: 'requestQuote', quoted, quoteUri, note }));
}

/** The instrument is the collection: embedded, or by its address. */
export function readFeatureRequest(value: JsonValue, activity: JsonObject): Act | undefined {
  const { instrument } = activity;
  const collectionUri = referenceOf(instrument);
  if (collectionUri === undefined) return undefined;
  const collection = isJsonObject(instrument) ? readCollection(instrument) : undefined;
  return naming(value, (featured) => ({ kind: 'requestFeature', featured, collectionUri, collection }));
}

/**
 * Answers to a Follow, a QuoteRequest, a FeatureRequest or a reply; any may be a bare id, and only a Follow has no result.
 */
export function readAnswer(
  kind: 'accept' | 'reject',
  value: JsonValue,
  activity: JsonObject,
  actor: string,
): Act | undefined {
  const authorization = referenceOf(activity.result);
  const isQuote = isJsonObject(value) ? typeOf(value) === 'QuoteRequest' : isQuoteRequestAddress(referenceOf(value));
  if (isQuote)
    return {
      kind: kind === 'accept' ? 'acceptQuote' : 'rejectQuote',
      requestUri: referenceOf(value),
      quoteUri: isJsonObject(value) ? referenceOf(value.instrument) : undefined,
      authorization,
    };
  const isFeature = isJsonObject(value)
    ? typeOf(value) === 'FeatureRequest'
    : isFeatureRequestAddress(referenceOf(value));
  if (isFeature)
    return {
      kind: kind === 'accept' ? 'acceptFeature' : 'rejectFeature',
      requestUri: referenceOf(value),
      authorization,
    };
  const follow = readAnsweredFollow(value, actor);
  return readReplyAnswer(kind, value, activity) ?? (follow && { kind, follow });
}

/** The Follow that an answer of the actor contains, or names by its id. */
function readAnsweredFollow(value: JsonValue | undefined, actor: string): FollowReference | undefined {
  if (isJsonObject(value)) return [undefined, 'Follow'].includes(typeOf(value)) ? readFollow(value) : undefined;
  const uri = referenceOf(value);
  return uri === undefined ? undefined : { uri, follower: undefined, followed: actor };
}

function readFollow(object: JsonObject): FollowReference {
  return {
    uri: addressOf(object.id),
    follower: referenceOf(object.actor),
    followed: referenceOf(object.object),
  };
}

const undoKinds: ReadonlyMap<string, 'undoLike' | 'undoBoost' | 'undoBlock'> = new Map([
  ['Like', 'undoLike'],
  ['Announce', 'undoBoost'],
  ['Block', 'undoBlock'],
]);

export function readUndo(value: JsonValue, _activity: JsonObject, actor: string): Act | undefined {
  if (!isJsonObject(value)) return naming(value, (uri) => ({ kind: 'undoNamed', uri }));
  const undoer = referenceOf(value.actor);
  if (undoer !== undefined && undoer !== actor) return undefined;
  const uri = addressOf(value.id);
  const type = typeOf(value);
  if (type === 'Follow') return { kind: 'undoFollow', follow: readFollow(value) };
  if (type === 'Accept') {
    const follow = readAnsweredFollow(firstOf(value.object), actor);
    return follow && { kind: 'undoAccept', follow };
  }
  // One may react with several emojis: only the first counts, and only its own Undo ends that.
  if (type === 'EmojiReact') return uri === undefined ? undefined : { kind: 'undoNamed', uri };
  const kind = type === undefined ? undefined : undoKinds.get(type);
  const object = referenceOf(value.object);
  if (kind !== undefined && object !== undefined) return { kind, object, uri };
  return (kind !== undefined || type === undefined) && uri !== undefined ? { kind: 'undoNamed', uri } : undefined;
}
