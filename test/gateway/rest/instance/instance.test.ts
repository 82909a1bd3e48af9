/** The documents about the server, and what clients read at start. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { Directory } from '../../../../src/actors/directory/directory.messages.ts';
import { knownHosts } from '../../../../src/actors/directory/directory.state.ts';
import { Instance, instanceKey } from '../../../../src/actors/instance/instance.messages.ts';
import { instanceSecrets } from '../../../../src/actors/instance/instance.queries.ts';
import { customEmojis } from '../../../../src/actors/instance/instance.state.ts';
import { dayOf } from '../../../../src/actors/session/session.messages.ts';
import { usageTotals, weeklyActivity } from '../../../../src/actors/usage.state.ts';
import { bannerBlurhash, bannerRoute } from '../../../../src/gateway/banner.ts';
import { commands } from '../../../../src/gateway/operator/commands/commands.ts';
import { blockDomain, unblockDomain } from '../../../../src/operations/administration/domain-blocks.ts';
import { purgeServer } from '../../../../src/operations/administration/server-decisions.ts';
import { issueToken } from '../../../../src/operations/applications/issue-token.ts';
import { operator } from '../../../../src/operations/caller.ts';
import type { PartitionCondition } from '../../../../src/runtime/condition.ts';
import { Failure } from '../../../../src/runtime/errors.ts';
import type { AnyKeyspace } from '../../../../src/runtime/storage/keyspace.ts';
import { StorageFailure } from '../../../../src/runtime/storage/log.ts';
import { secretsOf } from '../../../../src/services/instance-secrets.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import type { MemoryStore } from '../../../support/memory-log.ts';
import { addPerson, startGateway } from '../../oauth/people.ts';
import { blurhashOf, decodePicture } from './picture.ts';

let gateway: TestGateway;

beforeEach(() => {
  gateway = startGateway({
    rawRoutes: [bannerRoute],
    environment: { MURMURATION_CONTACT_EMAIL: 'staff@example.org' },
  });
});

afterEach(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const picture = {
  url: 'https://social.example/assets/banner.png',
  blurhash: bannerBlurhash,
  versions: {
    '@1x': 'https://social.example/assets/banner.png',
    '@2x': 'https://social.example/assets/banner.png',
  },
};

describe('the instance', () => {
  test('in its second version', async () => {
    const { body } = await gateway.json('/api/v2/instance');
    expect(body).toMatchObject({
      domain: 'social.example',
      title: 'Murmuration',
      version: expect.stringMatching(/^4\.\d+\.\d+ \(compatible; Murmuration \d+\.\d+\.\d+\)$/),
      usage: { users: { active_month: 0 } },
      banner: picture,
      thumbnail: picture,
      icon: [
        { src: 'https://social.example/assets/icon-192.png', size: '192x192' },
        { src: 'https://social.example/assets/icon-512.png', size: '512x512' },
      ],
      configuration: {
        urls: { streaming: 'wss://social.example' },
        vapid: { public_key: expect.stringMatching(/^B[\w-]{86}$/) },
        accounts: { max_featured_tags: 10, max_pinned_statuses: 5, max_display_name_length: 30, max_note_length: 500 },
        statuses: { max_characters: 500, max_media_attachments: 4, characters_reserved_per_url: 23 },
        polls: { max_options: 4, max_characters_per_option: 50, min_expiration: 300, max_expiration: 2_629_746 },
        translation: { enabled: false },
      },
      registrations: { enabled: true, approval_required: false, message: null },
      api_versions: { mastodon: expect.any(Number) },
      contact: { email: 'staff@example.org', account: null },
      rules: [],
    });
  });

  test('in its first version', async () => {
    const { body } = await gateway.json('/api/v1/instance');
    expect(body).toMatchObject({
      uri: 'social.example',
      title: 'Murmuration',
      email: 'staff@example.org',
      urls: { streaming_api: 'wss://social.example' },
      stats: { user_count: 0, status_count: 0, domain_count: 0 },
      thumbnail: picture.url,
      registrations: true,
      approval_required: false,
      configuration: { accounts: { max_featured_tags: 10 }, statuses: { max_characters: 500 } },
    });
  });

  test('counts people, and announces another address for streams', async () => {
    await gateway.close();
    gateway = startGateway({ environment: { MURMURATION_STREAMING_ORIGIN: 'wss://stream.example' } });
    await addPerson(gateway, 'alice');
    await addPerson(gateway, 'bob', { approved: false });
    const { body } = await gateway.json('/api/v1/instance');
    expect(body).toMatchObject({ stats: { user_count: 1 }, urls: { streaming_api: 'wss://stream.example' } });
  });

  test.each([
    ['open', { enabled: true, approval_required: false }],
    ['approval', { enabled: true, approval_required: true }],
    ['closed', { enabled: false, approval_required: false }],
  ] as const)('tells that registrations are %s', async (registrations, expected) => {
    await gateway.actors.call(Instance.changeSettings.to(instanceKey, { registrations, title: 'Birds' }));
    const { body } = await gateway.json('/api/v2/instance');
    expect(body).toMatchObject({ title: 'Birds', registrations: expected });
  });

  test('shows what staff wrote', async () => {
    const alice = await addPerson(gateway, 'alice');
    const written = { content: '<p>Birds</p>', updatedAt: Date.UTC(2025, 0, 2) };
    const shown = { content: '<p>Birds</p>', updated_at: '2025-01-02T00:00:00.000Z' };
    const nothing = { content: '', updated_at: null };
    expect((await gateway.json('/api/v1/instance/extended_description')).body).toEqual(nothing);
    const { body: unwritten } = await gateway.json('/api/v1/instance/privacy_policy');
    expect(unwritten).toMatchObject({ updated_at: '2026-11-22T00:00:00.000Z' });
    expect(unwritten.content).toContain('What is stored');
    const translations = { de: { text: 'Sei nett', hint: '' } };
    const rules = [{ id: '1', text: 'Be kind', hint: '', translations }];
    const settings = { rules, extendedDescription: written, privacyPolicy: written, contactAccountId: alice };
    await gateway.actors.call(Instance.changeSettings.to(instanceKey, settings));
    expect((await gateway.json('/api/v1/instance/extended_description')).body).toEqual(shown);
    expect((await gateway.json('/api/v1/instance/privacy_policy')).body).toEqual(shown);
    const headers = { 'accept-language': 'de' };
    expect((await gateway.json('/api/v1/instance/rules', { headers })).body).toEqual(rules);
    expect((await gateway.json('/api/v1/instance', { headers })).body).toMatchObject({ rules });
    expect((await gateway.json('/api/v2/instance', { headers })).body).toMatchObject({
      rules,
      contact: { account: { username: 'alice' } },
    });
  });
});

describe('the peers', () => {
  test('are the servers of known accounts, unless staff hide them', async () => {
    for (let number = 0; number < 3; number += 1) {
      const host = `h${number}.example`;
      gateway.actors.turn(Directory.actor, `host:${host}`, (turn) =>
        turn.tell(Directory.hostKnown.to(`host:${host}`, { host })),
      );
    }
    const peers = await gateway.json<string[]>('/api/v1/instance/peers');
    expect(peers.body.sort()).toEqual(['h0.example', 'h1.example', 'h2.example']);
    expect((await gateway.json('/api/v1/instance')).body).toMatchObject({ stats: { domain_count: 3 } });
    const found = (q: string) => gateway.json(`/api/v1/peers/search?q=${q}`).then(({ body }) => body);
    expect(await found('H')).toEqual(['h0.example', 'h1.example', 'h2.example']);
    expect(await found('h1.')).toEqual(['h1.example']);
    expect([await found(''), await found('i')]).toEqual([[], []]);
    const context = { caller: operator, services: gateway.services };
    await blockDomain(context, { domain: 'h1.example', severity: 'suspend' });
    await blockDomain(context, { domain: 'h2.example', severity: 'silence' });
    const { body } = await gateway.json<string[]>('/api/v1/instance/peers');
    expect([body.sort(), await found('h1.')]).toEqual([['h0.example', 'h2.example'], []]);
    for (const domain of ['h1.example', 'h2.example']) await unblockDomain(context, { domain });
    // Nobody was ever known of the second one.
    for (const domain of ['h0.example', 'unknown.example']) await purgeServer(context, { domain });
    gateway.actors.clock.advance(60_000);
    expect((await gateway.json<string[]>('/api/v1/instance/peers')).body.sort()).toEqual(['h1.example', 'h2.example']);
    expect((await gateway.json('/api/v1/instance')).body).toMatchObject({ stats: { domain_count: 2 } });
  });
});

test.each([
  ['peers', '/api/v1/instance/peers'],
  ['peers', '/api/v1/peers/search?q=a'],
  ['activity', '/api/v1/instance/activity'],
])('settings %s off takes %s away, as specification 4.9 allows', async (word, path) => {
  const status = async () => (await gateway.json(path)).status;
  const set = commands.find(({ words }) => words === `settings ${word}`)!;
  expect(await status()).toBe(200);
  await set.run!(gateway.services, set.read('off', {}));
  expect(await status()).toBe(404);
  await set.run!(gateway.services, set.read('on', {}));
  expect(await status()).toBe(200);
});

test.each<[string, Pick<AnyKeyspace, 'number'>]>([
  ['/api/v2/instance', usageTotals],
  ['/api/v1/instance/activity', weeklyActivity],
  ['/api/v1/instance/peers', knownHosts],
  ['/api/v1/custom_emojis', customEmojis],
])('%s answers without what cannot be decoded (%#)', async (path, { number }) => {
  await addPerson(gateway, 'alice');
  gateway.actors.turn(Directory.actor, 'host:h.example', (turn) =>
    turn.tell(Directory.hostKnown.to('host:h.example', { host: 'h.example' })),
  );
  const url = 'https://media.example/bird.png';
  const emoji = { shortcode: 'bird', url, staticUrl: url, visibleInPicker: true };
  await gateway.actors.call(Instance.putEmoji.to(instanceKey, emoji));
  const disks = gateway.actors.disks as readonly MemoryStore[];
  const found = disks.map((disk) => entriesOf(disk, number));
  const write = (written: (bytes: Uint8Array) => Uint8Array) => {
    for (const [index, entries] of found.entries())
      disks[index]!.apply({ keys: entries.map(([key]) => key), values: entries.map(([, value]) => written(value)) });
  };
  expect(found.flat()).not.toEqual([]);
  write(() => Uint8Array.of(0xdf, 0xff, 0xff));
  expect((await gateway.fetch(path)).status).toBe(200);
  write((bytes) => bytes);
});

function entriesOf(disk: MemoryStore, space: number): (readonly [key: Uint8Array, value: Uint8Array])[] {
  const all = disk.range({ start: Uint8Array.of(0), end: Uint8Array.of(255, 255, 255, 255), reverse: false });
  const entries = Array.from(all, ({ key, value }) => [Uint8Array.from(key), Uint8Array.from(value)] as const);
  return entries.filter(([key]) => key[2] === space);
}

test('the activity is twelve weeks of strings, newest first (specification 2.7)', async () => {
  await addPerson(gateway, 'alice');
  const { body: weeks } = await gateway.json<{ week: string }[]>('/api/v1/instance/activity');
  expect(weeks).toHaveLength(12);
  expect(weeks[0]).toEqual({ week: '1735516800', statuses: '0', logins: '0', registrations: '1' });
  expect(Number(weeks[1]!.week)).toBe(1_735_516_800 - 7 * 24 * 60 * 60);
});

describe('the terms of service', () => {
  const terms = async (date = '') => gateway.json(`/api/v1/instance/terms_of_service${date}`);
  const publish = (day: number, content: string) =>
    gateway.actors.call(Instance.publishTerms.to(instanceKey, { day, content }));

  test('are nowhere until staff publish some', async () => {
    expect([(await terms()).status, (await terms('/2025-01-01')).status]).toEqual([404, 404]);
    expect((await gateway.json('/api/v2/instance')).body).toMatchObject({
      configuration: { urls: { terms_of_service: null } },
    });
  });

  test('are those in force; each version is found by its date', async () => {
    const today = dayOf(gateway.actors.clock.now());
    await publish(today + 31, '<p>Second</p>');
    const second = { effective_date: '2025-02-01', effective: false, content: '<p>Second</p>', succeeded_by: null };
    expect((await terms()).body).toEqual(second);
    await publish(today, '<p>First</p>');
    const first = {
      effective_date: '2025-01-01',
      effective: true,
      content: '<p>First</p>',
      succeeded_by: '2025-02-01',
    };
    expect((await terms()).body).toEqual(first);
    expect([(await terms('/2025-01-01')).body, (await terms('/2025-02-01')).body]).toEqual([first, second]);
    expect((await terms('/2025-01-02')).status).toBe(404);
    expect((await gateway.json('/api/v2/instance')).body).toMatchObject({
      configuration: { urls: { terms_of_service: 'https://social.example/terms-of-service' } },
    });
  });
});

describe('the built-in picture', () => {
  test('is served', async () => {
    const response = await gateway.fetch('/assets/banner.png');
    expect(response.headers.get('content-type')).toBe('image/png');
    const file = readFileSync('src/gateway/banner.png');
    expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true);
  });

  test('has the blurhash that is told', () => {
    expect(blurhashOf(decodePicture(readFileSync('src/gateway/banner.png')), 4, 3)).toBe(bannerBlurhash);
  });
});

test('the secrets are made once, whoever asks first', async () => {
  const gateway = startTestGateway({ endpoints: [], secrets: 'made when they are needed' });
  onTestFinished(() => gateway.close());
  const [one, other] = await Promise.all([secretsOf(gateway.services), secretsOf(gateway.services)]);
  expect(one).toEqual(other);
  expect(instanceSecrets(gateway.actors.read)).toEqual(one);
  expect(secretsOf(gateway.services)).not.toBeInstanceOf(Promise);
  expect(one.keyPair.publicKeyPem).toContain('BEGIN PUBLIC KEY');
  expect(Buffer.from(one.vapidPublicKey, 'base64url')).toHaveLength(65);
  expect(Buffer.from(one.vapidPrivateKey, 'base64url')).toHaveLength(32);
});

test('preferences are those of the user', async () => {
  const accountId = await addPerson(gateway, 'alice', {
    ...{ defaultPrivacy: 'unlisted', defaultLanguage: 'de' },
    ...{ expandMedia: 'show_all', expandSpoilers: true, autoplayGifs: false },
  });
  const rights = { clientId: 'c', applicationId: 7n, scopes: ['read'], dialect: 'specification' as const };
  const { token } = await issueToken(gateway.services, { ...rights, accountId });
  expect((await gateway.json('/api/v1/preferences', { token })).body).toEqual({
    'posting:default:visibility': 'unlisted',
    'posting:default:sensitive': false,
    'posting:default:language': 'de',
    'posting:default:quote_policy': 'public',
    'posting:default:reply_policy': 'public',
    'reading:expand:media': 'show_all',
    'reading:expand:spoilers': true,
    'reading:autoplay:gifs': false,
  });
  await gateway.actors.call(Account.changeProfile.to(accountId, { autoplayGifs: true }));
  expect((await gateway.json('/api/v1/preferences', { token })).body).toMatchObject({ 'reading:autoplay:gifs': true });
});

test('emojis, languages and health answer at once', async () => {
  expect((await gateway.json('/api/v1/custom_emojis')).body).toEqual([]);
  expect((await gateway.json('/health', { headers: { accept: 'application/json' } })).body).toEqual({
    status: 'UP',
    problems: [],
    recent_problems: [],
    dead_letters: 0,
    archived_dead_letters: 0,
  });
  expect(await (await gateway.fetch('/health')).text()).toBe('OK');
  const { body } = await gateway.json('/api/v1/instance/languages');
  expect(body).toContainEqual({ code: 'de', name: 'German' });
});

const sound: PartitionCondition = {
  ...{ canWrite: true, hasFailedLately: false, isFenced: false, hasDamagedCounters: false },
  frozenChannels: [],
};

test.each<[string, () => PartitionCondition]>([
  ['cannot write to its storage', () => ({ ...sound, canWrite: false })],
  ['has counters that cannot be decoded', () => ({ ...sound, canWrite: false, hasDamagedCounters: true })],
  ['is held by another owner', () => ({ ...sound, isFenced: true })],
  ['exchanges no messages with another partition', () => ({ ...sound, frozenChannels: [0] })],
  [
    'does not answer',
    () => {
      throw new Failure('outcomeUnknown');
    },
  ],
])('health is down while a partition %s, and up again afterwards', async (problem, condition) => {
  const accept = { headers: { accept: 'application/json' } };
  const asked = vi.spyOn(gateway.actors.partitions[1]!, 'control').mockImplementation(condition);
  const { status, body } = await gateway.json('/health', accept);
  expect([status, body]).toEqual([
    503,
    expect.objectContaining({ status: 'DOWN', problems: [{ partition: 1, problem }] }),
  ]);
  expect(await (await gateway.fetch('/health')).text()).toBe('DOWN');
  expect(asked).toHaveBeenCalledOnce();
  asked.mockRestore();
  gateway.actors.clock.advance(1_000);
  expect((await gateway.json('/health', accept)).body).toMatchObject({ status: 'UP', problems: [] });
});

test('health tells apart what works now and what failed lately', async () => {
  const accept = { headers: { accept: 'application/json' } };
  gateway.actors.clock.advance(1_000);
  const asked = vi.spyOn(gateway.actors.partitions[1]!, 'control').mockImplementation(() => ({
    ...sound,
    hasFailedLately: true,
  }));
  const { status, body } = await gateway.json('/health', accept);
  const recent = [{ partition: 1, problem: 'could not write to its storage' }];
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ status: 'UP', problems: [], recent_problems: recent }),
  ]);
  expect(await (await gateway.fetch('/health')).text()).toBe('OK');
  asked.mockRestore();
  gateway.actors.clock.advance(1_000);
});

test('health is asked again within a second though somebody sets the clock back', async () => {
  const accept = { headers: { accept: 'application/json' } };
  const { now } = gateway.services;
  const unable = vi.spyOn(gateway.actors.partitions[1]!, 'control').mockImplementation(() => {
    throw new Failure('outcomeUnknown');
  });
  expect((await gateway.json('/health', accept)).body).toMatchObject({ status: 'DOWN' });
  unable.mockRestore();
  const clock = vi.spyOn(gateway.services, 'now').mockImplementation(() => now() - 24 * 60 * 60_000);
  gateway.actors.clock.advance(1_000);
  expect((await gateway.json('/health', accept)).body).toMatchObject({ status: 'UP', problems: [] });
  clock.mockRestore();
});

test('health is down while the gateway cannot read a partition, and up again afterwards', async () => {
  const accept = { headers: { accept: 'application/json' } };
  const { snapshots } = gateway.services;
  const asked = vi.spyOn(snapshots, 'isReadable').mockImplementation((partition) => partition !== 1);
  const read = vi.spyOn(snapshots.partitions[1]!, 'get').mockImplementation(() => {
    throw new StorageFailure(new Error('EIO'));
  });
  for (let count = 0; count < 2; count += 1)
    expect(await gateway.json('/health', accept)).toEqual({
      status: 503,
      body: {
        ...{ status: 'DOWN', problems: [{ partition: 1, problem: 'cannot be read by a gateway' }] },
        ...{ recent_problems: [], dead_letters: 0, archived_dead_letters: 0 },
      },
    });
  expect(await (await gateway.fetch('/health')).text()).toBe('DOWN');
  // Once for each partition, however often health is asked within a second.
  expect(asked).toHaveBeenCalledTimes(gateway.actors.partitions.length);
  asked.mockRestore();
  read.mockRestore();
  gateway.actors.clock.advance(1_000);
  expect((await gateway.json('/health', accept)).body).toMatchObject({ status: 'UP', problems: [] });
});
