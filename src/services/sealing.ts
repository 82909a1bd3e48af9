/**
 * Encrypts what the server has to read again, but storage must not tell: the key derives from the secrets of the server, one
 * for each purpose, and what is sealed is bound to where it belongs: moved elsewhere it does not open.
 *
 *   base64url of: nonce (12 bytes), ciphertext, tag (16 bytes); AES-256-GCM
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { InstanceSecrets } from '../actors/instance/instance.messages.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/** Of the server: the same for everything of this purpose, and for nothing else. */
export function keyFor(purpose: string, { formSecret }: Pick<InstanceSecrets, 'formSecret'>): Buffer {
  return Buffer.from(hkdfSync('sha256', formSecret, '', purpose, keyBytes));
}

export function seal(key: Buffer, boundTo: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(boundTo));
  const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

/** Undefined where it was sealed with another key, or is bound to something else. */
export function unseal(key: Buffer, boundTo: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const text = bytes.subarray(nonceBytes, -tagBytes);
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(bytes.subarray(-tagBytes));
  try {
    return decipher.update(text, undefined, 'utf8') + decipher.final('utf8');
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
