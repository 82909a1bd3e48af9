/**
 * Challenges that passkeys sign. Nothing is stored of one that is given out: it says itself until when it holds, and is bound
 * to what it is for, to the browser that got it, and to the account where that is known. The account remembers those that
 * were used, so that each admits once.
 *
 *   random (16 bytes) · end in milliseconds since 1970 (6 bytes) · MAC (HMAC-SHA-256, 16 bytes), in base64url
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { InstanceSecrets } from '../actors/instance/instance.messages.ts';
import type { Id } from '../runtime/ids.ts';
import { keyFor } from './sealing.ts';

export type ChallengePurpose = 'sign in' | 'second step' | 'owner' | 'new passkey';

export interface ChallengeBinding {
  readonly purpose: ChallengePurpose;
  /** The secret of the browser. */
  readonly browser: string;
  /** Undefined where the passkey says whose it is. */
  readonly accountId: Id | undefined;
}

const randomLength = 16;
const endLength = 6;
const headLength = randomLength + endLength;
const macLength = 16;

/** For as long as a page stands open while somebody looks for a key. */
export const challengeMilliseconds = 10 * 60 * 1_000;

export function challengeKey(secrets: Pick<InstanceSecrets, 'formSecret'>): Buffer {
  return keyFor('challenges of passkeys', secrets);
}

/** `now` in milliseconds since 1970. */
export function drawChallenge(key: Buffer, binding: ChallengeBinding, now: number): Buffer {
  const head = Buffer.alloc(headLength);
  randomBytes(randomLength).copy(head);
  head.writeUIntBE(now + challengeMilliseconds, randomLength, endLength);
  return Buffer.concat([head, macOf(key, binding, head)]);
}

/** Until when it holds; undefined for one that does not, or was given out for something else. */
export function endOfChallenge(
  key: Buffer,
  binding: ChallengeBinding,
  challenge: string,
  now: number,
): number | undefined {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== headLength + macLength) return undefined;
  const head = bytes.subarray(0, headLength);
  if (!timingSafeEqual(bytes.subarray(headLength), macOf(key, binding, head))) return undefined;
  const end = head.readUIntBE(randomLength, endLength);
  return now < end ? end : undefined;
}

function macOf(key: Buffer, { purpose, browser, accountId }: ChallengeBinding, head: Buffer): Buffer {
  const mac = createHmac('sha256', key)
    .update(head)
    .update(`${purpose} ${accountId ?? ''} ${browser}`);
  return mac.digest().subarray(0, macLength);
}
