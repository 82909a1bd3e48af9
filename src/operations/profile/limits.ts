/** Bounds of profiles of local accounts, in graphemes; links in a note count as in a status. */
export const profileLimits = {
  displayNameCharactersMax: 30,
  noteCharactersMax: 500,
  /** Of avatar and header. */
  pictureDescriptionCharactersMax: 150,
  fieldsMax: 4,
  fieldCharactersMax: 255,
  attributionDomainsMax: 100,
  /** Accounts per request for several. */
  accountsPerRequestMax: 40,
} as const;
