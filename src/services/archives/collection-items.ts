/**
 * The items of a collection in a file of JSON (`orderedItems`), one after the other, wherever they stand in it: memory holds one
 * of them, and a piece of the file.
 */
import { archiveRefused } from './archive-problems.ts';

export interface CollectionItem {
  /** Where it is in the file. */
  readonly offset: number;
  readonly bytes: number;
  /** Undefined for one that is larger than the bound. */
  readonly text: Buffer | undefined;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const opening: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closing: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const openingBracket = 0x5b;
const blank: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const keyOfItems = '"orderedItems"';
/** Inside the object that is the collection, and inside its list of items. */
const [inCollection, inItems] = [1, 2];

/** Throws Failure archiveBroken where the file ends within the collection, archiveWithoutPosts where it is none. */
export async function* itemsOfCollection(
  source: AsyncIterable<Buffer>,
  itemBytesMax: number,
): AsyncGenerator<CollectionItem> {
  const scanner = new Scanner(itemBytesMax);
  for await (const piece of source) yield* scanner.read(piece);
  scanner.end();
}

class Scanner {
  private readonly itemBytesMax: number;
  /** Of the bytes before this piece. */
  private before = 0;
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  /** What stands between the last separator and here, inside the collection: the name of a member. */
  private key = '';
  private isInItems = false;
  private hasItems = false;
  /** Of the item that is being read. */
  private offset = -1;
  private pieces: readonly Buffer[] | undefined = [];

  constructor(itemBytesMax: number) {
    this.itemBytesMax = itemBytesMax;
  }

  *read(piece: Buffer): Generator<CollectionItem> {
    for (let index = 0; index < piece.length; index += 1) {
      const byte = piece[index]!;
      if (this.isInString) {
        this.readString(byte);
        continue;
      }
      const end = this.readStructure(byte, this.before + index);
      if (end !== undefined) yield this.itemUpTo(end, piece);
    }
    if (this.offset >= 0) this.keep(piece, this.before + piece.length);
    this.before += piece.length;
  }

  end(): void {
    if (this.depth !== 0 || this.isInString) throw archiveRefused('archiveBroken');
    if (!this.hasItems) throw archiveRefused('archiveWithoutPosts');
  }

  private readString(byte: number): void {
    if (this.depth === inCollection && this.key.length < keyOfItems.length) this.key += String.fromCharCode(byte);
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === backslash) this.isEscaped = true;
    else if (byte === quote) this.isInString = false;
  }

  /** Returns where an item ends, if it does. */
  private readStructure(byte: number, at: number): number | undefined {
    if (blank.has(byte)) return undefined;
    const isBetween = this.isInItems && this.depth === inItems;
    if (isBetween && this.offset < 0 && byte !== comma && !closing.has(byte)) this.offset = at;
    if (byte === quote) {
      this.isInString = true;
      if (this.depth === inCollection) this.key = '"';
    } else if (opening.has(byte)) this.open(byte);
    else if (closing.has(byte)) return this.close(at);
    else if (byte === comma && isBetween && this.offset >= 0) return at;
    else if (this.depth === inCollection && byte !== colon) this.key = '';
    return undefined;
  }

  private open(byte: number): void {
    if (byte === openingBracket && this.depth === inCollection && this.key === keyOfItems) {
      this.isInItems = true;
      this.hasItems = true;
    }
    this.key = '';
    this.depth += 1;
  }

  private close(at: number): number | undefined {
    this.depth -= 1;
    if (this.depth < 0) throw archiveRefused('archiveBroken');
    if (!this.isInItems) return undefined;
    if (this.depth === inItems) return at + 1;
    if (this.depth !== inCollection) return undefined;
    this.isInItems = false;
    return this.offset >= 0 ? at : undefined;
  }

  private keep(piece: Buffer, end: number): void {
    const bytes = end - this.offset;
    if (bytes > this.itemBytesMax) this.pieces = undefined;
    else if (this.pieces !== undefined)
      this.pieces = [...this.pieces, piece.subarray(Math.max(0, this.offset - this.before), end - this.before)];
  }

  private itemUpTo(end: number, piece: Buffer): CollectionItem {
    this.keep(piece, end);
    const item = {
      offset: this.offset,
      bytes: end - this.offset,
      text: this.pieces === undefined ? undefined : Buffer.concat(this.pieces),
    };
    this.offset = -1;
    this.pieces = [];
    return item;
  }
}
