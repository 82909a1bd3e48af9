/** Comma-separated values (RFC 4180), as Mastodon writes them. Pure. */
export function csvLine(values: readonly string[]): string {
  return `${values.map((value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',')}\n`;
}
