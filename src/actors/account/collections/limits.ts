/** Bounds of collections (Mastodon API 4.6; `collection_limit` of a role, the same for all here). */
export const collectionLimits = {
  perLocalAccountMax: 10,
  /** For remote accounts: their servers have their own limit. */
  perRemoteAccountMax: 50,
  itemsPerLocalCollectionMax: 25,
  /** The number that FEP-7aa9 proposes. */
  itemsPerRemoteCollectionMax: 150,
  /** Remote items verified per fetch of a collection; the next fetch continues. */
  verifiedPerReadingMax: 20,
  nameCharactersMax: 40,
  descriptionCharactersMax: 100,
  remoteNameCharactersMax: 256,
  remoteDescriptionCharactersMax: 2_048,
  /** Entries of a deleted remote account that one turn removes. */
  sweptPerTurn: 100,
} as const;
