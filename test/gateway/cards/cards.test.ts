/** Cards of links, from a site on the loopback interface to statuses of a running server. */
import type { RequestListener } from 'node:http';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RemoteHost, startRemoteHost } from '../../outbound/fetcher/remote-host.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import type { User } from '../../support/users.ts';

let server: RunningServer;
let site: RemoteHost;
let alice: User;
let picture: Buffer;

beforeAll(async () => {
  server = await startTestServer();
  alice = await server.createUser('alice');
  picture = await sharp({ create: { width: 1_200, height: 630, channels: 3, background: '#3366cc' } })
    .png()
    .toBuffer();
  site = await startRemoteHost(pages);
});

afterAll(async () => {
  await server.stop();
  await site.close();
});

beforeEach(() => site.answer(pages));

/** The server, as handles name it. */
const here = () => new URL(server.origin).host;

const article = `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Plain</title>
<link rel="canonical" href="/article"><meta property="og:title" content="Starlings &amp; hawks">
<meta property="og:description" content="How a flock turns"><meta property="og:site_name" content="The Aviary">
<meta property="og:image" content="/hawk.png"><meta property="og:image:alt" content="A hawk">
<meta property="article:published_time" content="2026-05-04T10:00:00Z">
<script type="application/ld+json">{"@type":"NewsArticle","author":{"@type":"Person","name":"Ada","url":"https://ada.example/"}}</script>
</head><body></body></html>`;

const pages: RequestListener = (request, response) => {
  const path = request.url!.split('?')[0]!;
  if (path === '/hawk.png') return void response.setHeader('content-type', 'image/png').end(picture);
  if (path === '/round') return void response.writeHead(302, { location: '/round' }).end();
  if (path === '/missing') return void response.writeHead(404).end();
  if (path === '/image') return void response.setHeader('content-type', 'image/png').end(picture);
  if (path === '/moved') return void response.writeHead(301, { location: '/article?moved' }).end();
  if (path === '/latin')
    return void response
      .setHeader('content-type', 'text/html; charset=iso-8859-1')
      .end(Buffer.from('<title>Für Übermütige</title>', 'latin1'));
  if (path === '/japanese')
    return void response
      .setHeader('content-type', 'text/html')
      .end(Buffer.from('<meta charset="shift_jis"><title>\x93\xfa\x96\x7b</title>', 'latin1'));
  if (path === '/russian')
    return void response
      .setHeader('content-type', 'text/html; charset=windows-1251')
      .end(Buffer.from('<title>\xcf\xf0\xe8\xe2\xe5\xf2</title>', 'latin1'));
  if (path === '/rich.json' || path === '/photo.json') {
    const type = path === '/rich.json' ? 'rich' : 'photo';
    const content = { title: type, html: '<script>x()</script>', url: '/hawk.png', width: 1_200, height: 630 };
    return void response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ version: '1.0', type, ...content }));
  }
  if (path === '/video.json')
    return void response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        version: '1.0',
        type: 'video',
        title: 'A flock',
        html: '<iframe src="https://play.example/1" onload="x()"></iframe><script>x()</script>',
        width: 640,
        height: 360,
      }),
    );
  response.setHeader('content-type', 'text/html');
  if (path === '/video')
    return void response.end(
      '<title>V</title><link rel="alternate" type="application/json+oembed" href="/video.json">',
    );
  if (path === '/rich' || path === '/photo')
    return void response.end(
      `<title>Page</title><link rel="alternate" type="application/json+oembed" href="${path}.json">`,
    );
  if (path === '/by-alice')
    return void response.end(`<title>Wading</title><meta name="fediverse:creator" content="@alice@${here()}">`);
  if (path === '/huge') return void response.end(`<title>Huge</title>${'<p>x</p>'.repeat(400_000)}`);
  response.end(article);
};

interface Card {
  readonly url: string;
  readonly title: string;
  readonly image: string | null;
  readonly html: string;
  readonly authors: readonly { readonly name: string; readonly account: { readonly acct: string } | null }[];
  readonly missing_attribution: boolean;
}
interface Status {
  readonly id: string;
  readonly card: Card | null;
}

const post = async (status: string, more: object = {}) =>
  (await (
    await server.fetch('/api/v1/statuses', { method: 'POST', token: alice.token, json: { status, ...more } })
  ).json()) as Status;
const read = async (id: string) =>
  (await (await server.fetch(`/api/v1/statuses/${id}`, { token: alice.token })).json()) as Status;
const asked = (path: string) => site.requests.filter(({ url }) => url === path).length;

async function cardOf(status: string, more: object = {}): Promise<Card> {
  const { id } = await post(status, more);
  await until(async () => (await read(id)).card !== null, { description: 'the card' });
  return (await read(id)).card!;
}

test('a page becomes a card with its picture, once for all statuses', async () => {
  const card = await cardOf(`See ${site.origin}/article#part and https://other.example/`);
  expect(card).toMatchObject({
    url: `${site.origin}/article#part`,
    title: 'Starlings & hawks',
    description: 'How a flock turns',
    language: 'en',
    type: 'link',
    authors: [{ name: 'Ada', url: 'https://ada.example/', account: null }],
    author_name: 'Ada',
    provider_name: 'The Aviary',
    width: 662,
    height: 348,
    image_description: 'A hawk',
    blurhash: expect.stringMatching(/^.{36}$/),
    published_at: '2026-05-04T10:00:00.000Z',
    html: '',
    embed_url: '',
  });
  expect(card.image).toMatch(/\/media_proxy\/card\//);
  const shown = await fetch(card.image!);
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  await shown.arrayBuffer();
  const again = `${site.origin}/article`;
  expect(await cardOf(`Again ${again}`)).toEqual({ ...card, url: again });
  expect([asked('/article'), asked('/hawk.png')]).toEqual([1, 1]);
});

test.each([
  ['follows a redirect', '/moved', { title: 'Starlings & hawks' }],
  ['reads the charset of the header', '/latin', { title: 'Für Übermütige' }],
  ['reads the charset that the page names', '/japanese', { title: '日本' }],
  ['reads Cyrillic of one byte', '/russian', { title: 'Привет' }],
  ['leaves rich embeds to the page', '/rich', { type: 'link', title: 'Page', html: '' }],
  ['shows a photo', '/photo', { type: 'photo', title: 'photo', width: 1_200, height: 630 }],
  ['reads the beginning of what is huge', '/huge', { title: 'Huge' }],
  ['keeps only the player of a video', '/video', { type: 'video', title: 'A flock', width: 640, height: 360 }],
])('it %s', async (_what, path, expected) => {
  const card = await cardOf(`${site.origin}${path}`);
  expect(card).toMatchObject(expected);
  expect(card.html).not.toMatch(/script>|onload/);
});

test('there is none for what is no page, and the site is not asked again', async () => {
  const paths = ['/missing', '/round', '/image'];
  const ids: string[] = [];
  for (const path of paths) ids.push((await post(`${site.origin}${path}`)).id);
  // A host is asked for one page at a time, in order: the last one is known after all before it.
  await cardOf(`${site.origin}/article?last`);
  for (const id of ids) expect((await read(id)).card).toBeNull();
  const before = site.requests.length;
  for (const path of paths) await post(`again ${site.origin}${path}`);
  await cardOf(`${site.origin}/article?laster`);
  expect(site.requests.slice(before).map(({ url }) => url)).toEqual(['/article?laster']);
});

test('it goes with the link, and a quote shows none', async () => {
  const { id } = await post(`${site.origin}/article?edited`);
  await until(async () => (await read(id)).card !== null, { description: 'the card' });
  const edit = (status: string) =>
    server.fetch(`/api/v1/statuses/${id}`, { method: 'PUT', token: alice.token, json: { status } });
  await edit(`the same ${site.origin}/article?edited`);
  expect((await read(id)).card).not.toBeNull();
  await edit('no link');
  expect((await read(id)).card).toBeNull();
  const quote = await post(`${site.origin}/article?quoted`, { quoted_status_id: id });
  await cardOf(`${site.origin}/article?after`);
  expect((await read(quote.id)).card).toBeNull();
  expect(asked('/article?quoted')).toBe(0);
});

test('a page shows it, and loads nothing from the site', async () => {
  const { id } = await post(`${site.origin}/article`);
  await until(async () => (await read(id)).card !== null, { description: 'the card' });
  const page = await (await server.fetch(`/@alice/${id}`)).text();
  expect(page).toContain('Starlings &amp; hawks');
  expect(await (await server.fetch('/@alice.rss')).text()).toContain('Starlings &amp;amp; hawks&lt;/a&gt;&lt;br&gt;');
  expect(page).toMatch(new RegExp(`<img src="${server.origin}/media_proxy/card/[^"]+" alt="A hawk"`));
});

describe('the account that a page names as its author', () => {
  const domains = (attribution_domains: string[]) =>
    server.fetch('/api/v1/accounts/update_credentials', {
      method: 'PATCH',
      token: alice.token,
      json: { attribution_domains },
    });
  const seenBy = async (id: string, token?: string) => {
    const { card } = (await (
      await server.fetch(`/api/v1/statuses/${id}`, token === undefined ? {} : { token })
    ).json()) as Status;
    return [card!.authors.map(({ account }) => account?.acct), card!.missing_attribution];
  };

  test('is shown while it lists the site, and told that it does not', async () => {
    const { id } = await post(`${site.origin}/by-alice`);
    await until(async () => (await read(id)).card !== null, { description: 'the card' });
    const bob = await server.createUser('rob');
    expect([await seenBy(id), await seenBy(id, bob.token), await seenBy(id, alice.token)]).toEqual([
      [[], false],
      [[], false],
      [[], true],
    ]);
    expect(await (await server.fetch(`/@alice/${id}`)).text()).not.toContain('More from');
    expect((await domains([new URL(site.origin).hostname])).status).toBe(200);
    for (const token of [undefined, bob.token, alice.token])
      expect(await seenBy(id, token)).toEqual([['alice'], false]);
    const page = await (await server.fetch(`/@alice/${id}`)).text();
    expect(page).toMatch(/More from <a href="[^"]*\/@alice"><bdi class="name">alice<\/bdi><\/a>/);
    await domains([]);
    expect(await seenBy(id)).toEqual([[], false]);
  });
});

test('what several people link to trends, and its timeline shows those who want to be found', async () => {
  const url = `${site.origin}/article`;
  const timeline = (query: string) => server.fetch(`/api/v1/timelines/link?${query}`);
  const trends = async () =>
    ((await (await server.fetch('/api/v1/trends/links')).json()) as (Card & { history: { accounts: string }[] })[]).map(
      (link) => [link.url, link.history[0]?.accounts],
    );
  expect((await timeline(`url=${url}`)).status).toBe(404);
  expect((await timeline('')).status).toBe(404);
  const bob = await server.createUser('bob');
  const discoverable = { method: 'PATCH', token: bob.token, json: { discoverable: true } };
  await server.fetch('/api/v1/accounts/update_credentials', discoverable);
  const { id } = (await (
    await server.fetch('/api/v1/statuses', { method: 'POST', token: bob.token, json: { status: `${url}?of-bob` } })
  ).json()) as Status;
  await until(async () => (await trends()).length > 0, { description: 'the trend' });
  expect(await trends()).toEqual([[url, '2']]);
  const shown = (await (await timeline(`url=${encodeURIComponent(url)}`)).json()) as Status[];
  expect(shown.map((status) => status.id)).toEqual([id]);
});
