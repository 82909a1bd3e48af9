/** The placeholder of a picture that is loading: its blurhash as a tiny bitmap, which the browser makes smooth. */
import { decode, isBlurhashValid } from 'blurhash';

const width = 6;
const height = 4;
const headBytes = 54;
/** Rows of a bitmap are whole words of four bytes. */
const rowBytes = Math.ceil((3 * width) / 4) * 4;

/** A data URL; undefined for a hash that is none. */
export function blurredPicture(blurhash: string): string | undefined {
  if (!isBlurhashValid(blurhash).result) return undefined;
  const pixels = decode(blurhash, width, height);
  const bitmap = Buffer.alloc(headBytes + rowBytes * height);
  bitmap.write('BM', 'latin1');
  bitmap.writeUInt32LE(bitmap.length, 2);
  bitmap.writeUInt32LE(headBytes, 10);
  bitmap.writeUInt32LE(40, 14);
  bitmap.writeInt32LE(width, 18);
  bitmap.writeInt32LE(-height, 22);
  bitmap.writeUInt16LE(1, 26);
  bitmap.writeUInt16LE(24, 28);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const from = 4 * (row * width + column);
      const to = headBytes + row * rowBytes + 3 * column;
      bitmap[to] = pixels[from + 2]!;
      bitmap[to + 1] = pixels[from + 1]!;
      bitmap[to + 2] = pixels[from]!;
    }
  }
  return `data:image/bmp;base64,${bitmap.toString('base64')}`;
}
