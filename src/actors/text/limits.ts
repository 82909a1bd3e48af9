/** Local text: what counts as a link, a mention or a hashtag. In UTF-16 units. */
export const textLimits = {
  /** What a character may be made of; the longest emoji have less. Where links count as a few characters, on average. */
  unitsPerCharacterMax: 16,
  unitsPerLinkedCharacterMax: 100,
  linkCharactersMax: 2_048,
  hostCharactersMax: 253,
  handleCharactersMax: 512,
  hashtagCharactersMax: 128,
  /** Of a name or a query: how much of it a search compares. */
  searchCharactersMax: 500,
  searchWordsMax: 8,
} as const;
