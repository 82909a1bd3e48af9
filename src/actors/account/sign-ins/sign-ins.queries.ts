/** Reads the history of sign-ins. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { type AddressRange, halfMax, keysOfRange, textOfAddressKey } from '../../policy/addresses.ts';
import type { FormerEmail, SignIn } from './sign-ins.records.ts';
import { accountsOfAddresses, formerEmails, signIns, usedAddresses } from './sign-ins.state.ts';

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

/** Who used an address of the range, as far as one partition knows; in no order, and more than once. */
export function* idsOfAddresses(partition: Reader, range: AddressRange): Generator<Id> {
  const { first, last } = keysOfRange(range);
  const isWithinHalf = first[0] === last[0];
  const [prefix, from, until] = isWithinHalf ? [[first[0]], first[1], last[1]] : [[], first[0], last[0]];
  const behind = until === halfMax ? undefined : until + 1n;
  for (const { key } of partition.range(accountsOfAddresses, prefix, { from, until: behind })) yield key[2];
}

/** The latest first. */
export function formerEmailsOf(reader: Reader, accountId: Id): FormerEmail[] {
  return Array.from(reader.range(formerEmails, [accountId], { reverse: true }), ({ value }) => value);
}
