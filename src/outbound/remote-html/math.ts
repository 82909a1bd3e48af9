/**
 * Formulas in remote HTML: a `<math>` element with TeX annotation becomes its source between dollar signs. Works on
 * unsafe HTML before the sanitiser and only moves parts of it; a formula without source stays unchanged.
 */

const displayBlock = /\sdisplay\s*=\s*["']?block\b/i;
const texEncoding = /\sencoding\s*=\s*["']?application\/x-tex\b/i;

export function mathToTex(html: string): string {
  const lower = html.toLowerCase();
  if (lower.length !== html.length || !lower.includes('<math')) return html;
  let result = '';
  let position = 0;
  while (true) {
    const open = lower.indexOf('<math', position);
    const close = open === -1 ? -1 : lower.indexOf('</math>', open);
    if (close === -1) return result + html.slice(position);
    result += html.slice(position, open) + formula(html.slice(open, close), lower.slice(open, close));
    position = close;
  }
}

/** `element` is a formula up to its closing tag, which the sanitiser drops. */
function formula(element: string, lower: string): string {
  const source = texSource(element, lower);
  if (source === undefined) return element;
  const sign = displayBlock.test(element.slice(0, element.indexOf('>'))) ? '$$' : '$';
  return `${sign}${source}${sign}`;
}

function texSource(element: string, lower: string): string | undefined {
  let position = 0;
  while (true) {
    const open = lower.indexOf('<annotation', position);
    const bodyStart = open === -1 ? -1 : lower.indexOf('>', open) + 1;
    if (bodyStart <= 0) return undefined;
    const bodyEnd = lower.indexOf('</annotation', bodyStart);
    if (bodyEnd === -1) return undefined;
    if (texEncoding.test(lower.slice(open, bodyStart))) return element.slice(bodyStart, bodyEnd).trim();
    position = bodyEnd;
  }
}
