/** The house rules on the sources of this project. Each line of a failure names a file, a line and what to do. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boundedBy } from './bounds.ts';
import { readProject, sourcesOf } from './project.ts';
import { rules } from './rules.ts';

const root = join(import.meta.dirname, '../..');
const project = readProject(root);

test('the sources are found', () => {
  expect(project.has('src/start.mjs')).toBe(true);
  expect(project.has('test/tidy/tidy.test.ts')).toBe(true);
});

test('code is told from strings in every file: its brackets are balanced', () => {
  const count = (text: string, brackets: RegExp): number => text.match(brackets)?.length ?? 0;
  const unbalanced = [...project.values()].filter(
    ({ bare }) => count(bare, /[([{]/g) !== count(bare, /[)\]}]/g) || count(bare, /\{/g) !== count(bare, /\}/g),
  );
  expect(unbalanced.map(({ path }) => path)).toEqual([]);
});

test.each(rules)('$name', ({ check, advice }) => {
  expect(check(project).map(({ path, line, what }) => `${path}:${line} ${what}. Do: ${advice}.`)).toEqual([]);
});

test('bounds that are named are there', () => {
  const words = new Set(sourcesOf(project).flatMap(({ bare }) => bare.match(/\w+/g) ?? []));
  const named = boundedBy.flatMap(([, , bound]) => bound.match(/\b\w+(?:Max|Limits)\b|(?<=Limits\.)\w+/g) ?? []);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !words.has(name))).toEqual([]);
});

test('decisions are numbered one after another, each with a number of its own', () => {
  const folder = join(root, 'docs/decisions');
  const files = readdirSync(folder).sort();
  const numbers = files.map((file) => file.slice(0, 4));
  expect(numbers).toEqual(files.map((_, index) => String(index + 1).padStart(4, '0')));
  const titles = files.map((file) => readFileSync(join(folder, file), 'utf8').split(' ', 2).join(' '));
  expect(titles).toEqual(files.map((_, index) => `# ${index + 1}.`));
});
