/** The host whose actor keeps the card of an address. */
export function hostOfPage(url: string): string {
  return new URL(url).host;
}
