/**
 * The language of searches in the text of statuses (behaviour of the Mastodon API): words and "phrases", all required;
 * `-` before what must not be there; #hashtags; and operators such as `from:me`.
 */
import { normaliseTagName } from '../../actors/text/hashtags.ts';
import { firstIdAt, type Id } from '../../runtime/ids.ts';
import { searchLimits } from '../../services/search/limits.ts';
import {
  type SearchProperty,
  type SearchQuery,
  type SearchScope,
  type SearchTerm,
  searchProperties,
  searchScopes,
} from '../../services/search/search.ts';
import { phraseOf } from '../../services/search/tokens.ts';
import type { TimeZone } from './time-zones.ts';

/** Throughout: undefined for an operator that says nothing, such as `before:yesterday`; then nothing is found. */
export type ReadQuery = Omit<SearchQuery, 'askerId' | 'limit'>;

export interface QueryReader {
  readonly askerId: Id;
  /** The account of a handle; undefined where there is none. */
  accountOf(handle: string): Id | undefined;
  /** Whose days are meant; those of UTC where it is undefined. */
  readonly timeZone?: TimeZone | undefined;
}

export const everyId = { minId: -1n, maxId: 2n ** 63n - 1n } as const;
const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** A sign, an operator's name, and a phrase or a word. */
const part = /([-+])?(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/giu;

interface Draft {
  readonly required: SearchTerm[];
  readonly excluded: SearchTerm[];
  scope: SearchScope;
  minId: Id;
  maxId: Id;
}

/** Applies an operator; false where it says nothing. */
type Operator = (draft: Draft, value: string, isExcluded: boolean, reader: QueryReader) => boolean;

const property: Operator = (draft, value, isExcluded) => {
  const known = searchProperties.find((name) => name === value.toLowerCase());
  return known !== undefined && add(draft, { property: known satisfies SearchProperty }, isExcluded);
};

const operators: Readonly<Record<string, Operator>> = {
  has: property,
  is: property,
  from(draft, value, isExcluded, { askerId, accountOf }) {
    const authorId = value.toLowerCase() === 'me' ? askerId : accountOf(value);
    return authorId === undefined ? isExcluded : add(draft, { authorId }, isExcluded);
  },
  language: (draft, value, isExcluded) =>
    /^[a-z]{2,3}([-_][a-z0-9]+)*$/i.test(value) && add(draft, { language: value }, isExcluded),
  in(draft, value, isExcluded) {
    const scope = searchScopes.find((name) => name === value.toLowerCase());
    if (scope === undefined || isExcluded) return false;
    draft.scope = scope;
    return true;
  },
  before: (draft, value, isExcluded, reader) =>
    within(draft, value, reader, ([from]) => (isExcluded ? { minId: from - 1n } : { maxId: from })),
  after: (draft, value, isExcluded, reader) =>
    within(draft, value, reader, ([, until]) => (isExcluded ? { maxId: until } : { minId: until - 1n })),
  during: (draft, value, isExcluded, reader) =>
    !isExcluded && within(draft, value, reader, ([from, until]) => ({ minId: from - 1n, maxId: until })),
};

/** Undefined also for a text that asks for nothing. */
export function readQuery(text: string, reader: QueryReader): ReadQuery | undefined {
  const draft: Draft = { required: [], excluded: [], scope: 'all', ...everyId };
  let [terms, loneCharacters] = [0, 0];
  for (const [, sign, name, phrase, word = ''] of text.matchAll(part)) {
    if (terms === searchLimits.termsMax) break;
    const isExcluded = sign === '-';
    const operator = name === undefined ? undefined : operators[name.toLowerCase()];
    if (operator !== undefined) {
      if (!operator(draft, phrase ?? word, isExcluded, reader)) return undefined;
    } else {
      const term = termOf(phrase ?? word, name, phrase !== undefined);
      if (term === undefined) continue;
      if ('phrase' in term && term.phrase.isBeginning === true) loneCharacters += 1;
      if (loneCharacters <= searchLimits.loneCharactersMax) add(draft, term, isExcluded);
    }
    terms += 1;
  }
  return terms === 0 ? undefined : draft;
}

/** Undefined for nothing but punctuation. */
function termOf(text: string, name: string | undefined, isPhrase: boolean): SearchTerm | undefined {
  const tag = isPhrase || name !== undefined ? undefined : /^[#＃](.+)$/u.exec(text)?.[1];
  const tagName = tag && normaliseTagName(tag);
  if (tagName !== undefined && tagName !== '') return { tag: tagName };
  const phrase = phraseOf(name === undefined ? text : `${name} ${text}`);
  return phrase && { phrase };
}

function add(draft: Draft, term: SearchTerm, isExcluded: boolean): true {
  (isExcluded ? draft.excluded : draft.required).push(term);
  return true;
}

/** `bounds` gets the first id of the day or moment, and the first one after it. */
function within(
  draft: Draft,
  value: string,
  { timeZone }: QueryReader,
  bounds: (of: readonly [Id, Id]) => { readonly minId?: Id; readonly maxId?: Id },
): boolean {
  const span = spanOf(value, timeZone);
  if (span === undefined) return false;
  const { minId = draft.minId, maxId = draft.maxId } = bounds([firstIdAt(span[0]), firstIdAt(span[1])]);
  if (minId > draft.minId) draft.minId = minId;
  if (maxId < draft.maxId) draft.maxId = maxId;
  return true;
}

const dayForm = /^\d{4}-\d\d-\d\d$/;
const momentForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/i;

/**
 * From when and until when, in milliseconds since 1970: of a day such as 2026-01-31, or of a moment such as
 * 2026-01-31T18:00Z or 1769882400000.
 */
function spanOf(value: string, timeZone: TimeZone | undefined): readonly [number, number] | undefined {
  if (/^\d{1,15}$/.test(value)) return [Number(value), Number(value) + 1];
  const timeIn = (shown: number) => (timeZone === undefined || Number.isNaN(shown) ? shown : timeZone.timeAt(shown));
  const day = Date.parse(value.slice(0, 10));
  // `Date.parse` takes 2026-02-31 for the third of March.
  if (Number.isNaN(day) || !new Date(day).toISOString().startsWith(value.slice(0, 10))) return undefined;
  if (dayForm.test(value)) return [timeIn(day), timeIn(day + dayMilliseconds)];
  if (!momentForm.test(value)) return undefined;
  const hasZone = /(Z|[+-]\d\d:\d\d)$/i.test(value);
  const time = hasZone ? Date.parse(value) : timeIn(Date.parse(`${value}Z`));
  return Number.isNaN(time) ? undefined : [time, time + 1];
}
