/** A PNG of true colours without filters, decoded; and its blurhash, computed as https://blurha.sh describes it. */
import { inflateSync } from 'node:zlib';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue by turns. */
  readonly pixels: Uint8Array;
}

const signatureBytes = 8;

export function decodePicture(file: Buffer): Picture {
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const parts: Buffer[] = [];
  for (let offset = signatureBytes; offset < file.length; ) {
    const length = file.readUInt32BE(offset);
    if (file.toString('latin1', offset + 4, offset + 8) === 'IDAT')
      parts.push(file.subarray(offset + 8, offset + 8 + length));
    offset += 12 + length;
  }
  const rows = inflateSync(Buffer.concat(parts));
  const rowBytes = width * 3;
  const pixels = Buffer.alloc(height * rowBytes);
  for (let row = 0; row < height; row += 1) {
    const start = row * (rowBytes + 1);
    if (rows[start] !== 0) throw new Error('a row is filtered');
    rows.copy(pixels, row * rowBytes, start + 1, start + 1 + rowBytes);
  }
  return { width, height, pixels };
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~';

function encode(value: number, length: number): string {
  let text = '';
  for (let place = length - 1; place >= 0; place -= 1)
    text += digits[Math.floor(value / digits.length ** place) % digits.length];
  return text;
}

function toLinear(value: number): number {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function toByte(linear: number): number {
  const part = Math.min(1, Math.max(0, linear));
  return Math.trunc((part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055) * 255 + 0.5);
}

type Colour = [number, number, number];

function factor({ width, height, pixels }: Picture, column: number, row: number): Colour {
  const sum: Colour = [0, 0, 0];
  const scale = (column === 0 && row === 0 ? 1 : 2) / (width * height);
  for (let y = 0; y < height; y += 1) {
    const vertical = Math.cos((Math.PI * row * y) / height);
    for (let x = 0; x < width; x += 1) {
      const basis = vertical * Math.cos((Math.PI * column * x) / width);
      const offset = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel += 1) sum[channel]! += basis * linear[pixels[offset + channel]!]!;
    }
  }
  return sum.map((value) => value * scale) as Colour;
}

const linear = Array.from({ length: 256 }, (_, value) => toLinear(value));

export function blurhashOf(picture: Picture, columns: number, rows: number): string {
  const factors: Colour[] = [];
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) factors.push(factor(picture, column, row));
  const [mean, ...details] = factors;
  const largest = Math.max(...details.flat().map(Math.abs));
  const quantised = Math.min(82, Math.max(0, Math.floor(largest * 166 - 0.5)));
  const maximum = (quantised + 1) / 166;
  const step = (value: number) => {
    const root = Math.sign(value) * Math.sqrt(Math.abs(value) / maximum);
    return Math.min(18, Math.max(0, Math.floor(root * 9 + 9.5)));
  };
  const [red, green, blue] = mean!.map(toByte) as Colour;
  return [
    encode(columns - 1 + (rows - 1) * 9, 1),
    encode(quantised, 1),
    encode((red << 16) + (green << 8) + blue, 4),
    ...details.map(([r, g, b]) => encode(step(r) * 361 + step(g) * 19 + step(b), 2)),
  ].join('');
}
