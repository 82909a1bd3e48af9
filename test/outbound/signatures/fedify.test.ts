/** Signatures verified by another implementation: Fedify verifies ours, and we verify Fedify's. */
import { webcrypto } from 'node:crypto';
import { signRequest as fedifySign, verifyRequest as fedifyVerify } from '@fedify/fedify/sig';
import { expect, it } from 'vitest';
import { digestHeader } from '../../../src/outbound/signatures/digest.ts';
import { examineRequest } from '../../../src/outbound/signatures/examine-request.ts';
import { signRequest } from '../../../src/outbound/signatures/sign-request.ts';
import { verifyRequest } from '../../../src/outbound/signatures/verify-request.ts';
import { alice, body, keyId, ownHosts } from './requests.ts';

const url = 'https://home.example/users/bob/inbox?x=%2f';
const owner = 'https://away.example/users/alice';
const publicKeyPem = alice.publicKey.export({ type: 'spki', format: 'pem' });

/** The only document that Fedify needs: the key, served without any network. */
async function loadDocument(documentUrl: string) {
  const document = {
    '@context': 'https://w3id.org/security/v1',
    id: keyId,
    type: 'CryptographicKey',
    owner,
    publicKeyPem,
  };
  return { contextUrl: null, documentUrl, document };
}

it.each([
  ['GET', 'draftCavage'],
  ['POST', 'draftCavage'],
  ['GET', 'rfc9421'],
  ['POST', 'rfc9421'],
] as const)('what we sign, Fedify verifies: %s by %s', async (method, dialect) => {
  const isPost = method === 'POST';
  const headers = await signRequest({
    method,
    url: new URL(url),
    dateMilliseconds: Date.now(),
    keyId,
    privateKey: alice.privateKey,
    // Fedify is one of the servers that leave the query out of the request target.
    withoutQuery: dialect === 'draftCavage',
    dialect,
    more: { 'collection-synchronization': 'digest="1"' },
    ...(isPost ? { digest: digestHeader(body), contentType: 'application/activity+json' } : {}),
  });
  const request = (target: string) => new Request(target, { method, headers, ...(isPost ? { body } : {}) });
  const options = { documentLoader: loadDocument };
  expect((await fedifyVerify(request(url), options))?.id?.href).toBe(keyId);
  expect(await fedifyVerify(request('https://home.example/users/carol/inbox'), options)).toBeNull();
});

it.each([
  ['GET', 'draft-cavage-http-signatures-12'],
  ['POST', 'draft-cavage-http-signatures-12'],
  ['GET', 'rfc9421'],
  ['POST', 'rfc9421'],
] as const)('what Fedify signs, we verify: %s by %s', async (method, spec) => {
  const pkcs8 = alice.privateKey.export({ type: 'pkcs8', format: 'der' });
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const privateKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign']);
  const isPost = method === 'POST';
  const signed = await fedifySign(
    new Request(url, { method, ...(isPost ? { body, headers: { 'content-type': 'application/activity+json' } } : {}) }),
    privateKey,
    new URL(keyId),
    { spec },
  );
  const request = {
    method,
    origin: 'https://home.example',
    rawTarget: '/users/bob/inbox?x=%2f',
    headers: new Map(signed.headers),
    body: isPost ? body : undefined,
  };
  const examined = examineRequest(request, { now: Date.now(), ownHosts });
  expect(examined.ok && verifyRequest(request, examined.signature, alice.publicKey)).toEqual({ ok: true });
});
