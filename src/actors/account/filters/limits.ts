/** Bounds of filters. All filters of a viewer are matched against every status shown, so their sum is bounded too. */
export const filterLimits = {
  filtersMax: 100,
  /** Per filter, and per account. */
  keywordsPerFilterMax: 500,
  keywordsMax: 2_000,
  statusesPerFilterMax: 500,
  titleCharactersMax: 256,
  keywordCharactersMax: 512,
  expirySecondsMax: 100 * 365 * 24 * 60 * 60,
} as const;
