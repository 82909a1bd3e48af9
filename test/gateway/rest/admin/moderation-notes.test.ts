/** Notes of moderators, and what is known of both sides of a report. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { auditPage } from '../../../../src/actors/audit.queries.ts';
import { instanceLimits } from '../../../../src/actors/instance/limits.ts';
import { moderationNotesAbout } from '../../../../src/actors/instance/moderation-notes/moderation-notes.queries.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import type { Json } from '../../../support/asking.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { addWithToken } from '../../../support/sign-up.ts';

const names = { alice: 'user', bob: 'user', mona: 'moderator', mo: 'moderator', ada: 'admin', olga: 'owner' } as const;
type Name = keyof typeof names;

let gateway: TestGateway;
const people = {} as Record<Name, { id: bigint; token: string }>;
const base = '/api/murmuration/v1/admin';

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  for (const [name, role] of Object.entries(names) as [Name, (typeof names)[Name]][])
    people[name] = await addWithToken(gateway, name, { role });
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

function ask(who: Name, method: string, path: string, json?: object): Promise<{ status: number; body: Json }> {
  gateway.actors.clock.advance(1);
  gateway.actors.settle();
  return gateway.json<Json>(path, { method, token: people[who].token, ...(json && { json }) });
}

async function report(by: Name, about: Name): Promise<string> {
  const json = { account_id: people[about].id.toString(), comment: `by ${by}` };
  return String((await ask(by, 'POST', '/api/v1/reports', json)).body.id);
}

test('notes are kept about accounts, reports and servers, each with its own', async () => {
  const reportId = await report('alice', 'bob');
  const paths = [`accounts/${people.bob.id}`, `reports/${reportId}`, 'instances/Rude.Example'].map(
    (path) => `${base}/${path}/notes`,
  );
  for (const [index, path] of paths.entries()) {
    const added = await ask('ada', 'POST', path, { content: ` note ${index} ` });
    expect(added).toMatchObject({ status: 200, body: { content: `note ${index}`, account: { username: 'ada' } } });
    expect((await ask('ada', 'GET', path)).body).toEqual([added.body]);
  }
  const { items } = auditPage(gateway.actors.read, { target: 'server' }, { limit: 1 });
  expect(items).toMatchObject([{ action: 'addServerNote', targetId: 'rude.example', accountId: people.ada.id }]);
  const [first] = (await ask('ada', 'GET', paths[0]!)).body as never as [{ id: string }];
  expect((await ask('ada', 'DELETE', `${paths[1]}/${first.id}`)).status).toBe(404);
  expect((await ask('ada', 'DELETE', `${paths[0]}/${first.id}`)).body).toEqual({});
  expect((await ask('ada', 'GET', paths[0]!)).body).toEqual([]);
  expect((await ask('ada', 'GET', paths[1]!)).body).toHaveLength(1);
});

test('a note is removed by who wrote it, or by somebody better', async () => {
  const path = `${base}/accounts/${people.alice.id}/notes`;
  const add = async (who: Name) => String((await ask(who, 'POST', path, { content: 'Look' })).body.id);
  const remove = async (who: Name, id: string) => (await ask(who, 'DELETE', `${path}/${id}`)).status;
  const ofMona = await add('mona');
  expect([await remove('mo', ofMona), await remove('mona', ofMona)]).toEqual([403, 200]);
  expect([await remove('ada', await add('mo')), await remove('mona', await add('ada'))]).toEqual([200, 403]);
  expect(await remove('olga', await add('olga'))).toBe(200);
});

test.each([
  [{}, "Text can't be blank"],
  [{ content: ' ' }, "Text can't be blank"],
  [{ content: 'x'.repeat(2_001) }, 'Text is too long (maximum is 2000 characters)'],
])('%j is refused, and leaves nothing', async (json, sentence) => {
  const path = `${base}/accounts/${people.mo.id}/notes`;
  const { status, body } = await ask('mona', 'POST', path, json);
  expect([status, body.error]).toEqual([422, expect.stringContaining(sentence)]);
  expect((await ask('mona', 'GET', path)).body).toEqual([]);
});

test.each(['accounts/1', 'accounts/x', 'reports/1'])('there are no notes about %s', async (path) => {
  expect((await ask('mona', 'GET', `${base}/${path}/notes`)).status).toBe(404);
  expect((await ask('mona', 'POST', `${base}/${path}/notes`, { content: 'Look' })).status).toBe(404);
});

test.each(['instances/no where', 'instances/social.example'])('nor about %s', async (path) => {
  expect((await ask('ada', 'POST', `${base}/${path}/notes`, { content: 'Look' })).status).toBe(422);
});

test('there are so many at most', async () => {
  const path = `${base}/instances/full.example/notes`;
  for (let count = 0; count < instanceLimits.moderationNotesMax; count += 1)
    await ask('olga', 'POST', path, { content: 'x' });
  expect((await ask('olga', 'POST', path, { content: 'x' })).status).toBe(422);
  const about = { kind: 'server', id: 'full.example' } as const;
  expect(moderationNotesAbout(gateway.actors.read, about)).toHaveLength(instanceLimits.moderationNotesMax);
});

test('the history of a report says what became of the others of both sides', async () => {
  const { id } = await addWithToken(gateway, 'eve', {});
  const eve = { account_id: id.toString() };
  const file = async (who: Name) => String((await ask(who, 'POST', '/api/v1/reports', eve)).body.id);
  const [dismissed, struck, other] = [await file('alice'), await file('alice'), await file('mona')];
  await ask('mona', 'POST', `/api/v1/admin/reports/${dismissed}/resolve`);
  await ask('mona', 'POST', `/api/v1/admin/accounts/${id}/action`, {
    type: 'silence',
    report_id: struck,
    text: 'Enough',
  });
  const open = await file('alice');
  const { body } = await ask('mona', 'GET', `${base}/reports/${open}/history`);
  const closed = { outcome: 'closed_with_strike', strike_action: 'silence', account_id: people.mona.id.toString() };
  expect(body.target_account).toMatchObject({
    id: id.toString(),
    strikes: [{ action: 'silence', text: 'Enough' }],
    reports: [
      // Closed by the decision although it did not lead to it.
      { id: other, ...closed },
      { id: struck, ...closed, account_id: people.alice.id.toString() },
      { id: dismissed, outcome: 'closed_without_decision', strike_id: null },
    ],
  });
  const byAlice = (body.account as never as { reports: { id: string; outcome: string }[] }).reports;
  expect(byAlice.map((one) => one.id)).toEqual(expect.arrayContaining([struck, dismissed]));
  expect(byAlice.filter(({ outcome }) => outcome === 'open').length).toBeGreaterThan(0);
  await ask('mona', 'POST', `/api/v1/admin/reports/${struck}/reopen`);
  const again = (await ask('mona', 'GET', `${base}/reports/${open}/history`)).body.target_account as never as {
    reports: object[];
  };
  expect(again.reports[0]).toMatchObject({ id: struck, outcome: 'open', strike_id: null });
  expect((await ask('mona', 'GET', `${base}/reports/1/history`)).status).toBe(404);
});

test('reports are found by both sides together', async () => {
  await report('bob', 'ada');
  const id = await report('bob', 'alice');
  await report('mona', 'alice');
  const query = `account_id=${people.bob.id}&target_account_id=${people.alice.id}`;
  const { body } = await ask('mona', 'GET', `/api/v1/admin/reports?${query}`);
  expect(body.map((one) => String((one as Json).id))).toEqual([id]);
  gateway.actors.callNow(Account.resolveReport.to(people.bob.id, { reportId: BigInt(id) }));
  expect((await ask('mona', 'GET', `/api/v1/admin/reports?${query}`)).body).toEqual([]);
});
