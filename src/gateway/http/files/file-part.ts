/** Which bytes of a file are sent. */
import type { ByteSource } from '../../../services/blobs/byte-source.ts';

export interface FilePart {
  readonly source: ByteSource;
  readonly start: number;
  /** At least 1. */
  readonly length: number;
}
