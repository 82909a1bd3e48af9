import { expect, test } from 'vitest';
import { describeOptions } from '../../src/options/describe.ts';
import { loadOptions } from '../../src/options/load.ts';
import { allOptions } from '../../src/options/table.ts';

test('help and documentation name every option in all its spellings, with default, rule and sentence', () => {
  const { help, markdown } = describeOptions();
  for (const { environment, name, sentence, schema } of allOptions) {
    const flag = environment.replace('MURMURATION_', '--').replaceAll('_', '-').toLowerCase();
    expect(help).toContain(`  ${flag}=…  ${environment}  "${name}"\n      ${sentence}\n`);
    const row = markdown.split('\n').find((line) => line.startsWith(`| \`${environment}\` | \`${name}\` |`));
    expect(row).toContain(sentence);
    expect(row!.toLowerCase()).toContain(schema.description!.toLowerCase());
    expect(row!.split(/(?<!\\)\|/)).toHaveLength(6);
  }
});

test.each([
  ['MURMURATION_PORT', '`3000`'],
  ['MURMURATION_ORIGIN', '`http://localhost:PORT`'],
  ['MURMURATION_RATE_LIMITS', '`on`'],
  ['MURMURATION_CONTACT_EMAIL', '`unset`'],
  ['MURMURATION_FEED_RINGS', '`0` rings per partition'],
])('the default of %s reads %s', (environment, text) => {
  const row = describeOptions()
    .markdown.split('\n')
    .find((line) => line.includes(`\`${environment}\``));
  expect(row).toContain(`| ${text} |`);
});

test('every option is one sentence or more and has its own names', () => {
  expect(allOptions.filter(({ sentence }) => !/^[A-Z].*[.]$/.test(sentence))).toEqual([]);
  expect(allOptions.filter(({ schema }) => schema.description === undefined)).toEqual([]);
  expect(new Set(allOptions.map(({ name }) => name)).size).toBe(allOptions.length);
  expect(new Set(allOptions.map(({ environment }) => environment)).size).toBe(allOptions.length);
});

test('every default satisfies the rule of its option', () => {
  const fixed = allOptions.filter(({ default: value }) => value !== undefined && typeof value !== 'function');
  expect(fixed.filter((option) => !option.schema.safeParse(option.default).success)).toEqual([]);
});

test('the example file holds the defaults and is up to date (npx vitest run test/options -u writes it)', async () => {
  const { example } = describeOptions();
  const readTextFile = (path: string) => (path === '/example/local.json' ? example : undefined);
  const folders = { environment: {}, configurationFolder: '/example' };
  expect(loadOptions({ ...folders, readTextFile })).toEqual(loadOptions({ ...folders, readTextFile: () => undefined }));
  await expect(example).toMatchFileSnapshot('../../config/local.example.json');
});
