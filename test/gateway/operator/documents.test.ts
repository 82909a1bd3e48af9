/** Commands for settings, rules and documents. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { nameOfHandle } from '../../../src/actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../../src/actors/directory/directory.queries.ts';
import { settingsOf } from '../../../src/operations/instance/settings.ts';
import { currentTerms } from '../../../src/operations/instance/terms-of-service.ts';
import { createRemoteHtmlCleaner } from '../../../src/outbound/remote-html/remote-html.ts';
import { sanitizeRemoteHtmlBatch } from '../../../src/outbound/remote-html/sanitize.task.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { typed } from './typing.ts';

let gateway: TestGateway;

beforeEach(() => {
  gateway = startTestGateway({ endpoints: [] });
  const cleanHtml = createRemoteHtmlCleaner((batch) => Promise.resolve(sanitizeRemoteHtmlBatch(batch)));
  Object.assign(gateway.services, { cleanHtml });
});

afterEach(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const run = (line: string) => typed(gateway.services, line);
const folder = mkdtempSync(join(tmpdir(), 'documents-'));
afterAll(() => rmSync(folder, { recursive: true }));
const settings = () => settingsOf({ options: gateway.services.options, snapshots: gateway.actors.read });

test('title, description and contact', async () => {
  await run('accounts create alice --email=alice@example.org --confirmed');
  for (const line of ['title "Reeds & Rushes"', 'description "For birds"', 'contact @alice'])
    expect((await run(`settings ${line}`)).complaints).toEqual([]);
  expect(settings()).toMatchObject({
    title: 'Reeds & Rushes',
    description: 'For birds',
    contactAccountId: accountIdOfName(gateway.actors.read, nameOfHandle('alice', undefined)),
  });
  expect((await run('settings contact nobody')).complaints).toEqual(['There is no account nobody.']);
  expect((await run('settings title ""')).complaints).toEqual(['The title must not be empty.']);
  expect((await run(`settings title ${'x'.repeat(1_000)}`)).complaints[0]).toMatch(/title must have at most \d+ char/);
});

test('rules are added, translated, listed and removed', async () => {
  expect((await run('rules add "Be kind" --hint "To birds"')).printed).toEqual(['Added the rule 1.']);
  expect((await run('rules add ""')).complaints).toEqual(['The text must not be empty.']);
  expect((await run('rules change 1')).complaints).toEqual(['Nothing was asked to be changed.']);
  await run('rules change 1 --language de --text "Sei nett"');
  expect((await run('rules list')).printed).toEqual(['1. Be kind (To birds)', '   de: Sei nett']);
  expect((await run('rules change 1 --language german --text x')).complaints[0]).toContain('code of a language');
  expect((await run('rules remove 1')).code).toBe(0);
  expect((await run('rules remove 1')).complaints).toEqual(['There is no rule 1.']);
  expect((await run('rules list')).printed).toEqual(['There are no rules.']);
});

test('documents are plain text or HTML, which is cleaned', async () => {
  writeFileSync(join(folder, 'long.txt'), 'One <b>\n\nTwo');
  writeFileSync(join(folder, 'policy.html'), '<h1>Ours</h1><p onclick="x()">Little.</p><script>x()</script>');
  await run(`documents write extended-description --file ${join(folder, 'long.txt')}`);
  await run(`documents write privacy-policy --file ${join(folder, 'policy.html')}`);
  expect(settings()).toMatchObject({
    extendedDescription: { content: '<p>One &lt;b&gt;</p><p>Two</p>' },
    privacyPolicy: { content: '<p><strong>Ours</strong></p><p>Little.</p>' },
  });
  expect((await run('documents remove extended-description')).printed).toEqual(['Removed: extended-description']);
  expect(settings().extendedDescription).toBeUndefined();
  const missing = await run(`documents write privacy-policy --file ${join(folder, 'none')}`);
  expect([missing.code, missing.complaints[0]]).toEqual([2, expect.stringContaining('cannot be read')]);
});

test('a document that was not written, or was removed before, cannot be removed', async () => {
  const remove = async (name: string) => {
    const { code, printed, complaints } = await run(`documents remove ${name}`);
    return [code, printed, complaints];
  };
  const absent = (name: string) => [1, [], [`No ${name} was written.`]];
  expect(await remove('privacy-policy')).toEqual(absent('privacy-policy'));
  writeFileSync(join(folder, 'policy.txt'), 'Little.');
  await run(`documents write privacy-policy --file ${join(folder, 'policy.txt')}`);
  expect(await remove('extended-description')).toEqual(absent('extended-description'));
  expect(await remove('privacy-policy')).toEqual([0, ['Removed: privacy-policy'], []]);
  expect(await remove('privacy-policy')).toEqual(absent('privacy-policy'));
});

test('an empty document is refused: it would remove what is there', async () => {
  writeFileSync(join(folder, 'full.txt'), 'Little.');
  writeFileSync(join(folder, 'empty.txt'), ' \n');
  await run(`documents write privacy-policy --file ${join(folder, 'full.txt')}`);
  const refused = await run(`documents write privacy-policy --file ${join(folder, 'empty.txt')}`);
  expect([refused.code, refused.complaints]).toEqual([1, ['The privacy-policy is empty.']]);
  expect(settings().privacyPolicy).toMatchObject({ content: '<p>Little.</p>' });
});

test('terms of service by the date from which on they hold', async () => {
  writeFileSync(join(folder, 'terms.txt'), 'Bring bread.');
  const publish = (date: string) => run(`terms publish ${date} --file ${join(folder, 'terms.txt')}`);
  expect((await publish('2025-02-30x')).code).toBe(2);
  expect((await publish('2025-02-01')).complaints).toEqual([]);
  expect(currentTerms(gateway.services)).toMatchObject({ content: '<p>Bring bread.</p>', isEffective: false });
  await publish('1999-01-01');
  expect((await run('terms list')).printed).toEqual(['1999-01-01  in force', '2025-02-01']);
  for (const date of ['1999-01-01', '2025-02-01']) expect((await run(`terms withdraw ${date}`)).code).toBe(0);
  expect(currentTerms(gateway.services)).toBeUndefined();
  expect((await run('terms withdraw 2025-02-01')).complaints).toEqual([
    'There are no terms of service that take effect on that date.',
  ]);
  expect((await run('terms list')).printed).toEqual(['There are no terms of service.']);
});

test('disallowed hashtags', async () => {
  expect((await run('settings disallowed-hashtags add "#Spam"')).printed).toEqual(['Disallowed: #spam']);
  expect((await run('settings disallowed-hashtags list')).printed).toEqual(['#spam']);
  expect((await run('settings disallowed-hashtags add "a b"')).complaints).toEqual(['a b is not a hashtag.']);
  await run('settings disallowed-hashtags remove spam');
  expect((await run('settings disallowed-hashtags list')).printed).toEqual(['All hashtags are allowed.']);
});
