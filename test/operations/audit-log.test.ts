/** Pages and filters of the audit log. */
import { expect, test } from 'vitest';
import { auditPage, type StoredAuditEntry } from '../../src/actors/audit.queries.ts';
import { addRule } from '../../src/operations/administration/server-rules.ts';
import { suspendAccount, unsuspendAccount } from '../../src/operations/administration/suspend-account.ts';
import { operator } from '../../src/operations/caller.ts';
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
