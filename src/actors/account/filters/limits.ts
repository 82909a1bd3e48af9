/** Bounds of filters. A viewer's filters are matched against every status shown: their sum is bounded as well. */
export const filterLimits = {
  filtersMax: 100,
  /** Of one filter, and of one account. */
  keywordsPerFilterMax: 500,
  keywordsMax: 2_000,
  statusesPerFilterMax: 500,
  titleCharactersMax: 256,
  keywordCharactersMax: 512,
  expirySecondsMax: 100 * 365 * 24 * 60 * 60,
} as const;
