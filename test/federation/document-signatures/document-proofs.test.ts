/** Signatures of documents: made and verified here and by Fedify, and what they do not prove. */
import { createPublicKey } from 'node:crypto';
import { exportJwk, generateCryptoKeyPair, signJsonLd, signObject, verifyJsonLd } from '@fedify/fedify/sig';
import { Create, Hashtag, Note, PUBLIC_COLLECTION } from '@fedify/vocab';
import { preloadedContexts } from '@fedify/vocab-runtime';
import { describe, expect, test } from 'vitest';
import { proveDocument, signatureClaim } from '../../../src/federation/document-signatures/document-proofs.ts';
import { documentLimits } from '../../../src/federation/document-signatures/limits.ts';
import { readActivity } from '../../../src/federation/documents/read-activity.ts';
import type { JsonObject } from '../../../src/outbound/fetcher/json.ts';
import { documentsHere } from '../../support/only.ts';
import { bob, create, keyId, keyPair, mastodonContext, note, noteId, now, signedByBob } from './signed-documents.ts';

const services = { signedDocuments: documentsHere, now: () => now };

async function prove(json: JsonObject, { at = now, key = keyPair.publicKey } = {}) {
  const claim = signatureClaim(json);
  if (claim === undefined) return { refusal: 'no claim' };
  const passed = { json, text: JSON.stringify(json), claim, isSpare: false };
  return proveDocument({ ...services, now: () => at }, passed, async (creator) =>
    creator === keyId ? key : undefined,
  );
}

/** What is read of the original, once its unknown terms are left out, is what is read of the proved one. */
function reading(json: JsonObject) {
  return readActivity(json);
}

const contextLoader = async (address: string) => {
  const document = preloadedContexts[address];
  if (document === undefined) throw new Error(`${address} is not to be had`);
  return { contextUrl: null, documentUrl: address, document };
};

test('what is signed here is read back, without what this server does not read', async () => {
  const proof = await prove(await signedByBob(create));
  if (!('readable' in proof)) throw new Error(proof.refusal);
  expect(reading(proof.readable)).toEqual(reading(create));
  expect(proof.readable).not.toHaveProperty('signature');
  expect(proof.readable.object).not.toHaveProperty('conversation');
});

test('what Fedify signs is proved here', async () => {
  const { privateKey } = keyPair;
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign']);
  const signed = (await signJsonLd(create, key, new URL(keyId), { contextLoader })) as unknown as JsonObject;
  const proof = await prove(signed, { at: Date.now() });
  expect(proof).toHaveProperty('readable.type', 'Create');
});

test('what Fedify signs in its own form, with a proof beside the signature, is proved here', async () => {
  const [rsa, ed25519] = await Promise.all([
    generateCryptoKeyPair('RSASSA-PKCS1-v1_5'),
    generateCryptoKeyPair('Ed25519'),
  ]);
  const post = new Note({
    id: new URL(noteId),
    ...{ attribution: new URL(bob), content: 'from Fedify', sensitive: true, to: PUBLIC_COLLECTION },
    tags: [new Hashtag({ name: '#one', href: new URL('https://remote.example/tags/one') })],
  });
  const activity = new Create({ id: new URL(`${noteId}/c`), actor: new URL(bob), object: post, to: PUBLIC_COLLECTION });
  const proved = await signObject(activity, ed25519.privateKey, new URL(`${bob}#ed25519`), { contextLoader });
  const document = await proved.toJsonLd({ format: 'compact', contextLoader });
  const signed = (await signJsonLd(document, rsa.privateKey, new URL(keyId), {
    contextLoader,
  })) as unknown as JsonObject;
  const key = createPublicKey({ key: (await exportJwk(rsa.publicKey)) as never, format: 'jwk' });
  const proof = await prove(signed, { at: Date.now(), key });
  if (!('readable' in proof)) throw new Error(proof.refusal);
  expect(reading(proof.readable)).toEqual(reading(document as JsonObject));
  expect(await prove({ ...signed, proof: { type: 'other' } }, { at: Date.now(), key })).toHaveProperty('refusal');
});

test('what is signed here is proved by Fedify', async () => {
  const publicKeyPem = keyPair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const actor = {
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
    ...{ id: bob, type: 'Person', inbox: `${bob}/inbox`, publicKey: { id: keyId, owner: bob, publicKeyPem } },
  };
  const documentLoader = async (address: string) => ({ contextUrl: null, documentUrl: address, document: actor });
  const signed = await signedByBob(create);
  expect(await verifyJsonLd(signed, { contextLoader, documentLoader })).toBe(true);
  const changed = { ...signed, object: { ...note, content: 'other' } };
  expect(await verifyJsonLd(changed, { contextLoader, documentLoader })).toBe(false);
});

test.each<[string, (signed: JsonObject) => JsonObject, string]>([
  ['another text', (signed) => ({ ...signed, object: { ...note, content: 'other' } }), 'signature mismatch'],
  ['a warning left out', (signed) => ({ ...signed, object: { ...note, sensitive: null } }), 'signature mismatch'],
  ['another audience', (signed) => ({ ...signed, cc: [] }), 'signature mismatch'],
  [
    'another date of the signature',
    (signed) => ({ ...signed, signature: { ...(signed.signature as JsonObject), created: '2026-01-01T11:59:59Z' } }),
    'signature mismatch',
  ],
  [
    'a key of somebody else on its host',
    (signed) => ({ ...signed, signature: { ...(signed.signature as JsonObject), creator: `${bob}2#main-key` } }),
    'other key',
  ],
  [
    'a key on another host',
    (signed) => ({ ...signed, signature: { ...(signed.signature as JsonObject), creator: 'https://evil.example/k' } }),
    'no claim',
  ],
])('%s is not proved', async (_name, change, refusal) => {
  expect(await prove(change(await signedByBob(create)))).toEqual({ refusal });
});

test('signatures count for two days', async () => {
  const signed = await signedByBob(create);
  const { ageMilliseconds, skewMilliseconds } = documentLimits;
  expect(await prove(signed, { at: now + ageMilliseconds })).toHaveProperty('readable');
  expect(await prove(signed, { at: now + ageMilliseconds + 1_000 })).toEqual({ refusal: 'outdated' });
  expect(await prove(signed, { at: now - skewMilliseconds - 1_000 })).toEqual({ refusal: 'outdated' });
});

/** The same statements in other JSON: the signature fits, and the meaning would be another. */
describe('the same statements', () => {
  const inObject = (more: JsonObject) => (signed: JsonObject) => ({ ...signed, object: { ...note, ...more } });
  const { sensitive: _sensitive, summary: _summary, content: _content, ...rest } = note;
  const context = mastodonContext as readonly [string, JsonObject];
  const withTerm = (more: JsonObject) => [context[0], { ...context[1], ...more }, 'https://w3id.org/security/v1'];

  test.each<[string, (signed: JsonObject) => JsonObject, string]>([
    [
      'a warning under another term',
      (signed) => ({
        ...signed,
        '@context': withTerm({ hidden: 'as:sensitive' }),
        object: { ...rest, summary: note.summary, content: note.content, hidden: true },
      }),
      'other meaning',
    ],
    [
      'a warning under the name of its address',
      (signed) => ({
        ...signed,
        object: { ...rest, summary: note.summary, content: note.content, 'as:sensitive': true },
      }),
      'other meaning',
    ],
    [
      'text and summary exchanged by the context',
      (signed) => ({
        ...signed,
        '@context': withTerm({ summary: 'as:content', content: 'as:summary' }),
        object: { ...rest, sensitive: true, summary: note.content, content: note.summary! },
      }),
      'other meaning',
    ],
    [
      'a warning where nobody reads it',
      (signed) => ({
        ...signed,
        object: { ...rest, content: note.content },
        junk: { id: noteId, sensitive: true, summary: note.summary },
      }),
      'unsupported form',
    ],
    [
      'the status at the top, its activity included',
      (signed) => {
        const { object: _object, '@context': outer, signature, ...activity } = signed;
        return { '@context': outer, actor: bob, ...note, '@included': { ...activity, object: noteId }, signature };
      },
      'unsupported form',
    ],
    [
      'the status at the top, its activity by a term that turns around',
      (signed) => {
        const { object: _object, signature, ...activity } = signed;
        return {
          ...note,
          actor: bob,
          '@context': withTerm({ within: { '@reverse': 'as:object' } }),
          within: activity,
          signature,
        };
      },
      'unsupported form',
    ],
    [
      'an own graph',
      (signed) => ({ '@context': signed['@context'], actor: bob, '@graph': [create], signature: signed.signature }),
      'unsupported form',
    ],
    [
      'a node without an absolute id',
      inObject({ attachment: { id: 'x', type: 'Document', url: 'https://evil.example/1.png' } }),
      'unsupported form',
    ],
    ['a reference to nothing absolute', inObject({ inReplyTo: '../1' }), 'unsupported form'],
    [
      'an address that ends a statement',
      inObject({ inReplyTo: 'https://a.example/> .\n<https://b.example/' }),
      'unsupported form',
    ],
    [
      'a context from elsewhere',
      (signed) => ({ ...signed, '@context': ['https://evil.example/context', mastodonContext] }),
      'foreign context',
    ],
    [
      'a context from elsewhere in a term',
      (signed) => ({
        ...signed,
        '@context': withTerm({ object: { '@id': 'as:object', '@context': 'https://evil.example/c' } }),
      }),
      'foreign context',
    ],
    [
      'another base',
      (signed) => ({ ...signed, '@context': [mastodonContext, { '@base': 'https://evil.example/' }] as never }),
      'unsupported form',
    ],
    [
      'a name that all objects have',
      (signed) => JSON.parse(JSON.stringify(signed).replace('"sensitive"', '"__proto__"')),
      'unsupported form',
    ],
    ['a loop of contexts', (signed) => ({ ...signed, '@context': withTerm({ a: 'b:x', b: 'a:x' }) }), 'malformed'],
  ])('%s', async (_name, change, refusal) => {
    expect(await prove(change(await signedByBob(create)))).toEqual({ refusal });
  });

  test('terms that the context does not have are not read, whatever they are called', async () => {
    const signed = await signedByBob({ ...create, '@context': 'https://www.w3.org/ns/activitystreams' });
    // ActivityStreams has no `sensitive`: nothing of it is signed.
    expect(await prove(signed)).toEqual({ refusal: 'other meaning' });
    const { sensitive: _unsigned, ...plain } = note;
    const bare = {
      ...create,
      '@context': 'https://www.w3.org/ns/activitystreams',
      object: { ...plain, tag: [], attachment: [] },
    };
    const proof = await prove({ ...(await signedByBob(bare)), extra: 'nobody has signed this' });
    expect(proof).toHaveProperty('readable');
    expect(proof).not.toHaveProperty('readable.extra');
  });
});

test('documents that would cost too much are refused soon', async () => {
  const { blankNodesMax, valuesMax, bytesMax } = documentLimits;
  const bomb = (nodes: number) => {
    // Each node names all others, and no two differ.
    const ring = Array.from({ length: nodes }, () => ({
      type: 'Note',
      tag: Array.from({ length: 6 }, () => ({ type: 'Note' })),
    }));
    return { ...create, object: { ...note, tag: ring } };
  };
  const sign = (document: JsonObject) => ({
    ...document,
    signature: { type: 'RsaSignature2017', creator: keyId, created: '2026-01-01T12:00:00Z', signatureValue: 'AAAA' },
  });
  expect(await prove(sign(bomb(blankNodesMax)))).toEqual({ refusal: 'too complex' });
  const many = Array.from({ length: valuesMax + 1 }, (_, number) => `https://remote.example/${number}`);
  expect(await prove(sign({ ...create, cc: many }))).toEqual({ refusal: 'too complex' });
  expect(await prove(sign({ ...create, summary: 'x'.repeat(bytesMax) }))).toEqual({ refusal: 'too complex' });
  const before = process.cpuUsage();
  expect(await prove(sign(bomb(Math.floor(blankNodesMax / 8))))).toHaveProperty('refusal');
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(documentLimits.deadlineMilliseconds);
});
