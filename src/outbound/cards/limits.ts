/** Bounds of link previews (behaviour of the Mastodon API, where it has one). */
export const cardLimits = {
  /** Of a page; the rest is not read. */
  pageBytesMax: 1_048_576,
  oembedBytesMax: 262_144,
  /** Of a page before a charset must have been named (HTML, section 13.2.3.2). */
  charsetBytes: 1_024,
  titleCharactersMax: 500,
  descriptionCharactersMax: 1_000,
  nameCharactersMax: 200,
  addressCharactersMax: 2_048,
  imageDescriptionCharactersMax: 1_500,
  playerCharactersMax: 4_096,
  /** Of a player, in pixels. */
  sizeMax: 10_000,
  /** Blocks of JSON-LD, and characters of each. */
  structuredBlocksMax: 8,
  structuredCharactersMax: 262_144,
  authorsMax: 5,
  readMilliseconds: 5_000,
} as const;
