/**
 * Recognises the canonical HTML that most servers send, in one pass without allocation, so that usual remote posts are
 * kept unchanged. Anything outside the grammar below is unknown and goes to the sanitiser: this file never repairs or
 * guesses.
 *
 *   document  = ( paragraph | inline )*
 *   paragraph = <p> inline* </p>                                    also with class="quote-inline"
 *   inline    = text | <br> | <br/> | <br /> | <span …> inline* </span> | <a …> inline* </a>
 *
 * 1. Tags are balanced, paragraphs occur only at the top level, and links are not nested.
 * 2. Attributes are known, double-quoted, given once and have known values; a link has an href with a known scheme.
 * 3. A link has target="_blank" and a rel with nofollow and noopener, or is a mention or a hashtag without target.
 * 4. Text contains no control characters except tabs and line ends, no `<` or `>`, and no `&` except in known entities.
 */
import { linkSchemes } from '../../actors/text/links.ts';
import { htmlLimits } from './limits.ts';
import {
  anchorClasses,
  knownValueCharactersMax,
  type RelMeaning,
  relMeanings,
  spanClasses,
  textEntities,
} from './recogniser-values.ts';

/** Whether the HTML may be shown unchanged. In a profile field a link may also have `rel="me"`. */
export function isCanonicalHtml(html: string, profileField = false): boolean {
  if (html.length > htmlLimits.recognisedCharactersMax || !html.isWellFormed()) return false;
  return new Recogniser(html, profileField).run();
}

const paragraph = 1;
const anchor = 2;
const span = 3;
const bitsPerLevel = 2;
const levelMask = 3;

/** The meaning of ASCII characters in text and in an href; characters from U+00A0 on are ordinary. */
const ordinary = 0;
const unknown = 1;
const markup = 2;
const ampersand = 3;
const textMeaning = meanings('>', '\t\n');
const hrefMeaning = meanings('>"\'`\\ ', '');

class Recogniser {
  private readonly html: string;
  private readonly profileField: boolean;
  private position = 0;
  /** The open elements, two bits each, the innermost lowest. */
  private open = 0;
  private depth = 0;
  private insideAnchor = false;

  constructor(html: string, profileField: boolean) {
    this.html = html;
    this.profileField = profileField;
  }

  run(): boolean {
    while (this.position < this.html.length) {
      if (!this.text()) return false;
      if (this.position < this.html.length && !this.tag()) return false;
    }
    return this.depth === 0;
  }

  /** Moves to the next `<` or to the end. */
  private text(): boolean {
    const { html } = this;
    for (; this.position < html.length; this.position += 1) {
      const code = html.charCodeAt(this.position);
      const meaning = code < 0xa0 ? textMeaning[code] : ordinary;
      if (meaning === ordinary) continue;
      if (meaning === markup) return true;
      if (meaning === unknown || !this.entity(textEntities)) return false;
    }
    return true;
  }

  /** At an `&`: moves to the semicolon that ends its entity. */
  private entity(known: readonly string[]): boolean {
    for (const name of known) {
      if (this.html.startsWith(name, this.position + 1)) {
        this.position += name.length;
        return true;
      }
    }
    return false;
  }

  /** At a `<`: moves past the tag. */
  private tag(): boolean {
    this.position += 1;
    switch (this.html.charCodeAt(this.position)) {
      case 0x2f: // "/"
        return this.closingTag();
      case 0x61: // "a"
        return this.take('a') && this.anchorAttributes() && this.push(anchor);
      case 0x73: // "s"
        return this.take('span') && this.spanAttributes() && this.push(span);
      case 0x70: // "p"
        return (this.take('p>') || this.take('p class="quote-inline">')) && this.push(paragraph);
      case 0x62: // "b"
        return this.take('br />') || this.take('br/>') || this.take('br>');
      default:
        return false;
    }
  }

  private closingTag(): boolean {
    switch (this.open & levelMask) {
      case paragraph:
        return this.take('/p>') && this.pop();
      case anchor:
        this.insideAnchor = false;
        return this.take('/a>') && this.pop();
      case span:
        return this.take('/span>') && this.pop();
      default:
        return false;
    }
  }

  private push(kind: number): boolean {
    if (kind === paragraph && this.depth > 0) return false;
    if (kind === anchor && this.insideAnchor) return false;
    if (this.depth === htmlLimits.recognisedNestingMax) return false;
    if (kind === anchor) this.insideAnchor = true;
    this.open = (this.open << bitsPerLevel) | kind;
    this.depth += 1;
    return true;
  }

  private pop(): boolean {
    this.open >>>= bitsPerLevel;
    this.depth -= 1;
    return true;
  }

  /** Reads the attributes of a link and its `>`. */
  private anchorAttributes(): boolean {
    let hasHref = false;
    let hasTarget = false;
    let hasTranslate = false;
    let linkClass: string | undefined;
    let rel: RelMeaning | undefined;
    while (this.take(' ')) {
      if (!hasHref && this.take('href="')) {
        hasHref = this.href();
        if (!hasHref) return false;
      } else if (linkClass === undefined && this.take('class="')) {
        linkClass = this.value();
        if (linkClass === undefined || !anchorClasses.has(linkClass)) return false;
      } else if (rel === undefined && this.take('rel="')) {
        rel = relMeanings.get(this.value() ?? '');
        if (rel === undefined || (rel.claimsMe && !this.profileField)) return false;
      } else if (!hasTarget && this.take('target="_blank"')) hasTarget = true;
      else if (!hasTranslate && this.take('translate="no"')) hasTranslate = true;
      else return false;
    }
    const isSafe = hasTarget ? rel?.isProtected === true : linkClass !== undefined;
    return hasHref && isSafe && this.take('>');
  }

  /** Reads the attributes of a span and its `>`. */
  private spanAttributes(): boolean {
    let hasClass = false;
    let hasTranslate = false;
    while (this.take(' ')) {
      if (!hasClass && this.take('class="')) {
        hasClass = spanClasses.has(this.value() ?? 'unknown');
        if (!hasClass) return false;
      } else if (!hasTranslate && this.take('translate="no"')) hasTranslate = true;
      else return false;
    }
    return this.take('>');
  }

  /** Reads a short attribute value and its closing quote. */
  private value(): string | undefined {
    const end = this.html.indexOf('"', this.position);
    if (end === -1 || end - this.position > knownValueCharactersMax) return undefined;
    const value = this.html.slice(this.position, end);
    this.position = end + 1;
    return value;
  }

  /** Reads the value of an href and its closing quote. */
  private href(): boolean {
    if (!this.hrefStart()) return false;
    const { html } = this;
    const start = this.position;
    const endMax = Math.min(html.length, start + htmlLimits.linkCharactersMax);
    for (; this.position < endMax; this.position += 1) {
      const code = html.charCodeAt(this.position);
      const meaning = code < 0xa0 ? hrefMeaning[code] : meaningOfBlank(code);
      if (meaning === ordinary) continue;
      if (meaning === ampersand && this.entity(hrefEntities)) continue;
      return code === 0x22 && this.position > start && this.take('"');
    }
    return false;
  }

  /** Reads the scheme of an href, and what must follow it. */
  private hrefStart(): boolean {
    if (this.take('https://') || this.take('http://')) return !'/?#'.includes(this.html[this.position] ?? '/');
    const colon = this.html.indexOf(':', this.position);
    const scheme = colon === -1 ? '' : this.html.slice(this.position, colon);
    if (!linkSchemes.has(scheme) || scheme.startsWith('http')) return false;
    this.position = colon + 1;
    return true;
  }

  /** Moves past the expected characters, if they come next. */
  private take(expected: string): boolean {
    if (!this.html.startsWith(expected, this.position)) return false;
    this.position += expected.length;
    return true;
  }
}

const hrefEntities: readonly string[] = ['amp;', '#39;'];

/** Blanks and invisible characters, of any script, are not ordinary in an href. */
function meaningOfBlank(code: number): number {
  const isBlank =
    code === 0xa0 ||
    code === 0x1680 ||
    code === 0x3000 ||
    code === 0xfeff ||
    (code >= 0x2000 && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202f) ||
    (code >= 0x205f && code <= 0x206f);
  return isBlank ? unknown : ordinary;
}

/** A table for characters below U+00A0: controls and `<` are never ordinary, nor are the given ones. */
function meanings(unknownCharacters: string, ordinaryControls: string): Uint8Array {
  const table = new Uint8Array(0xa0);
  for (let code = 0; code < table.length; code += 1) {
    const character = String.fromCharCode(code);
    const isControl = code < 0x20 || code >= 0x7f;
    if (isControl && !ordinaryControls.includes(character)) table[code] = unknown;
    else if (unknownCharacters.includes(character)) table[code] = unknown;
    else if (character === '<') table[code] = markup;
    else if (character === '&') table[code] = ampersand;
  }
  return table;
}
