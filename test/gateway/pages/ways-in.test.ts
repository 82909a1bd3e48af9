/** Addresses that other servers, sites with a button to share and bookmarks of other Mastodon servers lead to. */
import { expect, test } from 'vitest';
import { Site, textOf } from './site.ts';

const writtenText = (html: string) => textOf(html.match(/<textarea[^>]*>(.*?)<\/textarea>/s)?.[1] ?? '');

test('a button to share opens the form with the title, the text and the address', async () => {
  const site = new Site();
  const alice = await site.person('alice', { defaultPrivacy: 'private' });
  const shared = new URLSearchParams({ text: 'Worth <reading>', url: 'https://news.example/1?a=b&c', title: 'News' });
  const address = `/share?${shared}`;
  const { html, status } = await alice.ask(address);
  expect(status).toBe(200);
  expect(html).toContain('News Worth &lt;reading&gt; https://news.example/1?a=b&amp;c</textarea>');
  expect(html).toContain('<option value="private" selected>');
  const stranger = await site.stranger.ask(address);
  expect(stranger.location).toBe(`/auth/sign_in?return_to=${encodeURIComponent(address)}`);
});

test.each(['/share', '/share?text=&url=%20&other=1'])('%s opens an empty form', async (address) => {
  const alice = await new Site().person('alice');
  const { html, status } = await alice.ask(address);
  expect([status, writtenText(html)]).toEqual([200, '']);
});

test.each([
  ['a handle', 'uri=alice%40social.example', '/@alice'],
  ['a handle as an address of its own scheme', 'uri=acct%3Aalice%40social.example', '/@alice'],
  ['the older name of the parameter', 'acct=alice%40social.example', '/@alice'],
  ['the address of a profile', 'uri=https%3A%2F%2Fsocial.example%2F%40alice', '/@alice'],
])('another server sends somebody who wants to follow to the profile: %s', async (_what, query, profile) => {
  const site = new Site();
  await site.person('alice');
  const bob = await site.person('bob');
  const { location } = await bob.ask(`/authorize_interaction?${query}`);
  expect(location).toMatch(/^\/web\/find\?handle=/);
  expect((await bob.ask(location!)).location).toBe(profile);
  const signIn = await site.stranger.ask(location!);
  expect(signIn.location).toBe(`/auth/sign_in?return_to=${encodeURIComponent(location!)}`);
});

test('without an address the search page opens', async () => {
  const bob = await new Site().person('bob');
  expect((await bob.ask('/authorize_interaction')).location).toBe('/web/find');
});

test('WebFinger names the address where people of this server begin to follow', async () => {
  const site = new Site();
  const alice = await site.person('alice');
  const { html } = await alice.ask('/.well-known/webfinger?resource=acct:alice@social.example');
  const { links } = JSON.parse(html) as { links: { rel: string; template?: string }[] };
  expect(links.find(({ rel }) => rel === 'http://ostatus.org/schema/1.0/subscribe')).toEqual({
    rel: 'http://ostatus.org/schema/1.0/subscribe',
    template: 'https://social.example/authorize_interaction?uri={uri}',
  });
});

test.each([
  ['/home', '/'],
  ['/web/home', '/'],
  ['/getting-started', '/'],
  ['/publish', '/share'],
  ['/explore/suggestions', '/explore/people'],
  ['/explore/posts', '/explore'],
  ['/directory', '/explore/people'],
  ['/search?q=birds', '/web/find'],
  ['/about/more', '/about'],
  ['/terms', '/privacy-policy'],
  ['/auth/edit', '/settings#password'],
  ['/oauth/authorized_applications', '/settings'],
  ['/settings/profile', '/settings'],
  ['/settings/preferences/appearance', '/settings'],
  ['/settings/migration', '/settings/moving'],
  ['/statuses_cleanup', '/settings/statuses_cleanup'],
  ['/@bob/with_replies', '/@bob?replies=1'],
  ['/@bob/media', '/@bob?media=1'],
  ['/@bob@remote.example/media', '/@bob@remote.example?media=1'],
  ['/@bob%22%3E/media', '/@bob%22%3E?media=1'],
])('the page %s of Mastodon leads to %s', async (address, page) => {
  const alice = await new Site().person('alice');
  const { location, status } = await alice.ask(address);
  expect(location).toBe(page);
  if (!page.includes('@')) expect((await alice.ask(page)).status).toBe(200);
  expect(status).toBe(302);
});

test.each([
  ['/web/settings/password', '/settings#password'],
  ['/web/lists', '/lists'],
  ['/web/statuses', '/'],
  ['/web/filters/17', '/filters/17'],
  ['/web/collections/17/items', '/collections/17'],
])('the address of the form %s, opened by hand, leads to its page', async (address, page) => {
  const { status, location } = await new Site().stranger.ask(address);
  expect([status, location]).toEqual([303, page]);
});
