/**
 * Answers with ActivityPub documents: content type, caching, and 304 where the client has the document (RFC 9110,
 * section 13).
 */

import { type EncodedDocument, encodeDocument } from '../../federation/document-cache.ts';
import { activityContentType } from '../../federation/documents/vocabulary.ts';
import { activityLimits } from '../../federation/limits.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import { Answer } from '../http/answers.ts';
import { namesEtag } from '../http/etags.ts';
import type { IncomingRequest } from '../http/request.ts';

const publicCaching = `public, max-age=${activityLimits.documentAgeSeconds}`;
const privateCaching = 'private, no-store';
const vary = 'Accept, Signature';

export function documentAnswer(
  request: Pick<IncomingRequest, 'header'>,
  { bytes, etag }: EncodedDocument,
  isPublic = true,
): Answer {
  const headers = { 'Cache-Control': isPublic ? publicCaching : privateCaching, Vary: vary, ETag: etag };
  if (namesEtag(request.header('if-none-match'), etag)) return new Answer(304, undefined, '', headers, undefined);
  return new Answer(200, activityContentType, bytes, headers, undefined);
}

/** For documents that are requested rarely, and not cached. */
export function jsonAnswer(request: Pick<IncomingRequest, 'header'>, document: JsonObject, isPublic = true): Answer {
  return documentAnswer(request, encodeDocument(document), isPublic);
}
