/**
 * Verifies AWS Signature Version 4 as a service does, from headers or from a query: s3rver reads such signatures without
 * computing them. Written from the description of the algorithm
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html), not from the code that signs.
 */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

interface Claimed {
  readonly credential: string;
  readonly signedHeaders: string;
  readonly signature: string;
  readonly date: string;
  readonly payload: string;
  /** Of a signed address. */
  readonly expiresSeconds: number | undefined;
}

/** Undefined for a valid signature; otherwise what is wrong. A request without any is not judged. */
export function wrongSignature(request: IncomingMessage, keys: S3Keys, now: number): string | undefined {
  const url = new URL(request.url!, 'http://localhost');
  const claimed = claimedIn(request, url.searchParams);
  if (claimed === undefined) return undefined;
  const { credential, signedHeaders, signature, date, payload, expiresSeconds } = claimed;
  const [accessKeyId, ...scope] = credential.split('/');
  if (accessKeyId !== keys.accessKeyId) return 'InvalidAccessKeyId';
  if (expiresSeconds !== undefined && now > timeOf(date) + expiresSeconds * 1_000) return 'AccessDenied';
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map((pair) => pair.map(encoded).join('='))
    .toSorted();
  const canonical = [request.method, url.pathname, query.join('&'), headers.join(''), signedHeaders, payload].join(
    '\n',
  );
  const digest = createHash('sha256').update(canonical).digest('hex');
  const signed = ['AWS4-HMAC-SHA256', date, scope.join('/'), digest].join('\n');
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`);
  return hmac(key, signed).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}

function claimedIn({ headers }: IncomingMessage, query: URLSearchParams): Claimed | undefined {
  const inQuery = query.get('X-Amz-Signature');
  if (inQuery !== null) {
    return {
      credential: query.get('X-Amz-Credential') ?? '',
      signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
      signature: inQuery,
      date: query.get('X-Amz-Date') ?? '',
      payload: 'UNSIGNED-PAYLOAD',
      expiresSeconds: Number(query.get('X-Amz-Expires')),
    };
  }
  const found = /Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(headers.authorization ?? '');
  if (found === null) return undefined;
  const [, credential, signedHeaders, signature] = found as unknown as [string, string, string, string];
  const [date, payload] = [headers['x-amz-date'], headers['x-amz-content-sha256']].map(String) as [string, string];
  return { credential, signedHeaders, signature, date, payload, expiresSeconds: undefined };
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Of `20261127T010203Z`. */
function timeOf(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
