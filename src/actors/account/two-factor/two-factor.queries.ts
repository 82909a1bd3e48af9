/** Reads what an account signs in with besides its password. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Passkey, TwoFactor } from './two-factor.records.ts';
import { passkeys, twoFactors } from './two-factor.state.ts';

/** Undefined for an account that signs in with its password alone. */
export function twoFactorOf(reader: Reader, accountId: Id): TwoFactor | undefined {
  return reader.get(twoFactors, [accountId]);
}

export interface ListedPasskey {
  readonly id: Id;
  readonly passkey: Passkey;
}

/** In the order in which they were added. */
export function passkeysOf(reader: Reader, accountId: Id): ListedPasskey[] {
  return Array.from(reader.range(passkeys, [accountId]), ({ key, value }) => ({ id: key[1], passkey: value }));
}
