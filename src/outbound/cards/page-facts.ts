/** What the HTML of a page says about it: meta elements, links, title, language, and its blocks of JSON-LD. */
import { Parser } from 'htmlparser2';
import { cardLimits } from './limits.ts';

export interface PageFacts {
  /** The first content of each `name` or `property`, in lower case. */
  readonly meta: ReadonlyMap<string, string>;
  readonly title: string;
  readonly language: string | undefined;
  readonly canonical: string | undefined;
  /** The address of the JSON form of oEmbed (oembed.com, section 4). */
  readonly oembed: string | undefined;
  /** As written. */
  readonly structured: readonly string[];
}

const oembedTypes: ReadonlySet<string> = new Set(['application/json+oembed', 'text/json+oembed']);
const structuredType = 'application/ld+json';

/** Collects in one pass without a tree. Anything is HTML: it never throws. */
export function readPageFacts(html: string): PageFacts {
  const collector = new Collector();
  const parser = new Parser(collector);
  parser.write(html);
  parser.end();
  return collector;
}

type Attributes = Readonly<Record<string, string>>;

class Collector implements PageFacts {
  readonly meta = new Map<string, string>();
  readonly structured: string[] = [];
  title = '';
  language: string | undefined;
  canonical: string | undefined;
  oembed: string | undefined;
  private target: 'title' | 'structured' | undefined;
  private text = '';
  private isTitled = false;
  private graphics = 0;

  onopentag(name: string, attributes: Attributes): void {
    if (name === 'meta') this.noteMeta(attributes);
    else if (name === 'link') this.noteLink(attributes);
    else if (name === 'html') this.language ??= attributes.lang;
    // The titles of drawings are not that of the page.
    else if (name === 'svg') this.graphics += 1;
    else if (name === 'title' && !this.isTitled && this.graphics === 0) this.collect('title');
    else if (name === 'script' && isStructured(attributes)) this.collect('structured');
  }

  ontext(text: string): void {
    if (this.target !== undefined && this.text.length <= cardLimits.structuredCharactersMax) this.text += text;
  }

  onclosetag(name: string): void {
    if (name === 'svg') this.graphics -= 1;
    if (name === 'title' && this.target === 'title') {
      this.title = this.text;
      this.isTitled = true;
      this.target = undefined;
    } else if (name === 'script' && this.target === 'structured') {
      const isWhole = this.text.length <= cardLimits.structuredCharactersMax;
      if (isWhole && this.structured.length < cardLimits.structuredBlocksMax) this.structured.push(this.text);
      this.target = undefined;
    }
  }

  private collect(target: 'title' | 'structured'): void {
    this.target = target;
    this.text = '';
  }

  private noteMeta({ name, property, content }: Attributes): void {
    if (content === undefined || content.trim() === '') return;
    for (const key of [property, name]) {
      const known = key?.trim().toLowerCase();
      if (known !== undefined && known !== '' && !this.meta.has(known)) this.meta.set(known, content);
    }
  }

  private noteLink({ rel = '', href, type = '' }: Attributes): void {
    if (href === undefined) return;
    const relations = rel.toLowerCase().split(/\s+/);
    if (relations.includes('canonical')) this.canonical ??= href;
    if (relations.includes('alternate') && oembedTypes.has(type.trim().toLowerCase())) this.oembed ??= href;
  }
}

function isStructured({ type }: Attributes): boolean {
  return type?.trim().toLowerCase() === structuredType;
}
