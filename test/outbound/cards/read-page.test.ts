/** Pages of strangers, kind and hostile, and the cards that are made of them. */
import { expect, test } from 'vitest';
import { type DescribedPage, describePage, readReceivedPage } from '../../../src/outbound/cards/read-page.task.ts';
import type { ReceivedPage } from '../../../src/outbound/cards/read-page.ts';

const url = 'https://site.example/page';
const read = (html: string | Uint8Array, more: Partial<ReceivedPage> = {}) =>
  readReceivedPage({
    body: typeof html === 'string' ? Buffer.from(html) : html,
    isCut: false,
    contentType: 'text/html',
    url,
    robots: '',
    ...more,
  });
const json = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const plain = { url, title: '', description: '' };

test.each<[string, string, object]>([
  ['nothing', '', plain],
  ['no HTML', '{"a": 1}', plain],
  ['a title', '<title> Two\n words </title>', { ...plain, title: 'Two words' }],
  ['the first title', '<title>One</title><title>Two</title>', { ...plain, title: 'One' }],
  ['the title of a drawing', '<svg><title>Icon</title></svg><title>Page</title>', { ...plain, title: 'Page' }],
  ['a title that never ends', '<title>One', { ...plain, title: 'One' }],
  ['markup in a title', '<title><b>x</b></title>', { ...plain, title: '<b>x</b>' }],
  ['a long title', `<title>${'ä'.repeat(600)}</title>`, { ...plain, title: `${'ä'.repeat(499)}…` }],
  [
    'OpenGraph',
    '<title>T</title><meta property="og:title" content="OG"><meta name="description" content="D"><meta property="og:locale" content="de_DE">',
    { ...plain, title: 'OG', description: 'D', language: 'de' },
  ],
  ['empty values', '<title>T</title><meta property="og:title" content=" ">', { ...plain, title: 'T' }],
  [
    'JSON-LD before OpenGraph',
    `<meta property="og:title" content="OG">${json([{ '@type': 'Person' }, { '@type': ['WebPage'], headline: 'LD', author: [{ name: 'A' }, 'B'], publisher: { name: 'P' }, datePublished: '2026-01-02', inLanguage: 'fr' }])}`,
    { ...plain, title: 'LD', authorName: 'A, B', providerName: 'P', publishedAt: Date.UTC(2026, 0, 2), language: 'fr' },
  ],
  [
    'JSON-LD in CDATA',
    '<script type="application/ld+json">//<![CDATA[\n{"@type":"WebPage","headline":"LD"}\n//]]></script>',
    { ...plain, title: 'LD' },
  ],
  [
    'JSON-LD that is none',
    `<title>T</title><script type="application/ld+json">{oops</script>${json(null)}${json({ '@type': 'NewsArticle', headline: 7, author: { name: {} } })}`,
    { ...plain, title: 'T', isArticle: true },
  ],
  [
    'another type of JSON-LD',
    `<title>T</title>${json({ '@type': 'Recipe', headline: 'R' })}`,
    { ...plain, title: 'T' },
  ],
  [
    'a canonical address',
    '<title>T</title><link rel="canonical" href="/c#x">',
    { ...plain, title: 'T', url: 'https://site.example/c' },
  ],
  [
    'one of another host',
    '<title>T</title><link rel=canonical href="https://bank.example/">',
    { ...plain, title: 'T' },
  ],
  ['one that is a script', '<title>T</title><link rel=canonical href="javascript:x()">', { ...plain, title: 'T' }],
  [
    'nosnippet',
    '<title>T</title><meta name=robots content="NoSnippet"><meta name=description content=D><meta property="og:image" content="/i.png">',
    { ...plain, title: 'T' },
  ],
  ['noindex', '<title>T</title><meta name=robots content="none">', { ...plain, title: 'T', isUnlisted: true }],
  [
    'a time that is none',
    '<title>T</title><meta property="article:published_time" content="soon">',
    { ...plain, title: 'T' },
  ],
  [
    'controls',
    '<title>a\u0000\u202eb</title>',
    expect.objectContaining({ title: expect.not.stringContaining('\u0000') }),
  ],
])('%s', (_what, html, card) => {
  expect(read(html).card).toEqual(card);
});

test('an author of the fediverse, and a picture of another host', () => {
  const page =
    '<meta name="fediverse:creator" content="@ada@far.example"><meta property="og:image" content="//cdn.example/i.png">';
  expect(read(page)).toMatchObject({ creator: 'ada@far.example', imageUrl: 'https://cdn.example/i.png' });
  expect(read('<meta property="og:image" content="data:image/png;base64,AA">').imageUrl).toBeUndefined();
});

test('a player becomes a frame in a sandbox', () => {
  const { html, ...card } = read(
    '<title>T</title><meta name="twitter:player" content="https://play.example/?a=1&quot;&gt;<script>"><meta name="twitter:player:width" content="99999999"><meta name="twitter:player:height" content="90">',
  ).card;
  expect(card).toEqual({ ...plain, title: 'T', type: 'video', width: 0, height: 90 });
  expect(html).toMatch(
    /^<iframe src="https:\/\/play\.example\/[^"<>]*" width="0" height="90" [^<>]*sandbox="[^"]*"><\/iframe>$/,
  );
});

const euro = (charset: string) => `<meta charset="${charset}"><title>`;
test.each<[string, Uint8Array, string, string]>([
  ['UTF-8 unsaid', Buffer.from('<title>€ü</title>'), 'text/html', '€ü'],
  ['windows-1252 unsaid', Buffer.from('<title>f\xfcr \x80</title>', 'latin1'), 'text/html', 'für €'],
  ['the header', Buffer.from('<title>\xc4\xe3</title>', 'latin1'), 'text/html; charset="GBK"', '你'],
  ['a header that is none', Buffer.from('<title>ü</title>'), 'text/html; charset=klingon', 'ü'],
  [
    'the meta element',
    Buffer.concat([Buffer.from(euro('shift_jis')), Buffer.from([0x93, 0xfa]), Buffer.from('</title>')]),
    'text/html',
    '日',
  ],
  ['a meta element that lies', Buffer.from(`${euro('utf-16le')}ü</title>`), 'text/html', 'ü'],
  [
    'a byte order mark',
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<title>ü</title>', 'utf16le')]),
    'text/html; charset=utf-8',
    'ü',
  ],
])('the charset: %s', (_what, body, contentType, title) => {
  expect(read(body, { contentType }).card.title).toBe(title);
});

test('a page that is cut within a character is still UTF-8', () => {
  const whole = Buffer.from('<title>ü</title>ü');
  expect(read(whole.subarray(0, -1), { isCut: true }).card.title).toBe('ü');
});

test.each<[string, object, object]>([
  [
    'a link',
    { type: 'link', title: 'O', author_name: 'A &amp; B', author_url: '/a' },
    { title: 'O', authorName: 'A & B', authorUrl: 'https://site.example/a', type: 'link' },
  ],
  [
    'a photo',
    { type: 'photo', url: '/p.jpg', width: 10, height: '20' },
    { title: 'T', type: 'photo', embedUrl: 'https://site.example/p.jpg', width: 10, height: 20 },
  ],
  [
    'a video',
    {
      type: 'video',
      width: 1,
      height: 2,
      html: '<p>x<iframe src="https://play.example/" style="x" onload="x()" sandbox=""></iframe><script>y()</script>',
    },
    {
      title: 'T',
      type: 'video',
      width: 1,
      height: 2,
      html: expect.stringMatching(/^<iframe src="https:\/\/play\.example\/" sandbox="allow-scripts [^"]*"><\/iframe>$/),
    },
  ],
  ['a video without a player', { type: 'video', html: '<iframe src="javascript:x()"></iframe>' }, { title: 'T' }],
  ['rich', { type: 'rich', html: '<b>x</b>', title: 'O' }, { title: 'T' }],
  ['another version', { version: '2.0', type: 'link', title: 'O' }, { title: 'T' }],
  ['a photo without address', { type: 'photo', url: 'file:///etc/passwd' }, { title: 'T' }],
])('oEmbed: %s', (_what, answer, card) => {
  const page = read(
    '<title>T</title><link rel="alternate" type="application/json+oembed" href="http://site.example/o">',
  );
  expect(page.oembedUrl).toBe('https://site.example/o');
  const given: DescribedPage = { page, answer: { version: '1.0', ...answer } as never, base: 'https://site.example/o' };
  expect(describePage(given).card).toEqual({ url, description: '', ...card });
});

test.each([
  ['nested', '<div>'.repeat(100_000)],
  ['open attributes', `<a ${'x="'.repeat(100_000)}`],
  ['meta without end', `<meta charset=${'x'.repeat(1_000_000)}`],
  ['comments', '<!--'.repeat(200_000)],
  ['entities', '&'.repeat(500_000)],
  ['many metas', '<meta name="a" content="b">'.repeat(30_000)],
])('hostile: %s', (_what, html) => {
  expect(read(`<title>T</title>${html}`).card.title).toBe('T');
});
