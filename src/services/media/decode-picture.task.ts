/**
 * Decodes a picture of a stranger and writes it anew in its form: the pixels pass, everything else (EXIF with places and
 * devices, XMP, profiles, comments, bytes behind the end) stays behind. Runs in a process of its own.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { encode as encodeBlurhash } from 'blurhash';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { Failure } from '../../runtime/errors.ts';
import { type CoverColours, coverColours } from './cover-colours.ts';
import { decodeHeic } from './decode-heic.ts';
import { mediaLimits } from './limits.ts';
import { type PictureForm, type PictureFormName, pictureForms, type Size } from './picture-forms.ts';

export interface PictureTask {
  readonly file: string;
  /** Where the results are written; made if it is not there. */
  readonly folder: string;
  readonly form: PictureFormName;
}

export interface PictureFile {
  readonly file: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
}

export interface DecodedPicture {
  readonly original: PictureFile;
  readonly preview?: PictureFile;
  /** The first frame as PNG; only of a picture that moves. */
  readonly still?: PictureFile;
  readonly blurhash?: string;
  readonly isAnimated: boolean;
}

const unverified = 'File type of uploaded media could not be verified';

// One job at a time, in one thread: other cores serve, and memory stays that of one picture.
sharp.concurrency(1);
sharp.cache(false);
// libvips can read far more than pictures of the web; SVG would even read other files.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
  ],
});

/** Throws Failure `validation` for a file that cannot be decoded whole within the limits. */
export async function decodePicture({ file, folder, form }: PictureTask): Promise<DecodedPicture> {
  try {
    await mkdir(folder, { recursive: true });
    return await decode(file, folder, pictureForms[form]);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('validation', { text: unverified, cause: error });
  }
}

export interface DecodedCover extends DecodedPicture {
  readonly colours: CoverColours;
}

/** The picture that an author gives to a film or a sound, and the colours of its player. Throws as `decodePicture`. */
export async function decodeCover(task: Omit<PictureTask, 'form'>): Promise<DecodedCover> {
  const picture = await decodePicture({ ...task, form: 'cover' });
  return { ...picture, colours: await coverColours(picture.original.file) };
}

/** Of a picture that moves, otherwise 1. Throws Failure `validation` for what is no picture. */
export async function countFrames(file: string): Promise<number> {
  try {
    return (await readMetadata(file)).pages ?? 1;
  } catch (cause) {
    throw new Failure('validation', { text: unverified, cause });
  }
}

export interface PictureFacts {
  readonly width: number;
  readonly height: number;
  readonly blurhash: string;
}

/** Of a picture that `decodePicture` has written. Throws Failure `validation` for anything else. */
export async function describePicture(file: string): Promise<PictureFacts> {
  try {
    const { width, height } = await readMetadata(file);
    return { width, height, blurhash: await blurhashOf(file) };
  } catch (cause) {
    throw new Failure('validation', { text: unverified, cause });
  }
}

function readMetadata(file: string): Promise<Metadata> {
  return sharp(file, { limitInputPixels: mediaLimits.pixelsMax, failOn: 'error' }).metadata();
}

interface Readable {
  readonly metadata: Metadata;
  /** To be read from its beginning: `animated` with all frames, otherwise the first. */
  open(animated: boolean): Sharp;
}

/** Photographs of iPhones are decoded by another library, which turns them as their file says. */
async function readable(file: string): Promise<Readable> {
  const metadata = await readMetadata(file);
  if (metadata.compression !== 'hevc') return { metadata, open: (animated) => openFile(file, animated) };
  const { pixels, width, height } = await decodeHeic(file);
  const opened = () => sharp(pixels, { raw: { width, height, channels: 4 } });
  return { metadata: await opened().metadata(), open: opened };
}

async function decode(file: string, folder: string, form: PictureForm): Promise<DecodedPicture> {
  const { metadata, open } = await readable(file);
  const isAnimated = form.keepsMotion && (metadata.pages ?? 1) > 1;
  const format = form.isJpeg ? 'jpeg' : outputFormat(metadata, isAnimated);
  const original = await write(resized(open(isAnimated), form.original, metadata), join(folder, 'original'), format);
  const preview =
    form.preview &&
    (await write(resized(open(false), form.preview, metadata), join(folder, 'preview'), stillFormat(format)));
  const still =
    form.still && isAnimated
      ? await write(resized(open(false), form.original, metadata), join(folder, 'still'), 'png')
      : undefined;
  return {
    original,
    ...(preview === undefined ? {} : { preview }),
    ...(still === undefined ? {} : { still }),
    ...(form.blurhash ? { blurhash: await blurhashOf((preview ?? original).file) } : {}),
    isAnimated,
  };
}

/** The orientation that cameras note is applied before it is stripped. */
function openFile(file: string, animated: boolean): Sharp {
  const limitInputPixels = animated ? mediaLimits.animatedPixelsMax : mediaLimits.pixelsMax;
  return sharp(file, { animated, limitInputPixels, failOn: 'error' }).autoOrient();
}

type Format = 'jpeg' | 'png' | 'webp' | 'gif';

/** What browsers show everywhere keeps its format; the others become JPEG. */
function outputFormat({ format }: Metadata, isAnimated: boolean): Format {
  if (format === 'png' || format === 'webp') return format;
  if (format === 'gif') return isAnimated ? 'gif' : 'png';
  return 'jpeg';
}

function stillFormat(format: Format): Format {
  return format === 'gif' ? 'png' : format;
}

function resized(picture: Sharp, size: Size, { autoOrient: { width, height } }: Metadata): Sharp {
  if (size.cover !== undefined) return picture.resize({ width: size.cover[0], height: size.cover[1], fit: 'cover' });
  const { area = 1 } = size;
  const scale = Math.sqrt(area / (width * height));
  return scale >= 1 ? picture : picture.resize({ width: Math.max(1, Math.floor(width * scale)) });
}

const writers: Readonly<Record<Format, (picture: Sharp) => Sharp>> = {
  jpeg: (picture) => picture.flatten({ background: '#ffffff' }).jpeg({ quality: 90 }),
  png: (picture) => picture.png(),
  webp: (picture) => picture.webp({ quality: 90, effort: 1 }),
  gif: (picture) => picture.gif({ effort: 1 }),
};

async function write(picture: Sharp, path: string, format: Format): Promise<PictureFile> {
  const file = `${path}.${format}`;
  const { size, width, height, pageHeight } = await writers[format](picture).toFile(file);
  return { file, mediaType: `image/${format}`, bytes: size, width, height: pageHeight ?? height };
}

const blurhashPixels = 32;
const blurhashComponents = 4;

/** Of a small copy: the placeholder shows no more than 16 colours (https://blurha.sh). */
async function blurhashOf(file: string): Promise<string> {
  const { data, info } = await sharp(file, { failOn: 'error' })
    .resize({ width: blurhashPixels, height: blurhashPixels, fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return encodeBlurhash(new Uint8ClampedArray(data), info.width, info.height, blurhashComponents, blurhashComponents);
}
