import { type KeyObject, verify as nodeVerify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { digestHeader } from '../../../src/outbound/signatures/digest.ts';
import { examineRequest } from '../../../src/outbound/signatures/examine-request.ts';
import { signRequest } from '../../../src/outbound/signatures/sign-request.ts';
import type { SignedRequest } from '../../../src/outbound/signatures/types.ts';
import { verifyRequest } from '../../../src/outbound/signatures/verify-request.ts';
import {
  alice,
  bob,
  body,
  bodyDigest,
  carol,
  type Draft,
  httpNow,
  keyId,
  now,
  ownHosts,
  signedRequest,
  withHeaders,
} from './requests.ts';

function verify(request: SignedRequest, key: KeyObject): string {
  const examined = examineRequest(request, { now, ownHosts });
  if (!examined.ok) return examined.refusal;
  const result = verifyRequest(request, examined.signature, key);
  return result.ok ? 'verified' : result.refusal;
}

describe('verification of signatures made with node:crypto', () => {
  const ed25519: Draft = { key: carol.privateKey, hash: null };
  const hs2019 = 'algorithm="hs2019"';
  it.each<[string, Draft, KeyObject, string]>([
    ['rsa-sha256', {}, alice.publicKey, 'verified'],
    ['a GET', { method: 'GET', rawTarget: '/users/bob' }, alice.publicKey, 'verified'],
    ['hs2019 with SHA-256', { parameters: hs2019 }, alice.publicKey, 'verified'],
    ['hs2019 with SHA-512', { parameters: hs2019, hash: 'sha512' }, alice.publicKey, 'verified'],
    ['no algorithm, SHA-512', { parameters: 'opaque="x"', hash: 'sha512' }, alice.publicKey, 'verified'],
    ['rsa-sha512', { parameters: 'algorithm="rsa-sha512"', hash: 'sha512' }, alice.publicKey, 'verified'],
    ['rsa-sha256 that is SHA-512', { hash: 'sha512' }, alice.publicKey, 'signatureMismatch'],
    ['Ed25519 as hs2019', { ...ed25519, parameters: hs2019 }, carol.publicKey, 'verified'],
    ['Ed25519 by name', { ...ed25519, parameters: 'algorithm="ed25519"' }, carol.publicKey, 'verified'],
    ['Ed25519 called rsa-sha256', ed25519, carol.publicKey, 'algorithmUnsupported'],
    ['an algorithm we do not know', { parameters: 'algorithm="hmac-sha256"' }, alice.publicKey, 'algorithmUnsupported'],
    ['another key', {}, bob.publicKey, 'signatureMismatch'],
    ['a key of another type', { parameters: hs2019 }, carol.publicKey, 'signatureMismatch'],
    ['the query signed', { method: 'GET', rawTarget: '/outbox?page=1' }, alice.publicKey, 'verified'],
    [
      'the query not signed',
      { method: 'GET', rawTarget: '/outbox?page=1', signedTarget: '/outbox' },
      alice.publicKey,
      'verified',
    ],
    [
      'another query signed',
      { method: 'GET', rawTarget: '/outbox?page=1', signedTarget: '/outbox?page=2' },
      alice.publicKey,
      'signatureMismatch',
    ],
    ['bytes that a URL parser would change', { rawTarget: '/a/../inbox?%7e=~' }, alice.publicKey, 'verified'],
    [
      'a target that differs only in its encoding',
      { rawTarget: '/users/%61', signedTarget: '/users/a' },
      alice.publicKey,
      'signatureMismatch',
    ],
    ['a signed header that is absent', { signedHeaders: 'host date digest x-gone' }, alice.publicKey, 'headerAbsent'],
  ])('%s', (_name, draft, key, expected) => {
    expect(verify(signedRequest(draft), key)).toBe(expected);
  });

  it.each([
    ['date', { date: 'Fri, 20 Nov 2026 12:00:01 GMT' }],
    ['digest', { digest: `${bodyDigest},MD5=abcd` }],
    ['host', { host: 'home.example:443' }],
  ])('a changed %s that is valid in itself', (_name, changes) => {
    expect(verify(withHeaders(signedRequest(), changes), alice.publicKey)).toBe('signatureMismatch');
  });

  it('a changed method', () => {
    expect(verify({ ...signedRequest(), method: 'PUT' }, alice.publicKey)).toBe('signatureMismatch');
  });
});

describe('our own signature', () => {
  const url = new URL('https://home.example/users/bob/inbox?a=%2F');
  const post = (more?: Record<string, string>) =>
    signRequest({
      more,
      method: 'POST',
      url,
      dateMilliseconds: now,
      digest: digestHeader(body),
      contentType: 'application/activity+json',
      keyId,
      privateKey: alice.privateKey,
    });

  it('covers what every server asks for, in a string computed here by hand', async () => {
    const { signature = '', ...headers } = await post();
    expect(headers).toEqual({
      host: 'home.example',
      date: httpNow,
      digest: bodyDigest,
      'content-type': 'application/activity+json',
    });
    const match = /^keyId="(.+)",algorithm="rsa-sha256",headers="(.+)",signature="(.+)"$/.exec(signature);
    expect(match?.slice(1, 3)).toEqual([keyId, '(request-target) host date digest content-type']);
    const text = [
      '(request-target): post /users/bob/inbox?a=%2F',
      'host: home.example',
      `date: ${httpNow}`,
      `digest: ${bodyDigest}`,
      'content-type: application/activity+json',
    ].join('\n');
    expect(nodeVerify('sha256', Buffer.from(text), alice.publicKey, Buffer.from(match?.[3] ?? '', 'base64'))).toBe(
      true,
    );
  });

  it('of a POST verifies', async () => {
    const headers = new Map(Object.entries(await post()));
    const target = { origin: 'https://home.example', rawTarget: '/users/bob/inbox?a=%2F' };
    const request = { method: 'POST', ...target, headers, body };
    expect(verify(request, alice.publicKey)).toBe('verified');
    expect(verify({ ...request, rawTarget: '/inbox' }, alice.publicKey)).toBe('signatureMismatch');
  });

  it('covers further headers', async () => {
    const headers = new Map(Object.entries(await post({ 'collection-synchronization': 'a' })));
    const target = { origin: 'https://home.example', rawTarget: '/users/bob/inbox?a=%2F' };
    const request = { method: 'POST', ...target, headers, body };
    expect(verify(request, alice.publicKey)).toBe('verified');
    headers.set('collection-synchronization', 'b');
    expect(verify(request, alice.publicKey)).toBe('signatureMismatch');
  });

  it.each([
    [false, '(request-target): get /users/bob/inbox?a=%2F'],
    [true, '(request-target): get /users/bob/inbox'],
  ])('of a GET, query left out: %s', async (withoutQuery, line) => {
    const headers = await signRequest({
      method: 'GET',
      url,
      dateMilliseconds: now,
      keyId,
      privateKey: alice.privateKey,
      withoutQuery,
    });
    expect(Object.keys(headers)).toEqual(['host', 'date', 'signature']);
    const signature = Buffer.from(/signature="(.+)"$/.exec(headers.signature ?? '')?.[1] ?? '', 'base64');
    const text = `${line}\nhost: home.example\ndate: ${httpNow}`;
    expect(nodeVerify('sha256', Buffer.from(text), alice.publicKey, signature)).toBe(true);
  });

  it('names a port that is not the scheme’s own', async () => {
    const request = { method: 'GET' as const, dateMilliseconds: now, keyId, privateKey: alice.privateKey };
    expect((await signRequest({ ...request, url: new URL('https://home.example:8443/') })).host).toBe(
      'home.example:8443',
    );
    expect((await signRequest({ ...request, url: new URL('https://home.example:443/') })).host).toBe('home.example');
  });
});
