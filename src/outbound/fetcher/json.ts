/** Parses JSON of other servers: bounded in depth, an object at the top. */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** Whether arrays and objects nest deeper than `depthMax`; examines no deeper levels. */
function isDeeperThan(value: JsonValue | undefined, depthMax: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depthMax === 0) return true;
  if (isArray(value)) return value.some((entry) => isDeeperThan(entry, depthMax - 1));
  for (const key in value) if (isDeeperThan(value[key], depthMax - 1)) return true;
  return false;
}

/**
 * The JSON object in a body; undefined when it is not JSON, not an object, or nests deeper than `depthMax`. Parsing
 * first is safe, because V8's parser does not recurse, and cheaper than scanning every byte before. Gateways check
 * large bodies with `exceededShape` first, because clients wait for their thread.
 */
export function parseJsonObject(body: Buffer, depthMax: number): JsonObject | undefined {
  const hasMark = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  let value: JsonValue;
  try {
    value = JSON.parse(body.toString('utf8', hasMark ? 3 : 0));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  return isJsonObject(value) && !isDeeperThan(value, depthMax) ? value : undefined;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
