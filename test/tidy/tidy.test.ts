/** The house rules on the sources of this project. Each line of a failure names a file, a line and what to do. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Rule, readProject } from './project.ts';
import { rules, waitingRules } from './rules.ts';

const project = readProject(join(import.meta.dirname, '../..'));

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

function check(rule: Rule): void {
  const findings = rule.check(project);
  expect(findings.map(({ path, line, what }) => `${path}:${line} ${what}. Do: ${rule.advice}.`)).toEqual([]);
}

for (const rule of rules) test(rule.name, () => check(rule));
// because they judge the program as a whole, which it is not yet
for (const rule of waitingRules) test.skip(rule.name, () => check(rule));
