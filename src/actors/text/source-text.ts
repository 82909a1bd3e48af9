/**
 * The text that somebody may have written, of the HTML that another server has made of it: links as their whole addresses, mentions
 * with their server, paragraphs and lines. Emphasis and the like are lost: this server writes plain text.
 */
import { toPlainLine, toPlainText } from './plain.ts';

const opening = /<a(?=[\s>])/gi;
const closing = /<\/a\s*>/gi;
const address = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
const classes = /\bclass\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
const mentionClass = /(?:^|\s)mention(?:\s|$)/;
/** Longer ones are no links. */
const attributesCharactersMax = 4_096;

export function toSourceText(html: string): string {
  let written = '';
  let position = 0;
  for (;;) {
    const open = indexFrom(opening, html, position);
    const head = open < 0 ? -1 : html.indexOf('>', open);
    const close = head < 0 ? -1 : indexFrom(closing, html, head);
    if (close < 0) return toPlainText(written + html.slice(position));
    const attributes = html.slice(open + 2, Math.min(head, open + attributesCharactersMax));
    written += html.slice(position, open) + writtenLink(attributes, html.slice(head + 1, close));
    position = html.indexOf('>', close) + 1;
  }
}

function indexFrom(pattern: RegExp, html: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.exec(html)?.index ?? -1;
}

/** As HTML, of which the plain text is made. */
function writtenLink(attributes: string, inner: string): string {
  const shown = toPlainLine(inner).trim();
  const [, double, single] = address.exec(attributes) ?? [];
  const href = double ?? single ?? '';
  const [, doubleClass, singleClass] = classes.exec(attributes) ?? [];
  if (/^[#＃]/.test(shown)) return inner;
  if (mentionClass.test(doubleClass ?? singleClass ?? '') && shown.startsWith('@')) return mention(inner, shown, href);
  if (href === '' || !/^https?:/i.test(href)) return inner;
  return isShortened(shown, toPlainLine(href)) ? href : `${inner} ${href}`;
}

/** The host of its page stands for that of its handle, which is mostly the same. */
function mention(inner: string, shown: string, href: string): string {
  const host = URL.parse(toPlainLine(href))?.host;
  return shown.includes('@', 1) || host === undefined ? inner : `${inner}@${host}`;
}

/** Whether it shows nothing but a part of the address. */
function isShortened(shown: string, href: string): boolean {
  return shown === '' || href.includes(shown.replace(/(?:…|\.\.\.)$/, '').trim());
}
