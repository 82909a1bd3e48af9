/**
 * Access tokens encrypted for push messages: apps find the account of a message by the token as issued, of which the
 * server keeps nothing else than digests. The key derives from the secrets of the server, and each sealed token is bound
 * to its subscription: moved to another one it does not open.
 *
 *   base64url of: nonce (12 bytes), ciphertext, tag (16 bytes); AES-256-GCM
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { InstanceSecrets } from '../actors/instance/instance.messages.ts';

/** What a sealed token belongs to. */
export interface TokenBinding {
  readonly accountId: bigint;
  /** The digest of the token. */
  readonly tokenId: string;
  /** Of the push service. */
  readonly endpoint: string;
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

const keyBytes = 32;

/** Of the server: the same for all its tokens, and for nothing else. */
export function sealingKey({ formSecret }: Pick<InstanceSecrets, 'formSecret'>): Buffer {
  return Buffer.from(hkdfSync('sha256', formSecret, '', 'access tokens of push subscriptions', keyBytes));
}

export function sealToken(key: Buffer, binding: TokenBinding, token: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(boundTo(binding));
  const sealed = [nonce, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

/** Undefined where it was sealed with other secrets, or for another subscription. */
export function openToken(key: Buffer, binding: TokenBinding, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const text = bytes.subarray(nonceBytes, -tagBytes);
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
  decipher.setAAD(boundTo(binding)).setAuthTag(bytes.subarray(-tagBytes));
  try {
    return decipher.update(text, undefined, 'utf8') + decipher.final('utf8');
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function boundTo({ accountId, tokenId, endpoint }: TokenBinding): Buffer {
  return Buffer.from(`${accountId} ${tokenId} ${endpoint}`);
}
