/** The colours with which apps surround the player of a record: taken from its cover. */
import sharp from 'sharp';

/** Each as `#rrggbb`. */
export interface CoverColours {
  readonly background: string;
  readonly foreground: string;
  readonly accent: string;
}

type Colour = readonly [red: number, green: number, blue: number];

/** WCAG 2.2, 1.4.3: enough contrast for text, and half of it for the accent (1.4.11). */
const textContrast = 4.5;
const accentContrast = 3;
const side = 32;

/**
 * The background is the commonest colour, the accent the most colourful one that stands out from it, the foreground the
 * commonest that can be read on it; black or white where the cover has none.
 */
export async function coverColours(file: string): Promise<CoverColours> {
  const pixels = await sharp(file)
    .resize(side, side, { fit: 'fill', kernel: 'nearest' })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  const common = commonColours(pixels);
  const background = common[0]!;
  const readable = common.filter((colour) => contrast(colour, background) >= textContrast);
  const visible = common.filter((colour) => contrast(colour, background) >= accentContrast);
  const foreground = readable[0] ?? extreme(background);
  const accent = visible.toSorted((one, other) => colourfulness(other) - colourfulness(one))[0] ?? foreground;
  return { background: hex(background), foreground: hex(foreground), accent: hex(accent) };
}

const bucketBits = 3;

/** Means of equal cells of the colour space, the fullest first. */
function commonColours(pixels: Buffer): Colour[] {
  const cells = new Map<number, { count: number; sums: [number, number, number] }>();
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const [red, green, blue] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!];
    const shift = 8 - bucketBits;
    const cell = ((red >> shift) << (2 * bucketBits)) | ((green >> shift) << bucketBits) | (blue >> shift);
    const known = cells.get(cell) ?? { count: 0, sums: [0, 0, 0] };
    known.count += 1;
    known.sums[0] += red;
    known.sums[1] += green;
    known.sums[2] += blue;
    cells.set(cell, known);
  }
  return [...cells.values()]
    .toSorted((one, other) => other.count - one.count)
    .map(
      ({ count, sums: [red, green, blue] }) =>
        [red, green, blue].map((sum) => Math.round(sum / count)) as [number, number, number],
    );
}

function extreme(background: Colour): Colour {
  return luminance(background) > 0.18 ? [0, 0, 0] : [255, 255, 255];
}

function contrast(one: Colour, other: Colour): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function colourfulness(colour: Colour): number {
  return Math.max(...colour) - Math.min(...colour);
}

function hex(colour: Colour): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
