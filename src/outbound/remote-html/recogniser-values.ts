/** The attribute values and entities that the recogniser knows, as whole strings: any other value is unknown. */

export interface RelMeaning {
  /** Contains both nofollow and noopener. */
  isProtected: boolean;
  claimsMe: boolean;
}

/** Classes of links to an account or a tag; clients find these in `mentions` and `tags`. */
export const anchorClasses: ReadonlySet<string> = new Set([
  'mention',
  'u-url mention',
  'mention u-url',
  'hashtag',
  'mention hashtag',
  'hashtag mention',
]);

export const spanClasses: ReadonlySet<string> = new Set(['', 'h-card', 'invisible', 'ellipsis', 'quote-inline']);

/** Every permutation of every subset of the known tokens. */
export const relMeanings: ReadonlyMap<string, RelMeaning> = new Map(
  arrangements(['nofollow', 'noopener', 'noreferrer', 'tag', 'me']).map((tokens) => [
    tokens.join(' '),
    { isProtected: tokens.includes('nofollow') && tokens.includes('noopener'), claimsMe: tokens.includes('me') },
  ]),
);

/** Longer attribute values are in no table. */
export const knownValueCharactersMax = Math.max(...[...relMeanings.keys()].map((rel) => rel.length));

/** Entities of text, without the `&`. */
export const textEntities: readonly string[] = ['amp;', '#39;', 'quot;', 'lt;', 'gt;', 'nbsp;', 'apos;'];

function arrangements(tokens: readonly string[]): string[][] {
  return tokens.flatMap((token) => {
    const others = tokens.filter((other) => other !== token);
    return [[token], ...arrangements(others).map((rest) => [token, ...rest])];
  });
}
