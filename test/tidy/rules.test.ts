/** Each rule on small sources: what it must find, and what it must let pass. No rule is without both. */
import { describe, expect, test } from 'vitest';
import { createProject, type Rule } from './project.ts';
import { importDirection, noCycles, restStandsAlone } from './rules/imports.ts';
import { operationsWithoutWire, requestsComeIn } from './rules/operations.ts';
import { fileHeader, fileLength, noBarrels, noDefaultExports } from './rules/shape.ts';
import { askedAddresses, noDeadExports, noDeadFiles, testedFiles } from './rules/use.ts';
import {
  noConsole,
  noEmptyCatch,
  noSleeps,
  nothingLeftForLater,
  pureCode,
  testsRun,
  typesKept,
} from './rules/words.ts';
import { rules } from './rules.ts';

interface Examples {
  rule: Rule;
  /** A file with one finding, and its line. */
  bad: [path: string, text: string, line: number][];
  good: [path: string, text: string][];
}

const publish = 'src/actors/account/publish.ts';
const route = 'src/gateway/rest/statuses.ts';
const follow = 'src/operations/relationships/follow-account.ts';

const oneFile: Examples[] = [
  {
    rule: importDirection,
    bad: [
      ['src/runtime/log.ts', `\nimport { Account } from '../actors/account/account.messages.ts';`, 2],
      ['src/runtime/log.ts', `import type { Options } from '../options/table.ts';`, 1],
      ['src/options/load.ts', `import { slotCount } from '../runtime/ids.ts';`, 1],
      ['src/actors/text/links.ts', `import { Account } from '../account/account.messages.ts';`, 1],
      [publish, `import {\n  tags,\n} from '../tag/tag.state.ts';`, 3],
      [publish, `import { tagPage } from '../tag/tag.queries.ts';`, 1],
      [publish, `import { send } from '../../federation/fetcher/deliver.ts';`, 1],
      [publish, `import { open } from 'lmdb';`, 1],
      [follow, `import { json } from '../../gateway/http/answers.ts';`, 1],
      [route, `import { statuses } from '../../actors/account/account.state.ts';`, 1],
      [route, `import { entries } from '../../actors/timelines.state.ts';`, 1],
      [route, `import { publish } from '../../actors/account/publish.ts';`, 1],
      [route, `export { LmdbLog } from '../../runtime/storage/lmdb-log.ts';`, 1],
      [route, `const partition = await import('../../runtime/partition/partition.ts');`, 1],
      [route, `new Worker(new URL('../../runtime/threads/owner.ts', import.meta.url));`, 1],
      [route, `import { start } from '../../main.ts';`, 1],
      [route, `import { runMain } from '../../server/main-thread.ts';`, 1],
      [publish, `import { actors } from '../catalogue.ts';`, 1],
      [publish, `import { partitionActor } from '../partition/partition.actor.ts';`, 1],
      ['src/runtime/pool/pool.ts', `import { request } from 'undici';`, 1],
      ['src/elsewhere/new.ts', 'export const one = 1;', 1],
    ],
    good: [
      ['src/main.ts', `import { Partition } from './runtime/partition/partition.ts'; import './gateway/gateway.ts';`],
      ['src/server/owner-thread.ts', `import { actors } from '../actors/catalogue.ts'; import './shared.ts';`],
      ['src/actors/catalogue.ts', `import { account } from './account/account.actor.ts';`],
      ['src/runtime/storage/lmdb-log.ts', `import { open } from 'lmdb'; import { Failure } from '../errors.ts';`],
      [publish, `import { statuses } from './account.state.ts'; import { accountKind } from '../kinds.ts';`],
      [publish, `import { Tag } from '../tag/tag.messages.ts'; import { render } from '../text/render.ts';`],
      [publish, `import { localOrder } from '../partition/partition.state.ts';`],
      ['src/actors/text/links.ts', `import { characters } from './characters.ts';`],
      [route, `import { statusById } from '../../actors/account/account.queries.ts';`],
      [route, `import type { Snapshots } from '../../runtime/storage/snapshots.ts';`],
      [route, `import type { Options } from '../../options/table.ts'; import { send } from '../fetcher/deliver.ts';`],
      [route, `const example = "import { statuses } from '../../actors/account/account.state.ts'";`],
      ['test/runtime/log.test.ts', `import { open } from 'lmdb';`],
    ],
  },
  {
    rule: restStandsAlone,
    bad: [['src/gateway/pages/actions.ts', `import { postFollow } from '../rest/accounts/follow-account.ts';`, 1]],
    good: [
      ['src/gateway/rest/endpoints.ts', `import { postFollow } from './accounts/follow-account.ts';`],
      ['src/server/gateway-thread.ts', `import { endpoints } from '../gateway/rest/endpoints.ts';`],
    ],
  },
  {
    rule: operationsWithoutWire,
    bad: [
      [follow, `import type { Grant } from '../grants.ts';`, 1],
      [follow, `one();\nconst key = request.header('idempotency-key');`, 2],
      [follow, `const { account_id: accountId } = input;`, 1],
    ],
    good: [
      [follow, `throw new Failure('notFound', { text: 'There is no in_reply_to_id.' }); // in a header`],
      [route, `const { account_id: accountId } = parameters;`],
    ],
  },
  {
    rule: requestsComeIn,
    bad: [['src/gateway/pages/actions.ts', 'return endpoint.respond(context, endpoint.validate({ id }));', 1]],
    good: [
      ['src/gateway/http/serve-endpoint.ts', 'const answer = this.endpoint.respond(exchange, parameters);'],
      ['src/gateway/pages/actions.ts', 'return followAccount(form, { accountId, options: {} });'],
    ],
  },
  {
    rule: fileLength,
    bad: [
      ['src/main.ts', 'one();\n'.repeat(401), 401],
      ['test/one.test.ts', 'one();\n'.repeat(500), 401],
    ],
    good: [['src/main.ts', 'one();\n'.repeat(400)]],
  },
  {
    rule: fileHeader,
    bad: [
      ['src/main.ts', `import './one.ts';\n// Too late.`, 1],
      ['src/start.mjs', '#!/usr/bin/env node\nstart();', 1],
    ],
    good: [
      ['src/main.ts', '/** The composition root. */'],
      ['src/start.mjs', '#!/usr/bin/env node\n/** The command. */'],
      ['test/one.test.ts', 'one();'],
    ],
  },
  {
    rule: noDefaultExports,
    bad: [
      ['src/main.ts', '\nexport default function main() {}', 2],
      ['src/main.ts', 'export { main as default };', 1],
    ],
    good: [
      ['src/main.ts', 'export const main = { default: 1 }; // export default'],
      ['vitest.config.ts', 'export default 1;'],
    ],
  },
  {
    rule: noBarrels,
    bad: [
      [
        'src/actors/index.ts',
        `/** All. */\nexport { one } from './one.ts';\nexport type { Two } from './two.ts';\n`,
        1,
      ],
      ['src/actors/index.ts', `import { a } from './a.ts';\nexport {\n  one,\n  two,\n} from './one.ts';`, 1],
      ['src/actors/index.ts', `const one = 1;\nexport * from './one.ts';`, 2],
    ],
    good: [
      ['src/actors/one.ts', `export { one } from './one.ts';\nexport const two = 2;`],
      ['src/actors/one.ts', `import './one.ts';`],
    ],
  },
  {
    rule: pureCode,
    bad: [
      [publish, 'export async function publish() {}', 1],
      [publish, '\nawait one();', 2],
      [publish, 'const time = Date.now();', 1],
      [publish, 'const time = new Date();', 1],
      ['src/actors/account/account.queries.ts', 'const now = Date.now;', 1],
      [publish, 'if (Math.random() < 1) one();', 1],
      [publish, `import { randomBytes } from 'node:crypto';`, 1],
      [publish, 'setTimeout(one, 1);', 1],
      [publish, 'setInterval(one, 1);', 1],
      [publish, 'setImmediate(one);', 1],
      [publish, 'fetch(url);', 1],
      [publish, 'const port = process.env.PORT;', 1],
      [publish, `import { readFileSync } from 'node:fs';`, 1],
      ['src/federation/documents/note.ts', 'const published = new Date();', 1],
      ['src/gateway/entities/status.ts', 'const id = crypto.randomUUID();', 1],
    ],
    good: [
      [publish, `const sentence = 'await Date.now()'; // await fetch()`],
      [publish, 'const published = new Date(turn.now); turn.fetch(one); message.process.run();'],
      [publish, `import { createHash } from 'node:crypto';`],
      ['src/actors/account/account.queries.ts', 'export async function page() { await slice(); }'],
      [route, 'const now = Date.now(); await fetch(url);'],
    ],
  },
  {
    rule: noConsole,
    bad: [
      [route, `\nconsole.log('one');`, 2],
      ['src/main.ts', 'console.error(error);', 1],
    ],
    good: [
      ['src/gateway/operator/cli/help.ts', 'console.log(help);'],
      ['src/start.mjs', 'console.error(error);'],
      [route, `// console.log('one');`],
    ],
  },
  {
    rule: nothingLeftForLater,
    bad: [
      [route, `one();\n// ${'TO'}DO: two`, 2],
      ['test/one.test.ts', `/* ${'FIX'}ME */`, 1],
    ],
    good: [[route, `const word = '${'TO'}DO'; // done`]],
  },
  {
    rule: typesKept,
    bad: [
      [route, 'const one: any = 1;', 1],
      [route, 'const one = two as any;', 1],
      [route, 'function one(two: Map<string, any>): void {}', 1],
      [route, 'type One = string | any;', 1],
      [route, 'const one: any[] = [];', 1],
      [route, `\n// ${'@ts'}-ignore`, 2],
      [route, `// ${'@ts'}-expect-error: two`, 1],
      ['test/one.test.ts', `// ${'@ts'}-ignore`, 1],
      [route, `// ${'biome'}-ignore lint: two`, 1],
    ],
    good: [
      [route, `const one = { any: 1 }; // any of them`],
      ['test/one.test.ts', `// ${'@ts'}-expect-error: one is not a number`],
      ['test/one.test.ts', 'expect(one).toEqual(expect.any(String)); Promise.any([two]);'],
    ],
  },
  {
    rule: noEmptyCatch,
    bad: [
      [route, 'try { one(); } catch {}', 1],
      [route, 'try {\n  one();\n} catch (error) {\n  // nothing\n}', 3],
    ],
    good: [[route, 'try { one(); } catch (error) { report(error); }']],
  },
  {
    rule: testsRun,
    bad: [
      ['test/one.test.ts', `\ntest.only('one', two);`, 2],
      ['test/one.test.ts', `// because it is late\ndescribe.only('one', two);`, 2],
      ['test/one.test.ts', `it.skip('one', two);`, 1],
      ['test/one.test.ts', `// because of one\ntest('one', two);\ntest.skipIf(three)('four', five);`, 3],
      ['test/one.test.ts', `xdescribe('one', two);`, 1],
    ],
    good: [
      ['test/one.test.ts', `// because there is no browser here\ntest.skipIf(!browser)('one', two);`],
      ['test/one.test.ts', `test.each(['it.only'])('one', two);`],
    ],
  },
  {
    rule: noSleeps,
    bad: [
      ['test/one.test.ts', 'await new Promise((resolve) => setTimeout(resolve, 100));', 1],
      ['test/one.test.ts', '\nawait sleep(100);', 2],
      ['test/sim/one.ts', `import { setTimeout } from 'node:timers/promises';`, 1],
      ['test/one.test.ts', 'Atomics.wait(one, 0, 0, 100);', 1],
    ],
    good: [
      ['test/support/until.ts', 'setTimeout(resolve, 5);'],
      ['test/runtime/support/slow-disk.ts', 'setTimeout(finish, 5);'],
      ['test/one.test.ts', `const program = 'setTimeout(one, 1)'; await until(() => two);`],
      ['src/runtime/threads/owner.ts', 'setTimeout(wake, 5);'],
    ],
  },
];

describe.each(oneFile)('$rule.name', ({ rule, bad, good }) => {
  test.each(bad)('finds %s: %j', (path, text, line) => {
    const findings = rule.check(createProject({ [path]: text }));
    // A word and the import of it may both be found; the line is one.
    expect([...new Set(findings.map((finding) => `${finding.path}:${finding.line}`))]).toEqual([`${path}:${line}`]);
  });

  test.each(good)('passes %s: %j', (path, text) => {
    expect(rule.check(createProject({ [path]: text }))).toEqual([]);
  });
});

describe(noCycles.name, () => {
  test('finds a circle of three, with its way', () => {
    const project = createProject({
      'src/one.ts': `import './two.ts';`,
      'src/two.ts': `\nimport type { Three } from './area/three.ts';`,
      'src/area/three.ts': `import { one } from '../one.ts';`,
      'src/four.ts': `import './one.ts';`,
    });
    expect(noCycles.check(project)).toEqual([
      { path: 'src/area/three.ts', line: 1, what: 'src/one.ts → src/two.ts → src/area/three.ts → src/one.ts' },
    ]);
  });

  test('finds a file that imports itself', () => {
    expect(noCycles.check(createProject({ 'src/one.ts': `import './one.ts';` }))).toHaveLength(1);
  });

  test('passes two ways to the same file', () => {
    const project = createProject({
      'src/one.ts': `import './two.ts'; import './three.ts';`,
      'src/two.ts': `import './three.ts';`,
      'src/three.ts': `import 'node:fs';`,
    });
    expect(noCycles.check(project)).toEqual([]);
  });
});

describe(noDeadFiles.name, () => {
  test('finds what only dead files and tests import', () => {
    const project = createProject({
      'src/main.ts': `import './one.ts'; new Worker(new URL('./worker.ts', import.meta.url));`,
      'src/one.ts': `import type { Two } from './two.ts';`,
      'src/two.ts': '',
      'src/worker.ts': '',
      'src/dead.ts': `import './deader.ts';`,
      'src/deader.ts': '',
      'test/dead.test.ts': `import '../src/dead.ts';`,
    });
    expect(noDeadFiles.check(project).map(({ path }) => path)).toEqual(['src/dead.ts', 'src/deader.ts']);
  });
});

describe(noDeadExports.name, () => {
  const find = (files: Record<string, string>) =>
    noDeadExports.check(createProject(files)).map(({ path, line, what }) => `${path}:${line} ${what}`);

  test('finds what only tests use, and exports that nothing outside needs', () => {
    const found = find({
      'src/one.ts': `export function one() {}\nexport const two = 2;\nexport type Three = 3;\none(two);`,
      'src/four.ts': `export const Four = z.object({});\nexport type Four = z.infer<typeof Four>; // Four`,
      'test/one.test.ts': 'two(three);',
    });
    expect(found).toEqual([
      'src/one.ts:1 nothing outside uses one',
      'src/one.ts:3 nothing that runs uses Three',
      'src/four.ts:1 nothing that runs uses Four',
      'src/four.ts:2 nothing that runs uses Four',
    ]);
  });

  test('passes what others use, what a test tries apart, and the shapes of what is exported', () => {
    const found = find({
      'src/one.ts': `export function one(input: Input): Output {}\nexport interface Input {}\nexport type Output = 1;`,
      'src/two.ts': `export async function two() { one(); }\nexport const three = two();`,
      'src/three.ts': `export class Three {}\nnew Three();\nexport const four = three;\nrun('four');`,
      'src/five.ts': `run('four');`,
      'test/two.test.ts': 'await two();',
    });
    expect(found).toEqual([]);
  });
});

describe(testedFiles.name, () => {
  test('finds code that no test imports, neither itself nor its folder', () => {
    const code = 'export function one() {}';
    const project = createProject({
      'src/main.ts': code,
      'src/server/owner-thread.ts': code,
      'src/server/lock.ts': code,
      'src/runtime/ids.ts': code,
      'src/runtime/errors.ts': code,
      'src/runtime/ports.ts': 'export interface Clock { now(): number }',
      'src/runtime/channels/inbox.ts': code,
      'src/runtime/channels/outbox.ts': code,
      'src/runtime/storage/log.ts': 'export const one = () => 1;',
      'src/gateway/rest/statuses/get-status.ts': code,
      'src/gateway/rest/feeds.ts': code,
      'test/runtime/one.test.ts': `import '../../src/runtime/ids.ts'; import '../../src/runtime/channels/inbox.ts';`,
    });
    expect(testedFiles.check(project).map(({ path }) => path)).toEqual([
      'src/server/lock.ts',
      'src/runtime/errors.ts',
      'src/runtime/storage/log.ts',
      'src/gateway/rest/feeds.ts',
    ]);
  });
});

describe(askedAddresses.name, () => {
  const declare = (path: string): string => `\nendpoint({ method: 'GET', path: '${path}' });`;

  test.each([
    ['/api/v1/statuses', `fetch('/api/v1/statuses/1'); fetch('/api/v1/statuses_of');`],
    ['/api/v1/statuses/:id', `fetch('/api/v1/statuses'); fetch('/api/v1/statuses/1/context');`],
    ['/api/v1/statuses/:id/context', `fetch('/api/v1/statuses/context'); // /api/v1/statuses/1/context`],
    ['/@:name', `fetch('/alice');`],
  ])('finds that nobody asks %s', (path, code) => {
    const project = createProject({ 'src/gateway/one.ts': declare(path), 'test/one.test.ts': code });
    expect(askedAddresses.check(project)).toMatchObject([{ path: 'src/gateway/one.ts', line: 2 }]);
  });

  test.each([
    ['/api/v1/statuses', `fetch('/api/v1/statuses?limit=2')`],
    ['/api/v1/statuses/:id', `fetch('/api/v1/statuses/1')`],
    ['/api/v1/statuses/:id/context', 'fetch(`/api/v1/statuses/@{status.id}/context`)'],
    ['/@:name/:id', `fetch('/@alice/1')`],
    ['/files/*path', `fetch('/files/one/two')`],
  ])('passes %s when %s', (path, code) => {
    const texts = { 'src/gateway/one.ts': declare(path), 'test/one.test.ts': code.replaceAll('@{', '${') };
    expect(askedAddresses.check(createProject(texts))).toEqual([]);
  });
});

test('every rule is tried here, with examples of both kinds', () => {
  const tried = new Set([
    ...oneFile.map(({ rule }) => rule),
    ...[noCycles, noDeadFiles, noDeadExports, testedFiles, askedAddresses],
  ]);
  expect(rules.filter((rule) => !tried.has(rule)).map(({ name }) => name)).toEqual([]);
  expect(oneFile.filter(({ bad, good }) => bad.length === 0 || good.length === 0)).toEqual([]);
});
