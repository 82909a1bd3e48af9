/** All suggestions of a list decided at once: slice by slice, whenever the process ends. */
import { beforeEach, expect, test } from 'vitest';
import { auditPage } from '../../../src/actors/audit.queries.ts';
import { actors, keyspaces, rules } from '../../../src/actors/catalogue.ts';
import { demandList, findListedDomain } from '../../../src/actors/instance/domain-lists/domain-lists.queries.ts';
import type { DomainListSettings } from '../../../src/actors/instance/domain-lists/domain-lists.records.ts';
import { domainLists } from '../../../src/actors/instance/domain-lists/domain-lists.state.ts';
import { allDomainBlocks } from '../../../src/actors/instance/domains/domains.queries.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { instanceLimits } from '../../../src/actors/instance/limits.ts';
import { createTestServer, type TestServer } from '../../support/actors.ts';
import { MemoryStore } from '../../support/memory-log.ts';
import { assertSound } from '../../support/sound.ts';

const settings: DomainListSettings = {
  ...{ title: 'Tier 1', url: 'https://lists.example/list.csv', form: 'csv', mode: 'suggest', severityMax: 'suspend' },
  ...{ followsRetractions: true, obfuscates: false, takesComments: true, followsMax: 0, hours: 24 },
};
const listed = { severity: 'suspend' as const, rejectMedia: false, rejectReports: false, obfuscate: false };
const audit = { action: 'acceptDomainSuggestion', by: 'account', accountId: 7n } as const;
const { domainListRowsPerTurn: perTurn } = instanceLimits;
const count = perTurn * 2 + 1;

let server: TestServer;
let listId: bigint;

const create = (disks?: TestServer['disks']) =>
  createTestServer({ actors, keyspaces, ...(disks === undefined ? { partitions: 1 } : { disks: disks as never }) });

async function found(domains: readonly string[]): Promise<void> {
  const { readings: reading } = demandList(server.read, listId);
  for (let first = 0; first < domains.length; first += perTurn) {
    const rows = domains.slice(first, first + perTurn).map((domain) => ({ domain, listed }));
    await server.call(Instance.takeListedDomains.to(instanceKey, { listId, reading, rows }));
  }
}

const decideAll = (isAccepted: boolean) =>
  Instance.decideAllListed.to(instanceKey, { listId, isAccepted, suggestedUntil: server.clock.now(), audit });
const rulesOf = ({ read }: TestServer) => [...allDomainBlocks(read)].length;
const writtenOf = ({ read }: TestServer) => auditPage(read, { by: 'account' }, { limit: 100 }).items.length;

beforeEach(async () => {
  server = create();
  ({ id: listId } = await server.call(Instance.subscribeToDomainList.to(instanceKey, settings)));
  await found(Array.from({ length: count }, (_, index) => `rude${index}.example`));
});

test('all of them are decided whenever the process ends, once each', async () => {
  const outcomes = new Set<number>();
  const [disk] = server.disks as readonly MemoryStore[];
  for (let steps = 0, isOver = false; !isOver; steps += 1) {
    const copy = new MemoryStore();
    copy.restore(disk!.copy());
    server = create([copy]);
    server.send(decideAll(true));
    for (let step = 0; step < steps && !isOver; step += 1) isOver = !server.step();
    const next = create(server.disks);
    next.settle();
    const decided = rulesOf(next);
    outcomes.add(decided);
    expect(writtenOf(next)).toBe(decided);
    expect(demandList(next.read, listId)).toMatchObject({ suggested: count - decided, inForce: decided });
    expect(demandList(next.read, listId).deciding).toBeUndefined();
    assertSound(next.disks, rules);
  }
  expect([...outcomes]).toEqual([0, count]);
});

test('the answer tells how many are left, and nobody decides about all of them meanwhile', async () => {
  expect(await server.call(decideAll(true))).toEqual({ decided: perTurn, left: count - perTurn });
  expect(demandList(server.read, listId)).toMatchObject({ suggested: 0, inForce: count });
  const deciding = { isAccepted: true, suggestedUntil: server.clock.now(), decided: 20 };
  server.turn(Instance.actor, instanceKey, (turn) => {
    turn.put(domainLists, [instanceKey, listId], { ...demandList(turn, listId), deciding });
  });
  await expect(server.call(decideAll(false))).rejects.toMatchObject({ code: 'conflict' });
});

test('what is suggested later waits for another decision', async () => {
  const message = decideAll(false);
  server.clock.advance(1);
  await found(['late.example', 'rude0.example']);
  await server.call(message);
  expect(findListedDomain(server.read, listId, 'rude0.example')).toMatchObject({ state: 'refused' });
  expect(demandList(server.read, listId)).toMatchObject({ suggested: 1, inForce: 0 });
  expect(findListedDomain(server.read, listId, 'late.example')).toMatchObject({ state: 'suggested' });
});

test('it ends with the subscription', async () => {
  await server.callOnly(decideAll(true));
  const end = { listId, rules: 'remove' as const, audit: { ...audit, action: 'unsubscribeFromDomainList' as const } };
  await server.call(Instance.unsubscribeFromDomainList.to(instanceKey, end));
  expect(rulesOf(server)).toBe(0);
  assertSound(server.disks, rules);
});
