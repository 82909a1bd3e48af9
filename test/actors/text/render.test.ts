import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPlainText } from '../../../src/actors/text/plain.ts';
import { type MentionedAccount, renderProfileField, renderStatusText } from '../../../src/actors/text/render.ts';
import { isCanonicalHtml } from '../../../src/outbound/remote-html/recogniser.ts';
import { Addresses } from '../../../src/services/addresses.ts';

const mentions = new Map<string, MentionedAccount>([
  ['alice', { url: '/@alice', username: 'alice', acct: 'alice' }],
  ['alice@here.example', { url: '/@alice', username: 'alice', acct: 'alice' }],
  ['bob@example.org', { url: 'https://example.org/@bob?a=1&b=2', username: 'Bob', acct: 'Bob@example.org' }],
  ['alice@example.org', { url: 'https://example.org/@alice', username: 'alice', acct: 'alice@example.org' }],
]);
const context = { mentions };
const addresses = new Addresses('https://here.example');
const post = (text: string) => renderStatusText(text, context).html;
const field = (text: string) => renderProfileField(text, context).html;

const alice =
  '<span class="h-card" translate="no"><a href="/@alice" class="u-url mention">@<span>alice</span></a></span>';
const bob =
  '<span class="h-card" translate="no"><a href="https://example.org/@bob?a=1&amp;b=2" class="u-url mention">@<span>Bob</span></a></span>';
const tag = '<a href="/tags/caturday" class="mention hashtag" rel="tag">#<span>Caturday</span></a>';

describe('paragraphs', () => {
  const cases: [text: string, html: string][] = [
    ['abc', '<p>abc</p>'],
    ['', ''],
    [' \n\t ', ''],
    ['a\nb', '<p>a<br />b</p>'],
    ['a\n\nb', '<p>a</p><p>b</p>'],
    ['a\n\n\n\nb\nc', '<p>a</p><p>b<br />c</p>'],
    ['\n\na\r\nb\r\r\nc\n', '<p>a<br />b</p><p>c</p>'],
    ['a\u0000b\u0008\u0085', '<p>ab</p>'],
    ['a\ud800b', '<p>a\ufffdb</p>'],
    ['<b>"x" & \'y\'</b>', '<p>&lt;b&gt;&quot;x&quot; &amp; &#39;y&#39;&lt;/b&gt;</p>'],
    ['&lt;', '<p>&amp;lt;</p>'],
    [':blobcat:', '<p>:blobcat:</p>'],
  ];
  test.each(cases)('%j', (text, html) => expect(post(text)).toBe(html));
});

describe('links', () => {
  const link = (href: string, prefix: string, shownClass: string, shown: string, rest: string) =>
    `<p><a href="${href}" target="_blank" rel="nofollow noopener noreferrer" translate="no"><span class="invisible">${prefix}</span><span class="${shownClass}">${shown}</span><span class="invisible">${rest}</span></a></p>`;
  const cases: [text: string, html: string][] = [
    ['https://example.org', link('https://example.org', 'https://', '', 'example.org', '')],
    ['http://www.example.org/', link('http://www.example.org/', 'http://www.', '', 'example.org/', '')],
    [
      'https://example.org/1234567890/1234567890',
      link(
        'https://example.org/1234567890/1234567890',
        'https://',
        'ellipsis',
        'example.org/1234567890/1234567',
        '890',
      ),
    ],
    [
      "https://example.org/?a=1&b='2'#c",
      link('https://example.org/?a=1&amp;b=&#39;2&#39;#c', 'https://', '', 'example.org/?a=1&amp;b=&#39;2&#39;#c', ''),
    ],
    [
      `https://example.org/${'😀'.repeat(20)}`,
      link(
        `https://example.org/${'😀'.repeat(20)}`,
        'https://',
        'ellipsis',
        `example.org/${'😀'.repeat(18)}`,
        '😀'.repeat(2),
      ),
    ],
    ['gemini://example.org/a', link('gemini://example.org/a', '', '', 'gemini://example.org/a', '')],
  ];
  test.each(cases)('%s', (text, html) => expect(post(text)).toBe(html));
});

describe('mentions and hashtags', () => {
  const cases: [text: string, html: string][] = [
    ['hi @alice!', `<p>hi ${alice}!</p>`],
    ['@Bob@Example.org', `<p>${bob}</p>`],
    ['@alice @alice@here.example', `<p>${alice} ${alice}</p>`],
    ['@carol <@dave@example.org>', '<p>@carol &lt;@dave@example.org&gt;</p>'],
    ['#Caturday', `<p>${tag}</p>`],
    ['#Café', '<p><a href="/tags/cafe" class="mention hashtag" rel="tag">#<span>Café</span></a></p>'],
    ['＃Caturday', `<p>${tag}</p>`],
  ];
  test.each(cases)('%s', (text, html) => expect(post(text)).toBe(html));

  test('two people of one name are shown with their hosts', () => {
    const html = post('@alice @alice@example.org @bob@example.org');
    expect(toPlainText(html)).toBe('@alice @alice@example.org @Bob');
  });

  test('what was met is listed once, in order', () => {
    const text =
      '#B #a #b https://b.example https://a.example https://b.example xmpp:x@y @bob@example.org @alice @alice @carol';
    const { tags, handles, links } = renderStatusText(text, context);
    expect(tags).toEqual([
      { name: 'b', display: 'B' },
      { name: 'a', display: 'a' },
    ]);
    expect(handles).toEqual(['bob@example.org', 'alice']);
    expect(links).toEqual(['https://b.example', 'https://a.example']);
  });
});

test('a profile field is one line whose links claim rel="me"', () => {
  expect(field('a\n\nb <i>')).toBe('a b &lt;i&gt;');
  expect(field('https://alice.example')).toBe(
    '<a href="https://alice.example" target="_blank" rel="nofollow noopener noreferrer me" translate="no"><span class="invisible">https://</span><span class="">alice.example</span><span class="invisible"></span></a>',
  );
});

const fragments = fc.constantFrom(
  ...[
    '<',
    '>',
    '"',
    "'",
    '&',
    '&amp;',
    '<script>',
    '</p>',
    '\n',
    '\n\n',
    '\r',
    '\t',
    ' ',
    '\\',
    '`',
    '\u0000',
    '\u007f',
  ],
  ...['https://example.org/', 'http://', 'magnet:?', 'ssb://', 'xmpp:', 'javascript:', '@alice', '@bob@example.org'],
  ...[
    '#Caturday',
    '#',
    '@',
    '/',
    '(',
    ')',
    '?a=b',
    ':',
    '\ud83d',
    '\ude00',
    '😀',
    'é',
    '語',
    '\u202e',
    '\u2028',
    '\ufeff',
  ],
);
const anyText = fc.oneof(
  fc.array(fc.oneof(fragments, fc.string({ maxLength: 4, unit: 'binary' })), { maxLength: 40 }).map((p) => p.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

describe('of any text', () => {
  const tags = /<\/?(?:p|span|a)(?: [a-z]+="[^"<>]*")*>|<br \/>/g;

  test('every < and > of the output belongs to a tag of ours, and the recogniser accepts it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const html = addresses.absoluteLinks(post(text));
        expect(html.replace(tags, '')).not.toMatch(/[<>"']/);
        expect(isCanonicalHtml(html)).toBe(true);
        expect(isCanonicalHtml(addresses.absoluteLinks(field(text)), true)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  test('plain text comes back, but for blank lines and the like', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (text) => {
        const expected = text.trim();
        fc.pre(!expected.includes('@'));
        expect(toPlainText(post(text)).normalize('NFC')).toBe(expected.normalize('NFC'));
      }),
    );
  });
});
