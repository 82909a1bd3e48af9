/** Bounds of applications (behaviour of the Mastodon API). */
export const applicationLimits = {
  nameCharactersMax: 60,
  websiteCharactersMax: 2_000,
  redirectUrisCharactersMax: 2_000,
} as const;
