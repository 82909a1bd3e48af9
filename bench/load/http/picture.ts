/** Pictures to upload: PNGs that look like something, each of other bytes, so that no server knows one already. */
import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export interface PictureForm {
  readonly contentType: string;
  readonly body: Buffer;
}

const boundary = 'murmuration-load-picture';

/** Sizes are WIDTHxHEIGHT. */
export class Pictures {
  private readonly bases = new Map<string, { readonly head: Buffer; readonly rest: Buffer }>();

  /** Compresses it, which takes some hundred milliseconds. */
  prepare(size: string): void {
    this.baseOf(size);
  }

  /** With the picture as `file`. */
  form(size: string, number: number): PictureForm {
    const { head, rest } = this.baseOf(size);
    const picture = Buffer.concat([head, chunk('tEXt', Buffer.from(`Comment\0load ${number}`)), rest]);
    return {
      contentType: `multipart/form-data; boundary=${boundary}`,
      body: Buffer.concat([
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${number}.png"\r\nContent-Type: image/png\r\n\r\n`,
        ),
        picture,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]),
    };
  }

  private baseOf(size: string) {
    const known = this.bases.get(size);
    if (known !== undefined) return known;
    const [width = 1, height = 1] = size.split('x').map((side) => Math.max(1, Number(side)));
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    // Eight bits a colour, three colours, nothing unusual.
    header.set([8, 2, 0, 0, 0], 8);
    const base = {
      head: Buffer.concat([signature, chunk('IHDR', header)]),
      rest: Buffer.concat([chunk('IDAT', deflateSync(pixels(width, height))), chunk('IEND', Buffer.alloc(0))]),
    };
    this.bases.set(size, base);
    return base;
  }
}

/** Gradients with some noise, as a photograph compresses. */
function pixels(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(height * (1 + width * 3));
  let noise = 1;
  let offset = 0;
  for (let row = 0; row < height; row += 1) {
    offset += 1;
    for (let column = 0; column < width; column += 1) {
      noise = (Math.imul(noise, 1_103_515_245) + 12_345) >>> 0;
      bytes[offset] = (row * 255) / height;
      bytes[offset + 1] = (column * 255) / width;
      bytes[offset + 2] = 96 + ((noise >>> 16) & 15);
      offset += 3;
    }
  }
  return bytes;
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}
