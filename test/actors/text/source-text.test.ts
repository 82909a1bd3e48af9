/** What people may have written, of what other servers have made of it. */
import { expect, test } from 'vitest';
import { toSourceText } from '../../../src/actors/text/source-text.ts';

test.each([
  ['<p>One</p><p>two<br />three &amp; four</p>', 'One\n\ntwo\nthree & four'],
  [
    '<p>See <a href="https://far.example/a/long/path?x=1&amp;y=2" rel="nofollow"><span class="invisible">https://</span><span class="ellipsis">far.example/a/long</span><span class="invisible">/path?x=1&amp;y=2</span></a>!</p>',
    'See https://far.example/a/long/path?x=1&y=2!',
  ],
  ['<a href="https://far.example/a/long/path">far.example/a/lo…</a>', 'https://far.example/a/long/path'],
  ["<a href='https://far.example/'>a page</a>", 'a page https://far.example/'],
  [
    '<span class="h-card"><a href="https://far.example/@bob" class="u-url mention">@<span>bob</span></a></span> hi',
    '@bob@far.example hi',
  ],
  ['<a class="mention" href="https://far.example/@bob">@bob@other.example</a>', '@bob@other.example'],
  ['<a href="https://far.example/tags/birds" class="mention hashtag" rel="tag">#<span>Birds</span></a>', '#Birds'],
  ['<a href="javascript:alert(1)">here</a> <a>there</a>', 'here there'],
  ['<b>bold</b> <ul><li>one</li><li>two</li></ul>', 'bold \none\n\ntwo'],
  ['<a href="https://far.example"', '<a href="https://far.example"'],
])('%s', (html, text) => {
  expect(toSourceText(html)).toBe(text);
});

test('takes time in proportion to its length', () => {
  const begun = performance.now();
  for (const part of ['<a ', '<a href="', '<a>', "<a class='", '</a']) toSourceText(part.repeat(200_000));
  expect(performance.now() - begun).toBeLessThan(2_000);
});
