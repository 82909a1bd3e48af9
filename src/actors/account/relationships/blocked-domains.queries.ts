/** Reads which domains an account hides. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { domainBlockOf, domainBlocks } from './blocked-domains.state.ts';

/** `domain` is undefined for local accounts. */
export function blocksDomain(reader: Reader, accountId: Id, domain: string | undefined): boolean {
  return domain !== undefined && reader.get(domainBlockOf, [accountId, domain]) !== undefined;
}

export function blockedDomains(reader: Reader, accountId: Id): ReadonlySet<string> {
  return new Set(Array.from(reader.range(domainBlocks, [accountId]), ({ value }) => value.domain));
}

export function blocksAnyDomain(reader: Reader, accountId: Id): boolean {
  for (const _block of reader.range(domainBlocks, [accountId], { limit: 1 })) return true;
  return false;
}
