/** Every bound of account discovery. */
export const discoveryLimits = {
  handleCharactersMax: 2_400,
  /** RFC 1035 allows 253; the rest is for a port, and for a host that is not in punycode yet. */
  hostCharactersMax: 300,
  jrdLinksMax: 100,
  jrdDepthMax: 16,
} as const;
