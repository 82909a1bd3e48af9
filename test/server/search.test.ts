/** The search of a whole server: after a kill, after its index was spoiled, while it is locked, and switched off. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSqlite } from '../../src/services/search/sqlite.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import type { User } from '../support/users.ts';

interface Found {
  readonly statuses: readonly { readonly id: string; readonly content: string }[];
}

async function found(server: RunningServer, { token }: User, words: string): Promise<string[]> {
  const answer = await server.fetch(`/api/v2/search?type=statuses&q=${encodeURIComponent(words)}`, { token });
  expect(answer.status).toBe(200);
  const { statuses } = (await answer.json()) as Found;
  return statuses.map(({ content }) => content.replace(/<[^>]+>/g, ''));
}

async function post(server: RunningServer, { token }: User, status: string): Promise<string> {
  const answer = await server.fetch('/api/v1/statuses', { method: 'POST', token, json: { status } });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { id: string }).id;
}

const withSearch = { MURMURATION_SEARCH: 'on' };

const isComplete = async (server: RunningServer) =>
  (await server.run('search', 'status')).includes('The index is complete.');

test('a post is found at once, edited, deleted, after a kill, and after its index was spoiled', async () => {
  let server = await startTestServer({ environment: withSearch });
  const { dataDirectory, port } = server;
  const restart = async (environment: Record<string, string> = withSearch) => {
    server = await startTestServer({ dataDirectory, port, environment });
  };
  const alice = await server.createUser('alice');
  const bob = await server.createUser('bob');
  await until(() => isComplete(server), { description: 'the index to be complete' });
  const id = await post(server, alice, 'a quiet herring');
  expect(await found(server, alice, 'herring')).toEqual(['a quiet herring']);
  expect(await found(server, bob, 'herring')).toEqual([]);
  const indexable = { method: 'PATCH', token: alice.token, json: { indexable: true } };
  expect((await server.fetch('/api/v1/accounts/update_credentials', indexable)).status).toBe(200);
  await until(async () => (await found(server, bob, 'herring')).length === 1, { description: 'bob to find the post' });
  const edit = { method: 'PUT', token: alice.token, json: { status: 'a loud salmon' } };
  expect((await server.fetch(`/api/v1/statuses/${id}`, edit)).status).toBe(200);
  expect(await found(server, bob, 'herring')).toEqual([]);
  expect(await found(server, bob, 'salmon -herring')).toEqual(['a loud salmon']);

  await post(server, alice, 'salmon two');
  await server.kill();
  await restart();
  expect(await found(server, bob, 'salmon')).toEqual(['salmon two', 'a loud salmon']);

  await server.stop();
  writeFileSync(join(dataDirectory, 'search', 'index.sqlite'), 'spoiled '.repeat(5_000));
  await restart();
  await until(() => isComplete(server), { description: 'the index to be built anew' });
  expect(await found(server, bob, 'salmon')).toEqual(['salmon two', 'a loud salmon']);
  expect(await server.run('search', 'rebuild')).toContain('Posts in the index: 2');
  expect((await server.fetch(`/api/v1/statuses/${id}`, { method: 'DELETE', token: alice.token })).status).toBe(200);
  expect(await found(server, bob, 'salmon')).toEqual(['salmon two']);
  expect(server.output()).not.toMatch(/Experimental|"level":"(warn|error)"/);

  const { DatabaseSync } = loadSqlite();
  const other = new DatabaseSync(join(dataDirectory, 'search', 'index.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  await post(server, alice, 'salmon three');
  expect(await found(server, bob, 'salmon')).toEqual(['salmon two']);
  expect(await server.run('search', 'status')).toContain(
    'left alone for the moment: Another program has locked the index.',
  );
  other.close();
  await server.run('search', 'rebuild');
  expect(await found(server, bob, 'salmon')).toEqual(['salmon three', 'salmon two']);

  await server.stop();
  await restart({ MURMURATION_SEARCH: 'off' });
  expect(await found(server, alice, 'salmon')).toEqual([]);
  await expect(server.run('search', 'status')).rejects.toThrow('MURMURATION_SEARCH=off');
  await server.stop();
  rmSync(dataDirectory, { recursive: true });
});
