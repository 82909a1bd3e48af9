/** Finds the programs that decode video and sound. They come with the system; a server without them takes pictures only. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface FilmTools {
  readonly ffmpeg: string;
  readonly ffprobe: string;
  /** Bounds memory and written bytes of the others; absent outside of Linux. */
  readonly prlimit?: string;
}

/** Undefined where one of the two is missing. */
export function findFilmTools(path = process.env.PATH ?? ''): FilmTools | undefined {
  const [ffmpeg, ffprobe, prlimit] = ['ffmpeg', 'ffprobe', 'prlimit'].map((name) => executable(name, path));
  if (ffmpeg === undefined || ffprobe === undefined) return undefined;
  return { ffmpeg, ffprobe, ...(prlimit === undefined ? {} : { prlimit }) };
}

function executable(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
