/** Bounds of uploads and of their decoding. Those that clients are told are in the instance document. */
export const mediaLimits = {
  /** Pictures, and pictures that move (behaviour of the Mastodon API). */
  imageBytesMax: 16 * 1_048_576,
  filmBytesMax: 99 * 1_048_576,
  /** Of a picture before it is made smaller; of one that moves, all its frames together. */
  pixelsMax: 33_177_600,
  animatedPixelsMax: 66_355_200,
  descriptionCharactersMax: 10_000,
  /** Of a film as it is shown. Longer ones are cut off after so many frames (behaviour of the Mastodon API). */
  filmPixelsMax: 8_294_400,
  filmFramesASecondMax: 120,
  filmFramesMax: 36_000,
  /** Of a moving GIF, which becomes a film. */
  gifPixelsMax: 921_600,
  /** Bits a second of a film that is encoded anew, and bytes of its file. */
  filmBitrateMax: 5_000_000,
  filmOutputBytesMax: 400 * 1_048_576,
  filmMilliseconds: 600_000,
  /** Address space of one run of ffmpeg. */
  filmAddressBytesMax: 4_096 * 1_048_576,
  /** Time for decoding one picture, and what its process may hold meanwhile. */
  pictureMilliseconds: 30_000,
  processBytesMax: 768 * 1_048_576,
} as const;
