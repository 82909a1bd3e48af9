/** Random secrets of 256 bits, compared in constant time. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { digestOfSecret } from '../actors/session/session.messages.ts';

const secretBytes = 32;

/** For client ids, client secrets, codes, tokens and cookies: 43 characters of base64url. */
export function drawSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** Whether two texts of any length are equal; the time taken does not depend on their content. */
export function sameText(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(digestOfSecret(one)), Buffer.from(digestOfSecret(other)));
}

export function isSecretOf(secret: string, digest: string): boolean {
  return sameText(digestOfSecret(secret), digest);
}
