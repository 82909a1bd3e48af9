/**
 * The line with a link to the quoted status that precedes the text of the quoting one, for clients that do not show
 * quotes.
 */
import { renderLink } from './render.ts';

/** A link to this server, as stored. */
const ownLine = /^<p class="quote-inline">RE: <a href="(\/[^"]*)".*?<\/a><\/p>/;

/** `address` is a path for a local status. Clients that show quotes hide the line by its class. */
export function quotedPageLine(address: string): string {
  return `<p class="quote-inline">RE: ${renderLink(address)}</p>`;
}

/** Adds the origin to the link and its text, in HTML that was written here. */
export function completeQuotedPage(html: string, origin: string): string {
  return html.replace(ownLine, (_line, path: string) => quotedPageLine(origin + path));
}
