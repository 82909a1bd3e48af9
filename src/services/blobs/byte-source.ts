/** Bytes that can be read from any place: a file of this machine, or an object somewhere else. */
export interface ByteSource {
  readonly byteLength: number;
  /**
   * Reads some of the bytes from an offset on, at most as many as the memory takes, into its beginning. Resolves with how
   * many, which is 0 only at the end. Rejects when they cannot be read.
   */
  read(into: Uint8Array, offset: number): Promise<number>;
  /** For bytes that are still on their way: settles when those from this offset on can be read, or will never come. */
  arrival?(offset: number): Promise<void>;
  /** Called once, when nothing is being read. */
  close(): void;
}

/** All of its bytes in pieces, each valid until the next is asked for. The source stays open. */
export async function* bytesOf(source: ByteSource, pieceBytes: number): AsyncGenerator<Uint8Array> {
  const memory = new Uint8Array(Math.min(pieceBytes, source.byteLength));
  for (let offset = 0; offset < source.byteLength; ) {
    const count = await source.read(memory, offset);
    if (count === 0) return;
    yield memory.subarray(0, count);
    offset += count;
  }
}
