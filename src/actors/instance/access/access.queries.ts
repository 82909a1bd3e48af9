/** Reads of who may sign up or come at all. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { instanceKey } from '../instance.messages.ts';
import type { AddressBlock, UsernameBlock } from './access.records.ts';
import { accessOrder, addressBlocks, usernameBlocks } from './access.state.ts';
import type { AccessList } from './access-lists.ts';

export { addressList, canonicalEmailList, emailDomainList, usernameList } from './access-lists.ts';
export type { AccessList };

export function findAccessBlock<Entry extends { readonly id: bigint; readonly createdAt: number }>(
  reader: Reader,
  list: AccessList<Entry>,
  subject: string,
): Entry | undefined {
  return reader.get(list.keyspace, [instanceKey, subject]);
}

export function accessBlockWithId<Entry extends { readonly id: bigint; readonly createdAt: number }>(
  reader: Reader,
  list: AccessList<Entry>,
  blockId: Id,
): Entry | undefined {
  const named = reader.get(accessOrder, [instanceKey, list.number, blockId]);
  return named && findAccessBlock(reader, list, named.subject);
}

/** Latest first. */
export function accessBlocksPage<Entry extends { readonly id: bigint; readonly createdAt: number }>(
  reader: Reader,
  list: AccessList<Entry>,
  bounds: PageBounds,
): Page<Entry> {
  return takePage(
    reader.range(accessOrder, [instanceKey, list.number], rangeOf(bounds)),
    bounds,
    ({ key }) => key[2],
    ({ value }) => findAccessBlock(reader, list, value.subject),
  );
}

/** In no particular order. */
export function* allAddressBlocks(reader: Reader): Generator<AddressBlock> {
  for (const { value } of reader.range(addressBlocks, [instanceKey])) yield value;
}

/** In no particular order. */
export function* allUsernameBlocks(reader: Reader): Generator<UsernameBlock> {
  for (const { value } of reader.range(usernameBlocks, [instanceKey])) yield value;
}
