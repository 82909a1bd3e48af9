/** How parts of pages render text. */
import { describe, expect, test } from 'vitest';
import type { CustomEmoji } from '../../../src/actors/account/account.records.ts';
import { shorten } from '../../../src/actors/text/shorten.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import { storedHtml, storedText } from '../../../src/gateway/pages/parts/stored.ts';
import type { Visit } from '../../../src/gateway/pages/visit.ts';
import { Addresses } from '../../../src/services/addresses.ts';
import { only } from '../../support/only.ts';

describe('stored markup', () => {
  const visit = only<Visit>('visit', {
    services: only<GatewayServices>('services', { addresses: new Addresses('https://here.example') }),
  });
  const blob: CustomEmoji = {
    shortcode: 'blob',
    url: 'https://e.example/b.gif',
    staticUrl: 'https://e.example/"b".png',
  };
  const image =
    '<img class="emoji" src="https://e.example/&quot;b&quot;.png" alt=":blob:" title=":blob:" loading="lazy">';

  test.each([
    ['in text', '<p>a :blob: b</p>', `<p>a ${image} b</p>`],
    ['not one that is unknown', '<p>:other:</p>', '<p>:other:</p>'],
    ['not in an attribute', '<a href="x:blob:y">z</a>', '<a href="x:blob:y">z</a>'],
    ['not in an attribute with a bracket', '<a title="a>:blob: b">z</a>', '<a title="a>:blob: b">z</a>'],
  ])('emojis are put %s', (_, markup, expected) =>
    expect(storedHtml(visit, markup, { emojis: [blob] }).markup).toBe(expected));

  test('without emojis it is printed as it is', () => {
    expect(storedHtml(visit, '<p>:blob:</p>').markup).toBe('<p>:blob:</p>');
  });

  test('text of others is escaped before emojis are put in', () => {
    expect(storedText(visit, '<b> :blob:', { emojis: [blob] }).markup).toBe(`&lt;b&gt; ${image}`);
  });
});

describe('shorten', () => {
  test.each([
    ['short', 10, 'short'],
    ['a sentence that is long', 12, 'a sentence…'],
    ['anunbrokenwordthatislong', 10, 'anunbroke…'],
    ['🐦🐦🐦🐦', 3, '🐦🐦…'],
  ])('%s to %i characters', (text, charactersMax, expected) => expect(shorten(text, charactersMax)).toBe(expected));
});
