/** The file of the index: kept over restarts, made anew where it cannot be used, and left alone where it cannot be written. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Problem } from '../../../src/runtime/ports.ts';
import { loadSqlite } from '../../../src/services/search/sqlite.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { openIndex, searchOver, type TestSearch, wordsOf } from '../../support/search.ts';

let folder: string;
let path: string;
let people: People;
let alice: Person;
let problems: Problem[];
let open: TestSearch[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-search-'));
  path = join(folder, 'search', 'index.sqlite');
  people = new People();
  alice = people.local('alice', { indexable: true });
  problems = [];
  open = [];
});

afterEach(() => {
  for (const { engine } of open) engine.stop();
  rmSync(folder, { recursive: true });
});

function start(of = 'test', monotonic = people.server.clock.monotonic): TestSearch {
  const report = (problem: Problem) => void problems.push(problem);
  const search = searchOver(people.server, { path, folder: of, monotonic, report });
  open.push(search);
  return search;
}

const found = async ({ engine }: TestSearch) => {
  const ids = await engine.find(wordsOf(alice, 'cats'));
  return ids.map((id) => people.statusRecord(id)!.text);
};

test('it goes on after a restart with what came meanwhile', async () => {
  await people.publish(alice, { text: 'cats 1' });
  const first = start();
  first.catchUp();
  first.engine.stop();
  await people.publish(alice, { text: 'cats 2' });
  const second = start();
  expect(await found(second)).toEqual(['cats 2', 'cats 1']);
  expect((await second.engine.state()).rebuilt).toBeUndefined();
});

test('reading everything goes on where a restart interrupted it', async () => {
  for (let number = 0; number < 20; number += 1) await people.publish(alice, { text: `cats ${number}` });
  let time = 0;
  const tick = () => (time += 1);
  const first = start('test', tick);
  while (((await first.engine.state()).rebuilt ?? 1) < 0.3) first.engine.proceed();
  const { rebuilt } = await first.engine.state();
  expect(rebuilt).toBeLessThan(0.9);
  first.engine.stop();
  const second = start('test', tick);
  second.engine.proceed();
  expect((await second.engine.state()).rebuilt).toBeGreaterThan(rebuilt!);
  second.catchUp();
  expect(await second.engine.state()).toMatchObject({ statuses: 20, rebuilt: undefined, commitsBehind: 0 });
});

test('a rebuild forgets what is no longer there', async () => {
  const post = await people.publish(alice, { text: 'cats' });
  const search = start();
  search.catchUp();
  search.engine.stop();
  const file = openIndex(path);
  file.putEntry(post.id + 1n, { body: 'cats', tags: '', facts: 's p' });
  file.setInterest(post.id + 1n, alice.id, true);
  file.close();
  const again = start();
  expect(await again.engine.find(wordsOf(alice, 'cats'))).toEqual([post.id + 1n, post.id]);
  await again.engine.rebuild();
  again.catchUp();
  expect(await again.engine.find(wordsOf(alice, 'cats'))).toEqual([post.id]);
});

describe('it is made anew', () => {
  const spoiled: [string, () => void, string][] = [
    ['of another folder', () => undefined, 'another'],
    ['lost', () => rmSync(join(folder, 'search'), { recursive: true }), 'test'],
    ['no database', () => writeFileSync(path, 'not a database, but long enough to be read as one'.repeat(200)), 'test'],
    ['cut off', () => truncateSync(path, 4_096), 'test'],
    ['empty', () => truncateSync(path, 0), 'test'],
  ];
  test.each(spoiled)('where it is %s', async (_what, spoil, of) => {
    await people.publish(alice, { text: 'cats' });
    const first = start();
    first.catchUp();
    first.engine.stop();
    spoil();
    const second = start(of);
    second.catchUp();
    second.catchUp();
    expect(await found(second)).toEqual(['cats']);
    expect((await second.engine.state()).problem).toBeUndefined();
  });
});

test('while it cannot be written, statuses are found as far as it goes, and later it catches up', async () => {
  await people.publish(alice, { text: 'cats 1' });
  const search = start();
  search.catchUp();
  const { DatabaseSync } = loadSqlite();
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  await people.publish(alice, { text: 'cats 2' });
  expect(await found(search)).toEqual(['cats 1']);
  expect(search.engine.proceed()).toBe(1_000);
  expect(await search.engine.state()).toMatchObject({ problem: 'database is locked' });
  expect(problems).toHaveLength(1);
  other.exec('ROLLBACK');
  other.close();
  people.server.clock.advance(60_000);
  expect(await found(search)).toEqual(['cats 2', 'cats 1']);
  expect(await search.engine.state()).toMatchObject({ problem: undefined, commitsBehind: 0 });
});
