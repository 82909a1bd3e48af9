/**
 * Makes of a film, a moving GIF or a sound of a stranger what browsers and apps play everywhere: H.264 with AAC in MP4,
 * whose index stands in front so that playing starts at once, or MP3. A film that is that already is copied, without its
 * metadata. Runs in a process of its own, which starts ffmpeg.
 */
import { execFile } from 'node:child_process';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Failure } from '../../runtime/errors.ts';
import { type CoverColours, coverColours } from './cover-colours.ts';
import { type DecodedPicture, decodePicture } from './decode-picture.task.ts';
import type { FilmTools } from './film-tools.ts';
import { mediaLimits } from './limits.ts';
import { framesASecond, type ProbedFilm, readProbe } from './probe-film.ts';

export interface FilmTask {
  readonly file: string;
  /** Where the results are written; made if it is not there. */
  readonly folder: string;
  /** What the first bytes say: ffmpeg chooses none itself, because some demuxers read other files and addresses. */
  readonly demuxer: string;
  readonly tools: FilmTools;
}

export interface DecodedFilm {
  /** `gifv`: a film without sound, which apps repeat like a GIF (behaviour of the Mastodon API). */
  readonly type: 'video' | 'gifv' | 'audio';
  readonly original: {
    readonly file: string;
    readonly mediaType: string;
    readonly bytes: number;
    readonly width?: number;
    readonly height?: number;
    readonly frameRate?: string;
    /** Seconds. */
    readonly duration: number;
    /** Bits a second. */
    readonly bitrate: number;
  };
  /** The first frame, or the cover of a record. */
  readonly cover?: DecodedPicture;
  /** Of the cover of a record. */
  readonly colours?: CoverColours;
}

const run = promisify(execFile);
const outputCharactersMax = 4 * 1_048_576;
const unverified = 'File type of uploaded media could not be verified';

/** Throws Failure `validation` for a file that cannot be decoded, or is above the limits. */
export async function decodeFilm(task: FilmTask): Promise<DecodedFilm> {
  try {
    await mkdir(task.folder, { recursive: true });
    const probed = await probe(task);
    refuseLimits(probed, task);
    return probed.picture === undefined ? await decodeSound(task, probed) : await decodeMovingPicture(task, probed);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('validation', { text: unverified, cause: error });
  }
}

async function probe(task: FilmTask): Promise<ProbedFilm> {
  return readProbe(
    await start(task, task.tools.ffprobe, [
      ...quiet,
      ...inputOf(task),
      '-show_format',
      '-show_streams',
      '-print_format',
      'json',
    ]),
  );
}

function refuseLimits({ picture }: ProbedFilm, { demuxer }: FilmTask): void {
  if (picture === undefined) return;
  const { width, height, frameRate } = picture;
  if (width === 0 || height === 0) throw new Failure('validation', { text: unverified });
  const most = demuxer === 'gif' ? mediaLimits.gifPixelsMax : mediaLimits.filmPixelsMax;
  if (width * height > most) throw new Failure('validation', { text: `${width}x${height} videos are not supported` });
  const frames = Math.floor(framesASecond(frameRate));
  if (demuxer !== 'gif' && frames > mediaLimits.filmFramesASecondMax)
    throw new Failure('validation', { text: `${frames}fps videos are not supported` });
}

async function decodeMovingPicture(task: FilmTask, probed: ProbedFilm): Promise<DecodedFilm> {
  const file = join(task.folder, 'original.mp4');
  await convert(task, [
    ...['-map', '0:v:0', '-map', '0:a:0?', ...withoutMetadata],
    ...(isPlayedEverywhere(probed) ? ['-c', 'copy'] : encodedAnew),
    ...['-frames:v', String(mediaLimits.filmFramesMax), '-movflags', '+faststart', '-f', 'mp4', file],
  ]);
  const written = await probe({ ...task, file, demuxer: 'mov' });
  const { width, height, frameRate } = written.picture!;
  const { duration, bitrate } = written;
  const { size } = await stat(file);
  return {
    type: written.sound === undefined ? 'gifv' : 'video',
    original: { file, mediaType: 'video/mp4', bytes: size, width, height, frameRate, duration, bitrate },
    cover: await pictureFrom({ ...task, file, demuxer: 'mov' }, '0:v:0'),
  };
}

async function decodeSound(task: FilmTask, { coverStream }: ProbedFilm): Promise<DecodedFilm> {
  const file = join(task.folder, 'original.mp3');
  await convert(task, ['-map', '0:a:0', ...withoutMetadata, '-c:a', 'libmp3lame', '-q:a', '2', '-f', 'mp3', file]);
  const { duration, bitrate } = await probe({ ...task, file, demuxer: 'mp3' });
  const { size } = await stat(file);
  const original = { file, mediaType: 'audio/mpeg', bytes: size, duration, bitrate };
  if (coverStream === undefined) return { type: 'audio', original };
  const cover = await pictureFrom(task, `0:${coverStream}`);
  return { type: 'audio', original, cover, colours: await coverColours(cover.original.file) };
}

/** The first frame of a stream, as a cover. */
async function pictureFrom(task: FilmTask, stream: string): Promise<DecodedPicture> {
  const frame = join(task.folder, 'frame.png');
  await convert(task, ['-map', stream, '-frames:v', '1', '-c:v', 'png', '-f', 'image2', '-update', '1', frame]);
  return decodePicture({ file: frame, folder: join(task.folder, 'cover'), form: 'cover' });
}

function isPlayedEverywhere({ picture, sound }: ProbedFilm): boolean {
  return picture?.codec === 'h264' && picture.pixelFormat === 'yuv420p' && (sound === undefined || sound === 'aac');
}

const quiet = ['-hide_banner', '-loglevel', 'error'];
const withoutMetadata = ['-map_metadata', '-1', '-map_chapters', '-1'];
const encodedAnew = [
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23'],
  ...['-maxrate', String(mediaLimits.filmBitrateMax), '-bufsize', String(2 * mediaLimits.filmBitrateMax)],
  // H.264 with halved colours has even sides.
  ...['-pix_fmt', 'yuv420p', '-vf', 'crop=floor(iw/2)*2:floor(ih/2)*2'],
  ...['-fpsmax', String(mediaLimits.filmFramesASecondMax)],
  ...['-c:a', 'aac', '-b:a', '192k', '-ac', '2'],
];

/** Nothing but this file is opened, whatever is written in it. */
function inputOf({ file, demuxer }: FilmTask): string[] {
  return ['-protocol_whitelist', 'file', '-format_whitelist', demuxer, '-f', demuxer, '-i', `file:${file}`];
}

async function convert(task: FilmTask, output: readonly string[]): Promise<void> {
  const { filmOutputBytesMax } = mediaLimits;
  await start(task, task.tools.ffmpeg, [
    ...[...quiet, '-nostdin', '-y', '-threads', '1', ...inputOf(task)],
    ...['-threads', '1', '-filter_threads', '1', '-fs', String(filmOutputBytesMax), ...output],
  ]);
}

/** What the program prints. */
async function start({ tools }: FilmTask, program: string, options: readonly string[]): Promise<string> {
  const { filmAddressBytesMax, filmOutputBytesMax } = mediaLimits;
  const bounds = [`--as=${filmAddressBytesMax}`, `--fsize=${filmOutputBytesMax}`, '--core=0', program];
  const [command, before] = tools.prlimit === undefined ? [program, []] : [tools.prlimit, bounds];
  const { stdout } = await run(command, [...before, ...options], { maxBuffer: outputCharactersMax });
  return stdout;
}
