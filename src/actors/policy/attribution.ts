/** Who may say that an account has written an article: hosts that the account lists (behaviour of the Mastodon API). Pure. */

/** `attributionDomains`: with all their subdomains. `page`: the address of the article. */
export function mayAttribute(attributionDomains: readonly string[] = [], page: string): boolean {
  const { hostname } = new URL(page);
  return attributionDomains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
}
