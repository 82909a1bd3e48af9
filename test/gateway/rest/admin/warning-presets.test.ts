/** Texts that staff keep ready for warnings: kept, changed, removed, said with an action, by API and command line. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { warningsOf } from '../../../../src/actors/account/moderation/warnings.queries.ts';
import { instanceLimits } from '../../../../src/actors/instance/limits.ts';
import { allWarningPresets } from '../../../../src/actors/instance/warning-presets/warning-presets.queries.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { addAccount, addWithToken } from '../../../support/sign-up.ts';
import { typed } from '../../operator/typing.ts';

let gateway: TestGateway;
let token: string;
let bob: bigint;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  ({ token } = await addWithToken(gateway, 'ada', { role: 'admin' }));
  bob = await addAccount(gateway.actors, 'bob');
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const ask = <Body = Record<string, unknown>>(method: string, path: string, json?: object) =>
  gateway.json<Body>(`/api/v1/admin/${path}`, { method, token, ...(json && { json }) });
const add = async (json: object) => String((await ask('POST', 'warning_presets', json)).body.id);
const act = (json: object) => ask(`POST`, `accounts/${bob}/action`, { type: 'none', ...json });
const told = () => warningsOf(gateway.actors.read, bob, { limit: 1 }).items[0]?.text;

test('a text is said with an action, before what is typed', async () => {
  const id = await add({ title: ' Spam ', text: 'Please do not advertise.\n' });
  expect((await ask('GET', `warning_presets/${id}`)).body).toEqual({
    id,
    title: 'Spam',
    text: 'Please do not advertise.',
  });
  expect((await act({ warning_preset_id: id, text: 'Thank you.' })).status).toBe(200);
  expect(told()).toBe('Please do not advertise.\n\nThank you.');
  await ask('PUT', `warning_presets/${id}`, { text: 'No advertising.' });
  await act({ warning_preset_id: id });
  expect(told()).toBe('No advertising.');
  expect((await ask('DELETE', `warning_presets/${id}`)).status).toBe(200);
  expect((await act({ warning_preset_id: id })).status).toBe(404);
  expect((await ask('GET', `warning_presets/${id}`)).status).toBe(404);
});

test('a warning may say nothing (behaviour of the Mastodon API)', async () => {
  expect((await act({})).status).toBe(200);
  expect(told()).toBe('');
});

test.each([
  [{}, "Text can't be blank"],
  [{ text: ' \u0000 ' }, "Text can't be blank"],
  [{ text: 'x'.repeat(2_001) }, 'Text is too long (maximum is 2000 characters)'],
  [{ text: 'x', title: 'x'.repeat(201) }, 'Title is too long (maximum is 200 characters)'],
])('%j is refused, and changes nothing', async (json, sentence) => {
  const id = await add({ text: 'Be kind' });
  const before = (await ask('GET', 'warning_presets')).body;
  for (const answer of [
    await ask('POST', 'warning_presets', json),
    await ask('PUT', `warning_presets/${id}`, { text: '', ...json }),
  ])
    expect([answer.status, answer.body.error]).toEqual([422, expect.stringContaining(sentence)]);
  expect((await ask('GET', 'warning_presets')).body).toEqual(before);
});

test('both texts together have the bound of one', async () => {
  const id = await add({ text: 'x'.repeat(1_500) });
  expect((await act({ warning_preset_id: id, text: 'x'.repeat(600) })).status).toBe(422);
});

test('there are so many at most', async () => {
  const { body } = await ask<object[]>('GET', 'warning_presets');
  for (let count = body.length; count < instanceLimits.warningPresetsMax; count += 1) await add({ text: `${count}` });
  expect((await ask('POST', 'warning_presets', { text: 'One more' })).status).toBe(422);
});

test('are kept by command', async () => {
  const [{ id }] = (await ask<[{ id: string }]>('GET', 'warning_presets')).body;
  const changed = await typed(gateway.services, `warning-texts modify ${id} --title Kindness --text "Be kinder"`);
  expect(changed).toMatchObject({ code: 0, printed: [`${id}  Kindness: Be kinder`] });
  await typed(gateway.services, `warning-texts remove ${id}`);
  const { printed } = await typed(gateway.services, 'warning-texts add "Be kind"');
  expect((await typed(gateway.services, 'warning-texts list')).printed).toContain(printed[0]);
  expect(allWarningPresets(gateway.actors.read).at(-1)).toMatchObject({ title: '', text: 'Be kind' });
  expect(await typed(gateway.services, `warning-texts remove ${id}`)).toMatchObject({ code: 1 });
});
