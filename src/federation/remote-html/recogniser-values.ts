/**
 * The attribute values and entities that the recogniser knows, as whole strings: a value is one of these or unknown.
 */

export interface RelMeaning {
  /** nofollow and noopener are both there. */
  isProtected: boolean;
  claimsMe: boolean;
}

/** Classes of links that point to a person or a tag; clients find them in `mentions` and `tags`. */
export const anchorClasses: ReadonlySet<string> = new Set([
  'mention',
  'u-url mention',
  'mention u-url',
  'hashtag',
  'mention hashtag',
  'hashtag mention',
]);

export const spanClasses: ReadonlySet<string> = new Set(['', 'h-card', 'invisible', 'ellipsis', 'quote-inline']);

/** Every order of every choice of the known tokens. */
export const relMeanings: ReadonlyMap<string, RelMeaning> = new Map(
  arrangements(['nofollow', 'noopener', 'noreferrer', 'tag', 'me']).map((tokens) => [
    tokens.join(' '),
    { isProtected: tokens.includes('nofollow') && tokens.includes('noopener'), claimsMe: tokens.includes('me') },
  ]),
);

/** Longer attribute values than this are in no table. */
export const knownValueCharactersMax = Math.max(...[...relMeanings.keys()].map((rel) => rel.length));

/** Entities of text, with the characters that follow the `&`. */
export const textEntities: readonly string[] = ['amp;', '#39;', 'quot;', 'lt;', 'gt;', 'nbsp;', 'apos;'];

function arrangements(tokens: readonly string[]): string[][] {
  return tokens.flatMap((token) => {
    const others = tokens.filter((other) => other !== token);
    return [[token], ...arrangements(others).map((rest) => [token, ...rest])];
  });
}
