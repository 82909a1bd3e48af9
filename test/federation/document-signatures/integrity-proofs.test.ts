/** Proofs of documents (FEP-8b32): ours, and those of Fedify, verified by each other and by nobody else's key. */
import { createPublicKey, generateKeyPairSync, type KeyObject, webcrypto } from 'node:crypto';
import { signObject, verifyProof } from '@fedify/fedify/sig';
import { Create, DataIntegrityProof, Note, PUBLIC_COLLECTION } from '@fedify/vocab';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../../src/federation/document-signatures/canonical-json.ts';
import { proofClaim, proveByProof, withProof } from '../../../src/federation/document-signatures/integrity-proofs.ts';
import { documentLimits } from '../../../src/federation/document-signatures/limits.ts';
import type { JsonObject } from '../../../src/outbound/fetcher/json.ts';
import { publicKeyFromMultikey } from '../../../src/outbound/signatures/multikey.ts';
import { proofKeyMultibase, proofKeyOf } from '../../../src/outbound/signatures/proof-keys.ts';
import { bob, create, keyPair, now } from './signed-documents.ts';

const pem = keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const privateKey = proofKeyOf(pem);
const publicKey = createPublicKey(privateKey);
const id = `${bob}#ed25519-key`;
const proved = withProof(create, { id, privateKey }, now);

function prove(json: JsonObject, { at = now, key = publicKey }: { at?: number; key?: KeyObject | undefined } = {}) {
  const claim = proofClaim(json);
  return claim === undefined ? 'no claim' : proveByProof(json, claim, at, async () => key);
}

it('what was proved is read without its proof, and without a signature beside it', async () => {
  const { proof: _proof, ...document } = proved;
  expect(await prove(proved)).toEqual({ readable: document });
  expect(await prove({ ...proved, signature: { type: 'RsaSignature2017' } })).toEqual({ readable: document });
});

it.each<[string, JsonObject, object | string]>([
  ['another text', { ...proved, object: { ...(proved.object as JsonObject), content: 'other' } }, mismatch()],
  ['something more', { ...proved, summary: 'more' }, mismatch()],
  ['another context', { ...proved, '@context': ['https://www.w3.org/ns/activitystreams'] }, { refusal: 'malformed' }],
  ['other options', changed({ created: '2026-01-01T12:00:01Z' }), mismatch()],
  ['another purpose', changed({ proofPurpose: 'authentication' }), 'no claim'],
  ['another suite', changed({ cryptosuite: 'eddsa-rdfc-2022' }), 'no claim'],
  ['a key of another host', changed({ verificationMethod: 'https://other.example/users/bob#key' }), 'no claim'],
  ['no value', changed({ proofValue: 'z' }), 'no claim'],
  ['a value that is no base58', changed({ proofValue: 'z0OIl' }), 'no claim'],
  ['a value without end', changed({ proofValue: `z${'1'.repeat(100_000)}` }), 'no claim'],
  ['a proof that is none', { ...proved, proof: [null, 1, 'x', [], {}] }, 'no claim'],
])('%s proves nothing', async (_what, json, expected) => {
  expect(await prove(json)).toEqual(expected);
});

it('neither does the key of another account, nor one of another kind', async () => {
  const other = generateKeyPairSync('ed25519').publicKey;
  expect(await prove(proved, { key: other })).toEqual(mismatch());
  expect(await prove(proved, { key: keyPair.publicKey })).toEqual({ refusal: 'other key' });
});

it('proofs become old, and end when they say so', async () => {
  const { ageMilliseconds, skewMilliseconds } = documentLimits;
  const outdated = { refusal: 'outdated' };
  expect(await prove(proved, { at: now + ageMilliseconds + 1 })).toEqual(outdated);
  expect(await prove(proved, { at: now - skewMilliseconds - 1 })).toEqual(outdated);
  expect(await prove(changed({ expires: '2026-01-01T10:00:00Z' }))).toEqual(outdated);
});

it('the key follows from that of the account, and is shown as a Multikey', () => {
  expect(publicKeyFromMultikey(proofKeyMultibase(pem))?.equals(publicKey)).toBe(true);
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  expect(proofKeyMultibase(other.toString())).not.toBe(proofKeyMultibase(pem));
});

it('canonical JSON is that of RFC 8785', () => {
  const text = '{"\\u20ac":"Euro","\\r":"CR","1":"One","\\ufb33":1e30,"\\ud83d\\ude02":[4.50,0.002,1e-27,-0],"a":null}';
  expect(canonicalJson(JSON.parse(text))).toBe(
    '{"\\r":"CR","1":"One","a":null,"€":"Euro","😂":[4.5,0.002,1e-27,0],"\ufb33":1e+30}',
  );
});

it('Fedify verifies ours', async () => {
  const proof = await DataIntegrityProof.fromJsonLd(proved.proof);
  const options = { documentLoader: loadKey };
  expect((await verifyProof(proved, proof, options))?.id?.href).toBe(id);
  expect(await verifyProof({ ...proved, summary: 'more' }, proof, options)).toBeNull();
});

it('and Fedify’s are verified here', async () => {
  const pair = (await webcrypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const activity = new Create({
    id: new URL(`${bob}/activities/1`),
    actor: new URL(bob),
    to: PUBLIC_COLLECTION,
    object: new Note({ id: new URL(`${bob}/notes/1`), attribution: new URL(bob), content: 'Hello' }),
  });
  const signed = await signObject(activity, pair.privateKey, new URL(id));
  // As Fedify sends it.
  const json = { ...((await signed.toJsonLd({ format: 'compact' })) as JsonObject), to: PUBLIC_COLLECTION.href };
  const jwk = await webcrypto.subtle.exportKey('jwk', pair.publicKey);
  const key = createPublicKey({ key: jwk as never, format: 'jwk' });
  const at = Date.now();
  expect(await prove(json, { key, at })).toHaveProperty('readable.actor', bob);
  expect(await prove({ ...json, summary: 'more' }, { key, at })).toEqual(mismatch());
});

function mismatch() {
  return { refusal: 'signature mismatch' };
}

function changed(options: JsonObject): JsonObject {
  return { ...proved, proof: { ...(proved.proof as JsonObject), ...options } };
}

/** The one document that Fedify needs. */
async function loadKey(documentUrl: string) {
  const document = {
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/multikey/v1'],
    id,
    type: 'Multikey',
    controller: bob,
    publicKeyMultibase: proofKeyMultibase(pem),
  };
  return { contextUrl: null, documentUrl, document };
}
