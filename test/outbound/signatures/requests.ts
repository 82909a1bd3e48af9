/** Signed requests made with node:crypto alone, independent of the code under test. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { SignedRequest } from '../../../src/outbound/signatures/types.ts';

export const alice = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const bob = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const carol = generateKeyPairSync('ed25519');

export const now = Date.UTC(2026, 10, 20, 12);
export const httpNow = 'Fri, 20 Nov 2026 12:00:00 GMT';
export const ownHosts: ReadonlySet<string> = new Set(['home.example']);
export const body = Buffer.from('{"type":"Like"}');
export const bodyDigest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
export const keyId = 'https://away.example/users/alice#main-key';

export interface Draft {
  method?: string;
  rawTarget?: string;
  /** What the signer signed as the target, when that is not `rawTarget`. */
  signedTarget?: string;
  headers?: Record<string, string>;
  /** Space-separated, as in the header. */
  signedHeaders?: string;
  body?: Buffer | undefined;
  key?: KeyObject;
  hash?: 'sha256' | 'sha512' | null;
  /** Further parameters of the header, as they stand there. */
  parameters?: string;
}

export interface TestRequest extends SignedRequest {
  readonly headers: ReadonlyMap<string, string>;
}

/** A request signed as draft-cavage-12, section 2.3 says; a POST of `body` by alice unless the draft differs. */
export function signedRequest(draft: Draft = {}): TestRequest {
  const method = draft.method ?? 'POST';
  const rawTarget = draft.rawTarget ?? '/inbox';
  const isPost = method === 'POST';
  const headers: Record<string, string> = {
    host: 'home.example',
    date: httpNow,
    ...(isPost ? { digest: bodyDigest, 'content-type': 'application/activity+json' } : {}),
    ...draft.headers,
  };
  const names = draft.signedHeaders ?? (isPost ? '(request-target) host date digest' : '(request-target) host date');
  const lines = names.split(' ').map((name) => {
    if (name === '(request-target)') return `${name}: ${method.toLowerCase()} ${draft.signedTarget ?? rawTarget}`;
    if (name === '(created)') return `${name}: ${/created="?(\d+)/.exec(draft.parameters ?? '')?.[1]}`;
    if (name === '(expires)') return `${name}: ${/expires="?(\d+)/.exec(draft.parameters ?? '')?.[1]}`;
    return `${name.toLowerCase()}: ${headers[name.toLowerCase()]}`;
  });
  const hash = draft.hash === undefined ? 'sha256' : draft.hash;
  const signature = sign(hash, Buffer.from(lines.join('\n')), draft.key ?? alice.privateKey).toString('base64');
  const parameters = draft.parameters ?? 'algorithm="rsa-sha256"';
  headers.signature = `keyId="${keyId}",${parameters},headers="${names}",signature="${signature}"`;
  return {
    method,
    origin: 'https://home.example',
    rawTarget,
    headers: new Map(Object.entries(headers)),
    body: 'body' in draft ? draft.body : isPost ? body : undefined,
  };
}

/** The same request with some headers replaced, or taken away. */
export function withHeaders(request: TestRequest, changes: Record<string, string | undefined>): TestRequest {
  const headers = new Map(request.headers);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  }
  return { ...request, headers };
}
