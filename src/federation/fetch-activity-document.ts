/**
 * Fetches an ActivityPub document with a trustworthy `id`: the result was served under that id by the id's host.
 *
 * The id must be the final URL, or the requested URL when the same host answered. For anything else (the URL of a
 * profile page, a redirect elsewhere, a copy) the claimed id is fetched once more, and must be the id of that document.
 */

import { type FetchFailure, fetchFailure } from '../outbound/fetcher/fetch-result.ts';
import type { Fetcher } from '../outbound/fetcher/fetcher.ts';
import { type JsonObject, parseJsonObject } from '../outbound/fetcher/json.ts';
import type { RequestSigner } from '../outbound/signatures/types.ts';

export const activityAccept =
  'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"';

export interface DocumentRequest {
  readonly url: string;
  readonly signer?: RequestSigner | undefined;
  readonly bytesMax?: number;
  readonly fresh?: boolean;
  readonly patienceMilliseconds?: number | undefined;
}

export interface FetchedDocument {
  readonly ok: true;
  /** The document's own id, by which to refer to it. */
  readonly id: string;
  readonly document: JsonObject;
}

export type DocumentResult = FetchedDocument | FetchFailure;

interface Candidate extends FetchedDocument {
  readonly requestedUrl: string;
  readonly finalUrl: string;
}

/** Fetches one document. The URL's fragment is not sent, so a keyId can be given unchanged. */
export async function fetchActivityDocument(fetcher: Fetcher, request: DocumentRequest): Promise<DocumentResult> {
  const first = await fetchCandidate(fetcher, request, request.url);
  if (!first.ok || standsAtItsId(first)) return first.ok ? publicPart(first) : first;
  const second = await fetchCandidate(fetcher, request, first.id);
  if (!second.ok) return second;
  return standsAtItsId(second) ? publicPart(second) : fetchFailure('invalid', 'the document is not found under its id');
}

function publicPart({ ok, id, document }: Candidate): FetchedDocument {
  return { ok, id, document };
}

async function fetchCandidate(
  fetcher: Fetcher,
  request: DocumentRequest,
  url: string,
): Promise<Candidate | FetchFailure> {
  const { limits } = fetcher.connections;
  const resource = await fetcher.get({
    url,
    accept: activityAccept,
    bytesMax: request.bytesMax ?? limits.jsonBytesMax,
    isWantedType: isActivityType,
    signer: request.signer,
    fresh: request.fresh,
    patienceMilliseconds: request.patienceMilliseconds,
  });
  if (!resource.ok) return resource;
  const document = parseJsonObject(resource.body, limits.jsonDepthMax);
  if (document === undefined) return fetchFailure('invalid', 'not a JSON object, or nested too deep');
  const { id } = document;
  if (typeof id !== 'string' || !/^https?:\/\//i.test(id)) return fetchFailure('invalid', 'the document has no id');
  return { ok: true, id, document, requestedUrl: url, finalUrl: resource.url };
}

function standsAtItsId({ id, requestedUrl, finalUrl }: Candidate): boolean {
  if (isSameDocument(id, finalUrl)) return true;
  return isSameDocument(id, requestedUrl) && URL.parse(finalUrl)?.host === URL.parse(requestedUrl)?.host;
}

/**
 * Whether two URLs identify one document: equal except for fragment, trailing slash, and case and final dot of the
 * host.
 */
export function isSameDocument(one: string, other: string): boolean {
  if (one === other) return true;
  const oneName = documentName(one);
  return oneName !== undefined && oneName === documentName(other);
}

function documentName(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) return undefined;
  const host = url.hostname.replace(/\.$/, '');
  return `${url.protocol}//${host}:${url.port}${url.pathname.replace(/\/$/, '')}${url.search}`;
}

/**
 * Whether this content type is an ActivityPub document's: `application/activity+json`, or `application/ld+json` with
 * the ActivityStreams profile. Files uploaded by users are never served with these.
 */
export function isActivityType(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  if (type.trim() === 'application/activity+json') return true;
  if (type.trim() !== 'application/ld+json') return false;
  return parameters.some((parameter) => {
    const match = /^\s*profile\s*=\s*"?([^"]*)"?\s*$/.exec(parameter);
    return match !== null && match[1]!.trim().split(/\s+/).includes('https://www.w3.org/ns/activitystreams');
  });
}
