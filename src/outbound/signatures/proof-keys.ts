/**
 * The Ed25519 keys with which documents of local accounts are proved (FEP-8b32). Each is derived from the account's RSA key
 * (HKDF, RFC 5869): accounts of older folders have one at once, nothing more has to be kept secret, and a new RSA key
 * brings a new one.
 */
import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { ed25519Multikey } from './multikey.ts';

/** Whatever is derived for another use has another text. */
const use = 'Ed25519 key for FEP-8b32 proofs';
/** Of PKCS#8 for a seed of Ed25519 (RFC 8410). */
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const seedBytes = 32;

/** `privateKeyPem`: of the RSA key. */
export function proofKeyOf(privateKeyPem: string): KeyObject {
  const secret = Buffer.from(privateKeyPem.replace(/-----[A-Z ]+-----/g, ''), 'base64');
  const seed = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), use, seedBytes));
  return createPrivateKey({ key: Buffer.concat([seedPrefix, seed]), format: 'der', type: 'pkcs8' });
}

/** Its public half as an actor shows it (`publicKeyMultibase`). */
export function proofKeyMultibase(privateKeyPem: string): string {
  return ed25519Multikey(createPublicKey(proofKeyOf(privateKeyPem)));
}
