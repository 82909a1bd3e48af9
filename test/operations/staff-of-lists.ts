/** Rows of staff.test.ts: what the operations of subscribed blocklists are called with. */
import { Instance, instanceKey } from '../../src/actors/instance/instance.messages.ts';
import { operator } from '../../src/operations/caller.ts';
import { subscribeToDomainList } from '../../src/operations/domain-lists/subscriptions.ts';
import type { Callers } from './callers.ts';

export function listInputs(callers: () => Callers): Readonly<Record<string, () => unknown>> {
  const url = 'https://lists.example/list.csv';
  const onList = async (more: object = {}) => {
    const { services, people } = callers();
    const { id, readings } = await subscribeToDomainList({ caller: operator, services }, { url });
    const listed = { severity: 'silence' as const, rejectMedia: false, rejectReports: false, obfuscate: false };
    const rows = [{ domain: 'rude.example', listed }];
    await people.server.call(Instance.takeListedDomains.to(instanceKey, { listId: id, reading: readings, rows }));
    return { listId: id, ...more };
  };
  return {
    acceptListedDomains: () => onList({ domains: ['rude.example'] }),
    changeDomainList: () => onList({ title: 'Tier 1' }),
    explainDomain: () => ({ domain: 'rude.example' }),
    listDomainLists: () => ({}),
    listListedDomains: () => onList({ limit: 5 }),
    readDomainListNow: onList,
    refuseListedDomains: () => onList({ domains: ['rude.example'] }),
    showDomainList: onList,
    subscribeToDomainList: () => ({ url }),
    tryDomainList: () => ({ url }),
    unsubscribeFromDomainList: () => onList({ rules: 'keep' }),
  };
}
