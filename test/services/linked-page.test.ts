/** The page that a status links to first: on another server, and only where posts get cards. */
import { expect, test } from 'vitest';
import { firstPage, firstPageIn } from '../../src/services/linked-page.ts';

const addresses = { isOwnHost: (host: string) => host === 'social.example' };
const services = { addresses, options: { cards: true } };

test.each([
  ['none', [], undefined],
  ['the first', ['https://a.example/1', 'https://a.example/2'], 'https://a.example/1'],
  ['not one of this server', ['https://social.example/@alice', 'http://a.example'], 'http://a.example/'],
  ['no address of another kind', ['mailto:a@a.example', 'ftp://a.example/', 'no address'], undefined],
  ['none that is too long', [`https://a.example/${'x'.repeat(2_048)}`], undefined],
])('of addresses: %s', (_what, links, page) => {
  expect(firstPage(services, links)).toBe(page);
});

test.each([
  ['a link', '<p><a href="https://a.example/?a=1&amp;b=2" rel="nofollow">a</a></p>', 'https://a.example/?a=1&b=2'],
  ['a mention by its class', '<a href="https://a.example/@bob" class="u-url mention">bob</a>', undefined],
  ['a mention by its address', '<a href="https://a.example/@carol">carol</a>', undefined],
  ['a hashtag', '<a href="https://a.example/tags/b" rel="tag">#b</a>', undefined],
  ['no link', '<p>https://a.example/</p>', undefined],
])('of HTML: %s', (_what, html, page) => {
  expect(firstPageIn(services, html, [{ url: 'https://a.example/@carol' }])).toBe(page);
});

test('without cards nothing is stored of a link', () => {
  const without = { addresses, options: { cards: false } };
  expect(firstPage(without, ['https://a.example/'])).toBeUndefined();
  expect(firstPageIn(without, '<a href="https://a.example/">a</a>', [])).toBeUndefined();
});
