import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPlainText } from '../../../src/actors/text/plain.ts';
import { cutMarkup, cutRaw } from '../../../src/outbound/remote-html/cut.ts';
import { htmlLimits } from '../../../src/outbound/remote-html/limits.ts';
import { sanitizeRemoteHtml } from '../../../src/outbound/remote-html/sanitize.ts';
import { expectLinear } from '../../support/cost.ts';
import { hostileHtml } from './hostile.ts';
import { markupEvents } from './markup-events.ts';

const outside = 'rel="nofollow noopener noreferrer" target="_blank"';

describe('the allow-list', () => {
  const cases: [html: string, safe: string][] = [
    ['<p>abc</p>', '<p>abc</p>'],
    ['a<br>b', 'a<br />b'],
    ['<div>a</div><table><tr><td>b</td></tr></table>', 'ab'],
    ['<b>a</b><i>b</i><u>c</u><s>d</s><del>e</del><em>f</em><strong>g</strong>', undefined],
    ['<pre><code>a\n b</code></pre><sub>a</sub><sup>b</sup>', undefined],
    ['<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>', undefined],
    ['<ul><li>a</li></ul><ol start="3" reversed><li value="-2">b</li></ol>', undefined],
    ['<ol start="x"><li value="1.5">a</li></ol>', '<ol><li>a</li></ol>'],
    ['<blockquote cite="https://a.example/">a</blockquote>', undefined],
    ['<blockquote cite="/a">a</blockquote>', '<blockquote>a</blockquote>'],
    ['<abbr title="a &quot;b&quot;">c</abbr>', undefined],
    [
      '<p lang="de-CH">a</p><b lang="pt-BR">b</b><i lang="&quot;x">c</i>',
      '<p lang="de-CH">a</p><b lang="pt-BR">b</b><i>c</i>',
    ],
    ['<span translate="no">a</span><span translate="yes">b</span>', '<span translate="no">a</span><span>b</span>'],
    ['<p id="a" style="color:red" class="x" onclick="b" data-c="d">e</p>', '<p>e</p>'],
    [
      '<span class="h-card evil p-name u-url dt-x e-y mention hashtag ellipsis invisible quote-inline">a</span>',
      '<span class="h-card p-name u-url dt-x e-y mention hashtag ellipsis invisible quote-inline">a</span>',
    ],
    ['<em class="mention">a</em><span class="h-">b</span>', '<em>a</em><span>b</span>'],
    ['<h1>a</h1><h6 lang="de">b</h6>c', '<p><strong>a</strong></p><p><strong>b</strong></p>c'],
    ['<p>a<h2>b</h2>', '<p>a</p><p><strong>b</strong></p>'],
    ['&lt;b&gt; &copy; &amp;lt;', '&lt;b&gt; © &amp;lt;'],
    ['a\u0000b&#1;c\td\ne', 'abc\td\ne'],
    ['<!-- a -->b<script>c</script><style>d</style><title>e</title>', 'b'],
    ['<p>a<p>b', '<p>a</p><p>b</p>'],
    ['a</b></p>c', 'a<p></p>c'],
  ].map(([html, safe]) => [html!, safe ?? html!]);
  test.each(cases)('%s', (html, safe) => expect(sanitizeRemoteHtml(html)).toBe(safe));
});

describe('links', () => {
  const cases: [html: string, safe: string][] = [
    ['<a href="https://a.example/?b=1&amp;c">d</a>', `<a href="https://a.example/?b=1&amp;c" ${outside}>d</a>`],
    [
      '<a class="u-url mention" href="https://a.example/@b" rel="ugc" target="_top">@<span>b</span></a>',
      `<a href="https://a.example/@b" class="u-url mention" ${outside}>@<span>b</span></a>`,
    ],
    [
      '<a href="https://a.example/tags/b" class="hashtag" rel="TAG me">b</a>',
      '<a href="https://a.example/tags/b" class="hashtag" rel="tag nofollow noopener noreferrer" target="_blank">b</a>',
    ],
    [
      '<a href=" https://a.example/b c\n" title="d" lang="de">e</a>',
      `<a href="https://a.example/b%20c" title="d" lang="de" ${outside}>e</a>`,
    ],
    ...[
      'dat://a',
      'dweb:/a',
      'ipfs://a',
      'ipns://a',
      'ssb://a',
      'gopher://a',
      'xmpp:a@b',
      'magnet:?a',
      'gemini://a',
    ].map((href): [string, string] => [`<a href="${href}">b</a>`, `<a href="${href}" ${outside}>b</a>`]),
    ...[
      'javascript:a',
      'mailto:a@b',
      'data:a',
      '/a',
      '//a.example',
      '#a',
      '',
      'https:a',
      'https://',
      'https:///a',
      'https://\u00a0a',
      'https://?a',
    ].map((href): [string, string] => [`<a href="${href}" class="mention" title="x">b</a>`, '<span>b</span>']),
    [`<a href="https://a.example/${'b'.repeat(5_000)}">c</a>`, '<span>c</span>'],
    ['<a>b</a>', '<span>b</span>'],
    [
      '<a href="https://a.example"><b><a href="https://b.example">c</a></b></a>',
      `<a href="https://a.example" ${outside}><b><span>c</span></b></a>`,
    ],
  ];
  test.each(cases)('%s', (html, safe) => expect(sanitizeRemoteHtml(html)).toBe(safe));

  test('rel="me" stays in profile fields', () => {
    const html = '<a href="https://alice.example" rel="me">a</a>';
    expect(sanitizeRemoteHtml(html, true)).toContain('rel="nofollow noopener noreferrer me"');
    expect(sanitizeRemoteHtml(html, false)).toContain('rel="nofollow noopener noreferrer"');
  });
});

describe('images and formulas', () => {
  const cases: [html: string, safe: string][] = [
    [
      'a<img src="https://a.example/b.png" alt="a &quot;cat&quot;">c',
      `a<a href="https://a.example/b.png" ${outside}>a "cat"</a>c`,
    ],
    [
      '<img src="https://a.example/b.png">c',
      `<a href="https://a.example/b.png" ${outside}>https://a.example/b.png</a>c`,
    ],
    ['<img src="data:image/png;base64,AA" alt="a">b', '<span>a</span>b'],
    ['<img alt="<b>">b', '<span>&lt;b&gt;</span>b'],
    [
      '<a href="https://a.example"><img src="https://b.example" alt="c"></a>',
      `<a href="https://a.example" ${outside}><span>c</span></a>`,
    ],
    [
      '<p>a <math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2 &lt; 3</annotation></semantics></math> b</p>',
      '<p>a $x^2 &lt; 3$ b</p>',
    ],
    [
      '<MATH display="block"><annotation>no</annotation><annotation encoding="application/x-tex"> x </annotation></MATH>',
      '$$x$$',
    ],
    ['<math><mi>x</mi><annotation encoding="text/plain">y</annotation></math>', 'xy'],
    ['<math><annotation encoding="application/x-tex">a<b>c</b>', 'a<b>c</b>'],
  ];
  test.each(cases)('%s', (html, safe) => expect(sanitizeRemoteHtml(html)).toBe(safe));
});

describe('bounds', () => {
  test('nesting is capped, the text stays', () => {
    const html = sanitizeRemoteHtml(`${'<b>'.repeat(1_000)}a${'</b>'.repeat(1_000)}`);
    expect(html).toBe(`${'<b>'.repeat(htmlLimits.nestingMax)}a${'</b>'.repeat(htmlLimits.nestingMax)}`);
  });

  test('shown text is capped, and what was open is closed', () => {
    const html = sanitizeRemoteHtml(`<p><b>${'語😀'.repeat(100_000)}`);
    expect(html.startsWith('<p><b>語😀')).toBe(true);
    expect(html.endsWith('😀</b></p>')).toBe(true);
    expect([...toPlainText(html)].length).toBe(htmlLimits.shownCharactersMax);
  });

  test('markup is capped where there is little text', () => {
    const html = sanitizeRemoteHtml('<a href="https://a.example/bbbbbbbbbb">c</a>'.repeat(9_000));
    expect(html.length).toBeLessThanOrEqual(htmlLimits.markupCharactersMax + 100);
    expect(html.length).toBeGreaterThan(htmlLimits.markupCharactersMax - 200);
    expect(html.endsWith('</a>')).toBe(true);
  });

  test('a document is read up to a bound', () => {
    expect(cutRaw('<b>a</b>')).toBe('<b>a</b>');
    expect(cutRaw('a'.repeat(htmlLimits.rawCharactersMax + 5)).length).toBe(htmlLimits.rawCharactersMax);
    expect(cutRaw('<b>'.repeat(htmlLimits.rawTagsMax + 5)).length).toBe(htmlLimits.rawTagsMax * 3);
    expect(cutMarkup('<b>a</b>')).toBe('<b>a</b>');
  });

  test.each([
    '<b>',
    '<b></i>',
    '<a href="https://a.example">',
    '<math',
    '<annotation',
    '<',
    '&',
    '<!--',
    '<p',
    '<svg>',
    '</p>',
  ])('a megabyte of %s takes bounded work', (unit) => {
    expectLinear(1_000_000, (size) => {
      const html = sanitizeRemoteHtml(unit.repeat(Math.ceil(size / unit.length)));
      expect(html.length).toBeLessThanOrEqual(htmlLimits.markupCharactersMax * 2);
    });
  });
});

describe('hostile input', () => {
  const allowedElements =
    /^(?:p|br|span|a|abbr|del|s|pre|blockquote|code|b|strong|u|sub|sup|i|em|ul|ol|li|ruby|rt|rp)$/;
  const allowedAttribute = /^(?:lang|href|rel|class|title|translate|target|cite|start|reversed|value)$/;

  function expectHarmless(html: string): void {
    for (const event of markupEvents(html)) {
      if (!('open' in event)) continue;
      expect(event.open).toMatch(allowedElements);
      for (const name of Object.keys(event.attributes)) expect(name).toMatch(allowedAttribute);
      const { href, cite, rel, target } = event.attributes;
      if (event.open === 'a') {
        expect(href).toMatch(/^(?:https?:\/\/[^/\\\s?#]|(?:dat|dweb|ipfs|ipns|ssb|gopher|xmpp|magnet|gemini):)/i);
        expect(rel).toMatch(/nofollow noopener/);
        expect(target).toBe('_blank');
      }
      if (cite !== undefined) expect(cite).toMatch(/^https?:/i);
    }
    expect(html).not.toMatch(/<(?!\/?[a-z]+[ >])/);
    expect(html).not.toMatch(/[\p{Cc}--[\t\n]]/v);
    expect(html.isWellFormed()).toBe(true);
  }

  const withoutBlanks = (html: string) => toPlainText(html).replace(/\s+/g, '');

  test.each(hostileHtml)('%s', (html) => {
    expectHarmless(sanitizeRemoteHtml(html));
    expectHarmless(sanitizeRemoteHtml(`<p>a ${html} b</p>`, true));
  });

  test('nothing of it survives in combination, and a second pass keeps the text', () => {
    const parts = fc.oneof(
      fc.constantFrom(...hostileHtml),
      fc.constantFrom(
        '<p>',
        '</p>',
        '<a href="https://a.example">',
        '</a>',
        '<b>',
        '</b>',
        '<h1>',
        '</h1>',
        '<li>',
        '"',
        '&',
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 6 }), (all) => {
        const safe = sanitizeRemoteHtml(all.join(''));
        expectHarmless(safe);
        const again = sanitizeRemoteHtml(safe);
        expectHarmless(again);
        expect(withoutBlanks(again)).toBe(withoutBlanks(safe));
      }),
      process.env.MURMURATION_LONG_TESTS === undefined
        ? { numRuns: 500 }
        : { numRuns: 40_000, interruptAfterTimeLimit: 60_000 },
    );
  });
});
