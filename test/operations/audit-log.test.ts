/** Pages and filters of the audit log. */
import { describe, expect, test, vi } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { auditMoments, auditPage, type StoredAuditEntry } from '../../src/actors/audit.queries.ts';
import * as auditKeyspaces from '../../src/actors/audit.state.ts';
import { auditEntries, auditIndex, lastAuditMoment, nameOfFacet, recordAudit } from '../../src/actors/audit.state.ts';
import { Instance, instanceKey } from '../../src/actors/instance/instance.messages.ts';
import { allWarningPresets } from '../../src/actors/instance/warning-presets/warning-presets.queries.ts';
import { readingLimits } from '../../src/actors/limits.ts';
import { limitAccount } from '../../src/operations/administration/limit-account.ts';
import { addAccountNote } from '../../src/operations/administration/moderation-notes.ts';
import { addRule } from '../../src/operations/administration/server-rules.ts';
import { suspendAccount, unsuspendAccount } from '../../src/operations/administration/suspend-account.ts';
import {
  addWarningPreset,
  changeWarningPreset,
  removeWarningPreset,
} from '../../src/operations/administration/warning-presets.ts';
import { operator } from '../../src/operations/caller.ts';
import { changeDomainList, subscribeToDomainList } from '../../src/operations/domain-lists/subscriptions.ts';
import { Failure } from '../../src/runtime/errors.ts';
import type { Turn } from '../../src/runtime/partition/turn.ts';
import { keyspacesOf } from '../../src/runtime/storage/keyspace.ts';
import { Callers } from './callers.ts';

test('newest first, in pages, and by what is asked for', async () => {
  const callers = new Callers();
  const bob = callers.people.local('bob');
  const onBob = () => ({ account: bob.id });
  const asOperator = { caller: operator, services: callers.services };
  const log = (filter = {}) => auditPage(callers.people.server.read, filter, { limit: 40 }).items;
  const rule = () => addRule(asOperator, { text: 'Be kind', hint: '' });
  const dora = callers.people.local('dora', {}, { role: 'moderator' });
  const asDora = callers.as(dora);
  const carol = callers.people.local('carol');
  const acts = [
    () => suspendAccount(asDora, onBob()),
    () => suspendAccount(asOperator, { account: carol.id }),
    rule,
    () => unsuspendAccount(asDora, onBob()),
  ];
  for (const act of acts) {
    await act();
    callers.people.server.clock.advance(1);
  }
  const all = log();
  expect(all.map(({ action }) => action)).toEqual(['unsuspendAccount', 'addRule', 'suspendAccount', 'suspendAccount']);
  const [last, ruled, ofCarol, first] = all as [StoredAuditEntry, StoredAuditEntry, StoredAuditEntry, StoredAuditEntry];
  const filters: [object, readonly StoredAuditEntry[]][] = [
    [{ by: 'account', accountId: dora.id }, [last, first]],
    [{ by: 'account' }, [last, first]],
    [{ by: 'commandLine' }, [ruled, ofCarol]],
    [{ action: 'suspendAccount' }, [ofCarol, first]],
    [{ target: 'account' }, [last, ofCarol, first]],
    [{ target: 'account', targetId: String(bob.id) }, [last, first]],
    [{ target: 'rule', targetId: '1', by: 'account' }, []],
    [{ action: 'suspendAccount', by: 'commandLine' }, [ofCarol]],
  ];
  for (const [filter, expected] of filters) expect(log(filter)).toEqual(expected);
  const { read } = callers.people.server;
  const ids = (bounds: object) => auditPage(read, {}, { limit: 2, ...bounds }).items.map(({ id }) => id);
  expect(ids({ maxId: last.id })).toEqual([ruled.id, ofCarol.id]);
  expect(ids({ minId: first.id })).toEqual([ruled.id, ofCarol.id]);
});

test('what is looked for is found among any number of others', async () => {
  const callers = new Callers();
  const asOperator = { caller: operator, services: callers.services };
  await addWarningPreset(asOperator, { title: 'Spam', text: 'No' });
  const { server } = callers.people;
  server.turn(Instance.actor, instanceKey as never, (turn) => {
    for (let count = 0; count <= readingLimits.entriesPerPageMax; count += 1)
      recordAudit(turn, { action: 'addRule', by: 'commandLine' }, { targetId: String(count), name: 'Be kind' });
  });
  const page = auditPage(server.read, { target: 'warningPreset' }, { limit: 40 });
  expect(page).toMatchObject({ items: [{ action: 'addWarningPreset' }], full: false });
});

test.each([
  ['the server', Instance.actor, instanceKey],
  ['an account', Account.actor, 1n],
])('no turn of %s changes or deletes what is there', async (_whose, actor, key) => {
  const callers = new Callers();
  await addRule({ caller: operator, services: callers.services }, { text: 'Be kind', hint: '' });
  const { server } = callers.people;
  const log = () => auditPage(server.read, {}, { limit: 40 }).items;
  const written = log();
  const [{ id, ...entry }] = written as [StoredAuditEntry];
  const facet = nameOfFacet({ action: 'addRule' });
  const all = { ...entry, changes: [...entry.changes] };
  const acts: ((turn: Turn<never>) => void)[] = [
    (turn) => turn.delete(auditEntries, [id]),
    (turn) => turn.delete(auditIndex, [facet, id]),
    // Others write to it in their own partition.
    (turn) =>
      actor === Instance.actor
        ? turn.put(auditEntries, [id], { ...all, name: 'Nothing' })
        : turn.delete(auditEntries, [id]),
  ];
  for (const act of acts)
    server.turn(actor, key as never, (turn) => {
      expect(() => act(turn)).toThrow('are written once');
    });
  expect(log()).toEqual(written);
});

test('every keyspace of the log is written once, but for the last moment', () => {
  const changing = keyspacesOf(auditKeyspaces).filter(({ appendOnly }) => !appendOnly);
  expect(changing.map(({ name }) => name)).toEqual([lastAuditMoment.name]);
});

describe('who decides second about something', () => {
  const presetOf = (callers: Callers) => allWarningPresets(callers.people.server.read)[0]!;
  const withTwo = async () => {
    const callers = new Callers();
    const staff = (name: string) => callers.as(callers.people.local(name, {}, { role: 'admin' }));
    const [ada, olga] = [staff('ada'), staff('olga')];
    const { id: presetId } = await addWarningPreset(ada, { title: 'Spam', text: 'No' });
    callers.people.server.clock.advance(1);
    const known = auditMoments(callers.people.server.read);
    return { callers, ada, olga, presetId, asShown: { ...olga, caller: { ...olga.caller, known } } };
  };
  const late = { code: 'conflict', reason: 'decidedMeanwhile', text: expect.stringContaining(' by ada, at ') };

  test('is told who was first, and changes nothing', async () => {
    const { callers, ada, asShown, presetId } = await withTwo();
    await changeWarningPreset(ada, { presetId, text: 'Never' });
    const entries = () => auditPage(callers.people.server.read, {}, { limit: 40 }).items.length;
    const before = entries();
    for (const decide of [
      () => changeWarningPreset(asShown, { presetId, title: 'Ads' }),
      () => removeWarningPreset(asShown, { presetId }),
    ])
      await expect(decide()).rejects.toMatchObject({
        ...late,
        text: `Decided already: changeWarningPreset by ada, at ${new Date(callers.services.now()).toISOString()}`,
      });
    expect([presetOf(callers), entries()]).toEqual([{ id: presetId, title: 'Spam', text: 'Never' }, before]);
  });

  test('is let through where nothing was decided, or by himself', async () => {
    const { callers, ada, asShown, presetId } = await withTwo();
    await addWarningPreset(ada, { title: 'Other', text: 'No' });
    for (const text of ['Never', 'Please not']) {
      callers.people.server.clock.advance(1);
      await changeWarningPreset(asShown, { presetId, text });
    }
    expect(presetOf(callers).text).toBe('Please not');
  });

  test('is refused in the same moment, with what he has not been shown', async () => {
    const { callers, ada, olga, presetId } = await withTwo();
    const { client } = callers.services;
    const call = client.call.bind(client);
    // Ada decides after what Olga's operation has read, and before what it writes.
    vi.spyOn(client, 'call').mockImplementationOnce(async (...message) => {
      await changeWarningPreset(ada, { presetId, title: 'Ads' });
      return call(...message);
    });
    const second = changeWarningPreset(olga, { presetId, text: 'Never' });
    await expect(second).rejects.toMatchObject(late);
    expect(presetOf(callers)).toEqual({ id: presetId, title: 'Ads', text: 'No' });
  });

  test('about an account too, whose reports stay open', async () => {
    const { callers, ada, asShown } = await withTwo();
    const bob = callers.people.local('bob');
    const carol = callers.people.local('carol');
    const said = { targetId: bob.id, statusIds: [], ruleIds: [], category: 'spam' as const, comment: '' };
    const { reportId } = await callers.people.server.call(Account.fileReport.to(carol.id, said));
    callers.people.server.clock.advance(1);
    await limitAccount(ada, { account: bob.id });
    await expect(suspendAccount(asShown, { account: bob.id, reportId })).rejects.toBeInstanceOf(Failure);
    await expect(suspendAccount(asShown, { account: bob.id })).rejects.toMatchObject(late);
    expect(callers.people.profile(bob)).toMatchObject({ limited: true, suspendedAt: undefined });
  });

  test('is told of it, whatever ids others got before in other partitions', async () => {
    const { callers, ada, olga } = await withTwo();
    const { read } = callers.people.server;
    const [bob, carol] = [
      callers.people.local('bob', { partition: 0 }),
      callers.people.local('carol', { partition: read.partitions.length - 1 }),
    ];
    await limitAccount(ada, { account: carol.id });
    const known = auditMoments(read);
    // In the same millisecond, so that the id of this decision is lower.
    await limitAccount(ada, { account: bob.id });
    const [ofCarol, ofBob] = auditPage(read, { action: 'limitAccount' }, { limit: 2 }).items;
    expect([ofCarol?.name, ofBob?.name, ofCarol?.at]).toEqual(['carol', 'bob', ofBob?.at]);
    const asShown = { ...olga, caller: { ...olga.caller, known } };
    await expect(suspendAccount(asShown, { account: bob.id })).rejects.toMatchObject(late);
    await suspendAccount(asShown, { account: carol.id });
  });

  test('a note takes nothing away from a decision', async () => {
    const { callers, ada, asShown } = await withTwo();
    const bob = callers.people.local('bob');
    await limitAccount(ada, { account: bob.id });
    await addAccountNote(asShown, { about: bob.id, text: 'Look' });
    expect(auditMoments(callers.people.server.read)).not.toEqual(asShown.caller.known);
  });

  test('a note of somebody else is no decision', async () => {
    const { callers, ada, asShown } = await withTwo();
    const bob = callers.people.local('bob');
    await addAccountNote(ada, { about: bob.id, text: 'Look' });
    await suspendAccount(asShown, { account: bob.id });
    expect(callers.people.profile(bob)?.suspendedAt).toBeDefined();
  });

  test('what the server does by itself is no decision', async () => {
    const { callers, olga } = await withTwo();
    const { people } = callers;
    const { id: listId, readings: reading } = await subscribeToDomainList(olga, {
      url: 'https://lists.example/list.csv',
    });
    const known = auditMoments(people.server.read);
    people.server.clock.advance(1);
    const listed = { severity: 'silence' as const, rejectMedia: false, rejectReports: false, obfuscate: false };
    await people.server.call(
      Instance.takeListedDomains.to(instanceKey, { listId, reading, rows: [{ domain: 'rude.example', listed }] }),
    );
    people.server.send(Instance.domainListRead.to(instanceKey, { listId, reading }));
    people.server.settle();
    expect(auditPage(people.server.read, { by: 'server' }, { limit: 1 }).items).toMatchObject([
      { action: 'readDomainList' },
    ]);
    await changeDomainList({ ...olga, caller: { ...olga.caller, known } }, { listId, title: 'Tier 1' });
  });
});
