/** Bounds of links, mentions, hashtags and custom emojis in local text, in UTF-16 units. */
export const textLimits = {
  /** UTF-16 units per character; the longest emoji have fewer. An average, because links count as a few characters. */
  unitsPerCharacterMax: 16,
  unitsPerLinkedCharacterMax: 100,
  linkCharactersMax: 2_048,
  hostCharactersMax: 253,
  handleCharactersMax: 512,
  hashtagCharactersMax: 128,
  /** In one status, or one profile. */
  shortcodesMax: 100,
  /** The part of a name or query that a search compares. */
  searchCharactersMax: 500,
  searchWordsMax: 8,
} as const;
