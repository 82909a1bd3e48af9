/** Percent-encoding and `application/x-www-form-urlencoded` (WHATWG URL, section 5), of queries and of bodies. */
import { Failure } from '../../../runtime/errors.ts';
import { FormCollector, type ParameterTree } from './tree.ts';

/** Throws Failure badRequest for bytes that are not UTF-8 and for a percent sign that begins no octet. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new Failure('badRequest', { text: 'The request is not percent-encoded UTF-8', cause });
  }
}

export function parseUrlEncoded(text: string): ParameterTree {
  const collector = new FormCollector();
  let start = 0;
  while (start < text.length) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) addPair(collector, text, start, end);
    start = end + 1;
  }
  return collector.finish();
}

function addPair(collector: FormCollector, text: string, start: number, end: number): void {
  const equals = text.indexOf('=', start);
  const split = equals === -1 || equals > end ? end : equals;
  collector.add(decodeFormPart(text.slice(start, split)), decodeFormPart(text.slice(split + 1, end)));
}

function decodeFormPart(part: string): string {
  return decodePercent(part.includes('+') ? part.replaceAll('+', ' ') : part);
}

/** One value of a query by its exact name, without building the tree. */
export function queryValue(query: string, name: string): string | undefined {
  if (!query.includes(name)) return undefined;
  for (const pair of query.split('&')) {
    if (pair.startsWith(name) && pair[name.length] === '=') return decodeFormPart(pair.slice(name.length + 1));
  }
  return undefined;
}
