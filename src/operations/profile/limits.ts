/** Profiles of local accounts, in characters as a person counts them; links in a note count as in a status. */
export const profileLimits = {
  displayNameCharactersMax: 30,
  noteCharactersMax: 500,
  fieldsMax: 4,
  fieldCharactersMax: 255,
  attributionDomainsMax: 10,
  /** Accounts read by one request for several. */
  accountsPerRequestMax: 40,
} as const;
