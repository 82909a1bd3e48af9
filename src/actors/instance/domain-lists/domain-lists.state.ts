/** The keyspaces of subscribed lists of domains: 240, 67 and 68. */
import { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { awaits, countEntries, disagreement, isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { domainBlocks } from '../domains/domains.state.ts';
import { Instance, instanceKey } from '../instance.messages.ts';
import { instanceLimits } from '../limits.ts';
import { DomainListSubscription, ListedDomain } from './domain-lists.records.ts';

const owner = 'instance';
const { domainListsMax, domainListEntriesMax } = instanceLimits;

export const domainLists = keyspace<[string, bigint], DomainListSubscription>({
  number: 240,
  name: 'subscribed domain lists',
  owner,
  key: [hashedString('instance'), id('list')],
  value: record(DomainListSubscription),
  bound: { by: 'count', entries: domainListsMax },
});

/** Refused domains stay when their list no longer names them (`domainListEntriesMax`); a turn may add some more. */
const addedMax = 100;
const entries = domainListsMax * (domainListEntriesMax + addedMax);

export const listedDomains = keyspace<[string, bigint, string], ListedDomain>({
  number: 67,
  name: 'listed domains',
  owner,
  key: [hashedString('instance'), id('list'), hashedString('domain')],
  value: record(ListedDomain),
  bound: { by: 'count', entries },
});

const Named = z.object({ domain: z.string() });

/** Which lists name a domain. */
export const listsOfDomains = keyspace<[string, string, bigint], z.infer<typeof Named>>({
  number: 68,
  name: 'lists of domains',
  owner,
  derived: true,
  key: [hashedString('instance'), hashedString('domain'), id('list')],
  value: record(Named),
  bound: { by: 'count', entries },
});

interface OfList {
  readonly listId: bigint;
}

export const domainListRules: readonly Rule[] = [
  rule(domainLists, ([, listId], { entries: said, inForce, suggested }, reader) => {
    const stored = Array.from(reader.range(listedDomains, [instanceKey, listId]), ({ value }) => value);
    return (
      disagreement('domains', said, countEntries(reader, listedDomains, [instanceKey, listId])) ??
      disagreement('domains in force', inForce, stored.filter((one) => one.inForce !== undefined).length) ??
      disagreement('suggestions', suggested, stored.filter(({ state }) => state === 'suggested').length)
    );
  }),
  awaits(domainLists, [Instance.domainListDue, Instance.endDomainList], {
    isMeant: ([, listId], body: OfList) => body.listId === listId,
  }),
  awaits(domainLists, [Instance.decideFurther], {
    isAwaiting: (_key, { deciding }) => deciding !== undefined,
    isMeant: ([, listId], body: OfList) => body.listId === listId,
  }),
  rule(listedDomains, ([, listId], { domain, inForce }, reader, bytes) => {
    if (!isKey(listedDomains, [instanceKey, listId, domain], bytes)) return 'has another key than its domain';
    if (reader.get(domainLists, [instanceKey, listId]) === undefined) return 'belongs to no list';
    if (reader.get(listsOfDomains, [instanceKey, domain, listId]) === undefined) return 'is not found by its domain';
    const isOfLists = reader.get(domainBlocks, [instanceKey, domain])?.isOfLists === true;
    return inForce === undefined || isOfLists ? undefined : 'is in force without a rule of lists';
  }),
  rule(listsOfDomains, ([, , listId], { domain }, reader, bytes) => {
    if (!isKey(listsOfDomains, [instanceKey, domain, listId], bytes)) return 'has another key than its domain';
    const isNamed = reader.get(listedDomains, [instanceKey, listId, domain]) !== undefined;
    return isNamed ? undefined : 'leads to a list that does not name it';
  }),
  rule(domainBlocks, (_key, { domain, isOfLists }, reader) => {
    if (isOfLists !== true) return undefined;
    const lists = Array.from(reader.range(listsOfDomains, [instanceKey, domain]), ({ key }) => key[2]);
    const isWanted = lists.some(
      (list) => reader.get(listedDomains, [instanceKey, list, domain])?.inForce !== undefined,
    );
    return isWanted ? undefined : 'is a rule of lists that no list asks for';
  }),
];
