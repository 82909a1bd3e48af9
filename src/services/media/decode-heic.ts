/**
 * Decodes photographs of iPhones (HEIC: HEVC in HEIF, ISO/IEC 23008-12), which sharp does not. libheif does, as WebAssembly, of
 * an optional package: an operator may leave it out, because of its licence (LGPL) or the patents on HEVC.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Failure } from '../../runtime/errors.ts';
import { mediaLimits } from './limits.ts';

export interface DecodedHeic {
  /** Red, green, blue and opacity of each, row after row. */
  readonly pixels: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/** The part of libheif-js that is used. */
interface HeifImage {
  get_width(): number;
  get_height(): number;
  is_primary(): boolean;
  display(into: { data: Uint8ClampedArray; width: number; height: number }, done: (shown: object | null) => void): void;
  free(): void;
}

interface Libheif {
  readonly HeifDecoder: new () => { decode(file: Uint8Array): HeifImage[] };
}

const packageName = 'libheif-js/wasm-bundle.js';
const load = createRequire(import.meta.url);

/** Whether the decoder is installed. */
export function hasHeicDecoder(): boolean {
  try {
    load.resolve(packageName);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}

/**
 * The picture that the file names as the one to be shown, upright. Throws Failure validation where the decoder is not
 * installed or the picture is too large, and an Error where it cannot be decoded.
 */
export async function decodeHeic(file: string, isInstalled = hasHeicDecoder()): Promise<DecodedHeic> {
  if (!isInstalled)
    throw new Failure('validation', {
      text: 'This server takes no HEIC photographs, because their decoder libheif-js is not installed',
    });
  const { HeifDecoder } = load(packageName) as Libheif;
  const images = new HeifDecoder().decode(await readFile(file));
  try {
    const image = images.find((one) => one.is_primary()) ?? images[0];
    if (image === undefined) throw new Error('the file has no picture');
    return await pixelsOf(image);
  } finally {
    for (const image of images) image.free();
  }
}

async function pixelsOf(image: HeifImage): Promise<DecodedHeic> {
  const [width, height] = [image.get_width(), image.get_height()];
  if (width * height > mediaLimits.pixelsMax) throw new Error('Input image exceeds pixel limit');
  const pixels = new Uint8ClampedArray(width * height * 4);
  const shown = await new Promise((resolve) => image.display({ data: pixels, width, height }, resolve));
  if (shown === null) throw new Error('libheif cannot decode the picture');
  return { pixels, width, height };
}
