/** Posts embedded in other web pages: oEmbed and the embed page. */
import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { oembedEndpoints } from '../../../src/gateway/rest/oembed/oembed.endpoints.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { People } from '../../support/people.ts';
import { plainPost } from '../../support/plain-post.ts';
import { host, Site, textOf } from './site.ts';

const address = (id: string, more = '') =>
  `/api/oembed?url=${encodeURIComponent(`https://${host}/@alice/${id}`)}${more}`;

test('a public post is embedded by an iframe, which everybody may frame', async () => {
  const site = new Site();
  const alice = await site.person('alice');
  await site.changeProfile(alice, { displayName: '<b>"Al' });
  const id = await alice.write('To be shown elsewhere');
  const api = startTestGateway({ endpoints: oembedEndpoints, beside: site.gateway });
  const { status, body } = await api.json(address(id));
  expect([status, body]).toEqual([
    200,
    {
      type: 'rich',
      version: '1.0',
      title: 'Post by <b>"Al',
      author_name: '<b>"Al',
      author_url: `https://${host}/@alice`,
      provider_name: host,
      provider_url: `https://${host}/`,
      cache_age: 86_400,
      html: `<iframe src="https://${host}/@alice/${id}/embed" title="Post by &lt;b&gt;&quot;Al" width="400" loading="lazy"></iframe>`,
      width: 400,
      height: null,
    },
  ]);
  expect((await api.json(address(id, '&maxwidth=200&maxheight=100'))).body).toMatchObject({
    width: 200,
    height: 100,
    html: expect.stringContaining('width="200" height="100"'),
  });
  await api.close();

  const shown = await alice.ask(`/@alice/${id}/embed`);
  expect(shown.status).toBe(200);
  expect(textOf(shown.html)).toContain('To be shown elsewhere');
  expect(shown.html).not.toContain('form_token');
  expect(shown.html).not.toContain('form="acts"');
  expect(shown.headers.get('content-security-policy')).toContain('frame-ancestors *');
  expect(shown.headers.get('x-frame-options')).toBeNull();
  expect((await site.stranger.ask(`/@alice/${id}`)).html).toContain('application/json+oembed');
});

test('a public post of somebody elsewhere is not embedded by this server', async () => {
  const site = new Site();
  const [alice, { actors }] = [await site.person('alice'), site.gateway];
  const bob = new People(actors).remote('bob', 'remote.example');
  const { text: content, mentions: _mentions, poll: _poll, ...plain } = plainPost('From elsewhere');
  const uri = 'https://remote.example/notes/1';
  const receivedAt = actors.clock.now();
  const status = { ...plain, mentions: [], localMentions: [], content, uri, publishedAt: receivedAt };
  const { statusId } = await actors.call(Account.receiveStatus.to(bob.id, { status, receivedAt }));
  expect((await alice.ask(`/@bob@remote.example/${statusId}`)).status).toBe(200);
  for (const name of ['bob@remote.example', 'alice'])
    expect((await alice.ask(`/@${name}/${statusId}/embed`)).status).toBe(404);
});

test('what strangers may not see is not', async () => {
  const site = new Site();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  const id = await alice.write('For few', { visibility: 'private' });
  const other = await bob.write('By bob');
  const api = startTestGateway({ endpoints: oembedEndpoints, beside: site.gateway });
  for (const path of [address(id), address(other), address('1'), '/api/oembed?url=https://there.example/@a/1'])
    expect((await api.json(path)).status).toBe(404);
  expect((await api.json('/api/oembed')).status).toBe(400);
  await api.close();
  for (const path of [`/@alice/${id}/embed`, `/@alice/${other}/embed`, '/@alice/word/embed'])
    expect((await alice.ask(path)).status).toBe(404);
  expect((await alice.ask(`/@alice/${id}`)).html).not.toContain('json+oembed');
});
