/** Blocking another server on the pages. */
import { expect, test } from 'vitest';
import { serverForms } from '../../../src/gateway/pages/hidden-servers.ts';
import { Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

test('a server is hidden and shown again', async () => {
  const site = new Site();
  const alice = await site.person('alice');
  expect(serverForms.map(({ path }) => path)).toEqual(['/web/servers/:domain/hide', '/web/servers/:domain/show']);
  expect((await alice.act('/web/servers/far.example/hide')).location).toBe('/domain_blocks');
  const list = await alice.ask('/domain_blocks');
  expectStrict(list);
  expect(list.html).toContain('formaction="/web/servers/far.example/show">Show again<');
  await alice.act('/web/servers/far.example/show');
  expect(textOf((await alice.ask('/domain_blocks')).html)).toContain('You have hidden no server');
});

test.each(['social.example', 'not a domain'])('%s is refused', async (domain) => {
  const site = new Site();
  const alice = await site.person('alice');
  const { status, html } = await alice.act(`/web/servers/${encodeURIComponent(domain)}/hide`);
  expect([status, textOf(html).includes('This is not the name of another server.')]).toEqual([422, true]);
});
