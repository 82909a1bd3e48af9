/** Pages that statuses link to. */

/** What is fetched for a link: a fragment is a place in its page. */
export function pageOfLink(link: string): string {
  const fragmentAt = link.indexOf('#');
  return fragmentAt < 0 ? link : link.slice(0, fragmentAt);
}

/** The host[:port] whose actor keeps the card of a page. */
export function hostOfPage(url: string): string {
  return new URL(url).host;
}
