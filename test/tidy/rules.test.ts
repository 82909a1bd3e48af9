/** Each rule on small sources: what it must find, and what it must let pass. No rule is without both. */
import { describe, expect, test } from 'vitest';
import { insideTheAccount } from './floors-examples.ts';
import { createProject } from './project.ts';
import { noCycles } from './rules/imports.ts';
import { replacementsAlone } from './rules/tests.ts';
import { askedAddresses, noDeadExports, noDeadFiles, testedFiles, usedRateLimits } from './rules/use.ts';
import { rules } from './rules.ts';
import { oneFile } from './rules-examples.ts';

describe.each([...oneFile, ...insideTheAccount])('$rule.name', ({ rule, bad, good }) => {
  test.each(bad)('finds %s: %j', (path, text, line) => {
    const findings = rule.check(createProject({ [path]: text }));
    // A word and the import of it may both be found; the line is one.
    expect([...new Set(findings.map((finding) => `${finding.path}:${finding.line}`))]).toEqual([`${path}:${line}`]);
  });

  test.each(good)('passes %s: %j', (path, text) => {
    expect(rule.check(createProject({ [path]: text }))).toEqual([]);
  });
});

describe(replacementsAlone.name, () => {
  test('finds what a helper replaces, however far away', () => {
    const project = createProject({
      'test/gateway/live.test.ts': `import './support.ts';`,
      'test/gateway/support.ts': `import './listener.ts'; import '../../src/gateway/live.ts';`,
      'test/gateway/listener.ts': `import './support.ts';\nvi.useFakeTimers();`,
    });
    expect(replacementsAlone.check(project)).toEqual([
      { path: 'test/gateway/listener.ts', line: 2, what: 'vi.useFakeTimers in test/gateway/live.test.ts' },
    ]);
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

describe(usedRateLimits.name, () => {
  const declared = (name: string): string => `const limits = {\n  ${name}: { per: 'account', countMax: 1 },\n};`;

  test('finds a limit that nothing has', () => {
    const project = createProject({
      'src/operations/rate-limits.ts': declared('posts'),
      'src/operations/statuses/publish.ts': `operation({ limit: 'follows' }); take('posts');`,
    });
    expect(usedRateLimits.check(project)).toMatchObject([{ path: 'src/operations/rate-limits.ts', line: 2 }]);
  });

  test.each([
    ['an operation', `operation({ limit: 'posts' });`],
    ['an endpoint', `endpoint({ rateLimit: 'posts' });`],
    ['every request', `exchange.takeLimit('posts');`],
  ])('passes that of %s', (_what, code) => {
    const texts = { 'src/gateway/http/rate-limits.ts': declared('posts'), 'src/gateway/one.ts': code };
    expect(usedRateLimits.check(createProject(texts))).toEqual([]);
  });
});

test('every rule is tried here, with examples of both kinds', () => {
  const tried = new Set([
    ...[...oneFile, ...insideTheAccount].map(({ rule }) => rule),
    ...[noCycles, noDeadFiles, noDeadExports, testedFiles, askedAddresses, usedRateLimits],
  ]);
  expect(rules.filter((rule) => !tried.has(rule)).map(({ name }) => name)).toEqual([]);
  expect([...oneFile, ...insideTheAccount].filter(({ bad, good }) => bad.length === 0 || good.length === 0)).toEqual(
    [],
  );
});
