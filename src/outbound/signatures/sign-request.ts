/**
 * Signs outgoing requests: in draft-cavage with rsa-sha256, the variant that every server verifies, or by RFC 9421 for hosts
 * that take it. The signature is computed on the native thread pool: this costs the calling thread about 20 microseconds
 * instead of 220.
 */
import { type KeyObject, sign } from 'node:crypto';
import type { Dialect } from './dialects.ts';

export interface RequestToSign {
  readonly method: 'GET' | 'POST';
  /** The URL of the request; its path and query are signed as they are sent. */
  readonly url: URL;
  /** Milliseconds since 1970. */
  readonly dateMilliseconds: number;
  /** The `Digest` header; receivers require it for a POST. */
  readonly digest?: string;
  readonly contentType?: string;
  readonly keyId: string;
  readonly privateKey: KeyObject;
  /** Further headers, which are signed too, by lower-case names. */
  readonly more?: Readonly<Record<string, string>> | undefined;
  /** Signs the path without the query, as a few servers expect (they answer 401 to the full one). */
  readonly withoutQuery?: boolean;
  /** draft-cavage when absent. */
  readonly dialect?: Dialect | undefined;
}

/** The headers to send, in lower case; only those that the signature needs. */
export type SignedHeaders = Record<string, string>;

/** The request target for a URL: the signed bytes are those sent. */
export function requestTargetOf(url: URL): string {
  return url.pathname + url.search;
}

/** Rejects only when the key cannot sign, which is a fault of this server. */
export function signRequest(request: RequestToSign): Promise<SignedHeaders> {
  return request.dialect === 'rfc9421' ? signMessage(request) : signDraft(request);
}

/** Signs `(request-target) host date` and, where given, `digest`, `content-type` and further headers. */
async function signDraft(request: RequestToSign): Promise<SignedHeaders> {
  const host = request.url.host;
  const date = new Date(request.dateMilliseconds).toUTCString();
  const target = request.withoutQuery === true ? request.url.pathname : requestTargetOf(request.url);
  const headers: SignedHeaders = { host, date };
  let names = '(request-target) host date';
  let text = `(request-target): ${request.method.toLowerCase()} ${target}\nhost: ${host}\ndate: ${date}`;
  if (request.digest !== undefined) {
    headers.digest = request.digest;
    names += ' digest';
    text += `\ndigest: ${request.digest}`;
  }
  if (request.contentType !== undefined) {
    headers['content-type'] = request.contentType;
    names += ' content-type';
    text += `\ncontent-type: ${request.contentType}`;
  }
  for (const name in request.more) {
    const value = request.more[name]!;
    headers[name] = value;
    names += ` ${name}`;
    text += `\n${name}: ${value}`;
  }
  const signature = await signRsaSha256(text, request.privateKey);
  headers.signature = `keyId="${request.keyId}",algorithm="rsa-sha256",headers="${names}",signature="${signature.toString('base64')}"`;
  return headers;
}

/**
 * By RFC 9421: what Mastodon and Fedify demand, and no header that a proxy may change. `Date` is for those who look at it
 * all the same.
 */
async function signMessage(request: RequestToSign): Promise<SignedHeaders> {
  const { url, method, dateMilliseconds, keyId } = request;
  const target = request.withoutQuery === true ? url.pathname : requestTargetOf(url);
  const headers: SignedHeaders = { host: url.host, date: new Date(dateMilliseconds).toUTCString() };
  const digest = request.digest === undefined ? {} : { 'content-digest': contentDigestOf(request.digest) };
  const covered = { ...digest, ...request.more };
  let names = '"@method" "@target-uri" "@authority"';
  let text = `"@method": ${method}\n"@target-uri": ${url.origin}${target}\n"@authority": ${url.host}\n`;
  for (const [name, value] of Object.entries(covered)) {
    headers[name] = value;
    names += ` "${name}"`;
    text += `"${name}": ${value}\n`;
  }
  if (request.contentType !== undefined) headers['content-type'] = request.contentType;
  const created = Math.floor(dateMilliseconds / 1_000);
  const parameters = `(${names});created=${created};keyid="${keyId}";alg="rsa-v1_5-sha256"`;
  const bytes = await signRsaSha256(`${text}"@signature-params": ${parameters}`, request.privateKey);
  headers['signature-input'] = `sig1=${parameters}`;
  headers.signature = `sig1=:${bytes.toString('base64')}:`;
  return headers;
}

/** RFC 9530, from a `Digest` of one algorithm: the body was hashed once for all forms. */
function contentDigestOf(digest: string): string {
  return digest.replace(/^SHA-256=(.+)$/, 'sha-256=:$1:');
}

/**
 * One signature for every receiver, for what is public: it covers date, digest and content type, and neither the host nor
 * the target. Mastodon accepts that of a POST; a receiver that passes it on could pass on the activity as well. Rejects
 * like `signRequest`.
 */
export async function signForAll(
  request: Pick<RequestToSign, 'dateMilliseconds' | 'keyId' | 'privateKey'> & {
    readonly digest: string;
    readonly contentType: string;
  },
): Promise<SignedHeaders> {
  const { digest, contentType, keyId } = request;
  const date = new Date(request.dateMilliseconds).toUTCString();
  const text = `date: ${date}\ndigest: ${digest}\ncontent-type: ${contentType}`;
  const bytes = await signRsaSha256(text, request.privateKey);
  const signature = `keyId="${keyId}",algorithm="rsa-sha256",headers="date digest content-type",signature="${bytes.toString('base64')}"`;
  return { date, digest, 'content-type': contentType, signature };
}

function signRsaSha256(text: string, privateKey: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(text, 'utf8'), privateKey, (error, signature) => {
      if (error === null) resolve(signature);
      else reject(error);
    });
  });
}
