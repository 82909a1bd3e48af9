import { describe, expect, test } from 'vitest';
import { toPlainLine, toPlainText } from '../../../src/actors/text/plain.ts';
import { expectLinear } from '../../support/cost.ts';

describe('HTML to plain text', () => {
  const cases: [html: string, text: string][] = [
    ['', ''],
    ['<p>abc</p>', 'abc'],
    ['<p>a</p><p>b<br />c<br>d</p>', 'a\n\nb\nc\nd'],
    ['<p>a</p>\n<p>b</p>', 'a\n\nb'],
    ['<ul><li>a</li><li>b</li></ul>', 'a\n\nb'],
    ['<blockquote>a</blockquote>b', 'a\n\nb'],
    ['a<span class="invisible">b</span>c', 'abc'],
    ['<a href="https://example.org/?a=1&amp;b">x</a>', 'x'],
    ['&lt;b&gt; &amp;amp; &quot;&#39;&#x27;&apos;&nbsp;x', "<b> &amp; \"'''\u00a0x"],
    ['&#128512;&#x1F600;', '😀😀'],
    ['&#0;&#xd800;&#x110000;', '\ufffd\ufffd\ufffd'],
    ['&unknown; & &; &#; &copy;', '&unknown; & &; &#; &copy;'],
    ['1 < 2 <', '1 < 2 <'],
    ['a <b', 'a <b'],
  ];
  test.each(cases)('%s', (html, text) => expect(toPlainText(html)).toBe(text));

  test('on one line', () => expect(toPlainLine('<p>a</p><p>b<br />c</p>')).toBe('a b c'));

  test.each(['<a', '<', '<a>', '&', '\n', '<br>'])('the work for %j, repeated, is linear', (unit) => {
    expectLinear(400_000, (size) => toPlainText(unit.repeat(size)));
  });
});
