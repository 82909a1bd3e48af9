/** Bounds of HTTP signatures, with units in their names. */
export const signatureLimits = {
  /** The whole `Signature` or `Authorization` header. */
  headerCharactersMax: 8_192,
  parametersMax: 16,
  signedHeadersMax: 32,
  /** Of RFC 9421, in one request. */
  messageSignaturesMax: 4,
  keyIdCharactersMax: 2_048,
  /** Room for an RSA-8192 signature in base64. */
  signatureCharactersMax: 1_368,
  digestAlgorithmsMax: 8,
  digestCharactersMax: 2_048,

  /**
   * The clock rules of Mastodon, the widest that senders rely on: a signature without `(expires)` is valid for five
   * minutes, one with it for twelve hours at most, and both clocks may be wrong by an hour.
   */
  lifetimeMilliseconds: 5 * 60_000,
  lifetimeMillisecondsMax: 12 * 3_600_000,
  clockSkewMilliseconds: 3_600_000,

  /**
   * How long the form of signatures of a host counts after it was last shown or proved, after which time it is stored
   * again, how long what was read of it is believed, and how often another form is tried at a host that refuses.
   */
  dialectMilliseconds: 7 * 24 * 3_600_000,
  dialectConfirmedMilliseconds: 24 * 3_600_000,
  dialectReadMilliseconds: 10 * 60_000,
  otherDialectMilliseconds: 3_600_000,
  dialectHostsMax: 20_000,

  /** Below 2048 bits a key can be forged; above 8192, or with a large exponent, one verification costs milliseconds. */
  rsaModulusBitsMin: 2_048,
  rsaModulusBitsMax: 8_192,
  rsaExponentMax: 0xffff_ffff,
  rsaModulusBitsGenerated: 2_048,
  keyTextCharactersMax: 4_096,
  /** Room for RSA-8192 in base58, whose decoding is quadratic. */
  multikeyCharactersMax: 1_500,
} as const;
