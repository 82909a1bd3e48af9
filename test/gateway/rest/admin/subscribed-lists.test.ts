/** Subscribed blocklists, served by a real HTTP server: what they suggest and bring about, by API and command line. */
import { describe, expect, test } from 'vitest';
import { Directory } from '../../../../src/actors/directory/directory.messages.ts';
import { listAudit } from '../../../../src/operations/administration/list-audit.ts';
import { operator } from '../../../../src/operations/caller.ts';
import { People } from '../../../support/people.ts';
import { testProfile } from '../../../support/profile.ts';
import { addAccount } from '../../../support/sign-up.ts';
import { typed } from '../../operator/typing.ts';
import { csv, ListBed } from './list-bed.ts';

const bed = new ListBed();
const { served, ask, rule, ruleFor, address, read, subscribed, again, states } = bed;

const audit = () =>
  listAudit({ caller: operator, services: bed.gateway.services }, { limit: 200 })
    .items.map(({ entry: { action, by, name } }) => `${by} ${action} ${name}`)
    .filter((line) => !line.startsWith('commandLine'));

describe('a list that suggests', () => {
  const rows = csv('one.example,suspend,,,Rude,', 'two.example,silence,true,,,', 'three.example,suspend,,,,true');

  test('changes nothing until staff accept it; what they refuse comes again only once it says something else', async () => {
    const id = await subscribed('/list.csv', rows);
    expect((await ask('GET', `/${id}`)).body).toMatchObject({
      ...{
        title: bed.host.host,
        format: 'csv',
        mode: 'suggest',
        domains_count: 3,
        suggestions_count: 3,
        in_force_count: 0,
      },
      ...{ reading: false, problem: null, last_changes: { added: 0, changed: 0, removed: 0, suggested: 3 } },
    });
    expect(await states(id)).toEqual({
      'one.example': 'suggested',
      'two.example': 'suggested',
      'three.example': 'suggested',
    });
    expect(ruleFor('one.example')).toBeUndefined();
    const accepted = await ask('POST', `/${id}/suggestions/accept`, { domains: ['one.example', 'nobody.example'] });
    expect(accepted.body).toEqual({ decided_count: 1, left_count: 0 });
    expect(ruleFor('one.example')).toMatchObject({ severity: 'suspend', publicComment: 'Rude', isOfLists: true });
    await ask('POST', `/${id}/suggestions/refuse`, { domains: ['two.example'] });
    expect(await again(id, '/list.csv', rows)).toMatchObject({ suggestions_count: 1, in_force_count: 1 });
    expect(await states(id)).toEqual({
      'one.example': 'settled',
      'two.example': 'refused',
      'three.example': 'suggested',
    });
    expect(bed.host.requests.at(-1)?.headers['if-none-match']).toMatch(/^"/);
    await again(id, '/list.csv', rows.replace('two.example,silence', 'two.example,suspend'));
    expect(await states(id, 'suggested')).toEqual({ 'two.example': 'suggested', 'three.example': 'suggested' });
    expect((await ask('POST', `/${id}/suggestions/accept`, { all: true })).body).toEqual({
      decided_count: 2,
      left_count: 0,
    });
    const tooMany = await ask('POST', `/${id}/suggestions/accept`, { domains: Array(1_001).fill('x.example') });
    expect(tooMany.status).toBe(422);
    expect(ruleFor('three.example')).toMatchObject({ severity: 'suspend', obfuscate: true });
    expect(audit().filter((line) => line.includes('example'))).toEqual(
      expect.arrayContaining([
        'account acceptDomainSuggestion one.example',
        'account refuseDomainSuggestion two.example',
      ]),
    );
  });

  test('suggests that a rule ends when the list drops it', async () => {
    const id = await subscribed('/list.csv', rows);
    await ask('POST', `/${id}/suggestions/accept`, { all: true });
    await again(id, '/list.csv', rows.replace(/\none.*/, ''));
    expect(await states(id, 'suggested')).toEqual({ 'one.example': 'suggested' });
    expect(ruleFor('one.example')).toBeDefined();
    await ask('POST', `/${id}/suggestions/accept`, { domains: ['one.example'] });
    expect(ruleFor('one.example')).toBeUndefined();
    expect(await states(id)).toEqual({ 'two.example': 'settled', 'three.example': 'settled' });
    await again(id, '/list.csv', csv('two.example,silence,true,,,'));
    await ask('POST', `/${id}/suggestions/refuse`, { domains: ['three.example'] });
    await again(id, '/list.csv', csv('two.example,silence,true,,,', 'x.example,noop,,,,'));
    expect(await states(id)).toMatchObject({ 'three.example': 'refused' });
    expect(ruleFor('three.example')).toBeDefined();
  });
});

describe('a list that is applied', () => {
  const applied = { mode: 'apply' };

  test('makes rules under its terms, follows changes and retractions, and writes down each', async () => {
    const terms = { ...applied, max_severity: 'silence', obfuscate: true, public_comments: false, title: 'Tier 1' };
    const id = await subscribed('/list.csv', csv('one.example,suspend,,,Rude,', 'two.example,noop,true,,,'), terms);
    expect(ruleFor('one.example')).toMatchObject({ severity: 'silence', obfuscate: true, isOfLists: true });
    expect(ruleFor('one.example')?.publicComment).toBeUndefined();
    expect(ruleFor('two.example')).toMatchObject({ severity: 'noop', rejectMedia: true });
    await again(id, '/list.csv', csv('two.example,silence,true,,,', 'three.example,silence,,,,'));
    expect([ruleFor('one.example'), ruleFor('two.example')?.severity]).toEqual([undefined, 'silence']);
    expect(audit()).toEqual([
      'server readDomainList Tier 1',
      'server changeDomainBlock two.example',
      'server blockDomain three.example',
      'server unblockDomain one.example',
      'account readDomainList Tier 1',
      'server readDomainList Tier 1',
      'server blockDomain two.example',
      'server blockDomain one.example',
      'account subscribeToDomainList Tier 1',
    ]);
    await ask('PUT', `/${id}`, { max_severity: 'noop' });
    await read();
    expect(ruleFor('two.example')).toMatchObject({ severity: 'noop', rejectMedia: true });
  });

  test('keeps a rule that another list has too, and one that is gone where retractions are not followed', async () => {
    const both = csv('one.example,suspend,,,,', 'two.example,suspend,,,,');
    const first = await subscribed('/first.csv', both, applied);
    const second = await subscribed('/second.csv', csv('one.example,silence,,,Loud,'), applied);
    expect(ruleFor('one.example')).toMatchObject({ severity: 'suspend', publicComment: 'Loud' });
    await again(first, '/first.csv', csv('two.example,suspend,,,,'));
    expect(ruleFor('one.example')).toMatchObject({ severity: 'silence' });
    await ask('PUT', `/${second}`, { follow_retractions: false });
    await again(second, '/second.csv', csv('other.example,noop,,,,'));
    expect(ruleFor('one.example')).toMatchObject({ severity: 'silence' });
    expect((await ask('DELETE', `/${second}?rules=remove`)).status).toBe(200);
    expect([ruleFor('one.example'), ruleFor('two.example')?.isOfLists]).toEqual([undefined, true]);
    await ask('DELETE', `/${first}?rules=keep`);
    expect(ruleFor('two.example')).toMatchObject({ severity: 'suspend' });
    expect(ruleFor('two.example')?.isOfLists).toBeUndefined();
    expect((await ask('GET', '')).body).toEqual([]);
  });

  test('never touches what staff have decided', async () => {
    await rule('POST', 'domain_blocks', { domain: 'mild.example', severity: 'noop' });
    await rule('POST', 'domain_allows', { domain: 'sub.kind.example' });
    const body = csv(
      ...['mild.example', 'below.mild.example', 'kind.example', 'odd.example', 'gone.example', 'social.example'].map(
        (domain) => `${domain},suspend,,,,`,
      ),
    );
    const id = await subscribed('/list.csv', body, applied);
    expect(await states(id)).toEqual({
      ...{ 'mild.example': 'staff', 'below.mild.example': 'staff', 'kind.example': 'allowed' },
      ...{ 'odd.example': 'settled', 'gone.example': 'settled' },
    });
    expect(ruleFor('mild.example')).toMatchObject({ severity: 'noop' });
    expect(ruleFor('kind.example')).toBeUndefined();
    await rule('PUT', `domain_blocks/${ruleFor('odd.example')?.id}`, { severity: 'silence' });
    await rule('DELETE', `domain_blocks/${ruleFor('gone.example')?.id}`);
    await again(id, '/list.csv', `${body}\nnew.example,suspend,,,,`);
    expect(await states(id)).toMatchObject({
      'odd.example': 'staff',
      'gone.example': 'refused',
      'new.example': 'settled',
    });
    expect([ruleFor('odd.example')?.severity, ruleFor('gone.example')]).toEqual(['silence', undefined]);
    await rule('POST', 'domain_allows', { domain: 'new.example' });
    expect([ruleFor('new.example'), (await states(id))['new.example']]).toEqual([undefined, 'allowed']);
    await rule('POST', 'domain_blocks', { domain: 'new.example', severity: 'silence' });
    expect(ruleFor('new.example')).toMatchObject({ severity: 'silence' });
  });

  test('does not weaken the rule for a domain above, nor repeat it', async () => {
    const id = await subscribed('/list.csv', csv('a.bad.example,silence,,,,', 'bad.example,suspend,,,,'), applied);
    expect(await states(id)).toEqual({ 'a.bad.example': 'covered', 'bad.example': 'settled' });
    await again(id, '/list.csv', csv('a.bad.example,silence,,,,'));
    expect(await states(id)).toEqual({ 'a.bad.example': 'settled' });
  });

  test('leaves a suspension that ends too many follows to staff', async () => {
    const people = new People(bed.gateway.actors);
    const carol = { id: await addAccount(bed.gateway.actors, 'carol'), name: 'carol', destination: undefined };
    const uri = 'https://liked.example/users/eve';
    const remote = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
    const profile = testProfile({ username: 'eve', domain: 'liked.example', remote });
    const { accountId } = await bed.gateway.actors.call(Directory.learn.to(uri, { profile }));
    await people.follow(carol, { id: accountId, name: 'eve', destination: { host: 'liked.example', inbox: uri } });
    const body = csv('liked.example,suspend,,,,', 'unknown.example,suspend,,,,');
    const id = await subscribed('/list.csv', body, applied);
    expect(await states(id)).toEqual({ 'liked.example': 'suggested', 'unknown.example': 'settled' });
    const [entry] = (await ask<object[]>('GET', `/${id}/domains?state=suggested`)).body;
    expect(entry).toMatchObject({ severed_follows_count: 1 });
    await ask('PUT', `/${id}`, { max_severed_follows: 1 });
    await read();
    expect(await states(id)).toEqual({ 'liked.example': 'settled', 'unknown.example': 'settled' });
  });
});

test('tells what a list would do, and does nothing', async () => {
  const id = await subscribed('/list.csv', csv('one.example,suspend,,,,'), { mode: 'apply' });
  served.set('/list.csv', { body: csv('one.example,silence,,,,', 'two.example,suspend,,,,') });
  interface Tried {
    readonly counts: object;
    readonly problem: string | null;
  }
  expect((await ask<Tried>('POST', '/try', { id })).body).toMatchObject({
    counts: { begins: 1, changes: 1, ends: 0, suggested: 0, nothing: 0 },
    rows: [
      { domain: 'one.example', outcome: 'changes', listed: { severity: 'silence' } },
      { domain: 'two.example', outcome: 'begins', state: 'settled' },
    ],
  });
  const other = { url: address('/other.csv'), mode: 'suggest' };
  served.set('/other.csv', { body: csv('one.example,silence,,,,', 'six.example,suspend,,,,') });
  expect((await ask<Tried>('POST', '/try', other)).body.counts).toMatchObject({ suggested: 1, nothing: 0 });
  served.delete('/other.csv');
  expect((await ask<Tried>('POST', '/try', other)).body).toMatchObject({ problem: 'notFound' });
  expect(ruleFor('two.example')).toBeUndefined();
});

test('tells why a server is treated as it is', async () => {
  const id = await subscribed('/list.csv', csv('bad.example,suspend,,,Rude,'), { mode: 'apply', title: 'Tier 1' });
  const why = (domain: string) => ask<object>('GET', `/reasons?domain=${domain}`);
  expect((await why('a.bad.example')).body).toMatchObject({
    ...{ domain: 'a.bad.example', federation_mode: 'open', made_by: 'lists', allowed: null },
    rule: { domain: 'bad.example', severity: 'suspend', public_comment: 'Rude' },
    lists: [
      {
        list: { id, title: 'Tier 1' },
        domain: { domain: 'bad.example', state: 'settled', listed: { public_comment: 'Rude' } },
      },
    ],
  });
  expect((await why('fine.example')).body).toMatchObject({ rule: null, made_by: null, lists: [] });
  expect((await why('social.example')).status).toBe(422);
  const { printed } = await typed(bed.gateway.services, 'domains why a.bad.example');
  expect(printed).toEqual([
    expect.stringMatching(/^a\.bad\.example: suspend \(Rude\) by blocklists since 2025-.*, as part of bad\.example$/),
    expect.stringMatching(/^Tier 1, since 2025-.*: bad\.example {2}settled {2}suspend \(Rude\)$/),
  ]);
});

test('the command line does all of it', async () => {
  served.set('/list.csv', { body: csv('one.example,suspend,,,,', 'two.example,suspend,,,,') });
  const type = async (line: string) => (await typed(bed.gateway.services, line)).printed;
  expect(await type(`blocklists try ${address('/list.csv')}`)).toContain(
    'Rules that would begin: 0, change: 0, end: 0; suggestions: 2',
  );
  const [added] = await type(`blocklists add ${address('/list.csv')} --title Tier --max-severity silence`);
  const id = added!.match(/number (\d+)/)![1]!;
  await read();
  expect(await type('blocklists list')).toContain('  csv, suggest up to silence; retractions followed');
  expect(await type(`blocklists domains ${id}`)).toEqual([
    'one.example  suggested  suspend',
    'two.example  suggested  suspend',
  ]);
  expect(await type(`blocklists accept ${id} --domain one.example`)).toEqual(['Accepted: 1']);
  expect(await type(`blocklists refuse ${id} --all`)).toEqual(['Refused: 1']);
  expect(ruleFor('one.example')).toMatchObject({ severity: 'silence' });
  expect((await typed(bed.gateway.services, `blocklists accept ${id}`)).complaints).not.toEqual([]);
  await type(`blocklists modify ${id} --mode apply --keep-retracted`);
  await read();
  expect(await type(`blocklists show ${id}`)).toContain('  csv, apply up to silence; retractions not followed');
  expect(await type(`blocklists fetch ${id}`)).toEqual(['Tier is being read.']);
  expect(await type(`blocklists remove ${id} --rules remove`)).toEqual([
    'Ended the subscription to Tier: its rules end.',
  ]);
  expect(ruleFor('one.example')).toBeUndefined();
  expect(await type('blocklists list')).toEqual(['There are no subscriptions to blocklists.']);
});

test.each<[object, RegExp]>([
  [{}, /Url can't be blank/],
  [{ url: 'no address' }, /Url is invalid: not a URL/],
  [{ url: 'ftp://lists.example/list.csv' }, /Url is invalid: scheme not allowed/],
  [{ url: 'https://me:secret@lists.example/list.csv' }, /Url is invalid: the URL holds credentials/],
  [{ url: 'https://social.example/list.csv' }, /Url is invalid: the host is our own/],
  [{ url: 'https://lists.example/', title: 'x'.repeat(201) }, /Title is too long/],
  [{ url: 'https://lists.example/', mode: 'often' }, /Mode/],
  [{ url: 'https://lists.example/', interval_hours: 0 }, /Interval hours/],
])('a subscription is refused: %j', async (json, sentence) => {
  const { status, body } = await ask<{ error: string }>('POST', '', json);
  expect([status, body.error]).toEqual([422, expect.stringMatching(sentence)]);
  expect((await ask('GET', '')).body).toEqual([]);
});

test('one address has one subscription, and what is not there is not found', async () => {
  const id = await subscribed('/list.csv', csv('one.example,suspend,,,,'));
  const twice = await ask<{ error: string }>('POST', '', { url: address('/list.csv') });
  expect([twice.status, twice.body.error]).toEqual([422, expect.stringMatching(/already/)]);
  const unknown = `${BigInt(id) + 1n}`;
  for (const [method, path] of [
    ...['', '/domains'].map((end) => ['GET', `/${unknown}${end}`] as const),
    ...['/fetch', '/suggestions/accept', '/suggestions/refuse'].map((end) => ['POST', `/${unknown}${end}`] as const),
    ['PUT', `/${unknown}`],
    ['DELETE', `/${unknown}?rules=keep`],
  ] as const)
    expect([method, path, (await ask(method, path)).status]).toEqual([method, path, 404]);
  expect((await ask('DELETE', `/${id}`)).status).toBe(422);
});
