/** The file of the index: kept over restarts, made anew where it cannot be used, and left alone where it cannot be written. */
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
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

function start(of = 'test', monotonic = people.server.clock.monotonic, shardEntriesMax?: number): TestSearch {
  const report = (problem: Problem) => void problems.push(problem);
  const search = searchOver(people.server, {
    path,
    folder: of,
    monotonic,
    report,
    ...(shardEntriesMax && { shardEntriesMax }),
  });
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

test('where the event logs do not reach back so far, everything is read again', async () => {
  const gone = await people.publish(alice, { text: 'cats gone' });
  const first = start();
  first.catchUp();
  first.engine.stop();
  await people.remove(gone);
  await people.publish(alice, { text: 'cats 2' });
  for (let hours = 0; hours < 3; hours += 1) {
    people.server.clock.advance(60 * 60 * 1_000);
    await people.publish(alice, { text: `dogs ${hours}` });
  }
  const second = start();
  second.engine.proceed();
  expect((await second.engine.state()).rebuilt).toBeDefined();
  second.catchUp();
  expect(await found(second)).toEqual(['cats 2']);
  expect(await second.engine.state()).toMatchObject({ statuses: 4, rebuilt: undefined, commitsBehind: 0 });
});

test('a rebuild forgets what is no longer there', async () => {
  const post = await people.publish(alice, { text: 'cats' });
  const search = start();
  search.catchUp();
  search.engine.stop();
  const file = openIndex(path);
  file.transact(() => {
    file.putEntry(post.id + 1n, { body: 'cats', tags: '', facts: 's p' });
    file.setInterest(post.id + 1n, alice.id, true);
  });
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
    ['overwritten where it holds the words', () => overwrite(path, 6 * 4_096), 'test'],
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

/** Its beginning stays: the damage shows when somebody reads on. */
function overwrite(file: string, from: number): void {
  const content = readFileSync(file);
  writeFileSync(file, content.fill('spoiled ', from));
}

describe('a full disk', () => {
  const publish = async (from: number, count: number) => {
    for (let number = from; number < from + count; number += 1) await people.publish(alice, { text: `cats ${number}` });
  };

  test('posts go on, what is in the index is found, and it catches up when there is room', async () => {
    await publish(0, 10);
    const search = start();
    search.catchUp();
    search.leavePages(0);
    await publish(10, 400);
    expect(await found(search)).toContain('cats 9');
    expect(await found(search)).not.toContain('cats 409');
    expect(await search.engine.state()).toMatchObject({
      problem: 'The disk is full.',
      statuses: 10,
    });
    search.leavePages(10_000);
    people.server.clock.advance(60_000);
    search.catchUp();
    expect((await found(search))[0]).toBe('cats 409');
    expect(await search.engine.state()).toMatchObject({ problem: undefined, statuses: 410, commitsBehind: 0 });
    expect(problems.map(({ message }) => message)).toEqual(['the search index is left alone']);
  });

  test('reading everything goes on where it was; the operator may have it tried at once', async () => {
    await publish(0, 400);
    let time = 0;
    const search = start('test', () => (time += 1), 50);
    while (((await search.engine.state()).rebuilt ?? 1) < 0.3) search.engine.proceed();
    search.leavePages(2);
    search.catchUp();
    const { rebuilt, problem, statuses } = await search.engine.state();
    expect({ problem, isWhole: statuses === 400 }).toEqual({
      problem: 'The disk is full.',
      isWhole: false,
    });
    expect(rebuilt).toBeLessThan(1);
    search.leavePages(10_000);
    expect((await search.engine.rebuild()).problem).toBeUndefined();
    search.catchUp();
    expect(await search.engine.state()).toMatchObject({ statuses: 400, rebuilt: undefined });
    expect((await found(search))[0]).toBe('cats 399');
  });

  test('one that is full from the start finds nothing, says so, and is tried again', async () => {
    await publish(0, 1);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file where the folder should be');
    const search = start();
    await expect(search.engine.find(wordsOf(alice, 'cats'))).rejects.toMatchObject({ code: 'storageUnavailable' });
    expect((await search.engine.state()).problem).toMatch(/exist|directory/i);
    rmSync(folder);
    people.server.clock.advance(60_000);
    search.catchUp();
    expect(await found(search)).toEqual(['cats 0']);
  });
});

test('while another program has it for itself, nothing is found; afterwards it is as before', async () => {
  await people.publish(alice, { text: 'cats' });
  const first = start();
  first.catchUp();
  first.engine.stop();
  const { DatabaseSync } = loadSqlite();
  const other = new DatabaseSync(path);
  other.exec('PRAGMA locking_mode = exclusive; BEGIN EXCLUSIVE; SELECT count(*) FROM about');
  const second = start();
  await expect(second.engine.find(wordsOf(alice, 'cats'))).rejects.toMatchObject({ code: 'storageUnavailable' });
  expect((await second.engine.state()).problem).toMatch(/^Another program has locked the index/);
  other.close();
  people.server.clock.advance(60_000);
  expect(await found(second)).toEqual(['cats']);
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
  expect(await search.engine.state()).toMatchObject({
    problem: 'Another program has locked the index.',
  });
  expect(problems).toHaveLength(1);
  other.exec('ROLLBACK');
  other.close();
  people.server.clock.advance(60_000);
  expect(await found(search)).toEqual(['cats 2', 'cats 1']);
  expect(await search.engine.state()).toMatchObject({ problem: undefined, commitsBehind: 0 });
});
