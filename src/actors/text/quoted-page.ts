/** The line that leads to a quoted status, before the text of whoever quotes it: for clients that show no quotes. */
import { renderLink } from './render.ts';

/** A link to this server, as it is kept. */
const ownLine = /^<p class="quote-inline">RE: <a href="(\/[^"]*)".*?<\/a><\/p>/;

/** `address` is a path where the status is of this server. Clients that show quotes leave the line out by its class. */
export function quotedPageLine(address: string): string {
  return `<p class="quote-inline">RE: ${renderLink(address)}</p>`;
}

/** HTML that was written here, with the origin in the link and in its text. */
export function completeQuotedPage(html: string, origin: string): string {
  return html.replace(ownLine, (_line, path: string) => quotedPageLine(origin + path));
}
