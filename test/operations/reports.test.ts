/** Who may see and close reports (specification 5: staff); what a report holds is test/gateway/rest/reports.test.ts. */
import { beforeEach, expect, test } from 'vitest';
import { listOpenReports, resolveReport } from '../../src/operations/reports/open-reports.ts';
import { reportAccount } from '../../src/operations/reports/report-account.ts';
import type { Person } from '../support/observer.ts';
import { Callers } from './callers.ts';

let callers: Callers;
let alice: Person;
let staff: Person;

beforeEach(() => {
  callers = new Callers();
  alice = callers.people.local('alice');
  staff = callers.people.local('stacy', {}, { role: 'moderator' });
});

const about = ({ id: targetId }: Person) => ({
  targetId,
  statusIds: [],
  collectionIds: [],
  ruleIds: [],
  comment: 'Rude',
});

test('staff list reports with both sides, and close them', async () => {
  const { id } = await reportAccount(callers.as(alice), about(staff));
  const list = () => listOpenReports(callers.as(staff), { limit: 20 });
  expect(list()).toMatchObject({
    reports: [{ reporter: { username: 'alice' }, target: { username: 'stacy' } }],
    rest: 0,
  });
  await resolveReport(callers.as(staff), { reportId: String(id) });
  expect(list()).toEqual({ reports: [], rest: 0 });
});

test('nobody else does', async () => {
  const { id } = await reportAccount(callers.as(alice), about(staff));
  expect(() => listOpenReports(callers.as(alice), { limit: 20 })).toThrow(
    expect.objectContaining({ code: 'forbidden' }),
  );
  await expect(async () => resolveReport(callers.as(alice), { reportId: String(id) })).rejects.toMatchObject({
    code: 'forbidden',
  });
});
