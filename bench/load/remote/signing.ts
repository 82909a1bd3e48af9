/** Signs what the played servers send: draft-cavage as Mastodon signs, or RFC 9421. */
import { type KeyObject, sign } from 'node:crypto';
import { digestHeader } from '../../../src/outbound/signatures/digest.ts';
import { signatureBase } from '../../../src/outbound/signatures/message-signatures.ts';
import { requestTargetOf, signRequest } from '../../../src/outbound/signatures/sign-request.ts';
import { activityType } from './documents.ts';

export type Dialect = 'cavage' | 'rfc9421';

export interface ActivityToSign {
  readonly url: URL;
  readonly body: Buffer;
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

/** The headers of the POST, in lower case, without `host`. */
export async function signedHeaders(dialect: Dialect, activity: ActivityToSign): Promise<Record<string, string>> {
  if (dialect === 'rfc9421') return messageSignature(activity);
  const { url, body, keyId, privateKey } = activity;
  const { host: _host, ...headers } = await signRequest({
    method: 'POST',
    url,
    dateMilliseconds: Date.now(),
    digest: digestHeader(body),
    contentType: activityType,
    keyId,
    privateKey,
  });
  return headers;
}

/** The headers of a GET, for servers that show actors to signed requests only. */
export async function signedGetHeaders(
  url: URL,
  keyId: string,
  privateKey: KeyObject,
): Promise<Record<string, string>> {
  const { host: _host, ...headers } = await signRequest({
    method: 'GET',
    url,
    dateMilliseconds: Date.now(),
    keyId,
    privateKey,
  });
  return headers;
}

const components = ['@method', '@target-uri', 'content-digest'];

function messageSignature({ url, body, keyId, privateKey }: ActivityToSign): Record<string, string> {
  const contentDigest = digestHeader(body).replace(/^SHA-256=(.*)$/, 'sha-256=:$1:');
  const isRsa = privateKey.asymmetricKeyType === 'rsa';
  const algorithm = isRsa ? 'rsa-v1_5-sha256' : 'ed25519';
  const created = Math.floor(Date.now() / 1_000);
  const parameters = `(${components.map((name) => `"${name}"`).join(' ')});created=${created};keyid="${keyId}";alg="${algorithm}"`;
  const headers = new Map([['content-digest', contentDigest]]);
  const request = { method: 'POST', origin: url.origin, rawTarget: requestTargetOf(url), headers };
  const base = signatureBase(request, components, parameters)!;
  const signature = sign(isRsa ? 'sha256' : null, Buffer.from(base), privateKey).toString('base64');
  return {
    'content-type': activityType,
    'content-digest': contentDigest,
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${signature}:`,
  };
}
