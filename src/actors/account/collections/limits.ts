/** Bounds of collections (Mastodon API 4.6; `collection_limit` of a role, the same for all here). */
export const collectionLimits = {
  perLocalAccountMax: 10,
  /** Of a remote account: its own server has a limit of its own. */
  perRemoteAccountMax: 50,
  itemsPerLocalCollectionMax: 25,
  /** FEP-7aa9 proposes this number. */
  itemsPerRemoteCollectionMax: 150,
  /** Of remote items, how many are verified each time a collection is read: the next reading goes on. */
  verifiedPerReadingMax: 20,
  nameCharactersMax: 40,
  descriptionCharactersMax: 100,
  remoteNameCharactersMax: 256,
  remoteDescriptionCharactersMax: 2_048,
  /** Entries that a removed account of another server is taken out of in one turn. */
  sweptPerTurn: 100,
} as const;
