/**
 * A language in which every ASCII letter of the catalogue is another one, written from right to left. On a page in it,
 * a word of ASCII letters is a word that does not come from the catalogue.
 */
import { isMessage } from '../../../src/services/words/compile.ts';
import { english } from '../../../src/services/words/en/english.ts';
import type { Translation } from '../../../src/services/words/languages.ts';
import { type Catalogue, Forms } from '../../../src/services/words/message.ts';

/** Cyrillic letters, one for each. */
const letters = 'абцдефгхийклмнопярстувшжуз';

function disguise(text: string): string {
  const parts = text.split(/(\{\w+\}|<\/?\w+>)/);
  const plain = (part: string) =>
    part.replace(/[a-z]/gi, (letter) => letters[letter.toLowerCase().charCodeAt(0) - 97] ?? letter);
  return parts.map((part, index) => (index % 2 === 1 ? part : plain(part))).join('');
}

function disguised(catalogue: Catalogue): Catalogue {
  const entries = Object.entries(catalogue).map(([key, one]) => {
    if (!isMessage(one)) return [key, disguised(one)];
    if (typeof one === 'string') return [key, disguise(one)];
    const texts = Object.entries(one.texts).map(([form, text]) => [form, disguise(text)]);
    return [key, new Forms(Object.fromEntries(texts) as { other: string })];
  });
  return Object.fromEntries(entries) as Catalogue;
}

export const pseudo: Translation = {
  code: 'ar',
  name: 'Псеудо',
  direction: 'rtl',
  locale: 'ar',
  catalogue: disguised(english),
};

/** What names things, and is the same in every language; addresses of others; how posts name what they quote. */
const names =
  /Murmuration [\w.+-]+|Murmuration|(?:[\w.]+@)?[\w.-]+\.example|UTC|RE:|Firefox|Linux|Mastodon API|Node\.js|SQLite|Deutsch|English|https?:\/\/\S+/g;

const spoken = [
  ...['title', 'aria-label', 'placeholder', 'alt'],
  ...['data-many', 'data-show', 'data-hide', 'data-unreached'],
];
const plural = /&quot;(?:zero|one|two|few|many|other)&quot;/g;

/** The words of ASCII letters that a reader of the page sees or hears. */
export function strayWords(html: string): string[] {
  const withoutCode = html
    .replace(/<(script|style|svg)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<code class="secret">[^<]*<\/code>/g, ' ')
    .replace(/<(\w+)[^>]*\blang="[^"]*"[^>]*>[^<]*<\/\1>/g, ' ')
    .replace(/<html[^>]*>/, '');
  const tags = withoutCode.match(/<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi) ?? [];
  const heard = tags.flatMap((tag) => {
    const values = [...tag.matchAll(/\s([\w-]+)="([^"]*)"/g)];
    const isDescription = /^<meta (?:name|property)="(?:description|og:(?:title|description))"/.test(tag);
    return values.flatMap(([, name, value]) => {
      if (name === 'data-arrivals' || name === 'data-in-zone')
        return value!.replace(plural, '').replace(/\{\w+\}/g, '');
      return spoken.includes(name!) || (isDescription && name === 'content') ? value! : [];
    });
  });
  const seen = withoutCode.replace(/<(?:[^>"']|"[^"]*"|'[^']*')*>/g, ' ');
  const text = [seen, ...heard].join('\n').replace(/&(?:[a-z]+|#\d+);/g, ' ');
  return text.replace(names, ' ').match(/[A-Za-z]{2,}/g) ?? [];
}
