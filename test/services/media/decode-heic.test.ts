/** Photographs of iPhones. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { taskModule } from '../../../src/options/project-files.ts';
import { ProcessPool } from '../../../src/runtime/process-pool.ts';
import { decodeHeic, hasHeicDecoder } from '../../../src/services/media/decode-heic.ts';
import type { DecodedPicture, PictureTask } from '../../../src/services/media/decode-picture.task.ts';
import { supportedMediaTypes } from '../../../src/services/media/sniff.ts';
import { filmTools, whyNoFilms } from '../../support/films.ts';
import { heicOf } from '../../support/heic.ts';

const red = [255, 0, 0] as const;
const blue = [0, 0, 255] as const;
const folder = mkdtempSync(join(tmpdir(), 'murmuration-heic-'));
let pool: ProcessPool;
let count = 0;

beforeAll(() => {
  pool = new ProcessPool({ host: taskModule('runtime/process-host.task'), processes: 1, memoryBytesMax: 2 ** 30 });
});

afterAll(() => {
  pool.close();
  rmSync(folder, { recursive: true });
});

function written(bytes: Uint8Array): PictureTask {
  count += 1;
  const results = join(folder, String(count));
  mkdirSync(results);
  const file = join(results, 'upload');
  writeFileSync(file, bytes);
  return { file, folder: results, form: 'attachment' };
}

function decode(bytes: Uint8Array): Promise<DecodedPicture> {
  return pool.run(taskModule('services/media/decode-picture.task'), 'decodePicture', written(bytes), 60_000);
}

/** The strongest of red, green and blue in the middle of each end, from the left or the top on. */
async function ends({ original: { file, width, height } }: DecodedPicture): Promise<string[]> {
  const pixels = await sharp(file).raw().toBuffer();
  const at = (x: number, y: number) => {
    const colours = [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
    return ['red', 'green', 'blue'][colours.indexOf(Math.max(...colours))]!;
  };
  return width > height
    ? [at(10, height / 2), at(width - 10, height / 2)]
    : [at(width / 2, 10), at(width / 2, height - 10)];
}

// because ffmpeg encodes the photographs of these tests, and not every machine has it
describe.skipIf(filmTools === undefined)(`photographs${whyNoFilms}`, () => {
  test.each([
    ['as they are', 0, [128, 64], ['red', 'blue']],
    ['turned to the left', 1, [64, 128], ['blue', 'red']],
    ['upside down', 2, [128, 64], ['blue', 'red']],
    ['turned to the right', 3, [64, 128], ['red', 'blue']],
  ] as const)('%s', async (_, quarters, [width, height], shown) => {
    const decoded = await decode(heicOf([red, blue], quarters));
    expect(decoded).toMatchObject({
      original: { mediaType: 'image/jpeg', width, height },
      preview: { mediaType: 'image/jpeg', width, height },
      isAnimated: false,
      blurhash: expect.stringMatching(/^U/),
    });
    expect(await ends(decoded)).toEqual(shown);
  });

  test.each([
    ['half of one', (whole: Buffer) => whole.subarray(0, whole.length / 2)],
    [
      'a grid of tiles that are not there',
      (whole: Buffer) => Buffer.from(whole.toString('latin1').replace(/hvc1/g, 'free'), 'latin1'),
    ],
    [
      'one whose frames are noise',
      (whole: Buffer) => Buffer.concat([whole.subarray(0, whole.indexOf('mdat') + 4), Buffer.alloc(900, 7)]),
    ],
  ])('%s is refused', async (_, damage) => {
    await expect(decode(damage(heicOf([red, blue], 0)))).rejects.toMatchObject({ code: 'validation' });
  });
});

test('without its decoder there is a sentence, and clients are told of no such pictures', async () => {
  const { file } = written(Buffer.from('anything'));
  await expect(decodeHeic(file, false)).rejects.toThrow('libheif-js is not installed');
  expect(hasHeicDecoder()).toBe(true);
  expect(supportedMediaTypes({ films: false, heic: false })).not.toContain('image/heic');
  expect(supportedMediaTypes({ films: false, heic: true })).toEqual(
    expect.arrayContaining(['image/heic', 'image/heif']),
  );
});
