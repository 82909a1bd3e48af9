/**
 * Dead letters of a whole server, as its operator meets them over the admin socket: the messages are real ones of a real
 * actor, and fail because she is suspended. They stand in the data folder as timers, as a version that publishes later
 * would have left them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { slotOfId } from '../../src/runtime/ids.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import { LmdbLog } from '../../src/runtime/storage/lmdb-log.ts';
import { timers } from '../../src/runtime/storage/machine.ts';
import { partitionMapBytes, partitionPath } from '../../src/server/partitions.ts';
import { freePort } from '../support/free-port.ts';
import { plainPost } from '../support/plain-post.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const partitions = 2;

let dataDirectory: string;
let port: number;
let server: RunningServer | undefined;

beforeEach(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'murmuration-letters-'));
  port = await freePort();
});

afterEach(async () => {
  await server?.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

async function start(): Promise<RunningServer> {
  server = await startTestServer({ dataDirectory, port, environment: { MURMURATION_PARTITIONS: String(partitions) } });
  return server;
}

/** What the account shall publish as soon as the server, which is stopped now, runs again. */
async function planPosts(accountId: bigint, partition: number, texts: readonly string[]): Promise<void> {
  const log = new LmdbLog({ path: partitionPath(dataDirectory, partition), mapBytes: partitionMapBytes });
  const keys = texts.map((_text, index) => timers.encode([0, index]));
  const values = texts.map((text) => {
    const { kind, key, message, body } = Account.publish.to(accountId, plainPost(text));
    return timers.value.encode([kind, key, message, body, 'system']);
  });
  const error = await new Promise((done) => log.append({ keys, values }, done));
  await log.close();
  expect(error).toBeUndefined();
}

test('a message that failed is listed, sent again when its fault is mended, or dropped, and survives the server', async () => {
  const first = await start();
  const { id } = await first.createUser('alice');
  const partition = evenPlacement(partitions).partitionOf(slotOfId(BigInt(id)));
  await first.run('accounts', 'modify', 'alice', '--suspend');
  await first.stop();
  await planPosts(BigInt(id), partition, ['one', 'two']);

  const second = await start();
  // Timers that are due run soon after the start.
  const letters = async () => (await second.run('dead-letters', 'list')).trim().split('\n');
  await until(async () => (await letters()).length === 2, { description: 'both letters' });
  const listed = await letters();
  const complaint = `to ${id}: account.publish: forbidden`;
  expect(listed).toEqual(
    [`${partition}-2`, `${partition}-1`].map((name) => expect.stringMatching(`^${name}  .*  ${complaint}$`)),
  );
  expect(await second.run('dead-letters', 'retry', `${partition}-1`)).toBe('Sent again: 1\nFailed again: 1\n');
  await second.kill();

  const killed = await start();
  await killed.kill();
  const third = await start();
  // A start that takes longer than usual says why.
  const why = 'The server ended twice without being stopped: every page of its data folder is read first.\n';
  expect([second, killed, third].map(({ output }) => output().includes(why))).toEqual([false, false, true]);
  await third.run('accounts', 'modify', 'alice', '--unsuspend');
  // It has a new number since it failed again.
  expect(await third.run('dead-letters', 'retry', `${partition}-3`)).toBe('Sent again: 1\n');
  expect(await third.run('dead-letters', 'drop', 'all')).toBe('Dropped: 1\n');
  const statuses = (await (await third.fetch(`/api/v1/accounts/${id}/statuses`)).json()) as { content: string }[];
  expect(statuses.map(({ content }) => content)).toEqual(['<p>one</p>']);
});
