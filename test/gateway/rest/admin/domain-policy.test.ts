/** The endpoints of rules for other servers, as staff and tools that share blocklists use them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminDomainAllowEntity, AdminDomainBlockEntity } from '../../../../src/gateway/entities/admin/domains.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { problemsOf } from '../../../support/answer-shapes.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { addWithToken } from '../../../support/sign-up.ts';

type Body = Record<string, unknown> & { id: string; domain: string };

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  ({ token } = await addWithToken(gateway, 'ada', { role: 'admin' }));
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const blocks = '/api/v1/admin/domain_blocks';
const allows = '/api/v1/admin/domain_allows';
const ask = <Answer = Body>(method: string, path: string, json?: object) =>
  gateway.json<Answer>(path, { method, token, ...(json && { json }) });

test('a rule is made, shown, changed and taken back', async () => {
  const made = await ask('POST', blocks, {
    ...{
      domain: ' Rude.Example ',
      severity: 'suspend',
      public_comment: 'Rude',
      private_comment: '',
      obfuscate: 'true',
    },
  });
  const entity = {
    id: expect.stringMatching(/^\d+$/),
    domain: 'rude.example',
    digest: '87d82db5b100e29978515cd5b92cf0b7dad4eb294b560644a67d7d6554236d9a',
    created_at: new Date(gateway.actors.clock.now()).toISOString(),
    severity: 'suspend',
    reject_media: false,
    reject_reports: false,
    private_comment: null,
    public_comment: 'Rude',
    obfuscate: true,
  };
  expect(made).toEqual({ status: 200, body: entity });
  expect(problemsOf(AdminDomainBlockEntity, made.body)).toBe('');
  const path = `${blocks}/${made.body.id}`;
  expect(await ask('GET', path)).toEqual(made);
  const changed = { ...made.body, severity: 'silence', public_comment: null, reject_media: true };
  const change = { severity: 'silence', public_comment: '', reject_media: true };
  expect(await ask('PUT', path, change)).toEqual({ status: 200, body: changed });
  expect(await ask('PATCH', path, {})).toEqual({ status: 200, body: changed });
  expect((await ask<Body[]>('GET', blocks)).body).toEqual([changed]);
  expect(await ask('DELETE', path)).toEqual({ status: 200, body: {} });
  for (const method of ['GET', 'PUT', 'DELETE']) expect((await ask(method, path)).status).toBe(404);
});

test('a server is silenced by default', async () => {
  const { body } = await ask('POST', blocks, { domain: 'loud.example' });
  expect(body).toMatchObject({ domain: 'loud.example', severity: 'silence' });
});

test.each([
  ['that is there', 'bad.example', 'noop'],
  ['that is stricter, of a domain above', 'sub.bad.example', 'silence'],
])('a rule %s stays, and is in the refusal', async (_which, domain, severity) => {
  const { body: first } = await ask('POST', blocks, { domain: 'bad.example', severity: 'suspend' });
  const existing = first.existing_domain_block ?? first;
  expect(await ask('POST', blocks, { domain, severity })).toEqual({
    status: 422,
    body: {
      error: 'You have already imposed stricter limits on bad.example',
      existing_domain_block: existing,
    },
  });
});

test.each([
  ["Validation failed: Domain can't be blank", {}],
  ['Validation failed: Domain is not a valid domain name', { domain: 'a b' }],
  ['Validation failed: Domain is not a valid domain name', { domain: 'social.example' }],
  ['Validation failed: Severity is not included in the list', { domain: 'x.example', severity: 'ban' }],
  [/^Validation failed: Public comment is too long/, { domain: 'x.example', public_comment: 'x'.repeat(1_001) }],
])('%s', async (error, json) => {
  const refused = await ask('POST', blocks, json);
  expect(refused).toEqual({
    status: 422,
    body: { error: typeof error === 'string' ? error : expect.stringMatching(error) },
  });
});

test('servers are allowed once, listed in pages, and taken off the list', async () => {
  const ids: string[] = [];
  for (const domain of ['a.example', 'b.example', 'c.example']) {
    ids.unshift((await ask('POST', allows, { domain })).body.id);
    gateway.actors.clock.advance(1);
  }
  const again = await ask('POST', allows, { domain: 'A.example' });
  expect(again.body).toMatchObject({ id: ids[2], domain: 'a.example' });
  expect(problemsOf(AdminDomainAllowEntity, again.body)).toBe('');
  const first = await gateway.fetch(`${allows}?limit=2`, { token });
  expect(((await first.json()) as Body[]).map(({ id }) => id)).toEqual(ids.slice(0, 2));
  const link = `https://social.example${allows}?limit=2`;
  const links = `<${link}&max_id=${ids[1]}>; rel="next", <${link}&min_id=${ids[0]}>; rel="prev"`;
  expect(first.headers.get('link')).toBe(links);
  const next = await ask<Body[]>('GET', `${allows}?limit=2&max_id=${ids[1]}`);
  expect(next.body.map(({ domain }) => domain)).toEqual(['a.example']);
  expect((await ask('GET', `${allows}/${ids[0]}`)).body).toMatchObject({ domain: 'c.example' });
  expect(await ask('DELETE', `${allows}/${ids[0]}`)).toEqual({ status: 200, body: {} });
  for (const method of ['GET', 'DELETE']) expect((await ask(method, `${allows}/${ids[0]}`)).status).toBe(404);
});
