/** Lists that are taken over from files: row by row, also where a slice runs twice. */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { filtersOf } from '../../src/actors/account/filters/filters.queries.ts';
import { importRows } from '../../src/actors/account/imports/imports.effects.ts';
import { failedRowsOf, importsOf } from '../../src/actors/account/imports/imports.queries.ts';
import type { ImportedList } from '../../src/actors/account/imports/imports.records.ts';
import { importLimits } from '../../src/actors/account/imports/limits.ts';
import { blockedDomains } from '../../src/actors/account/relationships/blocked-domains.queries.ts';
import { beginImport, cancelImport } from '../../src/operations/imports/import-list.ts';
import { importRunner } from '../../src/operations/imports/import-runner.ts';
import { csvOf } from '../../src/operations/leaving/exported-lists.ts';
import type { Person } from '../support/observer.ts';
import { silentHost } from '../support/services.ts';
import { Callers } from './callers.ts';

let callers: Callers;
let alice: Person;
let bob: Person;
let rita: Person;

beforeEach(() => {
  callers = new Callers();
  const { people } = callers;
  alice = people.local('alice');
  bob = people.local('bob');
  rita = people.remote('rita', 'there.test');
  callers.elsewhere.set('rita@there.test', rita.id);
});

const read = () => callers.people.server.read;
const latest = () => importsOf(read(), alice.id)[0]!;
const failures = () =>
  Array.from(failedRowsOf(read(), alice.id, latest().id), ({ line, result }) => `${line} ${result}`);
const exported = (list: ImportedList) => csvOf(callers.services, alice.id, list);
const begin = (list: ImportedList, content: string, overwrites = false) =>
  beginImport(callers.as(alice), { list, overwrites, content });

/** Runs slices until none is asked for, each twice: a kill before its answer was stored. */
async function run(between: () => Promise<void> = async () => undefined): Promise<number> {
  const { server } = callers.people;
  const [, runner] = importRunner(callers.services);
  for (let slices = 0; ; slices += 1) {
    const index = server.effects.findIndex(({ effect }) => effect === importRows.number);
    const [asked] = index === -1 ? [] : server.effects.splice(index, 1);
    if (asked === undefined) return slices;
    await runner(asked.request);
    asked.answer(await runner(asked.request));
    server.settle();
    await between();
  }
}

async function imported(list: ImportedList, content: string, overwrites = false): Promise<string[]> {
  await begin(list, content, overwrites);
  await run();
  return failures();
}

test('follows are taken over with their options, and each row that fails says why', async () => {
  const rows = [
    'Account address,Show boosts,Notify on new posts,Languages',
    'rita@there.test,false,true,"de, en"',
    'bob@here.example,true,false,',
    'nobody@there.test,true,false,',
    `sam@${silentHost},true,false,`,
    'alice@here.example,true,false,',
    'not an address,true,false,',
  ];
  expect(await imported('follows', rows.join('\n'))).toEqual([
    '4 unknown',
    '5 unreachable',
    '6 refused',
    '7 unreadable',
  ]);
  expect(latest()).toMatchObject({ rows: 6, done: 2, failed: 4, endedAt: expect.any(Number) });
  expect(callers.people.relationship(alice, rita).follow).toMatchObject({ showReblogs: false, notify: true });
  expect(callers.people.relationship(alice, bob).follow).toMatchObject({ showReblogs: true });
  callers.people.expectSound();
});

test('what is exported here is taken over as it was', async () => {
  const { people } = callers;
  const post = await people.publish(bob);
  await people.follow(alice, bob);
  const files: readonly (readonly [ImportedList, string])[] = [
    ['blocks', 'rita@there.test\n'],
    ['mutes', 'Account address,Hide notifications\nbob@here.example,false\n'],
    ['domainBlocks', 'bad.test\n'],
    ['lists', '"Birds, rare",bob@here.example\n'],
    ['bookmarks', `https://here.example/users/bob/statuses/${post.id}\n`],
    [
      'filters',
      'Title,Context,Keyword,Whole word,Action,Expires at\nNews,"home, public",war,true,hide,\nNews,"home, public",peace,false,hide,\n',
    ],
  ];
  for (const [list, content] of files) {
    expect(await imported(list, content)).toEqual([]);
    expect(exported(list)).toBe(content);
    expect(await imported(list, exported(list))).toEqual([]);
    expect(exported(list)).toBe(content);
  }
  callers.people.expectSound();
});

test('overwriting removes what is not in the file, and merging does not', async () => {
  await callers.people.follow(alice, bob);
  expect(await imported('follows', 'rita@there.test')).toEqual([]);
  expect(callers.people.relationship(alice, bob).follow).toBeDefined();
  expect(await imported('follows', 'rita@there.test', true)).toEqual([]);
  expect(callers.people.relationship(alice, bob).follow).toBeUndefined();
  expect(callers.people.relationship(alice, rita).follow).toBeDefined();
  expect(await imported('domainBlocks', 'one.test\ntwo.test')).toEqual([]);
  expect(await imported('domainBlocks', 'two.test', true)).toEqual([]);
  expect([...blockedDomains(read(), alice.id)]).toEqual(['two.test']);
  expect(await imported('filters', 'One,home,a,true,warn,\nTwo,home,b,true,warn,')).toEqual([]);
  expect(await imported('filters', 'Two,home,b,true,warn,', true)).toEqual([]);
  expect(filtersOf(read(), alice.id).map(({ title }) => title)).toEqual(['Two']);
});

test.each([
  ['', 'noRows'],
  ['<html>', 'noRows'],
  ['a@b.test\n'.repeat(importLimits.rowsMax + 1), 'tooManyRows'],
])('a file that is none of the list removes nothing: %#', async (content, reason) => {
  await callers.people.follow(alice, bob);
  await expect(begin('follows', content, true)).rejects.toMatchObject({ code: 'validation', reason });
  expect(importsOf(read(), alice.id)).toEqual([]);
  expect(callers.people.relationship(alice, bob).follow).toBeDefined();
});

test('one runs at a time; it can be cancelled, and ends where the account may not be used any more', async () => {
  const content = Array.from({ length: 3 * importLimits.rowsPerChunk }, (_, row) => `u${row}@there.test`).join('\n');
  await begin('blocks', content);
  await expect(begin('mutes', content)).rejects.toMatchObject({ code: 'conflict', reason: 'importRuns' });
  const { id: importId } = latest();
  await expect(cancelImport(callers.as(bob), { importId })).rejects.toMatchObject({ code: 'notFound' });
  const slices = await run(async () => {
    if (latest().endedAt === undefined) await cancelImport(callers.as(alice), { importId });
  });
  expect(slices).toBe(2);
  expect(latest()).toMatchObject({ isCancelled: true, failed: importLimits.rowsPerChunk });
  await expect(cancelImport(callers.as(alice), { importId })).rejects.toMatchObject({ code: 'conflict' });

  await begin('blocks', content);
  callers.people.server.callNow(Account.changeLogin.to(alice.id, { disabled: true }));
  await run();
  expect(latest()).toMatchObject({ isCancelled: true, done: 0, failed: 0 });
});

test('what became of the rows is forgotten after a while, and the oldest of many', async () => {
  for (let count = 0; count <= importLimits.keptMax; count += 1) await imported('blocks', 'rita@there.test');
  expect(importsOf(read(), alice.id)).toHaveLength(importLimits.keptMax);
  callers.people.expectSound();
  callers.people.server.clock.advance(importLimits.keptMilliseconds);
  expect(importsOf(read(), alice.id)).toEqual([]);
  callers.people.expectSound();
});
