/** Reads of rules for other servers. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import type { FederationMode } from '../../policy/domains.ts';
import { instanceKey } from '../instance.messages.ts';
import { settings } from '../instance.state.ts';
import type { DomainAllow, DomainBlock } from './domains.records.ts';
import { domainAllowOfId, domainAllows, domainBlockOfId, domainBlocks, domainPolicyStates } from './domains.state.ts';

export function federationModeOf(reader: Reader): FederationMode {
  return reader.get(settings, [instanceKey])?.federationMode ?? 'open';
}

/** How often the rules have changed. */
export function policyRevision(reader: Reader): number {
  return reader.get(domainPolicyStates, [instanceKey])?.revision ?? 0;
}

export function findDomainBlock(reader: Reader, domain: string): DomainBlock | undefined {
  return reader.get(domainBlocks, [instanceKey, domain]);
}

export function domainBlockWithId(reader: Reader, blockId: Id): DomainBlock | undefined {
  const named = reader.get(domainBlockOfId, [instanceKey, blockId]);
  return named && findDomainBlock(reader, named.domain);
}

/** In no particular order. */
export function* allDomainBlocks(reader: Reader): Generator<DomainBlock> {
  for (const { value } of reader.range(domainBlocks, [instanceKey])) yield value;
}

/** Latest first. */
export function domainBlocksPage(reader: Reader, bounds: PageBounds): Page<DomainBlock> {
  return takePage(
    reader.range(domainBlockOfId, [instanceKey], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ value }) => findDomainBlock(reader, value.domain),
  );
}

export function findDomainAllow(reader: Reader, domain: string): DomainAllow | undefined {
  return reader.get(domainAllows, [instanceKey, domain]);
}

export function domainAllowWithId(reader: Reader, allowId: Id): DomainAllow | undefined {
  const named = reader.get(domainAllowOfId, [instanceKey, allowId]);
  return named && findDomainAllow(reader, named.domain);
}

export function* allDomainAllows(reader: Reader): Generator<DomainAllow> {
  for (const { value } of reader.range(domainAllows, [instanceKey])) yield value;
}

/** Latest first. */
export function domainAllowsPage(reader: Reader, bounds: PageBounds): Page<DomainAllow> {
  return takePage(
    reader.range(domainAllowOfId, [instanceKey], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ value }) => findDomainAllow(reader, value.domain),
  );
}
