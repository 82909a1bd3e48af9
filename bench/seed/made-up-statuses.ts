/**
 * Statuses of a made-up server for the index of search, the same for the same number: words and Japanese characters that
 * are as unevenly frequent as those of real texts (Zipf), some of them with hashtags, links, media and polls.
 */
import type { Profile } from '../../src/actors/account/profile/profile.records.ts';
import type { Status } from '../../src/actors/account/statuses/statuses.records.ts';
import { composeId, type Id, slotCount } from '../../src/runtime/ids.ts';

const vocabularyWords = 200_000;
const japaneseCharacters = 2_500;
const japaneseShare = 0.1;
const authors = 2_000;
/** Of the authors: those who want to be found by everybody. */
const indexableShare = 0.8;
/** Three years on a busy server. */
const firstTime = Date.UTC(2024, 0, 1);
const spanMilliseconds = 3 * 365 * 86_400_000;

const syllables = ['ba', 'co', 'di', 'fu', 'ge', 'ha', 'jo', 'ki', 'lu', 'me', 'na', 'po', 'ri', 'su', 'te', 'vo'];

/** The same numbers from 0 to 1 for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A rank from 0 on: the first is twice as frequent as the second, three times as frequent as the third. */
function zipf(count: number, random: () => number): number {
  return Math.min(count - 1, Math.floor((count + 1) ** random()) - 1);
}

export function wordOf(rank: number): string {
  let [word, rest] = ['', rank];
  do {
    word += syllables[rest % syllables.length]!;
    rest = Math.floor(rest / syllables.length);
  } while (rest > 0);
  return word;
}

export function characterOf(rank: number): string {
  return String.fromCodePoint(0x4e00 + rank);
}

export function randomWord(random: () => number): string {
  return wordOf(zipf(vocabularyWords, random));
}

export function randomCharacters(count: number, random: () => number): string {
  return Array.from({ length: count }, () => characterOf(zipf(japaneseCharacters, random))).join('');
}

export function authorOf(number: number): Id {
  return composeId(firstTime, number % slotCount, Math.floor(number / slotCount));
}

export interface Written {
  readonly status: Status;
  readonly author: Profile;
}

/** The one with this number of `count`: later ones are newer. */
export function writtenStatus(number: number, count: number): Written {
  const random = randomOf(number + 1);
  const author = Math.floor(random() * authors);
  const accountId = authorOf(author);
  const at = firstTime + Math.floor((number / count) * spanMilliseconds);
  const text =
    random() < japaneseShare
      ? randomCharacters(20 + Math.floor(random() * 80), random)
      : Array.from({ length: 5 + Math.floor(random() * 30) }, () => randomWord(random)).join(' ');
  const tags = random() < 0.15 ? [randomWord(random)] : [];
  const status: Status = {
    id: composeId(at, author % slotCount, number % 64),
    accountId,
    createdAt: at,
    visibility: random() < 0.9 ? 'public' : 'private',
    sensitive: random() < 0.05,
    spoilerText: '',
    text: random() < 0.1 ? `${text} https://example.org/${number}` : text,
    content: '',
    language: 'en',
    mentions: [],
    tags: tags.map((name) => ({ name, display: name })),
    emojis: [],
    attachments: [],
    ...(random() < 0.3 ? { inReplyToId: accountId } : {}),
  };
  const indexable = author < authors * indexableShare;
  return { status, author: { indexable } as Profile };
}
