/** Blocking another server on the pages. */
import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { Directory } from '../../../src/actors/directory/directory.messages.ts';
import { serverForms } from '../../../src/gateway/pages/hidden-servers.ts';
import { testProfile } from '../../support/profile.ts';
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

test('before it is hidden, the page tells what is lost', async () => {
  const site = new Site();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  const uri = 'https://far.example/users/carol';
  const remote = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
  const { actors } = site.gateway;
  const { accountId } = await actors.call(
    Directory.learn.to(uri, { profile: testProfile({ username: 'carol', domain: 'far.example', remote }) }),
  );
  await actors.call(Account.follow.to(accountId, { targetId: alice.id, options: {}, uri: `${uri}/follows/1` }));
  expect((await alice.ask('/domain_blocks')).html).toContain(
    '<form class="card plain settings" action="/domain_blocks/new">',
  );
  const profile = await alice.ask('/@carol@far.example');
  expect(profile.html).toContain('<a class="item" href="/domain_blocks/new?domain=far.example">');
  const page = await alice.ask('/domain_blocks/new?domain=far.example');
  expectStrict(page);
  expect(page.html).toContain('formaction="/web/servers/far.example/hide"');
  expect(textOf(page.html)).toContain('You will lose 1 follower.');
  const none = await bob.ask('/domain_blocks/new?domain=far.example');
  expect(textOf(none.html)).toContain('You follow nobody there, and nobody there follows you.');
});

test.each(['social.example', 'not a domain'])('%s is refused before anything is asked', async (domain) => {
  const site = new Site();
  const page = await (await site.person('alice')).ask(`/domain_blocks/new?domain=${encodeURIComponent(domain)}`);
  expectStrict(page);
  expect([page.status, textOf(page.html).includes('This is not the name of another server.')]).toEqual([422, true]);
});

test.each(['social.example', 'not a domain'])('%s is refused', async (domain) => {
  const site = new Site();
  const alice = await site.person('alice');
  const { status, html } = await alice.act(`/web/servers/${encodeURIComponent(domain)}/hide`);
  expect([status, textOf(html).includes('This is not the name of another server.')]).toEqual([422, true]);
});
