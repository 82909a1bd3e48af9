/** Queries for the made-up statuses, as people type them, and as somebody types who wants the server to work much. */
import { readQuery } from '../../src/operations/search/query-language.ts';
import type { SearchQuery } from '../../src/services/search/search.ts';
import { authorOf, characterOf, randomCharacters, randomOf, randomWord, wordOf } from '../seed/made-up-statuses.ts';

export interface QuerySort {
  readonly name: string;
  queries(count: number): SearchQuery[];
}

const limit = 20;
const asker = authorOf(1);

type Words = (random: () => number) => string;

function sortOf(name: string, words: Words): QuerySort {
  return {
    name,
    queries(count) {
      const random = randomOf(name.length);
      return Array.from({ length: count }, () => queryOf(words(random)));
    },
  };
}

/** Throws where the text asks for nothing. */
function queryOf(words: string): SearchQuery {
  const read = readQuery(words, { askerId: asker, accountOf: (handle) => authorOf(Number(handle)) });
  if (read === undefined) throw new Error(`nothing is asked for: ${words}`);
  return { ...read, askerId: asker, limit };
}

/** The words with these ranks: the first is the most frequent one. */
function commonWords(count: number): string[] {
  return Array.from({ length: count }, (_, rank) => wordOf(rank));
}

const usual: Readonly<Record<string, Words>> = {
  'a word': (random) => randomWord(random),
  'two words': (random) => `${randomWord(random)} ${randomWord(random)}`,
  'three words': (random) => `${randomWord(random)} ${randomWord(random)} ${randomWord(random)}`,
  'a phrase': (random) => `"${randomWord(random)} ${randomWord(random)}"`,
  'a word without another': (random) => `${randomWord(random)} -${randomWord(random)}`,
  'a Japanese character': (random) => randomCharacters(1, random),
  'two of them': (random) => randomCharacters(2, random),
  'four of them': (random) => randomCharacters(4, random),
  'a word of one author': (random) => `${randomWord(random)} from:${Math.floor(random() * 1_000)}`,
  'a word with a link in a month': (random) => `${randomWord(random)} has:link after:2025-01-31 before:2025-03-01`,
  'a word in the library': (random) => `${randomWord(random)} in:library`,
};

const costly: Readonly<Record<string, string>> = {
  'common words of one author': `${commonWords(31).join(' ')} from:1`,
  'a phrase without its own word': `"${wordOf(0)} ${wordOf(1)}" -${wordOf(0)}`,
  'answers without answers': 'is:reply -has:media -language:en',
  'a phrase of common words that is nowhere': `"${Array.from({ length: 32 }, (_, rank) => wordOf(rank % 3)).join(' ')}"`,
  'phrases of common words': Array.from({ length: 16 }, (_, rank) => `"${wordOf(rank)} ${wordOf(15 - rank)}"`).join(
    ' ',
  ),
  'common characters': Array.from({ length: 31 }, (_, rank) => characterOf(rank)).join(' '),
  'exclusions alone': commonWords(32)
    .map((word) => `-${word}`)
    .join(' '),
  'all of time': 'after:1970-01-01 before:2100-01-01',
};

export const usualQueries: readonly QuerySort[] = Object.entries(usual).map(([name, words]) => sortOf(name, words));
export const costlyQueries: readonly QuerySort[] = Object.entries(costly).map(([name, text]) =>
  sortOf(name, () => text),
);
