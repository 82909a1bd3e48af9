/** Films and sounds of strangers: what is made of them, and what is refused. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { taskModule } from '../../../src/options/project-files.ts';
import { ProcessPool } from '../../../src/runtime/process-pool.ts';
import type { DecodedFilm, FilmTask } from '../../../src/services/media/decode-film.task.ts';
import { sniffMedia } from '../../../src/services/media/sniff.ts';
import { film, filmTools, h264, pictures, sound, whyNoFilms } from '../../support/films.ts';

const folder = mkdtempSync(join(tmpdir(), 'murmuration-films-'));
const deadline = 100_000;
let pool: ProcessPool;
let count = 0;

beforeAll(() => {
  pool = new ProcessPool({ host: taskModule('runtime/process-host.task'), processes: 1, memoryBytesMax: 2 ** 30 });
});

afterAll(() => {
  pool.close();
  rmSync(folder, { recursive: true });
});

function decode(bytes: Buffer, demuxer = sniffMedia(bytes)!.demuxer!): Promise<DecodedFilm> {
  count += 1;
  const results = join(folder, String(count));
  mkdirSync(results);
  const file = join(results, 'upload');
  writeFileSync(file, bytes);
  const task: FilmTask = { file, folder: results, demuxer, tools: filmTools! };
  return pool.run(taskModule('services/media/decode-film.task'), 'decodeFilm', task, deadline);
}

interface Probed {
  readonly streams: readonly { readonly codec_name: string; readonly pix_fmt?: string; readonly width?: number }[];
  readonly format: { readonly tags?: Record<string, string> };
}

function probe(file: string): Probed {
  const options = ['-loglevel', 'error', '-show_streams', '-show_format', '-print_format', 'json', file];
  return JSON.parse(execFileSync(filmTools!.ffprobe, options, { encoding: 'utf8' })) as Probed;
}

const codecsOf = (file: string) => probe(file).streams.map(({ codec_name }) => codec_name);
/** The index stands before the data: players begin before they have the whole file. */
const beginsAtOnce = (file: string) => {
  const bytes = readFileSync(file);
  return bytes.indexOf('moov') < bytes.indexOf('mdat');
};

// because films are decoded by programs of the system, which are not everywhere
describe.skipIf(filmTools === undefined)(`films${whyNoFilms}`, () => {
  const usual = () => film('a.mp4', ...pictures(), ...sound(), ...h264, '-c:a', 'aac');

  test.each<[string, () => Buffer, DecodedFilm['type'], string[]]>([
    ['what plays everywhere is copied', usual, 'video', ['h264', 'aac']],
    [
      'a recording of a browser',
      () => film('a.webm', ...pictures(), ...sound(), '-c:v', 'libvpx', '-c:a', 'libopus'),
      'video',
      ['h264', 'aac'],
    ],
    [
      'a film of a phone',
      () => film('a.mov', ...pictures(), ...sound(), '-c:v', 'mjpeg', '-c:a', 'pcm_s16le', '-f', 'mov'),
      'video',
      ['h264', 'aac'],
    ],
    ['without sound', () => film('a.mp4', ...pictures(), ...h264), 'gifv', ['h264']],
    [
      'colours that few can show',
      () => film('a.mp4', ...pictures(), '-c:v', 'libx264', '-pix_fmt', 'yuv444p'),
      'gifv',
      ['h264'],
    ],
  ])('%s', async (_, make, type, codecs) => {
    const { original, cover, ...rest } = await decode(make());
    expect(rest).toMatchObject({ type });
    expect(original).toMatchObject({ mediaType: 'video/mp4', width: 96, height: 64, frameRate: '10/1' });
    expect(original.duration).toBeCloseTo(1, 0);
    expect(original.bitrate).toBeGreaterThan(0);
    expect(original.bytes).toBe(readFileSync(original.file).length);
    expect(codecsOf(original.file)).toEqual(codecs);
    expect(probe(original.file).streams[0]!.pix_fmt).toBe('yuv420p');
    expect(beginsAtOnce(original.file)).toBe(true);
    expect(cover).toMatchObject({ original: { width: 96, height: 64 }, blurhash: expect.stringMatching(/^U/) });
  });

  test('a GIF that moves becomes a film without sound', async () => {
    const gif = film('a.gif', ...pictures('63x41', 5));
    const { type, original } = await decode(gif, 'gif');
    expect(type).toBe('gifv');
    // H.264 with halved colours has even sides.
    expect(original).toMatchObject({ mediaType: 'video/mp4', width: 62, height: 40 });
    expect(codecsOf(original.file)).toEqual(['h264']);
  });

  test('where and with what it was filmed stays behind', async () => {
    const tagged = film(
      'a.mov',
      ...[...pictures(), ...sound(), ...h264, '-c:a', 'aac', '-movflags', 'use_metadata_tags'],
      ...['-metadata', 'location=+52.5200+013.4050/', '-metadata', 'com.apple.quicktime.make=A camera'],
    );
    expect(tagged.includes('+52.5200')).toBe(true);
    const { original } = await decode(tagged);
    const bytes = readFileSync(original.file);
    expect(bytes.includes('+52.5200') || bytes.includes('A camera')).toBe(false);
    expect(codecsOf(original.file)).toEqual(['h264', 'aac']);
  });
});

// because films are decoded by programs of the system, which are not everywhere
describe.skipIf(filmTools === undefined)(`sounds${whyNoFilms}`, () => {
  test.each<[string, string, string[]]>([
    ['MP3', 'a.mp3', ['-c:a', 'libmp3lame']],
    ['Ogg', 'a.ogg', ['-c:a', 'libvorbis']],
    ['Opus', 'a.opus', ['-c:a', 'libopus']],
    ['FLAC', 'a.flac', ['-c:a', 'flac']],
    ['WAV', 'a.wav', ['-c:a', 'pcm_s16le']],
    ['AAC', 'a.aac', ['-c:a', 'aac']],
    ['M4A', 'a.m4a', ['-c:a', 'aac']],
  ])('%s', async (_, name, options) => {
    const { type, original, cover } = await decode(film(name, ...sound(), ...options));
    expect(type).toBe('audio');
    expect(cover).toBeUndefined();
    expect(original.mediaType).toBe('audio/mpeg');
    expect(original.duration).toBeCloseTo(1, 0);
    expect(codecsOf(original.file)).toEqual(['mp3']);
  });

  test('the picture of a record is its cover, and gives the player its colours', async () => {
    const artwork = join(folder, 'artwork.png');
    const half = { create: { width: 64, height: 32, channels: 3 as const, background: '#f0f0f0' } };
    await sharp({ create: { width: 64, height: 100, channels: 3, background: '#102060' } })
      .composite([{ input: await sharp(half).png().toBuffer(), top: 0, left: 0 }])
      .png()
      .toFile(artwork);
    const record = film(
      'a.mp3',
      ...[...sound(), '-i', artwork, '-map', '0:a', '-map', '1:v', '-c:a', 'libmp3lame', '-c:v', 'png'],
      ...['-disposition:v', 'attached_pic', '-id3v2_version', '3'],
    );
    const { type, original, cover, colours } = await decode(record);
    expect(type).toBe('audio');
    expect(codecsOf(original.file)).toEqual(['mp3']);
    const picture = { mediaType: 'image/jpeg', width: 64, height: 100 };
    expect(cover).toMatchObject({ original: picture, blurhash: expect.stringMatching(/^U/) });
    // The cover was compressed.
    expect(colours).toMatchObject({ background: expect.stringMatching(/^#[01].2.[56]./) });
  });
});

// because films are decoded by programs of the system, which are not everywhere
describe.skipIf(filmTools === undefined)(`refused${whyNoFilms}`, () => {
  const unverified = 'File type of uploaded media could not be verified';

  test.each<[string, () => Buffer, string, string]>([
    ['nothing', () => Buffer.alloc(0), 'mov', unverified],
    [
      'noise with the head of a film',
      () => Buffer.concat([Buffer.from('\0\0\0\x18ftypisom'), Buffer.alloc(500, 7)]),
      'mov',
      unverified,
    ],
    ['half a film', () => film('a.mp4', ...pictures(), ...h264).subarray(0, 900), 'mov', unverified],
    ['another format than it says', () => film('a.wav', ...sound()), 'mov', unverified],
    [
      'more pixels than a film may have',
      () => film('a.mp4', ...pictures('3848x2168', 1), ...h264),
      'mov',
      '3848x2168 videos are not supported',
    ],
    [
      'too many frames a second',
      () => film('a.mp4', ...pictures('32x32', 144), ...h264),
      'mov',
      '144fps videos are not supported',
    ],
    [
      'a GIF larger than a film of that kind',
      () => film('a.gif', ...pictures('1300x800', 2)),
      'gif',
      '1300x800 videos are not supported',
    ],
    [
      'a list of addresses',
      () => Buffer.from('#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\nfile:///etc/passwd\n'),
      'hls',
      unverified,
    ],
    [
      'a film that names other files',
      () => Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n"),
      'concat',
      unverified,
    ],
  ])('%s', async (_, make, demuxer, text) => {
    await expect(decode(make(), demuxer)).rejects.toMatchObject({ code: 'validation', text });
  });
});
