/**
 * HTML to plain text, for previews, filters, search and page titles. For content rendered here or sanitised; anything
 * else gives some text, never an error. The result is not HTML: escape it before showing it in a page.
 */

const lineTags: ReadonlySet<string> = new Set(['br', '/li', 'li', '/ul', '/ol', '/pre', '/div']);
const paragraphTags: ReadonlySet<string> = new Set(['p', '/p', 'blockquote', '/blockquote']);
const tagName = /\/?[a-z][a-z0-9]*/iy;
const entity = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,5}));/gi;
const blankLines = /\n{3,}/g;
const namedCharacters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** Paragraphs are separated by a blank line, line breaks become line ends, all other tags are removed. */
export function toPlainText(html: string): string {
  let text = '';
  let position = 0;
  while (position < html.length) {
    const open = html.indexOf('<', position);
    if (open === -1) break;
    text += html.slice(position, open);
    tagName.lastIndex = open + 1;
    const name = tagName.exec(html)?.[0].toLowerCase();
    if (name === undefined) {
      text += '<';
      position = open + 1;
      continue;
    }
    const close = html.indexOf('>', tagName.lastIndex);
    if (close === -1) {
      position = open;
      break;
    }
    text += breakOf(name);
    position = close + 1;
  }
  return decodeEntities(text + html.slice(position))
    .replace(blankLines, '\n\n')
    .trim();
}

/** The text on one line, for titles and notifications. */
export function toPlainLine(html: string): string {
  return toPlainText(html).replace(/\s+/g, ' ');
}

function breakOf(name: string): string {
  if (paragraphTags.has(name)) return '\n\n';
  return lineTags.has(name) ? '\n' : '';
}

function decodeEntities(text: string): string {
  return text.includes('&') ? text.replace(entity, characterOf) : text;
}

function characterOf(whole: string, hexadecimal?: string, decimal?: string, name?: string): string {
  if (name !== undefined) return namedCharacters[name.toLowerCase()] ?? whole;
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
}
