/** From the bytes of a page to its text. */
import { cardLimits } from './limits.ts';

const charsetOfType = /;\s*charset\s*=\s*["']?([^\s"';]+)/i;
const charsetOfMeta = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i;
const byteOrderMarks: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
];

/**
 * By the byte order mark, the header, the `meta` element, otherwise as UTF-8 where it is that, else as windows-1252 (WHATWG
 * Encoding and HTML, section 13.2.3). `isCut`: the last character may be incomplete.
 */
export function decodePage(bytes: Uint8Array, contentType: string, isCut: boolean): string {
  const named = charsetOf(bytes, contentType);
  const decoder = named === undefined ? undefined : decoderOf(named);
  if (decoder !== undefined) return decoder.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function charsetOf(bytes: Uint8Array, contentType: string): string | undefined {
  const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return marked[0];
  const said = charsetOfType.exec(contentType)?.[1];
  if (said !== undefined && decoderOf(said) !== undefined) return said;
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, cardLimits.charsetBytes));
  const written = charsetOfMeta.exec(start.toString('latin1'))?.[1]?.toLowerCase();
  // A page whose `meta` can be read as ASCII is not UTF-16.
  return written?.startsWith('utf-16') ? 'utf-8' : written;
}

/** Undefined for a name that is no charset. */
function decoderOf(name: string): { decode(bytes: Uint8Array): string } | undefined {
  try {
    return new TextDecoder(name);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
