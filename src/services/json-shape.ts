/**
 * Checks the nesting and size of JSON before it is parsed, by scanning brackets and commas. Parsing a megabyte of
 * `[[[[…` or `{},{},…` blocks the thread for 20 to 60 ms (measured); scanning its bytes takes 2.
 */

export interface JsonShape {
  /** Arrays and objects inside each other. */
  readonly levelsMax: number;
  /** Members and elements, and empty arrays and objects, all together. */
  readonly entriesMax: number;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The bound that a large text exceeds first. Meaningless for text that is not JSON: the parser refuses it. */
export function exceededShape(json: Uint8Array, { levelsMax, entriesMax }: JsonShape): keyof JsonShape | undefined {
  // Each entry takes at least one byte (a comma, or the bracket before the first), so a text this small cannot exceed
  // the bound.
  if (json.length <= entriesMax) return undefined;
  let entries = 0;
  let levels = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) {
      at = endOfString(json, at);
    } else if (byte === comma) {
      entries += 1;
      if (entries > entriesMax) return 'entriesMax';
    } else if (byte === openBracket || byte === openBrace) {
      levels += 1;
      if (levels > levelsMax) return 'levelsMax';
      entries += 1;
      if (entries > entriesMax) return 'entriesMax';
    } else if (byte === closeBracket || byte === closeBrace) levels -= 1;
  }
  return undefined;
}

function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  for (let byte = json[at]; byte !== quote && byte !== undefined; byte = json[at]) at += byte === backslash ? 2 : 1;
  return at;
}
