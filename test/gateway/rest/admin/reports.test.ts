/** The endpoints of reports: what staff see of one, and how two of them handle it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '../../../../src/actors/audit.queries.ts';
import { Instance, instanceKey } from '../../../../src/actors/instance/instance.messages.ts';
import { AdminReportEntity } from '../../../../src/gateway/entities/admin/reports.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { problemsOf } from '../../../support/answer-shapes.ts';
import type { Json } from '../../../support/asking.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { addWithToken } from '../../../support/sign-up.ts';

const names = { alice: 'user', bob: 'user', mona: 'moderator', ada: 'admin' } as const;
type Name = keyof typeof names;

let gateway: TestGateway;
const people = {} as Record<Name, { id: bigint; token: string }>;
let statusId: string;
let ruleId: string;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  for (const [name, role] of Object.entries(names) as [Name, (typeof names)[Name]][])
    people[name] = await addWithToken(gateway, name, { role });
  ({ id: ruleId } = await gateway.actors.call(Instance.addRule.to(instanceKey, { text: 'Be kind', hint: '' })));
  const post = { status: '@alice you are rude', visibility: 'direct' };
  statusId = String((await ask('bob', 'POST', '/api/v1/statuses', post)).body.id);
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

async function ask(who: Name, method: string, path: string, json?: object): Promise<{ status: number; body: Json }> {
  gateway.actors.settle();
  return gateway.json<Json>(path, { method, token: people[who].token, ...(json && { json }) });
}

async function report(by: Name, about: Name, more: object = {}): Promise<string> {
  gateway.actors.clock.advance(1);
  const json = { account_id: people[about].id.toString(), comment: 'Rude', ...more };
  return String((await ask(by, 'POST', '/api/v1/reports', json)).body.id);
}

const path = '/api/v1/admin/reports';
const listed = async (query = '') => (await ask('mona', 'GET', `${path}${query}`)).body.map(({ id }) => String(id));

test('a report is shown with both sides, what it is about, and the state of it', async () => {
  const id = await report('alice', 'bob', { status_ids: [statusId], rule_ids: [ruleId] });
  const shown = await ask('mona', 'GET', `${path}/${id}`);
  expect([shown.status, problemsOf(AdminReportEntity, shown.body)]).toEqual([200, '']);
  expect(shown.body).toMatchObject({
    id,
    action_taken: false,
    action_taken_at: null,
    category: 'violation',
    comment: 'Rude',
    account: { username: 'alice', email: 'alice@example.org', role: { id: '0' } },
    target_account: { username: 'bob', confirmed: true, silenced: false, suspended: false, account: { acct: 'bob' } },
    assigned_account: null,
    action_taken_by_account: null,
    statuses: [{ id: statusId, visibility: 'direct' }],
    rules: [{ id: ruleId, text: 'Be kind' }],
    collection_ids: [],
  });
});

test('the collections that it is about are named', async () => {
  const { body } = await ask('bob', 'POST', '/api/v1/collections', { name: 'Rude people', description: '' });
  const collectionId = String((body.collection ?? body).id);
  const id = await report('alice', 'bob', { collection_ids: [collectionId] });
  expect((await ask('mona', 'GET', `${path}/${id}`)).body).toMatchObject({ collection_ids: [collectionId] });
});

test('its posts are deleted, which closes it and which their author is told of', async () => {
  const post = { status: '@alice you are very rude', visibility: 'direct' };
  const rude = String((await ask('bob', 'POST', '/api/v1/statuses', post)).body.id);
  const id = await report('alice', 'bob', { status_ids: [rude] });
  const act = (json: object) => ask('mona', 'POST', `${path}/${id}/action`, json);
  expect((await act({ type: 'suspend' })).status).toBe(422);
  const acted = await act({ type: 'delete_statuses', text: 'Be kind' });
  expect([acted.status, problemsOf(AdminReportEntity, acted.body)]).toEqual([200, '']);
  expect(acted.body).toMatchObject({ action_taken: true, statuses: [], action_taken_by_account: { username: 'mona' } });
  expect((await ask('bob', 'GET', `/api/v1/statuses/${rude}`)).status).toBe(404);
  const warning = { action: 'delete_statuses', text: 'Be kind', status_ids: [rude] };
  expect((await ask('bob', 'GET', '/api/v1/notifications')).body).toMatchObject([{ moderation_warning: warning }]);
});

test('one of the staff looks after it, another one closes it, and it is opened again', async () => {
  const id = await report('alice', 'bob');
  const act = async (who: Name, action: string) => {
    gateway.actors.clock.advance(1_000);
    const { status, body } = await ask(who, 'POST', `${path}/${id}/${action}`);
    expect([status, problemsOf(AdminReportEntity, body)]).toEqual([200, '']);
    return body;
  };
  const assigned = await act('mona', 'assign_to_self');
  expect(assigned).toMatchObject({ assigned_account: { username: 'mona' } });
  expect(String(assigned.updated_at) > String(assigned.created_at)).toBe(true);
  const closed = { action_taken: true, action_taken_by_account: { username: 'ada' } };
  expect(await act('ada', 'resolve')).toMatchObject({ ...closed, assigned_account: { username: 'mona' } });
  // Who comes later is told what was decided.
  expect(await act('mona', 'resolve')).toMatchObject(closed);
  const open = { action_taken: false, action_taken_at: null, action_taken_by_account: null };
  expect(await act('mona', 'reopen')).toMatchObject(open);
  expect(await act('mona', 'unassign')).toMatchObject({ ...open, assigned_account: null });
  const log = auditPage(gateway.actors.read, { target: 'report', targetId: id }, { limit: 9 }).items;
  expect(log.map(({ action, reportId }) => [action, String(reportId)])).toEqual(
    ['unassignReport', 'reopenReport', 'resolveReport', 'assignReport'].map((action) => [action, id]),
  );
});

test('its category and its rules change', async () => {
  const id = await report('alice', 'bob');
  const change = (json: object) => ask('ada', 'PUT', `${path}/${id}`, json);
  expect((await change({ category: 'legal' })).body).toMatchObject({ category: 'legal', rules: [] });
  expect((await change({ category: 'violation', rule_ids: [ruleId] })).body).toMatchObject({ rules: [{ id: ruleId }] });
  expect((await change({})).body).toMatchObject({ category: 'violation', rules: [{ id: ruleId }] });
  expect((await change({ rule_ids: ['99'] })).status).toBe(422);
  expect((await change({ category: 'rude' })).body).toEqual({
    error: 'Validation failed: Category is not included in the list',
  });
});

test('open ones are listed by default, by both sides, in pages', async () => {
  const [first, second, third] = [
    await report('alice', 'bob'),
    await report('bob', 'alice'),
    await report('alice', 'ada'),
  ] as [string, string, string];
  await ask('mona', 'POST', `${path}/${second}/resolve`);
  expect((await listed()).slice(0, 2)).toEqual([third, first]);
  expect((await listed('?resolved=true'))[0]).toBe(second);
  expect((await listed('?unresolved=true')).slice(0, 2)).toEqual([third, first]);
  expect((await listed('?unresolved=true&resolved=true')).slice(0, 3)).toEqual([third, second, first]);
  expect(await listed(`?unresolved=true&resolved=true&limit=1&max_id=${third}`)).toEqual([second]);
  expect(await listed(`?target_account_id=${people.ada.id}`)).toEqual([third]);
  expect(await listed(`?account_id=${people.bob.id}`)).toEqual([]);
  expect(await listed(`?resolved=true&account_id=${people.bob.id}`)).toEqual([second]);
  expect(await listed('?account_id=nobody')).toEqual([]);
  const page = await gateway.fetch(`${path}?limit=1`, { token: people.mona.token });
  const link = `https://social.example${path}?limit=1`;
  expect(page.headers.get('link')).toBe(`<${link}&max_id=${third}>; rel="next", <${link}&min_id=${third}>; rel="prev"`);
  expect(await listed(`?limit=1&max_id=${third}`)).toEqual([first]);
  expect(await listed(`?min_id=${first}`)).toEqual([third]);
});

test.each([
  ['GET', ''],
  ['PUT', ''],
  ...['assign_to_self', 'unassign', 'resolve', 'reopen'].map((action) => ['POST', `/${action}`] as const),
] as const)('%s of no report%s', async (method, action) => {
  expect((await ask('mona', method, `${path}/1${action}`)).status).toBe(404);
});
