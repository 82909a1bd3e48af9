/** JSON-LD of a page (schema.org): the first block that is an article or a page. */
import { isJsonObject, type JsonObject, type JsonValue } from '../fetcher/json.ts';
import { cardLimits } from './limits.ts';

export interface StructuredFacts {
  /** It is an article of a newspaper. */
  readonly isArticle?: boolean;
  readonly headline?: string | undefined;
  readonly description?: string | undefined;
  readonly language?: string | undefined;
  readonly publishedAt?: string | undefined;
  readonly publisher?: string | undefined;
  readonly author?: string | undefined;
  readonly authorUrl?: string | undefined;
}

const article = 'NewsArticle';
const types: ReadonlySet<JsonValue | undefined> = new Set([article, 'WebPage']);
const sectionStart = '<![CDATA[';
const sectionStartsWithin = 16;

/** Nothing where no block can be read. */
export function readStructured(blocks: readonly string[]): StructuredFacts {
  for (const block of blocks) {
    const found = objectsIn(block).find((one) => listOf(one['@type']).some((type) => types.has(type)));
    if (found !== undefined) return factsOf(found);
  }
  return {};
}

function objectsIn(block: string): JsonObject[] {
  try {
    return listOf(JSON.parse(unwrapped(block)) as JsonValue).filter(isJsonObject);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Without the section of CDATA, and its comments, that XHTML wraps around scripts. */
function unwrapped(block: string): string {
  const start = block
    .trimStart()
    .slice(0, sectionStartsWithin + sectionStart.length)
    .indexOf(sectionStart);
  const end = block.lastIndexOf(']]>');
  if (start === -1 || end === -1) return block;
  const inner = block.slice(block.indexOf(sectionStart) + sectionStart.length, end).trim();
  return inner.replace(/^\*\//, '').replace(/\/[/*]$/, '');
}

function factsOf(object: JsonObject): StructuredFacts {
  const authors = listOf(object.author).slice(0, cardLimits.authorsMax);
  const names = authors.flatMap((author) => nameOf(author) ?? []);
  const [first] = authors;
  return {
    isArticle: listOf(object['@type']).includes(article),
    headline: textOf(object.headline),
    description: textOf(object.description),
    language: nameOf(object.inLanguage),
    publishedAt: textOf(object.datePublished),
    publisher: nameOf(listOf(object.publisher)[0]),
    author: names.length === 0 ? undefined : names.join(', '),
    authorUrl: authors.length === 1 && isJsonObject(first) ? textOf(first.url) : undefined,
  };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function nameOf(value: JsonValue | undefined): string | undefined {
  return isJsonObject(value) ? textOf(value.name) : textOf(value);
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
