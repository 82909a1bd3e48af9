/** Reads requests to reply, the answers to them, and the documents that prove consent (interaction policies of GoToSocial). */
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { isReplyRequestAddress } from '../local-addresses.ts';
import type { Act } from './acts.ts';
import { readNote } from './read-note.ts';
import { addressOf, isSameHost, naming, referenceOf, typeOf } from './values.ts';
import { isStatusType } from './vocabulary.ts';

/** The instrument is the reply: embedded, or by its address. */
export function readReplyRequest(value: JsonValue, activity: JsonObject): Act | undefined {
  const { instrument } = activity;
  const replyUri = referenceOf(instrument);
  if (replyUri === undefined) return undefined;
  const note = isJsonObject(instrument) && isStatusType(typeOf(instrument)) ? readNote(instrument) : undefined;
  return naming(value, (answered) => ({ kind: 'requestReply', answered, replyUri, note }));
}

/**
 * The answer to a ReplyRequest, or to a reply that came without one: that is named itself, and `target` is what it answers.
 * Undefined for the answer to anything else. Before version 0.20 of GoToSocial the activity is the proof itself.
 */
export function readReplyAnswer(kind: 'accept' | 'reject', value: JsonValue, activity: JsonObject): Act | undefined {
  const answer = kind === 'accept' ? 'acceptReply' : 'rejectReply';
  const authorization = referenceOf(activity.result) ?? addressOf(activity.id);
  const named = referenceOf(value);
  const type = isJsonObject(value) ? typeOf(value) : undefined;
  if (type === 'ReplyRequest' || (type === undefined && isReplyRequestAddress(named))) {
    const replyUri = isJsonObject(value) ? referenceOf(value.instrument) : undefined;
    return { kind: answer, requestUri: named, replyUri, authorization };
  }
  const isReply = type === undefined ? referenceOf(activity.target) !== undefined : isStatusType(type);
  return isReply && named !== undefined
    ? { kind: answer, requestUri: undefined, replyUri: named, authorization }
    : undefined;
}

export interface RemoteConsent {
  readonly author: string;
  readonly reply: string;
  /** What is answered; older proofs do not say it. */
  readonly answered: string | undefined;
}

/** Undefined for anything but a proof by an author on its own host. */
export function readReplyAuthorization(object: JsonObject): RemoteConsent | undefined {
  const uri = addressOf(object.id);
  const isOld = typeOf(object) === 'Accept';
  const author = referenceOf(isOld ? object.actor : object.attributedTo);
  const reply = referenceOf(isOld ? object.object : object.interactingObject);
  const answered = referenceOf(isOld ? object.target : object.interactionTarget);
  if (uri === undefined || author === undefined || reply === undefined || !isSameHost(uri, author)) return undefined;
  const isProof = isOld || (typeOf(object) === 'ReplyAuthorization' && answered !== undefined);
  return isProof ? { author, reply, answered } : undefined;
}
