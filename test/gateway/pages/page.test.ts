/** HTML templates escape everything that is put into them. */
import { expect, test } from 'vitest';
import { html, page } from '../../../src/gateway/pages/page.ts';
import { Languages } from '../../../src/services/words/languages.ts';

test.each([
  ['text', html`<p>${'<b> & "c" \'d\''}</p>`, '<p>&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;</p>'],
  ['markup of its own', html`<p>${html`<b>${'&'}</b>`}</p>`, '<p><b>&amp;</b></p>'],
  [
    'a list',
    html`<ul>${['a', html`<i>b</i>`].map((one) => html`<li>${one}</li>`)}</ul>`,
    '<ul><li>a</li><li><i>b</i></li></ul>',
  ],
  ['numbers', html`${1} ${2n}`, '1 2'],
  ['nothing', html`[${undefined}${false}]`, '[]'],
])('a template shows %s', (_name, template, markup) => {
  expect(template.markup).toBe(markup);
});

test('a page has its title twice and its body as it is', () => {
  const text = page({ words: new Languages().source, title: 'A & B', body: html`<p>body</p>` });
  expect(text).toContain('<title>A &amp; B</title>');
  expect(text).toContain('<h1>A &amp; B</h1>\n<p>body</p>');
  expect(text.startsWith('<!doctype html>')).toBe(true);
});
