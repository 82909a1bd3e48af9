/** JSON from other servers: bounded in depth before it is parsed, an object at the top. */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Whether arrays and objects nest deeper than `depthMax`. One pass over the bytes, without a recursion. */
export function isDeeperThan(json: Uint8Array, depthMax: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index]!;
    if (inString) {
      if (byte === backslash) index += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) {
      inString = true;
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > depthMax) return true;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
    }
  }
  return false;
}

/** The object that a body holds; undefined when it is not JSON, not an object, or nests deeper than `depthMax`. */
export function parseJsonObject(body: Buffer, depthMax: number): JsonObject | undefined {
  if (isDeeperThan(body, depthMax)) return undefined;
  const hasMark = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  let value: JsonValue;
  try {
    value = JSON.parse(body.toString('utf8', hasMark ? 3 : 0));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  return isJsonObject(value) ? value : undefined;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
