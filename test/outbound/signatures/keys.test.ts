import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createPrivateKeyCache,
  createPublicKeyCache,
  generateRsaKeyPair,
  keyOwnerCandidates,
  parsePublicKey,
} from '../../../src/outbound/signatures/keys.ts';
import { decodeBase58 } from '../../../src/outbound/signatures/multikey.ts';
import { alice, bob, carol } from './requests.ts';

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Base58 by arithmetic on one large number, the slow definition. */
function encodeBase58(bytes: Buffer): string {
  let number = BigInt(`0x0${bytes.toString('hex')}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = alphabet[Number(number % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}

function multikey(prefix: number[], key: Buffer): string {
  return `z${encodeBase58(Buffer.concat([Buffer.from(prefix), key]))}`;
}

const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }) as string;
const rawEd25519 = Buffer.from(carol.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
const largeExponent = createPublicKey({
  key: { ...alice.publicKey.export({ format: 'jwk' }), e: Buffer.alloc(200, 0xff).toString('base64url') },
  format: 'jwk',
});

describe('public keys', () => {
  it.each<[string, string, KeyObject]>([
    ['SPKI', spki(alice.publicKey), alice.publicKey],
    ['SPKI with blanks around', `\n ${spki(alice.publicKey)}\n\n`, alice.publicKey],
    ['PKCS#1', alice.publicKey.export({ type: 'pkcs1', format: 'pem' }) as string, alice.publicKey],
    ['Ed25519 in PEM', spki(carol.publicKey), carol.publicKey],
    ['Ed25519 as Multikey', multikey([0xed, 0x01], rawEd25519), carol.publicKey],
    [
      'RSA as Multikey',
      multikey([0x85, 0x24], alice.publicKey.export({ type: 'pkcs1', format: 'der' })),
      alice.publicKey,
    ],
  ])('%s', (_name, text, expected) => {
    expect(parsePublicKey(text)?.equals(expected)).toBe(true);
  });

  it.each([
    ['RSA-1024', spki(weak)],
    ['an exponent that makes verification slow', spki(largeExponent)],
    ['an elliptic curve', spki(elliptic)],
    ['a private key', alice.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string],
    ['a broken PEM', spki(alice.publicKey).replace('A', '')],
    ['no key at all', 'hello'],
    ['nothing', ''],
    ['a Multikey cut short', multikey([0xed, 0x01], rawEd25519).slice(0, -4)],
    ['a Multikey of another codec', multikey([0x80, 0x24], rawEd25519)],
    ['a Multikey in another base', `u${rawEd25519.toString('base64url')}`],
    ['a Multikey with a letter that base58 lacks', 'z6Mk0OIl'],
    ['a Multikey of nonsense', multikey([0x85, 0x24], randomBytes(270))],
    ['a very long text', `z${'1'.repeat(100_000)}`],
  ])('refuses %s', (_name, text) => {
    expect(parsePublicKey(text)).toBeUndefined();
  });

  it('reads the base58 vector of the Multikey specification', () => {
    expect(decodeBase58('6Mkf5rGMoatrSj1f4CyvuHBeXJELe9RPdzo2PKGNCKVtZxP')?.subarray(0, 2)).toEqual(
      Buffer.from([0xed, 0x01]),
    );
  });

  it.each([0, 1, 2, 33, 500])('base58 of %i bytes, zeros first', (length) => {
    const bytes = Buffer.concat([Buffer.alloc(2), randomBytes(length)]);
    expect(decodeBase58(encodeBase58(bytes))?.equals(bytes)).toBe(true);
  });
});

describe('key caches', () => {
  it('parse a text once and forget what was used longest ago', () => {
    const roomForTwo = 11_000;
    const cache = createPublicKeyCache(roomForTwo);
    const [first, second, third] = [spki(alice.publicKey), spki(bob.publicKey), spki(carol.publicKey)];
    const kept = cache.get(first);
    const dropped = cache.get(second);
    expect(cache.get(first)).toBe(kept);
    cache.get(third);
    expect(cache.size).toBe(2);
    expect(cache.get(first)).toBe(kept);
    expect(cache.get(second)).not.toBe(dropped);
  });

  it('do not keep what is no key', () => {
    const cache = createPublicKeyCache(10_000);
    expect(cache.get('hello')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('of private keys give the same object for the same PEM', () => {
    const cache = createPrivateKeyCache(10_000);
    const pem = alice.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    expect(cache.get(pem)).toBe(cache.get(pem));
    expect(cache.get(pem)?.equals(alice.privateKey)).toBe(true);
  });
});

it('a new key pair belongs together and has 2048 bits', async () => {
  const { publicKeyPem, privateKeyPem } = await generateRsaKeyPair();
  expect(publicKeyPem).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  expect(parsePublicKey(publicKeyPem)?.asymmetricKeyDetails?.modulusLength).toBe(2048);
  expect(createPrivateKey(privateKeyPem).asymmetricKeyDetails?.modulusLength).toBe(2048);
  expect(publicKeyPem).toBe(spki(createPublicKey(privateKeyPem)));
});

describe('owners of a keyId', () => {
  it.each([
    ['https://a.example/users/alice#main-key', ['https://a.example/users/alice']],
    [
      'https://a.example/users/alice/main-key',
      ['https://a.example/users/alice', 'https://a.example/users/alice/main-key'],
    ],
    ['https://a.example/users/7/publickey', ['https://a.example/users/7', 'https://a.example/users/7/publickey']],
    ['https://relay.example/actor', ['https://relay.example/actor']],
    ['https://a.example/users/alice?x=1#key', ['https://a.example/users/alice?x=1']],
    ['acct:alice@a.example', []],
    ['javascript:alert(1)', []],
    ['https://', []],
    ['', []],
    [`https://a.example/${'a'.repeat(3_000)}`, []],
  ])('%s', (keyId, expected) => {
    expect(keyOwnerCandidates(keyId)).toEqual(expected);
  });
});
