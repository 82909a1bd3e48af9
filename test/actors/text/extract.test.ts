import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanText } from '../../../src/actors/text/characters.ts';
import { extractTokens } from '../../../src/actors/text/extract.ts';
import { foldTagName, normaliseTagName, tagPath } from '../../../src/actors/text/hashtags.ts';
import { normaliseHandle } from '../../../src/actors/text/mentions.ts';
import { expectLinear } from '../../support/cost.ts';

/** What was found, as written in the text. */
function found(text: string): string[] {
  return extractTokens(text).map((token) => text.slice(token.start, token.end));
}

describe('links', () => {
  const cases: [text: string, links: string[]][] = [
    ['https://example.org', ['https://example.org']],
    ['see http://example.org/a?b=c#d now', ['http://example.org/a?b=c#d']],
    ['HTTPS://Example.org/', ['HTTPS://Example.org/']],
    ['end https://example.org/a.', ['https://example.org/a']],
    ['is it https://example.org/a?!', ['https://example.org/a']],
    ['"https://example.org/a",', ['https://example.org/a']],
    ['(https://example.org/a)', ['https://example.org/a']],
    ['https://example.org/a_(b)', ['https://example.org/a_(b)']],
    ['(https://example.org/a_(b))', ['https://example.org/a_(b)']],
    ['[https://example.org/a[1]]', ['https://example.org/a[1]']],
    ['<https://example.org/a>', ['https://example.org/a']],
    ['https://example.org/@alice/1', ['https://example.org/@alice/1']],
    ['https://example.org/#tag', ['https://example.org/#tag']],
    ['https://example.org:8080/a', ['https://example.org:8080/a']],
    ['https://example.org: yes', ['https://example.org']],
    ['https://example.org.', ['https://example.org']],
    ['http://127.0.0.1:3000/a', ['http://127.0.0.1:3000/a']],
    ['http://localhost:3000/a', ['http://localhost:3000/a']],
    ['https://münchen.example/ü', ['https://münchen.example/ü']],
    ['https://例え.テスト/', ['https://例え.テスト/']],
    ['こちらhttps://example.org/あ、はい', ['https://example.org/あ']],
    ['https://example.orgです', ['https://example.org']],
    ['https://a.example https://b.example', ['https://a.example', 'https://b.example']],
    ['gemini://example.org/a ipfs://bafy/x', ['gemini://example.org/a', 'ipfs://bafy/x']],
    ['magnet:?xt=urn:btih:c12 xmpp:alice@example.org', ['magnet:?xt=urn:btih:c12', 'xmpp:alice@example.org']],
    ['https://example.org/a\u200bb', ['https://example.org/a']],
    ['https://example.org/a\\b', ['https://example.org/a']],
    ['http://', []],
    ['http://example', []],
    ['http://example.', []],
    ['http://-a-.example', []],
    ['http://1.2.3', []],
    ['http://300.1.1.1', []],
    ['https://example.org@evil.example/', []],
    ['https://alice:secret@example.org/', []],
    ['xhttps://example.org', []],
    ['@https://example.org', ['@https']],
    ['#https://example.org', ['#https']],
    ['@bob.https://example.org', ['@bob.https']],
    ['example.org/a', []],
    ['javascript://example.org/%0aalert(1)', []],
    ['data:text/html,x ftp://example.org mailto:bob@example.org', []],
    [`https://example.org/${'a'.repeat(3000)} b`, []],
  ];
  test.each(cases)('%s', (text, links) => expect(found(text)).toEqual(links));
});

describe('mentions', () => {
  const cases: [text: string, handles: string[]][] = [
    ['@alice', ['alice']],
    ['hi @alice, and @bob.', ['alice', 'bob']],
    ['@Alice@Example.ORG', ['alice@example.org']],
    ['@alice@example.org:8443 x', ['alice@example.org:8443']],
    ['@alice@example.org: hello', ['alice@example.org']],
    ['@alice@example.org.', ['alice@example.org']],
    ['@alice@münchen.example', ['alice@münchen.example']],
    ['@alice@127.0.0.2:3000', ['alice@127.0.0.2:3000']],
    ['@alice.b-c@example.org', ['alice.b-c@example.org']],
    ['@alice- @bob_', ['alice', 'bob_']],
    ['(@alice)', ['alice']],
    ['.@alice', ['alice']],
    ['@@alice', ['alice']],
    ['@alice@', ['alice']],
    ['@alice @bob@example.org@carol', ['alice', 'bob@example.org']],
    ['bob@example.org', []],
    ['bob.b+c@example.org', []],
    ['mail to bob@example.org or @carol', ['carol']],
    ['example.org/@alice', []],
    ['?by=@alice', []],
    ['é@alice', []],
    ['𝒜@alice', []],
    ['😀@alice', ['alice']],
    ['@ alice', []],
    ['@-alice', []],
    ['@élise', []],
    ['https://example.org/@alice', []],
    [`@${'a'.repeat(600)}`, []],
  ];
  test.each(cases)('%s', (text, handles) => {
    const mentions = extractTokens(text).filter((token) => token.kind === 'mention');
    expect(mentions.map((mention) => mention.handle)).toEqual(handles);
  });

  test('a mention keeps what was written beside its normalised handle', () => {
    expect(extractTokens('a @Bob@Example.org:80 b')).toEqual([
      { kind: 'mention', start: 2, end: 21, username: 'Bob', domain: 'Example.org:80', handle: 'bob@example.org:80' },
    ]);
    expect(normaliseHandle('Bob', 'Example.org:80')).toBe('bob@example.org:80');
    expect(normaliseHandle('Bob')).toBe('bob');
  });
});

describe('hashtags', () => {
  const cases: [text: string, names: string[]][] = [
    ['#caturday', ['caturday']],
    ['#Caturday #CATS!', ['caturday', 'cats']],
    ['#日本語 #قطط #кошки', ['日本語', 'قطط', 'кошки']],
    ['＃タグ', ['タグ']],
    ['#ｆｕｌｌ', ['full']],
    ['#हिन्दी', ['हिनदी']],
    ['#a_b #_a #1a #2024年', ['a_b', '_a', '1a', '2024年']],
    ['#a-b', ['a']],
    ['#a·b #a· #می\u200cخواهم', ['a·b', 'a', 'می\u200cخواهم']],
    ['(#a)', ['a']],
    ['##a', ['a']],
    ['#a#b', ['a']],
    ['#1 #2024 #１２', []],
    ['#_ #__', []],
    ['# a', []],
    ['a#b é#b', []],
    ['/#a =#a &#a; )#a', []],
    ['1#️⃣2 #️⃣', []],
    ['#\u0301a', []],
    ['#ﷺ', []],
    ['https://example.org/#a', []],
    ['https://example.org #a', ['a']],
    [`#${'a'.repeat(200)} #b`, ['b']],
  ];
  test.each(cases)('%s', (text, names) => {
    const tags = extractTokens(text).filter((token) => token.kind === 'hashtag');
    expect(tags.map((tag) => tag.name)).toEqual(names);
  });

  test('a hashtag keeps its spelling beside its name', () => {
    expect(extractTokens('a #CatsOfFedi.')).toEqual([
      { kind: 'hashtag', start: 2, end: 13, name: 'catsoffedi', display: 'CatsOfFedi' },
    ]);
  });

  test('the name of a parameter is normalised or refused', () => {
    for (const refused of ['', '12', 'a b', 'a/b', '#a', '<a>', 'x'.repeat(129)]) {
      expect(normaliseTagName(refused)).toBeUndefined();
    }
    expect(tagPath('ねこ')).toBe('/tags/%E3%81%AD%E3%81%93');
  });

  test.each([
    ['Café', 'cafe'],
    ['Cafe\u0301', 'cafe'],
    ['Überraschung', 'uberraschung'],
    ['ŁÓDŹ', 'lodz'],
    ['İstanbul', 'istanbul'],
    ['i\u0307stanbul', 'istanbul'],
    ['Ísland', 'island'],
    ['SMØRREBRØD', 'smorrebrod'],
    ['Đakovo', 'dakovo'],
    ['ｎｅｋｏ', 'neko'],
    // These are letters of their own, as in Mastodon.
    ['Straße', 'straße'],
    ['Æsir', 'æsir'],
    ['Ελλάδα', 'ελλάδα'],
    ['Ёлка', 'ёлка'],
    ['tiếng', 'tiếng'],
    ['ねこ', 'ねこ'],
    ['ภาษาไทย์', 'ภาษาไทย์'],
  ])('%s is the tag %s', (written, name) => {
    expect(normaliseTagName(written)).toBe(name);
    expect(normaliseTagName(name)).toBe(name);
  });

  test('of any letters, a name folds to itself', () => {
    const letters = fc.stringMatching(/^[\p{L}\p{M}\p{Nd}]{1,12}$/u);
    fc.assert(fc.property(letters, (text) => foldTagName(foldTagName(text)) === foldTagName(text)));
  });
});

const fragments = fc.constantFrom(
  ...['@', '#', '＃', ':', '/', '//', '.', '-', '_', 'a', 'B', '1', ' ', '\n', '(', ')', '[', ']', '!', "'", '"', '<'],
  ...['https://', 'http://', 'example.org', '@alice', '#tag', 'é', '語', '😀', '\u0301', '\u200c', '\ud800', '=', '&'],
);

describe('of any text', () => {
  test('tokens are ordered, apart, inside the text, and normalising is idempotent', () => {
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 60 }), (parts) => {
        const text = cleanText(parts.join(''));
        let position = 0;
        for (const token of extractTokens(text)) {
          expect(token.start).toBeGreaterThanOrEqual(position);
          expect(token.end).toBeGreaterThan(token.start);
          expect(token.end).toBeLessThanOrEqual(text.length);
          if (token.kind === 'hashtag') expect(normaliseTagName(token.name)).toBe(token.name);
          if (token.kind === 'link') expect(token.url).toBe(text.slice(token.start, token.end));
          position = token.end;
        }
        expect(cleanText(text)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    'http://a.http://a.',
    'https://a.b/))))',
    'https://x.example/(((',
    'https://a.example/x ',
    'https://a.example/',
    'https://',
    '@a@',
    '@a.',
    '#a·',
    '#·',
    '##',
    '&#',
  ])('the work for %s, repeated, is linear', (unit) => {
    expectLinear(400_000, (size) => extractTokens(unit.repeat(Math.ceil(size / unit.length))));
  });
});
