/** Activities about the consent to replies: requesting, accepting, rejecting and revoking (interaction policies of GoToSocial). */
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { releasedFormOf } from '../../actors/policy/held-replies.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import { replyAuthorizationAddress, replyRequestAddress } from '../local-addresses.ts';
import { publicDelete } from './activities.ts';
import { replyAnswerContext, replyRequestContext } from './contexts.ts';
import { accountAddress, noteDocument } from './note-document.ts';
import type { IntentOf, Renderings, Translating } from './translating.ts';
import { publicAudience } from './vocabulary.ts';

export const replyActivities: Renderings<'replyRequest' | 'acceptReply' | 'rejectReply' | 'revokeReply'> = {
  replyRequest,
  acceptReply: (intent, translating) => replyAnswer('Accept', intent, translating),
  rejectReply: (intent, translating) => replyAnswer('Reject', intent, translating),
  revokeReply: ({ activityId, replyId }, translating) =>
    publicDelete(
      activityId,
      replyAuthorizationAddress(translating.addresses, translating.username, replyId),
      translating,
    ),
};

/** The reply is embedded, as it will be: nobody else may fetch it yet. */
function replyRequest(
  { statusId, parentUri }: IntentOf<'replyRequest'>,
  { reader, addresses, username, actor }: Translating,
): JsonObject | undefined {
  const status = findStatusRecord(reader, statusId);
  if (status?.inReplyToAccountId === undefined) return undefined;
  const author = accountAddress(reader, addresses, status.inReplyToAccountId);
  return {
    '@context': replyRequestContext,
    id: replyRequestAddress(addresses, username, status.id),
    type: 'ReplyRequest',
    actor,
    ...(author === undefined ? {} : { to: [author] }),
    object: parentUri,
    instrument: noteDocument(reader, addresses, releasedFormOf(status), username),
  };
}

/**
 * A reply that came without a request is named itself, and everybody may know whether it is agreed to. Undefined when the
 * requester was deleted.
 */
function replyAnswer(
  type: 'Accept' | 'Reject',
  intent: IntentOf<'acceptReply' | 'rejectReply'>,
  { reader, addresses, username, actor }: Translating,
): JsonObject | undefined {
  const { activityId, targetId, statusId, replyId, replyUri, isRequest, requestUri } = intent;
  const replier = accountAddress(reader, addresses, targetId);
  if (replier === undefined) return undefined;
  const status = addresses.status(username, statusId);
  const request = { type: 'ReplyRequest', actor: replier, object: status, instrument: replyUri };
  const requested = { object: requestUri === undefined ? request : { id: requestUri, ...request } };
  const reply = replyId === undefined ? undefined : findStatusRecord(reader, replyId);
  const isToldAll = isRequest !== true && reply !== undefined && isForEverybody(releasedFormOf(reply));
  const isAuthorized = type === 'Accept' && replyId !== undefined;
  return {
    '@context': replyAnswerContext,
    id: addresses.activity(activityId),
    type,
    actor,
    to: [replier],
    ...(isToldAll ? { cc: [publicAudience, addresses.followers(username)] } : {}),
    ...(isRequest === true ? requested : { object: replyUri, target: status }),
    ...(isAuthorized ? { result: replyAuthorizationAddress(addresses, username, replyId) } : {}),
  };
}
