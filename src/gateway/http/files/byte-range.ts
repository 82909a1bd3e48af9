/**
 * Range requests (RFC 9110, section 14). One range is served. Of several the whole file is sent, as section 14.2 permits:
 * players and browsers ask for one, and many small ones are a way to make a server work.
 */

export interface ByteRange {
  readonly start: number;
  /** At least 1. */
  readonly length: number;
}

const rangePattern = /^bytes=[\t ]*(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))[\t ]*$/i;

/** Undefined where the header is to be ignored, because it is malformed or asks for something else than one range. */
export function byteRange(header: string | undefined, byteLength: number): ByteRange | 'unsatisfiable' | undefined {
  const found = header === undefined ? null : rangePattern.exec(header);
  if (found === null) return undefined;
  const [, first, last, suffix] = found;
  if (suffix !== undefined) return rangeWithin(Math.max(0, byteLength - Number(suffix)), byteLength, byteLength);
  if (last !== undefined && Number(last) < Number(first)) return undefined;
  return rangeWithin(Number(first), last === undefined ? byteLength : Number(last) + 1, byteLength);
}

function rangeWithin(start: number, end: number, byteLength: number): ByteRange | 'unsatisfiable' {
  const length = Math.min(end, byteLength) - start;
  return length > 0 ? { start, length } : 'unsatisfiable';
}
