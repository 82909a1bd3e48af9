/** What the documents name is there: paths of the project, and commands of package.json. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { floors } from './floors.ts';

const root = resolve(import.meta.dirname, '../..');
const operators = readdirSync(join(root, 'docs/operators')).map((name) => `docs/operators/${name}`);
const federation = readdirSync(join(root, 'docs/federation')).map((name) => `docs/federation/${name}`);
const clients = readdirSync(join(root, 'docs/clients')).map((name) => `docs/clients/${name}`);
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/benchmarking/README.md',
  'docs/cluster/README.md',
  ...operators,
  ...federation,
  ...clients,
];
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** Between backticks, from one of the project's folders on; patterns and places to be filled in are none. */
const pathPattern = /`(?:npx vitest run )?((?:src|test|bench|docs|config)\/[\w./-]+)(?: [^`]*)?`/g;
const commandPattern = /npm run ([\w:]+)/g;

/** Operators make it. */
const notOurs: ReadonlySet<string> = new Set(['config/local.json']);

function found(path: string, pattern: RegExp): string[] {
  return Array.from(readFileSync(join(root, path), 'utf8').matchAll(pattern), ([, name]) => name!);
}

describe.each(documents)('%s', (path) => {
  test('names paths that are there', () => {
    expect(found(path, pathPattern).filter((name) => !notOurs.has(name) && !existsSync(join(root, name)))).toEqual([]);
  });

  test('names commands that are there', () => {
    expect(found(path, commandPattern).filter((name) => !(name in scripts))).toEqual([]);
  });
});

test('ARCHITECTURE.md shows the floors of an account', () => {
  const shown = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const rows = floors.map((features, index) => `| ${index + 1} | ${features.join(', ')} |`);
  expect(rows.filter((row) => !shown.includes(row))).toEqual([]);
});

test('there are some', () => {
  expect(documents.flatMap((path) => found(path, pathPattern)).length).toBeGreaterThan(30);
});
