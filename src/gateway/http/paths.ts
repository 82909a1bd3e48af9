/** Paths as clients write them: addresses that they put together themselves are often not in their simplest form. */

/** Letters, digits and `-._~`, which mean the same percent-encoded (RFC 3986, section 2.3), and the `@` of profiles. */
const needlessEscapes = /%(?:2[de]|3\d|4[\da-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi;

/**
 * Slashes that follow a slash are left out (a base address with a slash at its end gives `//api/v1/instance`), and
 * needless percent-encodings are resolved (`/%40alice`).
 */
export function simplestPath(sent: string): string {
  const path = sent.includes('//') ? sent.replace(/\/{2,}/g, '/') : sent;
  return path.includes('%') ? path.replace(needlessEscapes, decodeURIComponent) : path;
}
