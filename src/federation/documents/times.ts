/** Times as Mastodon writes them, without milliseconds: some parsers accept no others. */
export function secondsTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.[0-9]{3}Z$/, 'Z');
}
