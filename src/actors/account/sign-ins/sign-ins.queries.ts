/** Reads the history of sign-ins. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { textOfAddressKey } from '../../policy/addresses.ts';
import type { FormerEmail, SignIn } from './sign-ins.records.ts';
import { formerEmails, signIns, usedAddresses } from './sign-ins.state.ts';

export interface StoredSignIn extends SignIn {
  readonly id: Id;
}

/** Newest first, also those that failed. */
export function signInsOf(reader: Reader, accountId: Id, bounds: PageBounds): Page<StoredSignIn> {
  return takePage(
    reader.range(signIns, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ key, value }): StoredSignIn => ({ id: key[1], ...value }),
  );
}

export interface AddressOfAccount {
  readonly address: string;
  readonly usedAt: number;
}

/** The one that was used last comes first. */
export function addressesOf(reader: Reader, accountId: Id): AddressOfAccount[] {
  const used = Array.from(reader.range(usedAddresses, [accountId]), ({ key: [, ...parts], value }) => ({
    address: textOfAddressKey(parts),
    usedAt: value.usedAt,
  }));
  return used.sort((one, other) => other.usedAt - one.usedAt);
}

/** The latest first. */
export function formerEmailsOf(reader: Reader, accountId: Id): FormerEmail[] {
  return Array.from(reader.range(formerEmails, [accountId], { reverse: true }), ({ value }) => value);
}
