/** The pages about the server itself. */
import { describe, expect, test } from 'vitest';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { blockDomain } from '../../../src/operations/administration/domain-blocks.ts';
import { operator } from '../../../src/operations/caller.ts';
import { Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

test('about says what the staff wrote', async () => {
  const site = new Site();
  const alice = await site.person('alice');
  await site.settings({
    extendedDescription: { content: '<p>We like <em>marshes</em>.</p>', updatedAt: 0 },
    rules: [{ id: '1', text: 'Be <kind>', hint: '' }],
    contactAccountId: alice.id,
  });
  const page = await site.stranger.ask('/about');
  expectStrict(page);
  expect(page.html).toContain('<p>We like <em>marshes</em>.</p>');
  expect(page.html).toContain('Be &lt;kind&gt;');
  expect(page.html).toContain('href="/@alice"');
  expect((await site.stranger.ask('/privacy-policy')).html).toContain('What is stored');
});

describe('rules that are translated', () => {
  const rules = [
    {
      ...{ id: '1', text: 'Be kind', hint: 'To birds, too' },
      translations: {
        de: { text: 'Sei nett', hint: 'Auch zu Vögeln' },
        'zh-TW': { text: '友善', hint: '' },
      },
    },
    { id: '2', text: 'No advertising', hint: '' },
  ];

  test.each([
    ['de', 'de', 'Sei nett'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'Sei nett'],
    ['en;q=0.5, *;q=0.1, DE-ch;q=0.9', 'de', 'Sei nett'],
    ['zh-Hant', 'zh-TW', '友善'],
    ['zh-CN, de;q=0.9', undefined, 'Be kind'],
    ['en, de', undefined, 'Be kind'],
    ['fr', undefined, 'Be kind'],
    ['*', undefined, 'Be kind'],
    ['de;q=0', undefined, 'Be kind'],
    ['', undefined, 'Be kind'],
    [';;q=,-', undefined, 'Be kind'],
  ])('are read in the first language of %j: %s', async (accepted, lang, text) => {
    const site = new Site();
    await site.settings({ rules });
    const alice = await site.person('alice');
    const bob = await site.person('bob');
    const headers = { 'accept-language': accepted };
    for (const [reader, path] of [
      [site.stranger, '/about'],
      [site.stranger, '/auth/sign_up'],
      [alice, `/web/accounts/${bob.id}/report`],
    ] as const) {
      const { status, html } = await reader.ask(path, { headers });
      expect([path, status]).toEqual([path, 200]);
      expect(html).toContain(lang === undefined ? `dir="auto">${text}<` : `dir="auto" lang="${lang}">${text}<`);
      expect(html).toContain('dir="auto">No advertising<');
    }
  });
});

test('about leads to the terms of service, once there are some', async () => {
  const site = new Site();
  expect((await site.stranger.ask('/about')).html).not.toContain('/terms-of-service');
  expect((await site.stranger.ask('/terms-of-service')).status).toBe(404);
  const today = Math.floor(site.gateway.actors.clock.now() / 86_400_000);
  for (const [day, content] of [
    [today - 1, '<p>Bring bread.</p>'],
    [today + 1, '<p>Bring seeds.</p>'],
  ] as const)
    await site.gateway.actors.call(Instance.publishTerms.to(instanceKey, { day, content }));
  expect((await site.stranger.ask('/about')).html).toContain('href="/terms-of-service"');
  const page = await site.stranger.ask('/terms-of-service');
  expectStrict(page);
  expect(page.html).toContain('<p>Bring bread.</p>');
  const next = /href="(\/terms-of-service\?date=[^"]+)"/.exec(page.html)![1]!;
  expect((await site.stranger.ask(next)).html).toContain('<p>Bring seeds.</p>');
});

test('the servers that staff have limited are listed for whom they want, with their reasons', async () => {
  const site = new Site();
  const alice = await site.person('alice');
  const context = { caller: operator, services: site.gateway.services };
  await blockDomain(context, { domain: 'rude.example', severity: 'suspend', publicComment: 'Rude to <birds>' });
  await blockDomain(context, { domain: 'loud.example', severity: 'silence', obfuscate: true });
  await blockDomain(context, { domain: 'noted.example', severity: 'noop' });
  await site.settings({ domainBlocksFor: 'users' });
  expect((await alice.ask('/about/servers')).status).toBe(200);
  expect((await site.stranger.ask('/about/servers')).status).toBe(404);
  expect((await site.stranger.ask('/about')).html).not.toContain('/about/servers');
  await site.settings({ domainBlocksFor: 'all', domainBlockReasonsFor: 'users' });
  expect((await site.stranger.ask('/about')).html).toContain('<a href="/about/servers">Limited servers</a>');
  const [member, visitor] = [await alice.ask('/about/servers'), await site.stranger.ask('/about/servers')];
  for (const page of [member, visitor]) {
    expectStrict(page);
    expect(textOf(page.html)).toContain('rude.example Nothing is exchanged with this server.');
    for (const hidden of ['loud.example', 'noted.example']) expect(page.html).not.toContain(hidden);
    expect(page.html.match(/Only those who follow people there see their posts/g)).toHaveLength(1);
  }
  expect([member, visitor].map(({ html }) => html.includes('Rude to &lt;birds&gt;'))).toEqual([true, false]);
  expect(textOf((await alice.ask('/about/servers?offset=5')).html)).toContain('There are none.');
});

test('password managers find the form', async () => {
  const site = new Site();
  const { location } = await site.stranger.ask('/.well-known/change-password');
  expect(location).toBe('/settings#password');
  expect((await (await site.person('alice')).ask('/settings')).html).toContain('id="password"');
});

test('about is never empty', async () => {
  const site = new Site();
  const words = textOf((await site.stranger.ask('/about')).html);
  expect(words).toContain('A place in the fediverse');
  expect(words).toContain('Everybody may create an account here.');
  expect(words).toContain('The staff has written no rules yet.');
});

test('the privacy policy is what the staff wrote, once they did', async () => {
  const site = new Site();
  await site.settings({ privacyPolicy: { content: '<p>We keep little.</p>', updatedAt: 0 } });
  const page = await site.stranger.ask('/privacy-policy');
  expect(page.html).toContain('<p>We keep little.</p>');
  expect(page.html).toContain('1 January 1970');
});
