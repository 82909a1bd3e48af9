/**
 * The expressions of SQLite's FTS5 that queries become, and the tokens of facts that they ask for. Every term is quoted:
 * nothing that somebody typed is read as syntax.
 */
import type { Id } from '../../runtime/ids.ts';
import type { SearchQuery, SearchTerm } from './search.ts';

/** Tokens of the column `facts`. */
export const facts = {
  /** Every entry has it. */
  status: 's',
  isPublic: 'p',
  /** More accounts have it in their library than entries name. */
  hasManyMembers: 'n',
  author: (id: Id) => `a${id}`,
  member: (id: Id) => `m${id}`,
  property: (name: string) => `h${name}`,
  /** Of a language with a region also the language: `pt-BR` is found by `pt`. */
  languages(language: string): string[] {
    const whole = language.toLowerCase().replace(/[^a-z0-9]/g, '_');
    const [alone] = whole.split('_');
    return alone === whole ? [`l${whole}`] : [`l${whole}`, `l${alone}`];
  },
};

function quoted(tokens: readonly string[]): string {
  return `"${tokens.join(' ').replaceAll('"', '""')}"`;
}

function expressionOf(term: SearchTerm): string {
  if ('phrase' in term) return `body : ${quoted(term.phrase.tokens)}${term.phrase.isBeginning === true ? ' *' : ''}`;
  if ('tag' in term) return `tags : ${quoted([term.tag])}`;
  if ('property' in term) return fact(facts.property(term.property));
  if ('language' in term) return fact(facts.languages(term.language)[0]!);
  return fact(facts.author(term.authorId));
}

function fact(token: string): string {
  return `facts : ${quoted([token])}`;
}

/** False where the same is required and excluded: it would be looked for in every entry. */
export function canMatch({ required, excluded }: Pick<SearchQuery, 'required' | 'excluded'>): boolean {
  const wanted = new Set(required.map(expressionOf));
  return !excluded.some((term) => wanted.has(expressionOf(term)));
}

/** Entries that name their members, or that are public. */
export function matchOf(query: SearchQuery): string {
  const isOwn = fact(facts.member(query.askerId));
  const isPublic = fact(facts.isPublic);
  if (query.scope === 'public') return matching(query, isPublic);
  return matching(query, query.scope === 'library' ? isOwn : `(${isPublic} OR ${isOwn})`);
}

/** The others, whose members a table knows. */
export function matchOfMany(query: SearchQuery): string {
  return matching(query, fact(facts.hasManyMembers));
}

function matching({ required, excluded }: SearchQuery, scope: string): string {
  const all = [...required.map(expressionOf), scope].join(' AND ');
  return excluded.reduce((match, term) => `(${match}) NOT (${expressionOf(term)})`, all);
}
