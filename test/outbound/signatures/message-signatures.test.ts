import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { examineRequest } from '../../../src/outbound/signatures/examine-request.ts';
import { parseMessageSignature } from '../../../src/outbound/signatures/message-signatures.ts';
import type { SignedRequest } from '../../../src/outbound/signatures/types.ts';
import { verifyRequest } from '../../../src/outbound/signatures/verify-request.ts';
import { alice, bob, body, carol, httpNow, keyId, now, ownHosts, type TestRequest, withHeaders } from './requests.ts';

const second = now / 1000;
const origin = 'https://home.example';
const digest = (name: 'sha256' | 'sha512') =>
  `sha-${name.slice(3)}=:${createHash(name).update(body).digest('base64')}:`;
const mastodon = ['@method', '@target-uri', 'content-digest'];
const parameters = `created=${second};keyid="${keyId}"`;

interface Draft {
  readonly method?: string;
  readonly rawTarget?: string;
  readonly components?: readonly string[];
  readonly parameters?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: KeyObject;
  readonly hash?: 'sha256' | 'sha512' | null;
}

/** Signed with node:crypto alone; a POST of `body` by alice, as Mastodon demands it, unless the draft differs. */
function request(draft: Draft = {}): TestRequest {
  const { method = 'POST', rawTarget = '/inbox' } = draft;
  const components = draft.components ?? (method === 'POST' ? mastodon : ['@method', '@target-uri']);
  const headers: Record<string, string> = {
    host: 'home.example',
    date: httpNow,
    ...(method === 'POST' ? { 'content-digest': digest('sha256') } : {}),
    ...draft.headers,
  };
  const derived: Readonly<Record<string, string>> = {
    '@method': method,
    '@target-uri': origin + rawTarget,
    '@authority': 'home.example',
    '@scheme': 'https',
    '@request-target': rawTarget,
    '@path': rawTarget.replace(/\?.*/, ''),
    '@query': /\?.*|$/.exec(rawTarget)![0] || '?',
  };
  const lines = components.map((name) => `"${name}": ${derived[name] ?? headers[name]}`);
  const input = `(${components.map((name) => `"${name}"`).join(' ')});${draft.parameters ?? parameters}`;
  const text = [...lines, `"@signature-params": ${input}`].join('\n');
  const hash = draft.hash === undefined ? 'sha256' : draft.hash;
  const signature = sign(hash, Buffer.from(text), draft.key ?? alice.privateKey).toString('base64');
  const signed = { ...headers, 'signature-input': `sig1=${input}`, signature: `sig1=:${signature}:` };
  const content = method === 'POST' ? body : undefined;
  return { method, origin, rawTarget, headers: new Map(Object.entries(signed)), body: content };
}

function verify(signed: SignedRequest, key: KeyObject = alice.publicKey): string {
  const examined = examineRequest(signed, { now, ownHosts });
  if (!examined.ok) return examined.refusal;
  const result = verifyRequest(signed, examined.signature, key);
  return result.ok ? 'verified' : result.refusal;
}

const withParameters = (more: string): Draft => ({ parameters: `${parameters};${more}` });

describe('a signature of RFC 9421', () => {
  it.each<[string, Draft, string]>([
    ['as Mastodon demands it', {}, 'verified'],
    [
      'as Fedify makes it',
      { components: ['@method', '@target-uri', '@authority', 'host', 'date', 'content-digest'] },
      'verified',
    ],
    [
      'of the parts of the target',
      { rawTarget: '/x?a=%2F', components: ['@method', '@authority', '@path', '@query', '@scheme', 'content-digest'] },
      'verified',
    ],
    [
      'of the target as sent',
      { rawTarget: '/x?a?b', components: ['@request-target', 'host', 'content-digest'] },
      'verified',
    ],
    ['of a GET', { method: 'GET', rawTarget: '/users/bob?page=1' }, 'verified'],
    ['with a SHA-512 of the body', { headers: { 'content-digest': digest('sha512') } }, 'verified'],
    ['that names its algorithm', withParameters('alg="rsa-v1_5-sha256"'), 'verified'],
    ['that names another algorithm', withParameters('alg="rsa-v1_5-sha512"'), 'signatureMismatch'],
    ['of an unknown algorithm', withParameters('alg="hmac-sha256"'), 'algorithmUnsupported'],
    ['with what is of no concern', withParameters('nonce="x, y)";tag=a'), 'verified'],
    ['that has not expired', withParameters(`expires=${second + 60}`), 'verified'],
    [
      'that has expired',
      { parameters: `created=${second - 7_200};expires=${second - 7_000};keyid="${keyId}"` },
      'dateOutsideWindow',
    ],
    ['of two hours ago', { parameters: `created=${second - 7_200};keyid="${keyId}"` }, 'dateOutsideWindow'],
    ['without its time', { parameters: `keyid="${keyId}"` }, 'dateInvalid'],
    ['without its key', { parameters: `created=${second}` }, 'malformed'],
    ['with its key twice', withParameters(`keyid="${keyId}"`), 'malformed'],
    ['of a component twice', { components: [...mastodon, '@method'] }, 'malformed'],
    ['of a POST without its body', { components: ['@method', '@target-uri'] }, 'coverageTooSmall'],
    ['of a POST for anybody', { components: ['@method', '@path', 'content-digest'] }, 'coverageTooSmall'],
    ['of a GET for anything', { method: 'GET', components: ['@method', '@authority'] }, 'coverageTooSmall'],
    ['of a component that is unknown', { components: [...mastodon, '@status'] }, 'headerAbsent'],
    [
      'of another body',
      { headers: { 'content-digest': `sha-256=:${Buffer.alloc(32).toString('base64')}:` } },
      'digestMismatch',
    ],
    ['of a body by an unknown digest', { headers: { 'content-digest': 'md5=:AAAA:' } }, 'digestUnsupported'],
    [
      'of a digest in the older form',
      { headers: { 'content-digest': digest('sha256').replaceAll(':', '') } },
      'digestMalformed',
    ],
  ])('%s', (_name, draft, expected) => {
    expect(verify(request(draft))).toBe(expected);
  });

  it('of an Ed25519 key', () => {
    const draft = { ...withParameters('alg="ed25519"'), key: carol.privateKey, hash: null };
    expect(verify(request(draft), carol.publicKey)).toBe('verified');
    expect(verify(request(draft), alice.publicKey)).toBe('algorithmUnsupported');
  });

  it.each<[string, Partial<SignedRequest>]>([
    ['another key', {}],
    ['another target', { rawTarget: '/users/bob/inbox' }],
    ['another method', { method: 'PUT' }],
    ['another server', { origin: 'https://other.example' }],
  ])('does not fit %s', (name, change) => {
    const key = name === 'another key' ? bob.publicKey : alice.publicKey;
    expect(verify({ ...request(), ...change }, key)).toBe('signatureMismatch');
  });

  it('is found among others', () => {
    const signed = request();
    const [input, signature] = ['signature-input', 'signature'].map((name) => signed.headers.get(name)!);
    const both = withHeaders(signed, {
      'signature-input': `proxy=("@method");created=1, ${input}`,
      signature: `proxy=:AAAA:, ${signature}`,
    });
    expect(verify(both)).toBe('verified');
  });

  const input = `sig1=("@method");${parameters}`;
  it.each([
    ['nothing', '', 'sig1=:AAAA:'],
    ['no list', 'sig1', 'sig1=:AAAA:'],
    ['a component with a parameter', `sig1=("@method";req);${parameters}`, 'sig1=:AAAA:'],
    ['a component without an end', `sig1=("@method" "@path;${parameters}`, 'sig1=:AAAA:'],
    ['a component in capitals', `sig1=("@Method");${parameters}`, 'sig1=:AAAA:'],
    ['a time in words', `sig1=("@method");created=soon;keyid="${keyId}"`, 'sig1=:AAAA:'],
    ['one label twice', `${input}, ${input}`, 'sig1=:AAAA:'],
    ['too many labels', `${'abcdefgh'.replace(/./g, '$&=();x, ')}${input}`, 'sig1=:AAAA:'],
    ['too long a text', `sig1=("@method"${' '.repeat(8_200)});${parameters}`, 'sig1=:AAAA:'],
    ['a long text that ends wrongly', `sig1=("@method"${' '.repeat(8_000)}x`, 'sig1=:AAAA:'],
    ['bytes that are none', input, 'sig1=AAAA'],
    ['a signature of another label', input, 'sig2=:AAAA:'],
  ])('with %s is none', (_what, inputs, signature) => {
    expect(parseMessageSignature(inputs, signature)).toBeUndefined();
  });

  it('of the appendix of RFC 9421 (B.2.6)', () => {
    const key = createPublicKey(
      '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=\n-----END PUBLIC KEY-----\n',
    );
    const headers = {
      date: 'Tue, 20 Apr 2021 02:07:55 GMT',
      'content-type': 'application/json',
      'content-length': '18',
    };
    const signature = parseMessageSignature(
      'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
      'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
    )!;
    const signed = {
      method: 'POST',
      origin: 'https://example.com',
      rawTarget: '/foo?param=Value&Pet=dog',
      headers: new Map(Object.entries(headers)),
      body: undefined,
    };
    expect(verifyRequest(signed, signature, key)).toEqual({ ok: true });
  });
});
