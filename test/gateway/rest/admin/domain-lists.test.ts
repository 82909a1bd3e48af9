/** Lists of servers as files, and what a rule would sever: by API and command line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDomainAllow, findDomainBlock } from '../../../../src/actors/instance/domains/domains.queries.ts';
import { AdminFederationPreviewEntity } from '../../../../src/gateway/entities/admin/domain-lists.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { domainListLimits } from '../../../../src/operations/administration/domain-lists.ts';
import { problemsOf } from '../../../support/answer-shapes.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { learnt } from '../../../support/learnt.ts';
import { People } from '../../../support/people.ts';
import { addAccount, addWithToken } from '../../../support/sign-up.ts';
import { typed } from '../../operator/typing.ts';

let gateway: TestGateway;
let token: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lists-'));
  gateway = startTestGateway({ endpoints });
  ({ token } = await addWithToken(gateway, 'ada', { role: 'admin' }));
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const ask = <Body = Record<string, unknown>>(method: string, path: string, json?: object) =>
  gateway.json<Body>(`/api/v1/admin/${path}`, { method, token, ...(json && { json }) });
const ruleFor = (domain: string) => findDomainBlock(gateway.actors.read, domain);
const exported = async (list: string) => {
  const answer = await gateway.fetch(`/api/v1/admin/${list}/export`, { token });
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  return answer.text();
};

const header = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate';

test('a list with a header is imported: rows that cannot be read, and domains with a rule, are left out', async () => {
  await ask('POST', 'domain_blocks', { domain: 'known.example', severity: 'silence' });
  const csv = [
    `${header},#private_comment`,
    ' Rude.Example ,suspend,false,TRUE,"Rude, says ""everybody""\nthere",true,not for you',
    'loud.example,silence,true,,,,',
    'known.example,suspend,true,true,,false,',
    'rude.example,silence,,,,,',
    'odd.example,loud,,,,,',
    'odd.example,suspend,maybe,,,,',
    'not a domain,suspend,,,,,',
    '',
    'social.example,suspend,,,,,',
    `${'x'.repeat(301)},suspend,,,,,`,
    `after.example${',x'.repeat(1_001)}`,
    'never.example,suspend,,,,,',
  ].join('\r\n');
  const outcomes = [
    [2, 'rude.example', 'imported'],
    [4, 'loud.example', 'imported'],
    [5, 'known.example', 'known'],
    [6, 'rude.example', 'known'],
    [7, 'odd.example', 'invalid'],
    [8, 'odd.example', 'invalid'],
    [9, 'not a domain', 'invalid'],
    [11, 'social.example', 'invalid'],
    [12, `${'x'.repeat(300)}…`, 'invalid'],
    // A line of so many values ends the list.
    [13, 'after.example', 'invalid'],
  ];
  interface Imported {
    readonly dry_run: boolean;
    readonly imported_count: number;
    readonly rows: readonly { line: number; domain: string; outcome: string }[];
  }
  const dry = await ask<Imported>('POST', 'domain_blocks/import', { csv, dry_run: true });
  expect([dry.status, dry.body.dry_run, dry.body.imported_count]).toEqual([200, true, 2]);
  expect(dry.body.rows.map(({ line, domain, outcome }) => [line, domain, outcome])).toEqual(outcomes);
  expect(ruleFor('rude.example')).toBeUndefined();
  const done = await ask<Imported>('POST', 'domain_blocks/import', { csv, name: 'rude.csv' });
  expect(done.body.rows).toEqual(dry.body.rows);
  expect(ruleFor('rude.example')).toMatchObject({
    ...{ severity: 'suspend', rejectMedia: false, rejectReports: true, obfuscate: true },
    publicComment: 'Rude, says "everybody"\nthere',
    privateComment: expect.stringMatching(/^Imported from rude\.csv on \d{4}-\d\d-\d\d$/),
  });
  expect(ruleFor('loud.example')).toMatchObject({ severity: 'silence', rejectMedia: true });
  expect(ruleFor('known.example')).toMatchObject({ severity: 'silence' });
  expect(await exported('domain_blocks')).toBe(
    [
      header,
      'known.example,silence,false,false,,false',
      'loud.example,silence,true,false,,false',
      'rude.example,suspend,false,true,"Rude, says ""everybody""\nthere",true',
      '',
    ].join('\n'),
  );
});

test('what is exported is imported again as it was', async () => {
  await ask('POST', 'domain_blocks', { domain: 'noop.example', severity: 'noop', private_comment: 'Secret' });
  const csv = await exported('domain_blocks');
  expect(csv).not.toMatch(/noop|Secret/);
  const { body } = await ask<{ rows: { outcome: string }[] }>('POST', 'domain_blocks/import', { csv });
  expect(new Set(body.rows.map(({ outcome }) => outcome))).toEqual(new Set(['known']));
});

test('a plain list suspends, by command', async () => {
  const path = join(folder, 'plain.txt');
  writeFileSync(path, 'one.example\n# two.example\nthree.example\n');
  const dry = await typed(gateway.services, `domains import ${path} --dry-run`);
  expect(dry.printed.at(-1)).toBe('Would import: 2 of 3');
  expect(ruleFor('one.example')).toBeUndefined();
  const { printed } = await typed(gateway.services, `domains import ${path}`);
  expect(printed).toEqual([
    '1  one.example  imported',
    '2  # two.example  cannot be read',
    '3  three.example  imported',
    'Imported: 2 of 3',
  ]);
  expect(ruleFor('three.example')).toMatchObject({
    severity: 'suspend',
    privateComment: expect.stringContaining('plain.txt'),
  });
  expect((await typed(gateway.services, 'domains export')).printed).toContain('one.example,suspend,false,false,,false');
});

test('lists of allowed servers are exported and imported too', async () => {
  const { body } = await ask('POST', 'domain_allows/import', { csv: '#domain\nkind.example\nbirds.example\n' });
  expect(body).toMatchObject({ imported_count: 2 });
  expect(findDomainAllow(gateway.actors.read, 'kind.example')).toBeDefined();
  expect(await exported('domain_allows')).toBe('#domain\nbirds.example\nkind.example\n');
  const printed = (await typed(gateway.services, 'domains export-allowed')).printed;
  expect(printed).toEqual(['#domain', 'birds.example', 'kind.example']);
});

test.each<[object, RegExp]>([
  [{}, /Csv can't be blank/],
  [{ csv: 'x.example\n'.repeat(domainListLimits.rowsMax + 1) }, /A list has at most 20000 rows/],
])('a list is refused: %#', async (json, sentence) => {
  const { status, body } = await ask('POST', 'domain_blocks/import', json);
  expect([status, body.error]).toEqual([422, expect.stringMatching(sentence)]);
});

test('tells what a rule would sever, of subdomains too, and who would lose what', async () => {
  const people = new People(gateway.actors);
  const named = async (name: string) => ({ id: await addAccount(gateway.actors, name), name, destination: undefined });
  const [carol, dan] = [await named('carol'), await named('dan')];
  const [eve, fay] = [
    await learnt(gateway.actors, 'eve', 'sever.example'),
    await learnt(gateway.actors, 'fay', 'sub.sever.example'),
  ];
  const gus = await learnt(gateway.actors, 'gus', 'notsever.example');
  for (const target of [eve, fay, gus]) await people.follow(carol, target);
  await people.follow(dan, fay);
  await people.receiveFollow(eve, carol, 'https://sever.example/follows/1');
  const { body } = await ask('GET', 'domain_blocks/preview?domain=Sever.example');
  expect(body).toMatchObject({
    ...{ domain: 'sever.example', accounts_count: 2, followers_count: 1, following_count: 3, complete: true },
    affected_accounts_count: 2,
    affected_accounts: [
      { account: { username: 'carol' }, followers_count: 1, following_count: 2 },
      { account: { username: 'dan' }, followers_count: 0, following_count: 1 },
    ],
  });
  const { printed } = await typed(gateway.services, 'domains preview sever.example');
  expect(printed).toContain('Follows of accounts there that would end: 3');
  const dry = await ask('POST', 'domain_blocks/import', { csv: 'sever.example', dry_run: true });
  expect(dry.body).toMatchObject({
    rows: [{ severed: { accounts_count: 2, following_count: 3, followers_count: 1 } }],
  });
  // Of an allow-list whatever is not on it would end.
  await ask('POST', 'domain_allows', { domain: 'notsever.example' });
  const federation = await gateway.json('/api/murmuration/v1/admin/federation/preview', { token });
  expect(federation).toMatchObject({
    status: 200,
    body: { followers_count: 1, following_count: 3, affected_accounts_count: 2, complete: true },
  });
  expect(problemsOf(AdminFederationPreviewEntity, federation.body)).toBe('');
  const modes = await typed(gateway.services, 'domains preview-allowed');
  expect(modes.printed).toContain('Follows of accounts there that would end: 3');
  for (const domain of ['', 'no domain', 'social.example'])
    expect((await ask('GET', `domain_blocks/preview?domain=${encodeURIComponent(domain)}`)).status).toBe(422);
});
