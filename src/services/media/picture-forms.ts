/** The forms in which pictures are kept, by what they are for: one row each (behaviour of the Mastodon API for sizes). */

export interface Size {
  /** Fits into this many pixels, keeping the aspect; never enlarged. */
  readonly area?: number;
  /** Fills exactly this square or box; the rest is cut off evenly. */
  readonly cover?: readonly [width: number, height: number];
}

export interface PictureForm {
  readonly original: Size;
  readonly preview?: Size;
  /** Moving pictures keep moving; `still` is their first frame for people who want none to move. */
  readonly keepsMotion: boolean;
  readonly still: boolean;
  readonly blurhash: boolean;
  /** Photographs without their transparency, whatever the upload was. */
  readonly isJpeg?: true;
  /** Bytes of the upload. */
  readonly bytesMax: number;
}

const megabyte = 1_048_576;
const preview: Size = { area: 640 * 360 };

export const pictureForms = {
  attachment: {
    original: { area: 3_840 * 2_160 },
    preview,
    keepsMotion: true,
    still: false,
    blurhash: true,
    bytesMax: 16 * megabyte,
  },
  avatar: {
    original: { cover: [400, 400] },
    keepsMotion: true,
    still: true,
    blurhash: false,
    bytesMax: 8 * megabyte,
  },
  header: {
    original: { area: 1_500 * 500 },
    keepsMotion: true,
    still: true,
    blurhash: false,
    bytesMax: 8 * megabyte,
  },
  emoji: { original: { area: 512 * 512 }, keepsMotion: true, still: true, blurhash: false, bytesMax: 256 * 1_024 },
  /** The picture of a link preview; the cover of a film or of sound, which the author may choose. */
  card: { original: preview, keepsMotion: false, still: false, blurhash: false, isJpeg: true, bytesMax: 8 * megabyte },
  cover: { original: preview, keepsMotion: false, still: false, blurhash: true, isJpeg: true, bytesMax: 16 * megabyte },
  /** The picture of the server, in the size of link previews and twice that. */
  thumbnail: {
    original: { cover: [2_400, 1_260] },
    preview: { cover: [1_200, 630] },
    keepsMotion: false,
    still: false,
    blurhash: true,
    bytesMax: 8 * megabyte,
  },
} satisfies Record<string, PictureForm>;

export type PictureFormName = keyof typeof pictureForms;
