/** Messages: what their texts may contain, and what they become. */
import { describe, expect, expectTypeOf, test } from 'vitest';
import { compile, compileText } from '../../../src/services/words/compile.ts';
import { type Html, html } from '../../../src/services/words/html.ts';
import { forms, type TranslationOf } from '../../../src/services/words/message.ts';

const source = {
  plain: 'A & B',
  by: 'Post by {name}',
  posts: forms({ one: '{count} post by {name}', other: '{count} posts by {name}' }),
  noun: forms({ one: 'post', other: 'posts' }),
  rules: 'See <link>the <strong>rules</strong> of {server}</link>.',
  inside: { deep: 'Deep' },
} as const;

const english = compile(source, 'en', { code: 'en', catalogue: source });
const link = (inside: Html) => html`<a href="/rules">${inside}</a>`;
const strong = (inside: Html) => html`<strong>${inside}</strong>`;

describe('a message', () => {
  test('without values is its text, which a template escapes', () => {
    expect(english.plain).toBe('A & B');
    expect(html`${english.plain}`.markup).toBe('A &amp; B');
  });

  test('with values is text, or markup where a value is markup', () => {
    expect(english.by({ name: '<alice>' })).toBe('Post by <alice>');
    expect(english.by({ name: html`<b>${'<alice>'}</b>` }).markup).toBe('Post by <b>&lt;alice&gt;</b>');
  });

  test('chooses the plural form, and writes numbers as the language does', () => {
    expect(english.posts({ count: 1, name: 'a' })).toBe('1 post by a');
    expect(english.posts({ count: 1_200, name: 'a' })).toBe('1,200 posts by a');
    expect([0, 1, 2].map((count) => english.noun({ count }))).toEqual(['posts', 'post', 'posts']);
  });

  test('with slots is markup, whose values are escaped', () => {
    const { markup } = english.rules({ link, strong, server: '<b>' });
    expect(markup).toBe('See <a href="/rules">the <strong>rules</strong> of &lt;b&gt;</a>.');
  });

  test('is given to scripts as its texts', () => {
    expect(JSON.parse(english.posts.source)).toEqual(source.posts.texts);
    expect(JSON.parse(english.by.source)).toEqual({ other: 'Post by {name}' });
  });

  test('declares its values and slots', () => {
    expectTypeOf(english.plain).toEqualTypeOf<string>();
    expectTypeOf(english.by).parameter(0).toHaveProperty('name');
    expectTypeOf(english.posts).parameter(0).toHaveProperty('count').toEqualTypeOf<number>();
    expectTypeOf(english.rules).parameter(0).toHaveProperty('link');
    expectTypeOf(english.rules({ link, strong, server: '' })).toEqualTypeOf<Html>();
    expectTypeOf<{ other: string }>().not.toExtend<Parameters<typeof english.by>[0]>();
    expectTypeOf<'missing'>().not.toExtend<keyof typeof english>();
  });
});

describe('a translation', () => {
  const polish = {
    by: 'Wpis: {name}',
    posts: forms({
      one: 'jeden wpis {name}',
      few: '{count} wpisy {name}',
      many: '{count} wpisów {name}',
      other: '{count} wpisu {name}',
    }),
  } as const;

  test('has the plural forms of its language, and says the rest in that of the source', () => {
    const said = compile(source, 'en', { code: 'pl', catalogue: polish });
    expect([1, 2, 5, 22].map((count) => said.posts({ count, name: 'Ani' }))).toEqual([
      'jeden wpis Ani',
      '2 wpisy Ani',
      '5 wpisów Ani',
      '22 wpisy Ani',
    ]);
    expect([said.plain, said.inside.deep, said.noun({ count: 1 })]).toEqual(['A & B', 'Deep', 'post']);
  });

  test('compiles only with the keys, values and slots of the source', () => {
    type Checked<T> = T extends TranslationOf<typeof source, T> ? 'accepted' : 'refused';
    expectTypeOf<Checked<typeof polish>>().toEqualTypeOf<'accepted'>();
    expectTypeOf<Checked<{ readonly by: 'Wpis' }>>().toEqualTypeOf<'refused'>();
    expectTypeOf<Checked<{ readonly by: 'Wpis: {nam}' }>>().toEqualTypeOf<'refused'>();
    expectTypeOf<Checked<{ readonly other: 'Wpis' }>>().toEqualTypeOf<'refused'>();
    expectTypeOf<Checked<{ readonly rules: '{server}' }>>().toEqualTypeOf<'refused'>();
  });
});

test.each([
  'an open {brace',
  'a <slot> that stays open',
  'a </slot> that was never opened',
  '<a>crossed <b>slots</a></b>',
  'less < more',
])('%s is malformed', (text) => expect(() => compileText(text)).toThrow('Malformed message'));
