/** Bodies of the three kinds that every endpoint accepts: JSON, urlencoded and multipart. */
import { Failure } from '../../../runtime/errors.ts';
import { exceededShape } from '../../../services/json-shape.ts';
import { httpLimits } from '../limits.ts';
import { FormParts } from './form-parts.ts';
import { MultipartParser } from './multipart.ts';
import { guardJson, type ParameterTree, tooDeep, tooMany } from './tree.ts';
import { parseUrlEncoded } from './urlencoded.ts';

/** RFC 8259 section 8.1; a byte order mark is ignored. */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

type BodyKind = 'json' | 'urlencoded' | 'multipart';

/** Undefined for any other or an empty content type. */
export function bodyKind(contentType: string): BodyKind | undefined {
  const end = contentType.indexOf(';');
  const type = (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
  if (type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'))) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'urlencoded';
  return type === 'multipart/form-data' ? 'multipart' : undefined;
}

/**
 * An empty body has no parameters, whatever its content type, nor has the JSON value null. Throws Failure
 * mediaTypeUnsupported, malformedJson or badRequest.
 */
export function parseBody(contentType: string, body: Buffer): ParameterTree {
  if (body.length === 0) return {};
  // Rails takes a body without a type for a form, and small scripts send such bodies.
  const kind = contentType.trim() === '' ? 'urlencoded' : bodyKind(contentType);
  if (kind === undefined) throw new Failure('mediaTypeUnsupported');
  if (kind === 'multipart') return parseMultipart(body, contentType);
  return kind === 'json' ? parseJson(body) : parseUrlEncoded(body.toString('utf8'));
}

/** Each value makes one entry, and an empty list or object another. The root is a level, too. */
const shape = { levelsMax: httpLimits.parameterDepthMax + 1, entriesMax: 2 * httpLimits.parameterCountMax };

/** Of an endpoint that takes no files: those are ignored. */
function parseMultipart(body: Buffer, contentType: string): ParameterTree {
  const parts = new FormParts({});
  const parser = new MultipartParser(contentType, parts);
  parser.push(body);
  parser.end();
  return parts.finish();
}

function parseJson(body: Buffer): ParameterTree {
  const exceeded = exceededShape(body, shape);
  if (exceeded !== undefined) throw exceeded === 'levelsMax' ? tooDeep() : tooMany();
  let value: unknown;
  try {
    value = parseExactly(strictUtf8.decode(body));
  } catch (cause) {
    throw new Failure('malformedJson', { cause });
  }
  // What some HTTP libraries send when they are told that the type is JSON, and are given nothing to send.
  if (value === null) return {};
  guardJson(value);
  if (!isTree(value)) throw new Failure('badRequest', { text: 'The body is not a JSON object' });
  return value;
}

const longNumber = /[:[,\s]-?[0-9]{16}/;

/** A number that JavaScript would round stays text: libraries such as Mastodon.py send ids as numbers. */
function parseExactly(text: string): unknown {
  return longNumber.test(text)
    ? JSON.parse(text, exactValue as (key: string, value: unknown) => unknown)
    : JSON.parse(text);
}

/** TypeScript does not know the third parameter yet: the source text of a primitive value. */
function exactValue(_key: string, value: unknown, { source }: { source: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?[0-9]+$/.test(source) ? source : value;
}

function isTree(value: unknown): value is ParameterTree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
