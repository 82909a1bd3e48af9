/** The colours around the player of a record. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { coverColours } from '../../../src/services/media/cover-colours.ts';

const folder = mkdtempSync(join(tmpdir(), 'murmuration-covers-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A square of 32 pixels, filled with a colour, with bars of others from the top. */
async function cover(background: string, ...bars: readonly [colour: string, height: number][]): Promise<string> {
  const file = join(folder, `${background.slice(1)}-${bars.length}.png`);
  const filled = (colour: string, height: number) =>
    sharp({ create: { width: 32, height, channels: 3, background: colour } })
      .png()
      .toBuffer();
  let top = 0;
  const layers: { input: Buffer; top: number; left: number }[] = [];
  for (const [colour, height] of bars) {
    layers.push({ input: await filled(colour, height), top, left: 0 });
    top += height;
  }
  await sharp(await filled(background, 32))
    .composite(layers)
    .png()
    .toFile(file);
  return file;
}

test.each([
  ['one colour, dark', '#101030', [], { background: '#101030', foreground: '#ffffff', accent: '#ffffff' }],
  ['one colour, light', '#e0ffe0', [], { background: '#e0ffe0', foreground: '#000000', accent: '#000000' }],
  [
    'the commonest that can be read is the foreground, the most colourful the accent',
    '#101030',
    [
      ['#f0f0f0', 8],
      ['#ff2020', 4],
      ['#181840', 3],
    ],
    { background: '#101030', foreground: '#f0f0f0', accent: '#ff2020' },
  ],
] as const)('%s', async (_, background, bars, colours) => {
  expect(
    await coverColours(
      await cover(background, ...bars.map(([colour, height]) => [colour, height] as [string, number])),
    ),
  ).toEqual(colours);
});
