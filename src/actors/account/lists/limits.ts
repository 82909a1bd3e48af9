/** Bounds of lists (specification 2.6, 8: at most 50 of a user). */
export const listLimits = {
  listsMax: 50,
  titleCharactersMax: 256,
  /** Accounts named in one request, and members of a deleted list that one turn removes. */
  accountsPerRequestMax: 500,
  membersSweptPerTurn: 200,
} as const;
