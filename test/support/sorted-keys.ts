/** Keys in their order, in pieces: to put one in or take one out moves no more than its piece, however many there are. */
import { lowerBound } from '../../src/runtime/storage/layer.ts';

const pieceMax = 512;

export class SortedKeys {
  /** None of them is empty. */
  private pieces: string[][] = [];

  /** A key that is not there yet. */
  add(key: string): void {
    const index = this.pieceOf(key);
    const piece = this.pieces[index];
    if (piece === undefined) this.pieces.push([key]);
    else {
      piece.splice(lowerBound(piece, key), 0, key);
      if (piece.length > pieceMax) this.pieces.splice(index + 1, 0, piece.splice(pieceMax / 2));
    }
  }

  /** A key that is there. */
  delete(key: string): void {
    const index = this.pieceOf(key);
    const piece = this.pieces[index]!;
    piece.splice(lowerBound(piece, key), 1);
    if (piece.length === 0) this.pieces.splice(index, 1);
  }

  replaceAll(keys: Iterable<string>): void {
    this.pieces = [];
    const sorted = [...keys].sort();
    for (let start = 0; start < sorted.length; start += pieceMax)
      this.pieces.push(sorted.slice(start, start + pieceMax));
  }

  /** From `start` up to but not including `end`: the first or, in reverse, the last ones. */
  between(start: string, end: string, limit: number, reverse: boolean): string[] {
    const found: string[] = [];
    const step = reverse ? -1 : 1;
    for (let index = this.pieceOf(reverse ? end : start); found.length < limit; index += step) {
      const piece = this.pieces[index];
      if (piece === undefined || (reverse ? piece.at(-1)! < start : piece[0]! >= end)) break;
      const inside = piece.slice(lowerBound(piece, start), lowerBound(piece, end));
      for (const key of reverse ? inside.reverse() : inside) found.push(key);
    }
    return found.length > limit ? found.slice(0, limit) : found;
  }

  /** The piece that a key belongs to. */
  private pieceOf(key: string): number {
    let low = 0;
    let high = this.pieces.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.pieces[middle]![0]! <= key) low = middle;
      else high = middle;
    }
    return low;
  }
}
