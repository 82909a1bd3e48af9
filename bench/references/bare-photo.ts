/** The limit of a photo's decoding: sharp, with what the server asks of it, and nothing besides. */
import { encode } from 'blurhash';
import sharp from 'sharp';
import { exactCpuMicrosecondsOf } from '../measure/process-cpu.ts';
import { serveChild } from '../processes/child.ts';

sharp.concurrency(1);
sharp.cache(false);

serveChild({ decode });

const [originalArea, previewArea] = [3_840 * 2_160, 640 * 360];

export interface PhotoWork {
  readonly files: readonly string[];
  readonly folder: string;
  readonly count: number;
}

/** CPU microseconds of all of them. */
async function decode({ files, folder, count }: PhotoWork): Promise<number> {
  const before = exactCpuMicrosecondsOf(process.pid);
  for (let number = 0; number < count; number += 1) await decodeOne(files[number % files.length]!, folder);
  return exactCpuMicrosecondsOf(process.pid) - before;
}

async function decodeOne(file: string, folder: string): Promise<void> {
  const { width, height } = await sharp(file).metadata();
  const widthOf = (area: number) => Math.floor(width * Math.min(1, Math.sqrt(area / (width * height))));
  const made = (area: number, name: string) =>
    sharp(file)
      .autoOrient()
      .resize({ width: widthOf(area) })
      .jpeg({ quality: 90 })
      .toFile(`${folder}/${name}.jpeg`);
  await made(originalArea, 'original');
  await made(previewArea, 'preview');
  const small = sharp(`${folder}/preview.jpeg`).resize({ width: 32, height: 32, fit: 'inside' }).ensureAlpha().raw();
  const { data, info } = await small.toBuffer({ resolveWithObject: true });
  encode(new Uint8ClampedArray(data), info.width, info.height, 4, 4);
}
