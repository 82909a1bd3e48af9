/** Films and sounds, made by ffmpeg as a camera, a browser or a recorder would. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFilmTools } from '../../src/services/media/film-tools.ts';

export const filmTools = findFilmTools();
/** Printed beside a skipped test. */
export const whyNoFilms = filmTools === undefined ? ' (skipped: ffmpeg and ffprobe are not installed)' : '';

/** What ffmpeg writes with these options, in a file of this name. */
export function film(name: string, ...options: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-film-'));
  try {
    const file = join(folder, name);
    execFileSync(filmTools!.ffmpeg, ['-loglevel', 'error', '-nostdin', ...options, file]);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Options for a second of moving pictures. */
export function pictures(size = '96x64', rate = 10, seconds = 1): string[] {
  return ['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=${rate}:duration=${seconds}`];
}

/** Options for a second of sound. */
export function sound(seconds = 1): string[] {
  return ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
}

/** H.264 as browsers play it. */
export const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
