/** Decompresses responses within a bound on the output, so that a decompression bomb stays small. */
import {
  type BrotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type Gunzip,
  type Inflate,
  type InflateRaw,
} from 'node:zlib';

export const acceptedEncodings = 'gzip, deflate, br';

export type Inflated =
  | { readonly ok: true; readonly body: Buffer; readonly cut: boolean }
  | { readonly ok: false; readonly detail: string };

/**
 * Decodes one content encoding. `cutInput` says that the input is only a beginning, whose sudden end is no error.
 * Output above `bytesMax` is cut there, with `cut` set.
 */
export function inflate(packed: Buffer, encoding: string, bytesMax: number, cutInput: boolean): Promise<Inflated> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return Promise.resolve({ ok: true, body: packed, cut: cutInput });
  const unpacker = unpackerFor(name, packed);
  if (unpacker === undefined) return Promise.resolve({ ok: false, detail: 'content encoding not supported' });
  if (packed.length === 0) return Promise.resolve({ ok: true, body: packed, cut: cutInput });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (cut: boolean) => resolve({ ok: true, body: Buffer.concat(chunks, Math.min(bytes, bytesMax)), cut });
    unpacker.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= bytesMax) return;
      finish(true);
      unpacker.destroy();
    });
    unpacker.on('end', () => finish(cutInput));
    unpacker.on('error', (error) => {
      if (cutInput) finish(true);
      else resolve({ ok: false, detail: `broken ${name} body: ${error.message}` });
    });
    unpacker.end(packed);
  });
}

function unpackerFor(encoding: string, packed: Buffer): Gunzip | Inflate | InflateRaw | BrotliDecompress | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      // Two formats have this name; the one with a header begins with compression method 8.
      return (packed[0]! & 0x0f) === 8 ? createInflate() : createInflateRaw();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}
