/** Marks custom emojis in HTML, so that translators leave their names alone (behaviour of the Mastodon API). */

const name = /^\w+$/;
const tag = /(<[^>]*>)/;
/** Translators may move spaces into the mark. */
const marked = /<span translate="no">\s*(:\w+:)\s*<\/span>/g;

/** The names stay as they are in attributes. */
export function withMarkedEmojis(html: string, shortcodes: readonly string[]): string {
  const names = shortcodes.filter((shortcode) => name.test(shortcode));
  if (names.length === 0) return html;
  const written = new RegExp(`:(?:${names.join('|')}):`, 'g');
  // Every second piece is a tag.
  const pieces = html.split(tag);
  return pieces
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replace(written, '<span translate="no">$&</span>')))
    .join('');
}

export function withoutMarks(html: string): string {
  return html.replace(marked, '$1');
}
