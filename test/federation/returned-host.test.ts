/** A real remote server that was away for days: its first activity brings it what waits for it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Create, Follow, Note, PUBLIC_COLLECTION } from '@fedify/vocab';
import { open } from 'lmdb';
import { expect, onTestFinished, test } from 'vitest';
import type { LaneState } from '../../src/actors/partition/partition.records.ts';
import { laneStates } from '../../src/actors/partition/partition.state.ts';
import { partitionPath } from '../../src/server/partitions.ts';
import { startFedifyServer } from '../support/fedify-server.ts';
import { freePort } from '../support/free-port.ts';
import { startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const day = 24 * 60 * 60_000;

/** In a stopped server, the only lane of its only partition waits for two days after a failure that is a day old. */
async function makeDead(dataDirectory: string): Promise<void> {
  const path = partitionPath(dataDirectory, 0);
  const database = open<Uint8Array, Uint8Array>({
    ...({ path, encoding: 'binary', keyEncoding: 'binary', overlappingSync: false } as const),
  });
  try {
    const key = laneStates.encode([1]);
    const state: LaneState = laneStates.value.decode(database.get(key)!);
    const wait = { failingSince: Date.now() - 7 * day, nextAttemptAt: Date.now() + 2 * day };
    const dead = { ...state, failures: 9, ...wait, earliestAttemptAt: Date.now() - day, shortenedWaits: 0 };
    await database.put(key, laneStates.value.encode(dead));
  } finally {
    await database.close();
  }
}

test('a host that is heard from after an outage gets what waits for it', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'murmuration-returned-'));
  onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }));
  const remote = await startFedifyServer('127.0.0.2', ['remy']);
  onTestFinished(() => remote.stop());
  const environment = { MURMURATION_PARTITIONS: '1', MURMURATION_LOG_LEVEL: 'debug' };
  const port = await freePort();
  const first = await startTestServer({ dataDirectory, port, environment });
  const alice = await first.createUser('alice');
  const actor = new URL(`${first.origin}/users/alice`);
  const own = () => ({ id: remote.newAddress('activities'), actor: remote.actor('remy') });
  await remote.send('remy', actor, new Follow({ ...own(), object: actor }));
  await until(() => remote.received.length > 0, { description: 'remy to be accepted' });
  await until(async () => (await first.run('deliveries', 'list')).includes(`${remote.host}  healthy, 0 pending`));
  expect(await first.stop()).toBe(0);
  await makeDead(dataDirectory);

  const server = await startTestServer({ dataDirectory, port, environment });
  onTestFinished(() => void server.kill());
  await server.fetch('/api/v1/statuses', { method: 'POST', token: alice.token, json: { status: 'Long missed' } });
  await until(async () => (await server.run('deliveries', 'list')).includes(`${remote.host}  dead, 1 pending`));
  remote.received.length = 0;
  const note = new Note({
    id: remote.newAddress('notes'),
    attribution: remote.actor('remy'),
    content: 'Back',
    to: actor,
  });
  await remote.send('remy', actor, new Create({ ...own(), object: remote.serve(note), to: actor }));
  const isPost = ({ activity }: { activity: unknown }) =>
    activity instanceof Create && activity.toIds.some(({ href }) => href === PUBLIC_COLLECTION.href);
  await until(() => remote.received.some(isPost), { description: 'what waited for remy' });
  await until(async () => (await server.run('deliveries', 'list')).includes(`${remote.host}  healthy, 0 pending`));
  expect(server.output()).toContain(`${remote.host} is heard from: deliveries are tried in 0 seconds instead of 172`);
  expect(await server.stop()).toBe(0);
});
