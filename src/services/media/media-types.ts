/** The endings of kept files of other servers, by which their media type is known. */

const mediaTypes = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  aac: 'audio/aac',
} as const;

type Ending = keyof typeof mediaTypes;

/** What `sniffMedia` calls differently. */
const otherNames: Readonly<Record<string, Ending>> = { 'audio/m4a': 'm4a', 'audio/wave': 'wav' };

/** Undefined for what browsers do not play or show. */
export function endingOf(mediaType: string): string | undefined {
  const endings = Object.keys(mediaTypes) as Ending[];
  return otherNames[mediaType] ?? endings.find((ending) => mediaTypes[ending] === mediaType);
}

/** The media type of a kept file. */
export function mediaTypeOfFile(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return Object.hasOwn(mediaTypes, ending) ? mediaTypes[ending as Ending] : 'application/octet-stream';
}
