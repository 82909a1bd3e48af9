/** The lists of accounts for staff, as both versions of the API ask for them, and as the command does. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import type { Profile } from '../../../../src/actors/account/profile/profile.records.ts';
import { Directory } from '../../../../src/actors/directory/directory.messages.ts';
import { AdminAccountEntity } from '../../../../src/gateway/entities/admin/accounts.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { problemsOf } from '../../../support/answer-shapes.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { testProfile } from '../../../support/profile.ts';
import { addAccount, addWithToken } from '../../../support/sign-up.ts';
import { typed } from '../../operator/typing.ts';

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  ({ token } = await addWithToken(gateway, 'mona', { role: 'moderator' }));
  gateway.actors.clock.advance(1);
  await addAccount(gateway.actors, 'ann', { email: 'Ann@mail.example' });
  gateway.actors.clock.advance(1);
  await addAccount(gateway.actors, 'annabel', { approved: false });
  gateway.actors.clock.advance(1);
  const ben = await addAccount(gateway.actors, 'ben');
  await gateway.actors.call(Account.changeLogin.to(ben, { suspended: true }));
  gateway.actors.clock.advance(1);
  const cleo = await addAccount(gateway.actors, 'cleo', { disabled: true });
  const from = { address: '2001:db8::7', until: gateway.actors.clock.now() + 1e9 };
  await gateway.actors.call(Account.signedIn.to(cleo, { way: 'password', succeeded: true, ...from }));
  await learn('dora', { displayName: 'Dora of There' });
  gateway.actors.clock.advance(1);
  await learn('emil', { limited: true });
});

async function learn(username: string, changes: Partial<Profile>): Promise<void> {
  const domain = 'there.example';
  const uri = `https://${domain}/users/${username}`;
  const remote = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#key`, publicKeyPem: '' };
  const profile = testProfile({ username, domain, remote, ...changes });
  await gateway.actors.call(Directory.learn.to(uri, { profile }));
}

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

interface Listed {
  readonly username: string;
}

const ask = (path: string) => gateway.json<Listed[]>(`/api/${path}`, { token });

test.each([
  ['v1', '', ['cleo', 'annabel', 'ann', 'mona']],
  ['v1', '?local=true&active=true', ['cleo', 'annabel', 'ann', 'mona']],
  ['v1', '?remote=1', ['emil', 'dora']],
  ['v1', '?pending=true', ['annabel']],
  ['v1', '?suspended=true', ['ben']],
  ['v1', '?disabled=true', ['cleo']],
  ['v1', '?remote=true&silenced=true', ['emil']],
  ['v1', '?staff=true', ['mona']],
  ['v1', '?active=true&pending=true', ['annabel']],
  ['v1', '?username=@ANN', ['annabel', 'ann']],
  ['v1', '?email=ann@', ['ann']],
  ['v2', '', ['emil', 'dora', 'cleo', 'ben', 'annabel', 'ann', 'mona']],
  ['v2', '?origin=local&status=suspended', ['ben']],
  ['v2', '?status=silenced', ['emil']],
  ['v2', '?status=sensitized', []],
  ['v2', '?permissions=staff', ['mona']],
  ['v2', '?role_ids[]=1&role_ids[]=3', ['mona']],
  ['v2', '?role_ids[]=99', []],
  ['v2', '?by_domain=There.example', ['emil', 'dora']],
  ['v2', '?display_name=dora of', ['dora']],
  ['v2', '?ip=2001:db8::/64', ['cleo']],
  ['v2', '?ip=2001:db8::7&origin=remote', []],
  ['v2', '?ip=nonsense', []],
  ['v2', '?username=&email=&by_domain=', ['emil', 'dora', 'cleo', 'ben', 'annabel', 'ann', 'mona']],
])('%s %s', async (version, query, names) => {
  const { status, body } = await ask(`${version}/admin/accounts${query}`);
  expect([status, body.map(({ username }) => username).sort()]).toEqual([200, [...names].sort()]);
  for (const account of body) expect(problemsOf(AdminAccountEntity, account)).toBe('');
});

test('pages lead through all of them, and back', async () => {
  async function page(path: string) {
    const answer = await gateway.fetch(`/api/${path}`, { token });
    const links = answer.headers.get('link') ?? '';
    const link = (to: string) => links.match(new RegExp(`<[^>]*/api/([^>]*)>; rel="${to}"`))?.[1];
    const names = ((await answer.json()) as Listed[]).map(({ username }) => username);
    return { names, next: link('next'), prev: link('prev') };
  }
  const first = await page('v2/admin/accounts?limit=3&origin=local');
  const second = await page(first.next!);
  expect([...first.names, ...second.names]).toEqual(['cleo', 'ben', 'annabel', 'ann', 'mona']);
  expect([second.next, second.prev]).toEqual([undefined, expect.stringContaining('min_id=')]);
  expect((await page(second.prev!)).names).toEqual(['cleo', 'ben', 'annabel']);
});

test.each(['status=nothing', 'origin=here', 'permissions=all'])('%s is refused', async (query) => {
  expect((await ask(`v2/admin/accounts?${query}`)).status).toBe(422);
});

test('the command lists them too', async () => {
  const { printed } = await typed(gateway.services, 'accounts list --origin local --status suspended');
  expect(printed).toEqual([expect.stringMatching(/^\d+ {2}\S+Z {2}@ben {2}suspended {2}ben$/)]);
  const page = await typed(gateway.services, 'accounts list --domain there.example --limit 1');
  expect(page.printed).toEqual([
    expect.stringMatching(/@emil@there\.example {2}limited/),
    expect.stringMatching(/^Older ones: --before \d+$/),
  ]);
  expect((await typed(gateway.services, 'accounts list --name nobody')).printed).toEqual([
    'There are no such accounts.',
  ]);
});

test('what an application signed up names it', async () => {
  const app = await gateway.json<{ client_id: string; client_secret: string; id: string }>('/api/v1/apps', {
    form: { client_name: 'An app', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'write' },
  });
  const { client_id, client_secret } = app.body;
  const own = await gateway.json<{ access_token: string }>('/oauth/token', {
    form: { grant_type: 'client_credentials', client_id, client_secret, scope: 'write' },
  });
  const form = {
    username: 'fay',
    email: 'fay@example.org',
    password: 'a long enough one',
    agreement: 'true',
    locale: 'en',
  };
  expect((await gateway.json('/api/v1/accounts', { token: own.body.access_token, form })).status).toBe(200);
  const { body } = await gateway.json<object[]>('/api/v1/admin/accounts?username=fay', { token });
  expect(body).toMatchObject([{ created_by_application_id: app.body.id, ip: '127.0.0.1' }]);
});
