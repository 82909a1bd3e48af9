/**
 * Plain data is what may leave a turn: plain objects and arrays, strings, numbers, bigints, booleans, null, undefined
 * and bytes. It can be copied between threads, and a copy shares nothing with the original.
 */
const nestingMax = 64;

/** About how much memory each takes, and a string for each of its UTF-16 units. */
const containerBytes = 16;
const fieldBytes = 8;
const unitBytes = 2;

/** About how much memory plain data takes, in bytes: what is nested too deeply to be plain data is not measured. */
export function sizeOfPlainData(value: unknown, nesting = 0): number {
  if (typeof value === 'string') return fieldBytes + unitBytes * value.length;
  if (typeof value !== 'object' || value === null || nesting > nestingMax) return fieldBytes;
  if (value instanceof Uint8Array) return containerBytes + value.byteLength;
  let bytes = containerBytes;
  if (Array.isArray(value)) for (const item of value) bytes += sizeOfPlainData(item, nesting + 1);
  else
    for (const field in value)
      bytes += fieldBytes + sizeOfPlainData((value as Record<string, unknown>)[field], nesting + 1);
  return bytes;
}

/** Throws for what is not plain data. */
export function copyOfPlainData(value: unknown, nesting = 0): unknown {
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'function' || typeof value === 'symbol')
      throw new Error(`a ${typeof value} is not plain data`);
    return value;
  }
  if (nesting > nestingMax) throw new Error('nested this deeply it is not plain data');
  if (Array.isArray(value)) return value.map((item) => copyOfPlainData(item, nesting + 1));
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new Error(`${value.constructor?.name ?? 'such an object'} is not plain data`);
  const copy: Record<string, unknown> = {};
  const source = value as Record<string, unknown>;
  for (const field of Object.keys(source)) copy[field] = copyOfPlainData(source[field], nesting + 1);
  return copy;
}

/**
 * Copies an object without its undefined fields. Messages and events would carry these fields too, and decoding them
 * takes as long as for others (measured: without them the facts of most statuses are decoded in half the time).
 */
export function withoutUndefined<Value extends object>(value: Value): Value {
  const source = value as Record<string, unknown>;
  const lean: Record<string, unknown> = {};
  for (const field in source) if (source[field] !== undefined) lean[field] = source[field];
  return lean as Value;
}

/** Freezes plain data down to its leaves; bytes cannot be frozen. */
export function freezePlainData<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  for (const part of Object.values(value)) freezePlainData(part);
  return Object.freeze(value);
}
