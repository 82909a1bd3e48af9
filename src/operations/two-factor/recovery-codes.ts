/** Recovery codes: each is used once, where the app or the passkey is lost. 80 random bits, so a plain digest protects them. */
import { randomBytes } from 'node:crypto';
import { twoFactorLimits } from '../../actors/account/two-factor/limits.ts';
import { digestOfSecret } from '../../actors/session/session.messages.ts';
import type { Id } from '../../runtime/ids.ts';

/** Without those that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz023456789';
const characters = 16;
const groups = /.{4}(?=.)/g;

export interface NewRecoveryCodes {
  /** As they are shown, once: `abcd-efgh-jkmn-pqrs`. */
  readonly codes: readonly string[];
  /** As they are stored. */
  readonly digests: string[];
}

export function drawRecoveryCodes(accountId: Id): NewRecoveryCodes {
  const codes = Array.from({ length: twoFactorLimits.recoveryCodes }, drawCode);
  return { codes, digests: codes.map((code) => digestOfRecoveryCode(accountId, code)) };
}

function drawCode(): string {
  // 256 is a multiple of the length of the alphabet: all characters are as likely.
  const drawn = Array.from(randomBytes(characters), (byte) => alphabet[byte % alphabet.length]).join('');
  return drawn.replaceAll(groups, '$&-');
}

/** However it is typed. */
export function digestOfRecoveryCode(accountId: Id, code: string): string {
  return digestOfSecret(`${accountId} ${code.toLowerCase().replaceAll(/[\s-]/g, '')}`);
}
