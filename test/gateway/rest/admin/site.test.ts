/**
 * What staff keep for the people of the server, by API and command line: rules, announcements, emojis, settings, documents,
 * terms of service, and the audit log of it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Instance, instanceKey } from '../../../../src/actors/instance/instance.messages.ts';
import { instanceLimits } from '../../../../src/actors/instance/limits.ts';
import { retentionLimits } from '../../../../src/actors/instance/retention/limits.ts';
import { findRetention } from '../../../../src/actors/instance/retention/retention.queries.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { createRemoteHtmlCleaner } from '../../../../src/outbound/remote-html/remote-html.ts';
import { sanitizeRemoteHtmlBatch } from '../../../../src/outbound/remote-html/sanitize.task.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { addWithToken } from '../../../support/sign-up.ts';
import { storageFigures } from '../../../support/storage-figures.ts';
import { typed } from '../../operator/typing.ts';

let gateway: TestGateway;
let token: string;
let ada: bigint;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  const cleanHtml = createRemoteHtmlCleaner((batch) => Promise.resolve(sanitizeRemoteHtmlBatch(batch)));
  Object.assign(gateway.services, { cleanHtml });
  ({ id: ada, token } = await addWithToken(gateway, 'ada', { role: 'admin' }));
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

type Body = Record<string, unknown>;
const base = '/api/murmuration/v1/admin';
/** Each in a millisecond of its own, so that the log has an order. */
const ask = <Answer = Body>(method: string, path: string, json?: object) => {
  gateway.actors.clock.advance(1);
  return gateway.json<Answer>(`${base}/${path}`, { method, token, ...(json && { json }) });
};
const look = async <Answer = Body>(path: string) => (await gateway.json<Answer>(`/api/${path}`, { token })).body;
const newest = async () =>
  (await gateway.json<Body[]>('/api/murmuration/v1/admin/audit_log?limit=1', { token })).body[0]!;
const type = async (line: string) => {
  gateway.actors.clock.advance(1);
  return (await typed(gateway.services, line)).printed;
};

test('rules with explanations and translations', async () => {
  const { body: rule } = await ask('POST', 'rules', { text: ' Be kind ', hint: 'Always' });
  expect(rule).toEqual({ id: '1', text: 'Be kind', hint: 'Always', translations: {} });
  await ask('PUT', 'rules/1', { language: 'de', text: 'Sei freundlich', hint: 'Immer' });
  const translations = { de: { text: 'Sei freundlich', hint: 'Immer' } };
  expect((await ask('PATCH', 'rules/1', { text: 'Be very kind' })).body).toEqual({
    ...{ id: '1', text: 'Be very kind', hint: 'Always', translations },
  });
  expect(await look('v1/instance/rules')).toEqual((await ask('GET', 'rules')).body);
  expect((await ask('PUT', 'rules/1', { language: 'de', text: '' })).body).toMatchObject({ translations: {} });
  expect((await ask('DELETE', 'rules/1')).body).toEqual({});
  expect((await ask('GET', 'rules')).body).toEqual([]);
  expect((await ask('POST', 'rules', { text: 'New' })).body).toMatchObject({ id: '2' });
});

test('an announcement', async () => {
  const times = { starts_at: '2030-01-01T10:00', ends_at: '2030-01-02T10:00' };
  const { body } = await ask('POST', 'announcements', { text: 'A party', ...times });
  expect(body).toMatchObject({
    text: 'A party',
    starts_at: '2030-01-01T10:00:00.000Z',
    all_day: false,
    mailed_at: null,
  });
  expect(await look('v1/announcements')).toMatchObject([{ id: body.id, content: '<p>A party</p>' }]);
  const changed = await ask('PUT', `announcements/${body.id}`, { starts_at: '', ends_at: null });
  expect(changed.body).toMatchObject({ text: 'A party', starts_at: null, ends_at: '2030-01-02T10:00:00.000Z' });
  expect((await ask('DELETE', `announcements/${body.id}`)).status).toBe(200);
  expect(await look('v1/announcements')).toEqual([]);
});

test('an emoji is added, sorted, disabled, enabled and removed', async () => {
  const shown = { shortcode: 'wren', visible_in_picker: true, category: null, featured: false };
  const given = { shortcode: 'wren', url: 'https://files.example/wren.png' };
  expect((await ask('POST', 'custom_emojis', given)).body).toMatchObject({ ...shown, disabled: false });
  expect(await look('v1/custom_emojis')).toMatchObject([shown]);

  const written = async () =>
    (await gateway.json<Body>('/api/v1/statuses', { method: 'POST', token, json: { status: ':wren:' } })).body.emojis;
  const before = await written();
  const disabled = await ask('PUT', 'custom_emojis/wren', { category: ' Birds ', disabled: true });
  expect(disabled.body).toMatchObject({ category: 'Birds', disabled: true, visible_in_picker: true });
  expect([before, await written(), await look('v1/custom_emojis')]).toEqual([[expect.anything()], [], []]);
  expect(await type('emojis list')).toEqual([expect.stringContaining('(Birds, disabled)')]);
  expect(await type('emojis change wren --enabled --hidden --category ""')).toEqual(['Changed :wren:']);
  expect((await ask('GET', 'custom_emojis')).body).toMatchObject([
    { shortcode: 'wren', category: null, visible_in_picker: false, disabled: false },
  ]);
  expect(await written()).toEqual([expect.anything()]);
  await ask('PUT', 'custom_emojis/wren', { disabled: true });
  // Another picture does not enable it.
  expect(await type('emojis add wren --image https://files.example/wren.png')).toEqual(['Added :wren:']);
  expect((await ask('GET', 'custom_emojis')).body).toMatchObject([{ disabled: true }]);
  expect(await newest()).toMatchObject({ action: 'putEmoji', by: 'commandLine', account_id: null, target_id: 'wren' });
  expect((await ask('DELETE', 'custom_emojis/wren')).body).toEqual({});
});

test('settings, and what visitors see of them', async () => {
  const before = (await ask('GET', 'settings')).body;
  const given = { title: ' The Marsh ', registrations: 'approval', reason_required: true, contact: '@ada' };
  expect(before).toMatchObject({ remote_status_days: 0 });
  const { body } = await ask('PUT', 'settings', { ...given, remote_status_days: 90 });
  expect(body).toEqual({
    ...before,
    title: 'The Marsh',
    registrations: 'approval',
    reason_required: true,
    contact: 'ada',
    remote_status_days: 90,
  });
  expect(await look('v2/instance')).toMatchObject({
    title: 'The Marsh',
    registrations: { enabled: true, approval_required: true, reason_required: true, message: null },
    contact: { account: { id: ada.toString() } },
    configuration: { limited_federation: false },
  });
  expect(await newest()).toMatchObject({
    ...{ action: 'changeSettings', by: 'account', account_id: ada.toString(), username: 'ada', ip: '127.0.0.1' },
    changes: expect.arrayContaining([
      { field: 'registrations', before: null, after: 'approval' },
      { field: 'remoteStatusDays', before: null, after: 90 },
    ]),
  });
  const feeds = { remote_live_feed_access: 'authenticated', remote_topic_feed_access: 'disabled' };
  expect((await ask('PUT', 'settings', feeds)).body).toMatchObject({ local_live_feed_access: 'public', ...feeds });
  const topics = { local: 'public', remote: 'disabled' };
  expect(await look('v2/instance')).toMatchObject({
    configuration: {
      timelines_access: {
        live_feeds: { local: 'public', remote: 'authenticated' },
        ...{ hashtag_feeds: topics, trending_link_feeds: topics },
      },
    },
  });
  expect((await ask('PUT', 'settings', { local_topic_feed_access: 'disabled' })).status).toBe(422);
  expect(await type('settings remote-topic-feed public')).toEqual(['Read by: public']);
  expect(await newest()).toMatchObject({
    changes: [{ field: 'remoteTopicFeeds', before: 'disabled', after: 'public' }],
  });
  // The rule is in force at once.
  expect(findRetention(gateway.actors.read)).toMatchObject({ days: 90 });
  expect((await ask('PUT', 'settings', { remote_status_days: -1 })).status).toBe(422);
  expect(await type('settings remote-status-days 0')).toEqual(['All are kept']);
  expect(findRetention(gateway.actors.read)).toMatchObject({ days: 0 });
  await ask('PUT', 'documents/closed-message', { content: 'Come back <b>later</b>.' });
  await ask('PUT', 'settings', { registrations: 'closed' });
  await type('domains mode allow-list');
  expect(await look('v2/instance')).toMatchObject({
    registrations: { enabled: false, reason_required: false, message: '<p>Come back &lt;b&gt;later&lt;/b&gt;.</p>' },
    configuration: { limited_federation: true },
  });
  await type('domains mode open');
});

test('documents are written as plain text or HTML, and removed', async () => {
  const html = '<p>Kept: <strong>nothing</strong></p>';
  const content = `${html}<script>alert(1)</script>`;
  expect((await ask('PUT', 'documents/privacy-policy', { content, format: 'html' })).body).toMatchObject({
    content: html,
  });
  expect(await look('v1/instance/privacy_policy')).toMatchObject({ content: html });
  expect((await ask('GET', 'documents')).body).toMatchObject([
    { name: 'extended-description', content: null, updated_at: null },
    { name: 'privacy-policy', content: html },
    { name: 'closed-message' },
  ]);
  expect((await ask('DELETE', 'documents/privacy-policy')).status).toBe(200);
  expect((await ask('DELETE', 'documents/privacy-policy')).status).toBe(404);
  expect(await look('v1/instance/privacy_policy')).not.toMatchObject({ content: html });
});

test('terms of service have dates, and everybody is told of a change once', async () => {
  const { body } = await ask('POST', 'terms_of_service', { effective_date: '2020-01-31', content: 'Be kind.' });
  expect(body).toMatchObject({
    effective_date: '2020-01-31',
    effective: true,
    content: '<p>Be kind.</p>',
    told_at: null,
  });
  await ask('POST', 'terms_of_service', { effective_date: '2099-12-31', content: 'Be very kind.' });
  expect(await look('v1/instance/terms_of_service')).toMatchObject({
    ...{ effective_date: '2020-01-31', succeeded_by: '2099-12-31' },
  });
  expect(await look('v1/instance/terms_of_service/2099-12-31')).toMatchObject({ effective: false, succeeded_by: null });
  expect((await ask('POST', 'terms_of_service/2099-12-31/tell')).body).toMatchObject({ told_at: expect.any(String) });
  const announced = await look<Body[]>('v1/announcements');
  expect(announced).toMatchObject([{ ends_at: '2099-12-31T00:00:00.000Z', all_day: true }]);
  expect(announced[0]!.content).toContain('change on 31 December 2099');
  expect(announced[0]!.content).toContain('/terms-of-service?date=2099-12-31');
  expect(await newest()).toMatchObject({ action: 'tellTerms', target_type: 'terms', target_id: '2099-12-31' });
  expect((await ask('POST', 'terms_of_service/2099-12-31/tell')).status).toBe(422);
  expect(await type('terms tell 2020-01-31')).toEqual(['They are announced, and everybody is told by mail.']);
  expect(await type('terms list')).toEqual(['2020-01-31  in force  told', '2099-12-31  told']);
  expect(await look<Body[]>('v1/announcements')).toHaveLength(2);
  // Another text for the same day is told anew.
  await ask('POST', 'terms_of_service', { effective_date: '2099-12-31', content: 'Be as kind as ever.' });
  expect((await ask<Body[]>('GET', 'terms_of_service')).body).toMatchObject([{}, { told_at: null }]);
  expect((await ask('DELETE', 'terms_of_service/2099-12-31')).body).toEqual({});
  expect((await look('v1/instance/terms_of_service')).succeeded_by).toBeNull();
});

test('the audit log is searched and paged', async () => {
  const list = async (query: string) => (await ask<Body[]>('GET', `audit_log?${query}`)).body;
  const rules = await list('target_type=rule&limit=2');
  expect(rules.map(({ action }) => action)).toEqual(['addRule', 'removeRule']);
  const older = await list(`target_type=rule&max_id=${rules[1]!.id}`);
  expect(older.map(({ action }) => action)).toEqual(['changeRule', 'changeRule', 'changeRule', 'addRule']);
  expect((await list('by=commandLine&action=putEmoji')).map(({ target_name }) => target_name)).toEqual(['wren']);
  expect((await list(`account_id=${ada}&action=tellTerms`)).length).toBe(1);
  expect(await list('target_type=terms&target_id=2000-01-01')).toEqual([]);
  expect(await list('account_id=1')).toEqual([]);
  expect((await ask('GET', 'audit_log?action=no')).status).toBe(422);
});

test('the storage is for who may operate the machine', async () => {
  expect((await ask('GET', 'storage')).status).toBe(403);
  const { token: owner } = await addWithToken(gateway, 'olga', { role: 'owner' });
  const shown = async () => (await gateway.json<Body>('/api/murmuration/v1/admin/storage', { token: owner })).body;
  const none = { measured_at: null, measuring: true, database: null, files: [], disk_free_bytes: null };
  expect(await shown()).toEqual({
    ...{ ...none, unused_statuses: [], retention: { days: 0, next_run_at: null, run: null } },
  });
  Object.assign(gateway.services, {
    storage: { state: async () => ({ figures: storageFigures, isMeasuring: false }) },
  });
  await gateway.actors.call(Instance.changeRetention.to(instanceKey, { days: 90 }));
  gateway.actors.clock.advance(retentionLimits.firstMilliseconds);
  gateway.actors.settle();
  expect(await shown()).toMatchObject({
    measured_at: '2025-01-01T11:30:00.000Z',
    database: {
      free_bytes: 1_000_000,
      kinds: expect.arrayContaining([{ kind: 'own_posts', entries: 500, bytes: 600_000 }]),
    },
    files: [{ place: 'own_media', files: 20 }, { place: 'mails' }],
    unused_statuses: [{ older_than_days: 30, statuses: 6_000 }, {}],
    retention: { days: 90, next_run_at: null, run: { ended_at: null, examined: 0, forgotten: 0 } },
  });
});

const long = (length: number) => 'x'.repeat(length);

test.each<[string, string, object, number]>([
  ['POST', 'rules', { text: ' ' }, 422],
  ['POST', 'rules', { text: long(1_001) }, 422],
  ['PUT', 'rules/2', { text: '' }, 422],
  ['PUT', 'rules/2', { language: 'x'.repeat(9), text: 'No' }, 422],
  ['PUT', 'rules/99', { text: 'No' }, 404],
  ['DELETE', 'rules/99', {}, 404],
  ['POST', 'announcements', { text: ' ' }, 422],
  ['POST', 'announcements', { text: long(5_001) }, 422],
  ['POST', 'announcements', { text: 'No', ends_at: '2001-01-01' }, 422],
  ['POST', 'announcements', { text: 'No', ends_at: 'soon' }, 422],
  ['PUT', 'announcements/99', { text: 'No' }, 404],
  ['POST', 'custom_emojis', { shortcode: 'no' }, 422],
  ['POST', 'custom_emojis', { shortcode: 'n-o', url: 'https://files.example/no.png' }, 422],
  ['POST', 'custom_emojis', { shortcode: 'no', url: 'file:///etc/passwd' }, 422],
  ['POST', 'custom_emojis', { shortcode: 'no', url: 'https://files.example/no.png', category: long(101) }, 422],
  ['PUT', 'custom_emojis/no', { disabled: true }, 404],
  ['DELETE', 'custom_emojis/no', {}, 404],
  ['POST', 'custom_emojis/copy', { shortcode: 'no', from: '@nobody' }, 404],
  ['POST', 'custom_emojis/copy', { shortcode: 'n-o', from: '@ada' }, 422],
  ['POST', 'custom_emojis/copy', { shortcode: 'no' }, 422],
  ['PUT', 'settings', { title: '' }, 422],
  ['PUT', 'settings', { title: long(201) }, 422],
  ['PUT', 'settings', { description: long(2_001) }, 422],
  ['PUT', 'settings', { registrations: 'maybe' }, 422],
  ['PUT', 'settings', { contact: 'nobody' }, 404],
  ['PUT', 'documents/nothing', { content: 'No' }, 404],
  ['PUT', 'documents/privacy-policy', { content: '' }, 422],
  ['PUT', 'documents/privacy-policy', { content: '<script>no</script>', format: 'html' }, 422],
  ['PUT', 'documents/privacy-policy', { content: long(instanceLimits.documentCharactersMax + 1) }, 422],
  ['POST', 'terms_of_service', { content: 'No' }, 422],
  ['POST', 'terms_of_service', { effective_date: '2027-13-41', content: 'No' }, 422],
  ['POST', 'terms_of_service', { effective_date: '2027-01-31', content: '' }, 422],
  ['POST', 'terms_of_service/2027-01-31/tell', {}, 404],
  ['DELETE', 'terms_of_service/tomorrow', {}, 404],
])('%s %s %j is refused, and leaves nothing behind', async (method, path, json, status) => {
  const before = await newest();
  expect((await ask(method, path, json)).status).toBe(status);
  expect(await newest()).toEqual(before);
});
