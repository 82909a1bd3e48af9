import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { htmlLimits } from '../../../src/outbound/remote-html/limits.ts';
import { isCanonicalHtml } from '../../../src/outbound/remote-html/recogniser.ts';
import { sanitizeRemoteHtml } from '../../../src/outbound/remote-html/sanitize.ts';
import { hostileHtml } from './hostile.ts';
import { essentials, markupEvents } from './markup-events.ts';

const link = (attributes: string) => `<p><a ${attributes}>x</a></p>`;
const outside = 'target="_blank" rel="nofollow noopener"';

describe('accepts what servers send', () => {
  test.each([
    '',
    'plain text, "quoted", it\'s',
    '<p>abc</p>',
    '<p>a<br>b<br/>c<br />d</p>\n<p>\te</p>',
    '<p>&amp; &lt; &gt; &quot; &#39; &apos; &nbsp;</p>',
    '<p>é 語 😀 \u202e \u2028</p>',
    '<p></p>',
    '<p class="quote-inline">RE: x</p>',
    '<span class="quote-inline"><br/><br/>RE: x</span>',
    '<p><span class="h-card" translate="no"><a href="https://example.org/@bob" class="u-url mention">@<span>bob</span></a></span> hi</p>',
    '<p><span class="h-card"><a class="u-url mention" href="https://example.org/@bob" rel="nofollow noreferrer noopener" target="_blank">@<span>bob</span></a></span></p>',
    '<a href="https://example.org/tags/cats" class="mention hashtag" rel="tag">#<span>cats</span></a>',
    '<a href="https://example.org/tags/cats" class="mention hashtag" rel="tag nofollow noreferrer noopener" target="_blank">#<span>cats</span></a>',
    '<a href="https://example.org/a?b=1&amp;c=%20&#39;" target="_blank" rel="nofollow noopener noreferrer" translate="no"><span class="invisible">https://</span><span class="ellipsis">example.org/a</span><span class="">b</span></a>',
    link(`${outside} href="http://example.org"`),
    link(`href="https://例え.テスト/é" ${outside}`),
    link(`href="gemini://example.org/" ${outside}`),
    link(`href="magnet:?xt=urn:btih:c12" ${outside}`),
  ])('%s', (html) => expect(isCanonicalHtml(html)).toBe(true));
});

describe('leaves the rest to the sanitiser', () => {
  test.each([
    ...['<', '>', '&', 'a < b', 'a > b', '&amp', '&AMP;', '&copy;', '&#x27;', '&#0;', '&#39'],
    ...['\u0000', '\u0008', '\r', '\u007f', '\u0085', '\ud800', '\udc00a'],
    ...['<P>a</P>', '<p >a</p>', '<p>a</p >', '<p/>', '<p>a', 'a</p>', '<p>a</span>', '<p><p>a</p></p>', '</br>'],
    ...[
      '<span><p>a</p></span>',
      '<br >',
      '<br  />',
      '<br/ >',
      '<br class="x">',
      '<b>a</b>',
      '<div>a</div>',
      '<em>a</em>',
    ],
    ...['<p><span>a</p></span>', '<pre>a</pre>', '<spanx>a</span>', '<ax href="https://a.example">x</a>', '<a>x</a>'],
    ...['<p class="mention">a</p>', '<p class="quote-inline" lang="de">a</p>', '<span id="a">a</span>'],
    ...['<span class="evil">a</span>', '<span class=invisible>a</span>', '<span class="invisible ">a</span>'],
    ...['<span class="invisible" class="ellipsis">a</span>', '<span translate="yes">a</span>', '<span  >a</span>'],
    ...['<span translate="no"class="">a</span>', '<span class="invisible"/>', "<span class='invisible'>a</span>"],
    ...['<!-- a -->', '<![CDATA[a]]>', '<?a?>', '<!a>'],
    link(outside),
    link('href="https://example.org/"'),
    link('href="https://example.org/" rel="nofollow noopener"'),
    link('href="https://example.org/" target="_blank" rel="nofollow"'),
    link('href="https://example.org/" target="_blank"'),
    link('href="https://example.org/" target="_self" rel="nofollow noopener"'),
    link('href="https://example.org/" class="mention" target="_blank"'),
    link('href="https://example.org/" class="mention" target="_blank" rel="tag"'),
    link('href="https://example.org/" class="mention" rel="opener"'),
    link('href="https://example.org/" class="mention" rel=""'),
    link('href="https://example.org/" class="mention" rel="tag tag"'),
    link('href="https://example.org/" class="evil"'),
    link('href="https://example.org/" class=""'),
    link(`href="https://example.org/" ${outside} title="x"`),
    link(`href="https://example.org/" ${outside} data-user="x"`),
    link(`href="https://example.org/"  ${outside}`),
    link(`href="https://example.org/" ${outside} `),
    link(`href="https://example.org/"${outside}`),
    link(`href="https://example.org/" href="https://example.org/" ${outside}`),
    link(`href="https://example.org/" ${outside} ${outside}`),
    link(`HREF="https://example.org/" ${outside}`),
    ...[
      ...['', 'https://', 'http://', 'https:///a', '//example.org', '/a', '#a', 'example.org', 'HTTPS://example.org'],
      ...[
        'javascript:alert(1)',
        'data:text/html,x',
        'mailto:a@b',
        'https:example.org',
        'https',
        'gemini:',
        ':a',
        'http:a',
      ],
      ...[
        ' https://example.org',
        'https://example.org ',
        'https://example.org/a b',
        'https://example.org/\n',
        'https://a\\b',
      ],
      ...[
        'https://example.org/<',
        'https://example.org/>',
        'https://example.org/`',
        "https://example.org/'",
        'https://a&b',
      ],
      ...[
        'https://example.org/&quot;',
        'https://example.org/&lt;',
        'https://example.org/\u0000',
        'https://example.org/\u0085',
      ],
      ...[
        'https://\u00a0a',
        'https://a\u2028',
        'https://a\u202ea',
        'https://a\u3000',
        'https://\ufeffa',
        'https://?a',
        'https://#',
      ],
      `https://example.org/${'a'.repeat(htmlLimits.linkCharactersMax)}`,
    ].map((href) => link(`href="${href}" ${outside}`)),
    `<p><a href="https://a.example" ${outside}><span><a href="https://b.example" ${outside}>x</a></span></a></p>`,
    `${'<span>'.repeat(13)}x${'</span>'.repeat(13)}`,
    'a'.repeat(htmlLimits.recognisedCharactersMax + 1),
  ])('%s', (html) => expect(isCanonicalHtml(html)).toBe(false));

  test.each(hostileHtml.filter((html) => !/^&(?:lt|amp)/.test(html)))('hostile: %s', (html) => {
    expect(isCanonicalHtml(html)).toBe(false);
    expect(isCanonicalHtml(`<p>${html}</p>`)).toBe(false);
  });
});

test('rel="me" passes in profile fields only', () => {
  const html = '<a href="https://alice.example" target="_blank" rel="nofollow noopener me">x</a>';
  expect(isCanonicalHtml(html, true)).toBe(true);
  expect(isCanonicalHtml(html, false)).toBe(false);
});

const pieces = fc.constantFrom(
  ...[
    '<p>',
    '</p>',
    '<span>',
    '</span>',
    '</a>',
    '<br>',
    '<br />',
    'text',
    ' ',
    '\n',
    '&amp;',
    '&#39;',
    'é',
    '😀',
    '"',
    "'",
  ],
  ...[
    '<span class="invisible">',
    '<span class="" translate="no">',
    '<span class="h-card">',
    '<p class="quote-inline">',
  ],
  ...[`<a href="https://example.org/?a&amp;b" ${outside}>`, '<a href="https://example.org/" class="u-url mention">'],
  ...['<a href="https://example.org/" class="mention hashtag" rel="tag">', `<a ${outside} href="gemini://x">`],
);
const noise = fc.oneof(
  fc.constantFrom(...hostileHtml),
  fc.constantFrom(
    ...['<', '>', '"', "'", '&', '=', '/', ' ', '\\', '`', '\u0000', '\u00a0', '\ud83d', 'a', '<a ', '</'],
  ),
  fc.constantFrom(
    ...[' onclick="alert(1)"', ' class="evil"', 'javascript:', ' rel="me"', ' target="_blank"', '<script>'],
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);

/** Mostly well-formed, so that a good part is accepted. */
const balanced = fc.letrec<{ inline: string; text: string; document: string }>((tie) => ({
  text: fc.constantFrom('a', ' ', '\n', '&amp;', '&#39;', '&nbsp;', '<br>', '<br/>', '<br />', '語', '😀', '"', ''),
  inline: fc.oneof(
    { maxDepth: 3 },
    tie('text'),
    fc.tuple(tie('inline'), tie('inline')).map(([first, second]) => first + second),
    tie('inline').map((inner) => `<span class="ellipsis">${inner}</span>`),
    tie('inline').map((inner) => `<span translate="no" class="">${inner}</span>`),
    tie('inline').map(
      (inner) => `<a href="https://example.org/?a=1&amp;b=&#39;" ${outside} translate="no">${inner}</a>`,
    ),
    tie('inline').map((inner) => `<a class="mention hashtag" href="https://example.org/é" rel="tag">${inner}</a>`),
  ),
  document: fc
    .array(
      fc.oneof(
        tie('inline'),
        tie('inline').map((inner) => `<p>${inner}</p>`),
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join('')),
})).document;

/** One or two changes at any place: an insertion, or a deletion. */
const damaged = fc
  .tuple(balanced, fc.array(fc.tuple(fc.nat(), noise, fc.nat({ max: 4 })), { maxLength: 2 }))
  .map(([html, changes]) =>
    changes.reduce((text, [place, insertion, deleted]) => {
      const index = place % (text.length + 1);
      return text.slice(0, index) + insertion + text.slice(index + deleted);
    }, html),
  );
const anything = fc.oneof(
  damaged,
  fc.array(fc.oneof(pieces, pieces, noise), { maxLength: 12 }).map((p) => p.join('')),
);

const extent =
  process.env.MURMURATION_LONG_TESTS === undefined
    ? { numRuns: 6_000 }
    : { numRuns: 100_000, interruptAfterTimeLimit: 120_000 };

describe('what is accepted', () => {
  const allowed: Readonly<Record<string, readonly string[]>> = {
    p: ['class'],
    br: [],
    span: ['class', 'translate'],
    a: ['href', 'class', 'rel', 'target', 'translate'],
  };

  test('means to a parser what it means to the sanitiser, with nothing repaired, added or dropped', () => {
    let runs = 0;
    let accepted = 0;
    fc.assert(
      fc.property(anything, fc.boolean(), (html, profileField) => {
        runs += 1;
        if (!isCanonicalHtml(html, profileField)) return;
        accepted += 1;
        const events = markupEvents(html);
        for (const event of events) {
          if ('close' in event) expect(event.isImplied).toBe(false);
          if (!('open' in event)) continue;
          expect(Object.keys(allowed)).toContain(event.open);
          for (const name of Object.keys(event.attributes)) expect(allowed[event.open]).toContain(name);
          if (event.open === 'a') expect(event.attributes.href).toMatch(/^(?:https?|gemini):\/\/[^/\\\s"'<>`]+/);
        }
        const sanitised = sanitizeRemoteHtml(html, profileField);
        expect(essentials(markupEvents(sanitised))).toEqual(essentials(events));
      }),
      extent,
    );
    expect(accepted).toBeGreaterThan(runs / 10);
  });
});
