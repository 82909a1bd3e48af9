/** Keys of HTTP signatures: parsing (PEM, Multikey), caching, generating, and guessing their owner. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { KeyCache } from './key-cache.ts';
import { signatureLimits } from './limits.ts';
import { publicKeyFromMultikey } from './multikey.ts';

const publicPemPattern = /^-----BEGIN (?:RSA )?PUBLIC KEY-----/;

/**
 * A public key from its text: PEM (SPKI or PKCS#1) or the `publicKeyMultibase` of a Multikey. Undefined for keys that
 * are not accepted: only RSA of 2048 to 8192 bits with a small exponent, and Ed25519, are.
 */
export function parsePublicKey(text: string): KeyObject | undefined {
  if (text.length > signatureLimits.keyTextCharactersMax) return undefined;
  const bare = text.trim();
  const key = publicPemPattern.test(bare) ? publicKeyFromPem(bare) : publicKeyFromMultikey(bare);
  return key !== undefined && isAcceptable(key) ? key : undefined;
}

function publicKeyFromPem(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch (error) {
    // OpenSSL reports a broken PEM in many ways; all mean the same here.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function isAcceptable(key: KeyObject): boolean {
  if (key.asymmetricKeyType === 'ed25519') return true;
  if (key.asymmetricKeyType !== 'rsa') return false;
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  return (
    modulusLength >= signatureLimits.rsaModulusBitsMin &&
    modulusLength <= signatureLimits.rsaModulusBitsMax &&
    publicExponent <= BigInt(signatureLimits.rsaExponentMax)
  );
}

/** A cache of remote public keys; one per thread that verifies. */
export function createPublicKeyCache(bytesMax: number): KeyCache {
  return new KeyCache(parsePublicKey, bytesMax);
}

/** A cache of private keys of this server, by their PEM; one per thread that signs. Throws for a broken PEM. */
export function createPrivateKeyCache(bytesMax: number): KeyCache {
  return new KeyCache(createPrivateKey, bytesMax);
}

export interface KeyPairPem {
  /** SPKI, as `publicKeyPem` of an actor shows it. */
  readonly publicKeyPem: string;
  /** PKCS#8. */
  readonly privateKeyPem: string;
}

const generateKeyPairAsync = promisify(generateKeyPair);

/** A new RSA-2048 pair, generated on the native thread pool (30 to 110 ms of it). */
export async function generateRsaKeyPair(): Promise<KeyPairPem> {
  const { publicKey, privateKey } = await generateKeyPairAsync('rsa', {
    modulusLength: signatureLimits.rsaModulusBitsGenerated,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicKeyPem: publicKey, privateKeyPem: privateKey };
}

/** Path endings of keys that are published separately from their actor. */
const keyPathPattern = /\/(?:main-key|publickey)$/i;

/**
 * The actor ids to which a keyId may belong, most likely first; the last one is what to fetch when none is known. Empty
 * for anything but an http(s) URL. `…/alice#main-key` belongs to alice; so does `…/alice/main-key` (GoToSocial), which
 * may also be a document of its own; a URL without either is the actor (pub-relay) or a document with an `owner`.
 */
export function keyOwnerCandidates(keyId: string): string[] {
  if (keyId.length > signatureLimits.keyIdCharactersMax || !/^https?:\/\//i.test(keyId)) return [];
  const url = URL.parse(keyId);
  if (url === null) return [];
  const fragmentAt = keyId.indexOf('#');
  const document = fragmentAt < 0 ? keyId : keyId.slice(0, fragmentAt);
  const actor = document.replace(keyPathPattern, '');
  return actor === document ? [document] : [actor, document];
}
