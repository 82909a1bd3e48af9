/** The figures of the dashboard, against what was done. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Directory, nameOfHost } from '../../../../src/actors/directory/directory.messages.ts';
import { idOfName } from '../../../../src/actors/policy/derived-ids.ts';
import { Session, userKey } from '../../../../src/actors/session/session.messages.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { operator } from '../../../../src/operations/caller.ts';
import { showMeasures } from '../../../../src/operations/measures/show-measures.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { People } from '../../../support/people.ts';
import { addWithToken } from '../../../support/sign-up.ts';

const dayMilliseconds = 24 * 60 * 60 * 1_000;
let gateway: TestGateway;
let people: People;
let token: string;
let alice: { id: bigint; token: string };
const start = () => gateway.actors.clock.now();

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  people = new People(gateway.actors);
  // In the middle of a day: what follows is within it.
  gateway.actors.clock.advance(dayMilliseconds - (start() % dayMilliseconds) + dayMilliseconds / 2);
  ({ token } = await addWithToken(gateway, 'mona', { role: 'moderator' }));
  alice = await addWithToken(gateway, 'alice', {});
  const carol = people.remote('carol', 'there.example');
  const dora = people.remote('dora', 'media.there.example');
  const host = 'media.there.example';
  await gateway.actors.call(Directory.hostKnown.to(nameOfHost(host), { host }));
  await people.receive(carol, 'https://there.example/1', { tags: ['birds'], language: 'de' });
  await people.receive(dora, 'https://media.there.example/1', { tags: ['birds'] });
  await people.receive(carol, 'https://there.example/2', { language: 'fr' });
  const person = { id: alice.id, uri: '' };
  await people.follow(person as never, carol);
  await ask('POST', '/api/v1/statuses', { status: '#birds', language: 'en' }, alice.token);
  const [{ id }] = (await ask<[{ id: string }]>('GET', '/api/v1/timelines/tag/birds?remote=true')).body;
  await ask('POST', `/api/v1/statuses/${id}/favourite`, undefined, alice.token);
  await ask('POST', `/api/v1/statuses/${id}/favourite`, undefined, alice.token);
  await ask('POST', `/api/v1/statuses/${id}/reblog`, undefined, alice.token);
  await ask('POST', '/api/v1/statuses', { status: 'Yes', in_reply_to_id: id }, alice.token);
  const report = await ask<{ id: string }>('POST', '/api/v1/reports', { account_id: String(carol.id) }, alice.token);
  await ask('POST', '/api/v1/reports', { account_id: String(alice.id) });
  await ask('POST', `/api/v1/admin/reports/${report.body.id}/resolve`);
  const day = Math.floor(start() / dayMilliseconds);
  for (const account of [alice.id, alice.id])
    await gateway.actors.call(Session.userActive.to(userKey(account), { day }));
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

function ask<Body = object>(method: string, path: string, json?: object, by = token) {
  gateway.actors.settle();
  return gateway.json<Body>(path, { method, token: by, ...(json && { json }) });
}

interface Measure {
  readonly key: string;
  readonly total: string;
  readonly previous_total?: string;
  readonly data: { date: string; value: string }[];
}

const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
const period = (days = 2) => ({
  start_at: iso(start() - (days - 1) * dayMilliseconds),
  end_at: iso(start()).slice(0, 10),
});
const measured = async (keys: string[], more: object = {}) =>
  (await ask<Measure[]>('POST', '/api/v1/admin/measures', { keys, ...period(), ...more })).body;

test('what people do is counted on its day, and compared with the days before', async () => {
  const keys = ['new_users', 'active_users', 'interactions', 'opened_reports', 'resolved_reports'];
  const found = await measured([...keys, 'unknown']);
  expect(found.map(({ key }) => key)).toEqual(keys);
  expect(Object.fromEntries(found.map(({ key, total }) => [key, total]))).toMatchObject({
    new_users: '2',
    active_users: '2',
    interactions: '3',
    opened_reports: '2',
    resolved_reports: '1',
  });
  const today = `${iso(start()).slice(0, 10)}T00:00:00.000Z`;
  for (const { key, total, previous_total: before, data } of found) {
    expect([key, data.length, before]).toEqual([key, 2, '0']);
    expect(data[1]).toEqual({ date: today, value: total });
  }
});

test('reopening takes a report back from those that were resolved', async () => {
  const [{ id }] = (await ask<[{ id: string }]>('GET', '/api/v1/admin/reports?resolved=true')).body;
  await ask('POST', `/api/v1/admin/reports/${id}/reopen`);
  const given = { from: start() - dayMilliseconds, until: start() + dayMilliseconds };
  const context = { caller: operator, services: gateway.services };
  const [found] = await showMeasures(context, { ...given, wanted: [{ key: 'resolvedReports' }] });
  expect(found!.total).toBe(0);
});

test('a hashtag is counted by uses, accounts and servers', async () => {
  const id = String(idOfName('birds'));
  const keys = ['tag_uses', 'tag_accounts', 'tag_servers'];
  const found = await measured(keys, Object.fromEntries(keys.map((key) => [key, { id }])));
  expect(found.map(({ total, data }) => [total, data[1]!.value])).toEqual([
    ['3', '3'],
    ['3', '3'],
    ['3', '3'],
  ]);
  expect((await ask('POST', '/api/v1/admin/measures', { keys: ['tag_uses'], ...period() })).status).toBe(404);
});

test('another server is counted by what is known of it, with its subdomains on demand', async () => {
  const keys = ['instance_accounts', 'instance_statuses', 'instance_follows', 'instance_followers', 'instance_reports'];
  const about = (domain: object) => Object.fromEntries(keys.map((key) => [key, domain]));
  const totals = async (domain: object) => (await measured(keys, about(domain))).map(({ total }) => total);
  expect(await totals({ domain: 'there.example' })).toEqual(['1', '2', '1', '0', '1']);
  expect(await totals({ domain: 'there.example', include_subdomains: true })).toEqual(['2', '3', '1', '0', '1']);
  const [media] = await measured(['instance_media_attachments'], {
    instance_media_attachments: { domain: 'there.example' },
  });
  expect(media).toMatchObject({ unit: 'bytes', total: '0', human_value: '0 Bytes' });
  expect(media).not.toHaveProperty('previous_total');
  expect((await ask('POST', '/api/v1/admin/measures', { keys: ['instance_accounts'], ...period() })).status).toBe(422);
});

test.each([
  ['POST', '/api/v1/admin/measures', { keys: ['new_users'] }],
  ['POST', '/api/v1/admin/measures', { start_at: '2026-01-01', end_at: '2026-01-02' }],
  ['POST', '/api/v1/admin/measures', { keys: ['new_users'], start_at: '2026-01-02', end_at: '2026-01-01' }],
  ['POST', '/api/v1/admin/measures', { keys: ['new_users'], start_at: '2020-01-02', end_at: '2026-01-01' }],
  ['POST', '/api/v1/admin/measures', { keys: ['new_users'], start_at: 'yesterday', end_at: '2026-01-01' }],
  ['POST', '/api/v1/admin/retention', { start_at: '2026-01-01', end_at: '2026-03-01', frequency: 'day' }],
  ['POST', '/api/v1/admin/retention', { start_at: '2025-01-01', end_at: '2026-03-01', frequency: 'month' }],
])('%s %s %j is refused', async (method, path, json) => {
  expect((await ask(method, path, json)).status).toBe(422);
});

test('the first days of all are compared with days before them', async () => {
  const id = String(idOfName('birds'));
  const keys = ['active_users', 'new_users', 'interactions', 'opened_reports', 'resolved_reports', 'tag_uses'];
  const found = await measured(keys, { start_at: '1970-01-01', end_at: '1970-01-02', tag_uses: { id } });
  expect(found.map(({ total, previous_total: before }) => [total, before])).toEqual(keys.map(() => ['0', '0']));
});

interface Dimension {
  readonly key: string;
  readonly data: { key: string; human_key: string; value: string }[];
}

test('what occurs most is said for people and as keys', async () => {
  const id = String(idOfName('birds'));
  const keys = [
    'servers',
    'languages',
    'sources',
    'tag_languages',
    'tag_servers',
    'instance_accounts',
    'instance_languages',
  ];
  const { body } = await ask<Dimension[]>('POST', '/api/v1/admin/dimensions', {
    ...{ keys: [...keys, 'space_usage', 'software_versions'], tag_languages: { id }, tag_servers: { id } },
    ...{ instance_accounts: { domain: 'there.example' }, instance_languages: { domain: 'there.example' } },
  });
  const of = (wanted: string) =>
    Object.fromEntries(body.find(({ key }) => key === wanted)!.data.map(({ key, value }) => [key, value]));
  expect(of('servers')).toMatchObject({ 'social.example': '1', 'there.example': '2', 'media.there.example': '1' });
  expect(of('languages')).toMatchObject({ en: expect.any(String) });
  expect(of('sources')).toEqual({ web: '2' });
  expect(of('tag_languages')).toEqual({ de: '1', en: '1', und: '1' });
  expect(of('instance_accounts')).toEqual({ carol: '1' });
  expect(of('instance_languages')).toEqual({ de: '1', fr: '1' });
  expect(Object.keys(of('space_usage'))).toEqual(expect.arrayContaining(['lmdb', 'media', 'media_cache']));
  expect(of('software_versions')).toMatchObject({ node: process.versions.node });
});

test('who stays is counted from the day on which somebody came', async () => {
  gateway.actors.clock.advance(2 * dayMilliseconds);
  const day = Math.floor(start() / dayMilliseconds);
  await gateway.actors.call(Session.userActive.to(userKey(alice.id), { day }));
  const { body } = await ask<{ period: string; data: { value: string; rate: number }[] }[]>(
    'POST',
    '/api/v1/admin/retention',
    { ...period(3), frequency: 'day' },
  );
  expect(body.map(({ data }) => data.length)).toEqual([3, 2, 1]);
  expect(body[0]!.data.at(-1)).toMatchObject({ value: expect.stringMatching(/^[12]$/) });
  expect(body[0]!.data.at(-1)!.rate).toBe(Number(body[0]!.data.at(-1)!.value) / 2);
  expect(body[1]!.data).toEqual([
    { date: expect.any(String), value: '0', rate: 0 },
    { date: expect.any(String), value: '0', rate: 0 },
  ]);
  const monthly = await ask<object[]>('POST', '/api/v1/admin/retention', { ...period(40), frequency: 'month' });
  expect(monthly.body.length).toBeGreaterThan(1);
});

test('the space of the database is that of its partitions', async () => {
  const { options } = gateway.services;
  const dataDirectory = mkdtempSync(join(tmpdir(), 'murmuration-space-'));
  const before = options.dataDirectory;
  onTestFinished(() => {
    Object.assign(options, { dataDirectory: before });
    rmSync(dataDirectory, { recursive: true });
  });
  Object.assign(options, { dataDirectory });
  for (const [folder, bytes] of Object.entries({ 'partition-0': 3_000, 'partition-1': 40, media: 9 })) {
    mkdirSync(join(dataDirectory, folder));
    writeFileSync(join(dataDirectory, folder, 'data.mdb'), Buffer.alloc(bytes));
  }
  writeFileSync(join(dataDirectory, 'manifest.json'), '{}');
  const space = async () => {
    const { body } = await ask<Dimension[]>('POST', '/api/v1/admin/dimensions', { keys: ['space_usage'] });
    return body[0]!.data.find(({ key }) => key === 'lmdb')!.value;
  };
  // Figures are kept for a while.
  gateway.actors.clock.advance(dayMilliseconds);
  expect(await space()).toBe('3040');
});

test('copies of files count for the server that they belong to, by the day on which they were viewed last', async () => {
  const { remoteMedia } = gateway.services;
  const usage = remoteMedia.usage.bind(remoteMedia);
  onTestFinished(() => void Object.assign(remoteMedia, { usage }));
  const today = Math.floor(start() / dayMilliseconds);
  Object.assign(remoteMedia, {
    usage: async () => [
      { host: 'files.there.example', bytes: 3_000, bytesByDay: new Map([[today, 2_000]]) },
      { host: 'there.example', bytes: 72, bytesByDay: new Map() },
      { host: 'elsewhere.example', bytes: 5, bytesByDay: new Map([[today, 5]]) },
    ],
  });
  const about = { instance_media_attachments: { domain: 'there.example' } };
  const [media] = await measured(['instance_media_attachments'], about);
  expect(media).toMatchObject({ unit: 'bytes', total: '3072', human_value: '3.00 KB' });
  expect(media!.data.map(({ value }) => value)).toEqual(['0', '2000']);
});
