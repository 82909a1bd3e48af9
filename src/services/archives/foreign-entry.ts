/** A file in an archive that somebody else has made, or a folder, whose path ends with `/`. */
export interface ForeignEntry {
  readonly path: string;
  /** To be read before the next entry is asked for, or not at all. */
  content(): AsyncIterable<Buffer>;
}
