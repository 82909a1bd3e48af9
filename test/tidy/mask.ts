/**
 * Separates the text of a source file into code, strings and comments, so that a rule about code is not misled by a
 * sentence. Every result has the length and the line breaks of the original; what does not belong is blank.
 */

export interface MaskedText {
  /** Without comments. */
  readonly code: string;
  /** Without comments and without what is inside strings, templates and regular expressions. */
  readonly bare: string;
  /** Nothing but comments. */
  readonly comments: string;
}

type Kind = 'code' | 'quoted' | 'comment';

/** What may stand before a regular expression, where a division cannot stand. */
const beforeExpression = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|await|void|yield|throw))$/;

export function maskText(text: string): MaskedText {
  const kinds = new Mask(text).run();
  const keep = (...wanted: Kind[]): string => {
    let result = '';
    for (let index = 0; index < text.length; index += 1) {
      const character = text[index]!;
      result += character === '\n' || wanted.includes(kinds[index]!) ? character : ' ';
    }
    return result;
  };
  return { code: keep('code', 'quoted'), bare: keep('code'), comments: keep('comment') };
}

class Mask {
  private readonly text: string;
  private readonly kinds: Kind[] = [];
  /** For each open `${`, how many braces are open inside it. */
  private readonly templateBraces: number[] = [];
  /** The last code before the place, enough of it to tell a regular expression from a division. */
  private before = '';

  constructor(text: string) {
    this.text = text;
  }

  run(): Kind[] {
    while (this.kinds.length < this.text.length) this.step();
    return this.kinds;
  }

  private step(): void {
    const index = this.kinds.length;
    const character = this.text[index]!;
    const pair = this.text.slice(index, index + 2);
    if (pair === '//') this.mark('comment', this.endOf('\n'));
    else if (pair === '/*') this.mark('comment', this.endOf('*/', 2));
    else if (character === '"' || character === "'") this.quoted(character);
    else if (character === '`') this.template(index);
    else if (character === '/' && beforeExpression.test(this.before)) this.regularExpression();
    else if (character === '}' && this.templateBraces.at(-1) === 0) this.template(index);
    else this.plain(character);
  }

  private plain(character: string): void {
    const open = this.templateBraces.length - 1;
    if (open >= 0 && character === '{') this.templateBraces[open]! += 1;
    if (open >= 0 && character === '}') this.templateBraces[open]! -= 1;
    this.mark('code', this.kinds.length + 1);
    if (!/\s/.test(character)) this.before = (this.before + character).slice(-8);
    else if (/\w$/.test(this.before)) this.before = this.before.replace(/^.*?(\w+)$/, '$1');
  }

  private quoted(quote: string): void {
    this.mark('code', this.kinds.length + 1);
    this.inside((character) => character === quote || character === '\n');
    this.mark('code', this.kinds.length + 1);
    this.before = quote;
  }

  /** From a back quote or a closing `}` to the back quote or the `${` that ends this piece of the template. */
  private template(start: number): void {
    if (this.text[start] === '}') this.templateBraces.pop();
    this.mark('code', start + 1);
    this.inside((character, index) => character === '`' || this.text.startsWith('${', index));
    const opens = this.text.startsWith('${', this.kinds.length);
    this.mark('code', this.kinds.length + (opens ? 2 : 1));
    if (opens) this.templateBraces.push(0);
    this.before = opens ? '{' : '`';
  }

  private regularExpression(): void {
    let inClass = false;
    this.mark('code', this.kinds.length + 1);
    this.inside((character) => {
      if (character === '[') inClass = true;
      if (character === ']') inClass = false;
      return character === '\n' || (character === '/' && !inClass);
    });
    this.mark('code', this.kinds.length + 1);
    this.before = '/';
  }

  /** Marks as quoted up to the character that ends it; an escaped character never does. */
  private inside(ends: (character: string, index: number) => boolean): void {
    let index = this.kinds.length;
    while (index < this.text.length && !ends(this.text[index]!, index)) index += this.text[index] === '\\' ? 2 : 1;
    this.mark('quoted', index);
  }

  private mark(kind: Kind, end: number): void {
    const last = Math.min(end, this.text.length);
    while (this.kinds.length < last) this.kinds.push(kind);
  }

  private endOf(ending: string, length = 0): number {
    const found = this.text.indexOf(ending, this.kinds.length + length);
    return found < 0 ? this.text.length : found + length;
  }
}
