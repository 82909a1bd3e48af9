/** Pictures of strangers: what is kept of them, in each form, and what is refused. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { taskModule } from '../../../src/options/project-files.ts';
import { ProcessPool } from '../../../src/runtime/process-pool.ts';
import type { DecodedPicture, PictureTask } from '../../../src/services/media/decode-picture.task.ts';
import type { PictureFormName } from '../../../src/services/media/picture-forms.ts';

const folder = mkdtempSync(join(tmpdir(), 'murmuration-pictures-'));
const deadline = 60_000;
let pool: ProcessPool;
let count = 0;

beforeAll(() => {
  pool = new ProcessPool({ host: taskModule('runtime/process-host.task'), processes: 1, memoryBytesMax: 2 ** 30 });
});

afterAll(() => {
  pool.close();
  rmSync(folder, { recursive: true });
});

function decode(bytes: Uint8Array, form: PictureFormName = 'attachment'): Promise<DecodedPicture> {
  count += 1;
  const results = join(folder, String(count));
  mkdirSync(results);
  const file = join(results, 'upload');
  writeFileSync(file, bytes);
  const task: PictureTask = { file, folder: results, form };
  return pool.run(taskModule('services/media/decode-picture.task'), 'decodePicture', task, deadline);
}

const noise = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({
    create: { width, height, channels, background: '#336699', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  });

/** An animation of as many frames as colours. */
async function animation(...colours: readonly string[]) {
  const frames = colours.map((background) => ({ create: { width: 40, height: 30, channels: 4 as const, background } }));
  return sharp(await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer())), { join: { animated: true } });
}

describe('formats', () => {
  test.each([
    ['jpeg', () => noise(64, 48).jpeg().toBuffer(), 'image/jpeg'],
    ['png', () => noise(64, 48, 4).png().toBuffer(), 'image/png'],
    ['webp', () => noise(64, 48).webp().toBuffer(), 'image/webp'],
    ['avif', () => noise(64, 48).avif({ effort: 0 }).toBuffer(), 'image/jpeg'],
    ['a gif that does not move', () => noise(64, 48).gif().toBuffer(), 'image/png'],
  ])('%s', async (_, make, mediaType) => {
    const { original, preview, blurhash, isAnimated, still } = await decode(await make());
    expect(original).toMatchObject({ mediaType, width: 64, height: 48 });
    expect(preview).toMatchObject({ mediaType, width: 64, height: 48 });
    expect(original.bytes).toBe(readFileSync(original.file).length);
    expect(blurhash).toMatch(/^U[\w#$%*+,\-.:;=?@[\]^_{|}~]{35}$/);
    expect({ isAnimated, still }).toEqual({ isAnimated: false, still: undefined });
  });

  test.each(['gif', 'webp'] as const)('a %s that moves keeps moving, and its preview stands still', async (format) => {
    const bytes = await (await animation('red', 'green', 'blue'))[format]({ delay: 80 }).toBuffer();
    const { original, preview, isAnimated } = await decode(bytes);
    expect(isAnimated).toBe(true);
    expect(original).toMatchObject({ mediaType: `image/${format}`, width: 40, height: 30 });
    expect(await sharp(original.file).metadata()).toMatchObject({ pages: 3 });
    expect((await sharp(preview!.file).metadata()).pages).toBeUndefined();
  });
});

describe('forms', () => {
  test.each<[PictureFormName, [number, number], [number, number]]>([
    ['attachment', [4_800, 3_600], [3_325, 2_494]],
    ['avatar', [300, 900], [400, 400]],
    ['header', [3_000, 1_000], [1_500, 500]],
    ['card', [1_280, 720], [640, 360]],
    ['thumbnail', [1_000, 1_000], [2_400, 1_260]],
  ])('%s', async (form, [width, height], expected) => {
    const { original } = await decode(await noise(width, height).jpeg({ quality: 50 }).toBuffer(), form);
    expect([original.width, original.height]).toEqual(expected);
  });

  test('a small picture is never enlarged, but where the form is exact', async () => {
    const { original, preview } = await decode(await noise(3, 2).png().toBuffer());
    expect([original.width, original.height, preview!.width]).toEqual([3, 2, 3]);
  });

  test('an avatar that moves has its first frame beside it', async () => {
    const { original, still } = await decode(await (await animation('red', 'blue')).gif().toBuffer(), 'avatar');
    expect(await sharp(original.file).metadata()).toMatchObject({ pages: 2, width: 400 });
    expect(still).toMatchObject({ mediaType: 'image/png', width: 400, height: 400 });
    const { dominant } = await sharp(still!.file).stats();
    expect(dominant.r).toBeGreaterThan(dominant.b);
  });
});

test('the orientation that the camera noted is applied; places, devices and profiles stay behind', async () => {
  const bytes = await noise(60, 40)
    .withExif({ IFD0: { Make: 'A camera' }, IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .withIccProfile('p3')
    .jpeg()
    .toBuffer();
  expect(await sharp(bytes).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer) });
  const { original, preview } = await decode(bytes);
  for (const { file } of [original, preview!]) {
    const metadata = await sharp(file).metadata();
    expect(metadata).toMatchObject({ width: 40, height: 60 });
    for (const kept of ['exif', 'xmp', 'icc', 'iptc', 'orientation'] as const) expect(metadata[kept]).toBeUndefined();
  }
});

test('what stands behind the picture stays behind', async () => {
  const secret = Buffer.from('<script>alert(1)</script>PK\x03\x04');
  const { original } = await decode(Buffer.concat([await noise(20, 20).jpeg().toBuffer(), secret]));
  expect(readFileSync(original.file).includes(secret)).toBe(false);
});

/** A PNG whose header alone is true: so many pixels that decoding them would fill any memory. */
function hugePng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const data = deflateSync(Buffer.alloc(100_000));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Every frame is a canvas of this side, of which one dot is drawn. */
function smallAnimation(side: number, frames: number): Buffer {
  const screen = Buffer.from([side & 255, side >> 8, side & 255, side >> 8, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
  const frame = Buffer.from([0x21, 0xf9, 4, 0, 9, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0]);
  const drawn = Array.from({ length: frames }, (_, index) => {
    const moved = Buffer.from(frame);
    moved[9] = index;
    return moved;
  });
  return Buffer.concat([Buffer.from('GIF89a'), screen, ...drawn, Buffer.from([0x3b])]);
}

test('an animation of few bytes is taken while its frames are few', async () => {
  const { original } = await decode(smallAnimation(100, 3));
  expect(await sharp(original.file).metadata()).toMatchObject({ pages: 3, width: 100 });
});

describe('refused', () => {
  const refusal = { code: 'validation', text: 'File type of uploaded media could not be verified' };
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['nothing', () => Buffer.alloc(0)],
    ['HTML', () => Buffer.from('<!DOCTYPE html><img src=x onerror=alert(1)>')],
    ['SVG, which could read other files', () => Buffer.from(svg)],
    ['TIFF', () => noise(20, 20).tiff().toBuffer()],
    ['half a picture', async () => (await noise(200, 200).jpeg().toBuffer()).subarray(0, 4_000)],
    ['a header of 60 000 by 60 000', () => hugePng(60_000, 60_000)],
    ['a signature alone', () => Buffer.from('\xff\xd8\xff\xe0', 'latin1')],
    ['an animation of few bytes and many large frames', () => smallAnimation(1_000, 67)],
  ])('%s', async (_, make) => {
    await expect(decode(await make())).rejects.toMatchObject(refusal);
  });
});
