/** Reads of subscribed lists of domains. */
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { instanceKey } from '../instance.messages.ts';
import type { DomainListSubscription, ListedDomain } from './domain-lists.records.ts';
import { domainLists, listedDomains, listsOfDomains } from './domain-lists.state.ts';

/** Those that are not being removed, oldest first. */
export function allDomainLists(reader: Reader): DomainListSubscription[] {
  const stored = Array.from(reader.range(domainLists, [instanceKey]), ({ value }) => value);
  return stored.filter(({ ending }) => ending === undefined);
}

export function findDomainList(reader: Reader, listId: Id): DomainListSubscription | undefined {
  const list = reader.get(domainLists, [instanceKey, listId]);
  return list?.ending === undefined ? list : undefined;
}

/** Throws Failure notFound. */
export function demandList(reader: Reader, listId: Id): DomainListSubscription {
  const list = findDomainList(reader, listId);
  if (list === undefined) throw new Failure('notFound');
  return list;
}

/** In no particular order. */
export function* domainsOfList(reader: Reader, listId: Id): Generator<ListedDomain> {
  for (const { value } of reader.range(listedDomains, [instanceKey, listId])) yield value;
}

export function findListedDomain(reader: Reader, listId: Id, domain: string): ListedDomain | undefined {
  return reader.get(listedDomains, [instanceKey, listId, domain]);
}

export interface NamingList {
  readonly listId: Id;
  readonly entry: ListedDomain;
}

/** The lists that name a domain or have named it, oldest first, also those that are being removed. */
export function listsNaming(reader: Reader, domain: string): NamingList[] {
  const ids = Array.from(reader.range(listsOfDomains, [instanceKey, domain]), ({ key }) => key[2]);
  return ids.flatMap((listId) => {
    const entry = findListedDomain(reader, listId, domain);
    return entry === undefined ? [] : { listId, entry };
  });
}
