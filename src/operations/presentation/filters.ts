/**
 * The filters of one viewer, compiled for matching many statuses (specification 2.3 to 2.5). Matching reads plain text
 * in lower case, which is cached with the status; results are cached as long as both filters and status are unchanged,
 * so that a page that was shown before needs no matching.
 *
 * A keyword is searched with `indexOf`: no user's expression can make that slow, and for a few dozen keywords it is as
 * fast as one automaton for all.
 */
import type { StoredFilter } from '../../actors/account/filters/filters.queries.ts';
import type { FilterContext } from '../../actors/account/filters/filters.records.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { toPlainText } from '../../actors/text/plain.ts';
import type { Id } from '../../runtime/ids.ts';
import { bytesOfText } from '../../runtime/kept-text.ts';
import { droppingContextOf, type PresentationContext } from './contexts.ts';
import { presentationLimits } from './limits.ts';

/** The match of a status with one filter. */
export interface StatusFilterMatch {
  readonly filter: StoredFilter;
  /** As the viewer wrote them. */
  readonly keywords: readonly string[];
  readonly statusIds: readonly Id[];
}

type Matches = readonly StatusFilterMatch[];

interface Phrase {
  readonly keyword: string;
  /** Lower-cased plain text, as that of statuses. */
  readonly text: string;
  /** Whether the keyword must begin, or end, at a word boundary: only at an end that is part of a word. */
  readonly beginsWord: boolean;
  readonly endsWord: boolean;
}

interface CompiledFilter {
  readonly filter: StoredFilter;
  readonly phrases: readonly Phrase[];
  readonly statusIds: ReadonlySet<Id>;
}

const nothing: Matches = [];

/** About the memory of a filter, of each of its keywords and statuses, and of the result for one status (measured). */
const filterBytes = 1_500;
const keywordBytes = 200;
const filteredStatusBytes = 150;
const foundBytes = 40;
const matchBytes = 500;
const wordCharacter = /[\p{L}\p{M}\p{N}\p{Pc}]/u;

/** The text in which keywords are searched. */
export function filterableText({ spoilerText, content, attachments, poll }: Status): string {
  const descriptions = attachments.map(({ description }) => description ?? '');
  const parts = [spoilerText, toPlainText(content), ...descriptions, ...(poll?.options ?? [])];
  return normalised(parts.join('\n'));
}

export class ActiveFilters {
  /** When one of them expires (milliseconds since 1970): then they must be compiled again. */
  readonly validUntil: number;
  private readonly filters: readonly CompiledFilter[];
  private readonly filteredIds: ReadonlySet<Id>;
  private readonly compiledBytes: number;
  private readonly grew: () => void;
  private found = new WeakMap<object, Matches>();
  private foundCount = 0;
  private foundMatches = 0;

  /** `grew` is called when their size changes. */
  constructor(filters: readonly StoredFilter[], now: number, grew: () => void = () => undefined) {
    this.grew = grew;
    const active = filters.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
    this.validUntil = Math.min(...active.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY));
    this.filters = active.map(compiled);
    this.compiledBytes = active.reduce((sum, filter) => sum + bytesOfFilter(filter), 0);
    this.filteredIds = new Set(active.flatMap(({ statuses }) => statuses.map(({ statusId }) => statusId)));
  }

  get isEmpty(): boolean {
    return this.filters.length === 0;
  }

  get bytes(): number {
    return this.compiledBytes + this.foundCount * foundBytes + this.foundMatches * matchBytes;
  }

  /**
   * The matches of a status. `version` is an object that stands for the current version of the status (of a reblog: its
   * original); `ids` are those under which the viewer may have filtered it.
   */
  matches(version: object, ids: readonly Id[], text: () => string): Matches {
    if (this.filteredIds.size > 0 && ids.some((id) => this.filteredIds.has(id))) return this.match(ids, text());
    let known = this.found.get(version);
    if (known === undefined) {
      known = this.match(ids, text());
      this.foundCount += 1;
      if (this.foundCount > presentationLimits.statesPerViewerMax) {
        this.found = new WeakMap();
        this.foundCount = 1;
        this.foundMatches = 0;
      }
      this.foundMatches += known.length;
      this.found.set(version, known);
      this.grew();
    }
    return known;
  }

  private match(ids: readonly Id[], text: string): Matches {
    const matches: StatusFilterMatch[] = [];
    for (const { filter, phrases, statusIds } of this.filters) {
      const keywords = phrases.filter((phrase) => occurs(phrase, text)).map(({ keyword }) => keyword);
      const listed = statusIds.size === 0 ? [] : ids.filter((id) => statusIds.has(id));
      if (keywords.length > 0 || listed.length > 0) matches.push({ filter, keywords, statusIds: listed });
    }
    return matches.length === 0 ? nothing : matches;
  }
}

/** Of viewers without filters. */
export const noFilters = new ActiveFilters([], 0);

/** Whether the server drops the status in this context. */
export function isDroppedIn(context: PresentationContext, matches: Matches): boolean {
  const dropping = droppingContextOf(context);
  return dropping !== undefined && isDropped(matches, dropping);
}

function isDropped(matches: Matches, context: FilterContext): boolean {
  return matches.some(({ filter }) => filter.isIrreversible && filter.contexts.includes(context));
}

function compiled(filter: StoredFilter): CompiledFilter {
  const phrases = filter.keywords.flatMap(({ keyword, wholeWord }) => {
    const text = normalised(keyword);
    if (text === '') return [];
    const letters = [...text];
    const isWord = (letter: string | undefined) => wholeWord && letter !== undefined && wordCharacter.test(letter);
    return [{ keyword, text, beginsWord: isWord(letters[0]), endsWord: isWord(letters.at(-1)) }];
  });
  return { filter, phrases, statusIds: new Set(filter.statuses.map(({ statusId }) => statusId)) };
}

function bytesOfFilter({ keywords, statuses }: StoredFilter): number {
  const texts = keywords.reduce((sum, { keyword }) => sum + keywordBytes + 2 * bytesOfText(keyword), 0);
  return filterBytes + texts + statuses.length * filteredStatusBytes;
}

function normalised(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function occurs({ text: phrase, beginsWord, endsWord }: Phrase, text: string): boolean {
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    if (beginsWord && isWordBefore(text, at)) continue;
    if (endsWord && isWordAt(text, at + phrase.length)) continue;
    return true;
  }
  return false;
}

function isWordAt(text: string, index: number): boolean {
  const code = text.codePointAt(index);
  return code !== undefined && wordCharacter.test(String.fromCodePoint(code));
}

/** The character before the index, which may have two units. */
function isWordBefore(text: string, index: number): boolean {
  if (index === 0) return false;
  const unit = text.charCodeAt(index - 1);
  const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff;
  return isWordAt(text, isSecondHalf && index > 1 ? index - 2 : index - 1);
}
