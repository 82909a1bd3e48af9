/**
 * Tells what a file is by its first bytes. Names and declared types are never believed: what is not in this table is
 * refused before anything decodes it (SVG, HTML, playlists and archives among others).
 */

export type MediaKind = 'image' | 'video' | 'audio';

export interface SniffedType {
  readonly kind: MediaKind;
  /** As in `supported_mime_types` of the instance. */
  readonly mediaType: string;
  /** The demuxer that ffmpeg is told to use: it must not choose one itself. */
  readonly demuxer?: string;
}

/** Bytes that `sniffMedia` needs, if the file has as many. */
export const sniffedBytes = 64;

type Row = SniffedType & { readonly matches: (head: Buffer) => boolean };

const text = (offset: number, ...choices: readonly string[]) => {
  const bytes = choices.map((choice) => Buffer.from(choice, 'latin1'));
  return (head: Buffer) => bytes.some((choice) => head.subarray(offset, offset + choice.length).equals(choice));
};
const all =
  (...tests: readonly ((head: Buffer) => boolean)[]) =>
  (head: Buffer) =>
    tests.every((test) => test(head));
/** The brands of an ISO base media file (ISO/IEC 14496-12, 4.3): the major one, or a compatible one. */
const brand = (...brands: readonly string[]) =>
  all(text(4, 'ftyp'), (head) => {
    const end = Math.min(head.length, head.readUInt32BE(0));
    for (let at = 8; at + 4 <= end; at += 4) {
      // Between the brands stands a version.
      if (at !== 12 && brands.includes(head.toString('latin1', at, at + 4))) return true;
    }
    return false;
  });
const mpegAudioFrame = (head: Buffer) =>
  head.length > 3 && head[0] === 0xff && (head[1]! & 0xe6) === 0xe2 && (head[2]! & 0xf0) !== 0xf0;
const adtsFrame = (head: Buffer) => head.length > 3 && head[0] === 0xff && (head[1]! & 0xf6) === 0xf0;

/** The first row that matches decides: brands that say more stand before those that say less. */
const rows: readonly Row[] = [
  { kind: 'image', mediaType: 'image/jpeg', matches: text(0, '\xff\xd8\xff') },
  { kind: 'image', mediaType: 'image/png', matches: text(0, '\x89PNG\r\n\x1a\n') },
  { kind: 'image', mediaType: 'image/gif', matches: text(0, 'GIF87a', 'GIF89a') },
  { kind: 'image', mediaType: 'image/webp', matches: all(text(0, 'RIFF'), text(8, 'WEBP')) },
  { kind: 'image', mediaType: 'image/avif', matches: brand('avif', 'avis') },
  { kind: 'image', mediaType: 'image/heic', matches: brand('heic', 'heix', 'hevc', 'hevx') },
  { kind: 'image', mediaType: 'image/heif', matches: brand('mif1', 'msf1') },
  { kind: 'audio', mediaType: 'audio/m4a', demuxer: 'mov', matches: brand('M4A ', 'M4B ') },
  { kind: 'video', mediaType: 'video/quicktime', demuxer: 'mov', matches: brand('qt  ') },
  {
    kind: 'video',
    mediaType: 'video/mp4',
    demuxer: 'mov',
    matches: brand(
      'isom',
      'iso2',
      'iso4',
      'iso5',
      'iso6',
      'mp41',
      'mp42',
      'avc1',
      'M4V ',
      'dash',
      'MSNV',
      '3gp4',
      '3gp5',
      '3gp6',
    ),
  },
  { kind: 'video', mediaType: 'video/quicktime', demuxer: 'mov', matches: text(4, 'moov', 'mdat', 'wide', 'free') },
  { kind: 'video', mediaType: 'video/webm', demuxer: 'matroska', matches: text(0, '\x1a\x45\xdf\xa3') },
  { kind: 'audio', mediaType: 'audio/ogg', demuxer: 'ogg', matches: text(0, 'OggS') },
  { kind: 'audio', mediaType: 'audio/flac', demuxer: 'flac', matches: text(0, 'fLaC') },
  { kind: 'audio', mediaType: 'audio/wave', demuxer: 'wav', matches: all(text(0, 'RIFF'), text(8, 'WAVE')) },
  { kind: 'audio', mediaType: 'audio/mpeg', demuxer: 'mp3', matches: text(0, 'ID3') },
  { kind: 'audio', mediaType: 'audio/mpeg', demuxer: 'mp3', matches: mpegAudioFrame },
  { kind: 'audio', mediaType: 'audio/aac', demuxer: 'aac', matches: adtsFrame },
  { kind: 'audio', mediaType: 'video/x-ms-asf', demuxer: 'asf', matches: text(0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11') },
];

/** Names that apps give to types of the table besides ours: they offer no file whose name they do not find. */
const otherNames = [
  'audio/wav',
  'audio/x-wav',
  'audio/x-pn-wave',
  'audio/vnd.wave',
  'audio/vorbis',
  'audio/mp3',
  'audio/webm',
  'audio/mp4',
  'audio/x-m4a',
  'audio/3gpp',
  'video/ogg',
];

/** As clients are told (instance document): without what this machine cannot decode. */
export function supportedMediaTypes({ films, heic }: { readonly films: boolean; readonly heic: boolean }): string[] {
  const taken = rows.filter(({ kind, mediaType }) => (kind === 'image' ? heic || !isHeic.has(mediaType) : films));
  return [...new Set([...taken.map(({ mediaType }) => mediaType), ...(films ? otherNames : [])])];
}

/** Photographs of iPhones, which need a decoder of their own. */
const isHeic: ReadonlySet<string> = new Set(['image/heic', 'image/heif']);

/** Undefined for whatever is not in the table. An ISO file with pictures and films may still hold sound alone. */
export function sniffMedia(head: Buffer): SniffedType | undefined {
  const row = head.length < 4 ? undefined : rows.find(({ matches }) => matches(head));
  return (
    row && { kind: row.kind, mediaType: row.mediaType, ...(row.demuxer === undefined ? {} : { demuxer: row.demuxer }) }
  );
}
