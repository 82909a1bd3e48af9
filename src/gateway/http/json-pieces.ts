/** A JSON array made in slices (see TimeSlices): what each of them adds is a piece of the answer, sent as it is. */
const emptyArrayBytes = 2;
const comma = 0x2c;

export class JsonPieces {
  private readonly pieces: Buffer[] = [];

  add(values: readonly unknown[]): void {
    if (values.length === 0) return;
    this.addArray(Buffer.from(JSON.stringify(values)));
  }

  /** Adds the elements of an encoded array, which is copied. */
  addArray(encoded: Uint8Array): void {
    if (encoded.length === emptyArrayBytes) return;
    const piece = Buffer.from(encoded.subarray(0, -1));
    if (this.pieces.length > 0) piece[0] = comma;
    this.pieces.push(piece);
  }

  end(): readonly Buffer[] {
    this.pieces.push(Buffer.from(this.pieces.length === 0 ? '[]' : ']'));
    return this.pieces;
  }
}
