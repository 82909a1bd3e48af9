/** A JSON array made in slices (see TimeSlices): what each of them adds is a piece of the answer, sent as it is. */
export class JsonPieces {
  private readonly pieces: Buffer[] = [];

  add(values: readonly unknown[]): void {
    if (values.length === 0) return;
    const elements = JSON.stringify(values).slice(1, -1);
    this.pieces.push(Buffer.from(this.pieces.length === 0 ? `[${elements}` : `,${elements}`));
  }

  end(): readonly Buffer[] {
    this.pieces.push(Buffer.from(this.pieces.length === 0 ? '[]' : ']'));
    return this.pieces;
  }
}
