/**
 * Finds damage in the file of an LMDB environment with plain reads before it is mapped: a mapped file that is shorter
 * than its meta pages say ends the process with SIGBUS, one with overwritten pages with SIGSEGV, both without a
 * message.
 *
 * The layout is that of the LMDB bundled with lmdb-js (data version 2, 64 bits, little-endian): two meta pages, then
 * pages that begin with their own number. A test reads files written by this library.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { freeRuns, metaPages, PageUses } from './lmdb-pages.ts';

const magic = 0xbeefc0de;
const dataVersion = 2;
const pageHeaderBytes = 24;
const metaBytes = 168;
const pageBytesMin = 512;
const pageBytesMax = 65_536;
const noPage = 0xffff_ffff_ffff_ffffn;
const pageFlags = { branch: 1, leaf: 2, overflow: 4, meta: 8 } as const;
/** A node whose value lies on overflow pages. */
const bigValueFlag = 1;
/** Far deeper than a tree of 2^64 pages. */
const depthMax = 32;

interface Tree {
  readonly root: bigint;
  readonly depth: number;
}

interface Meta {
  readonly pageBytes: number;
  readonly trees: readonly Tree[];
  readonly lastPage: bigint;
  readonly transaction: bigint;
}

/** A page of a tree. */
interface TreePage {
  readonly number: bigint;
  /** Of the tree whose values are lists of free pages. */
  readonly isOfFreePages: boolean;
}

/** Its message is part of a sentence ("its first page …"). */
class Damage extends Error {}

export interface Examination {
  /** Pages to read at most, those nearest the root first. All where omitted, and then no page may have two uses. */
  readonly pagesMax?: number;
}

/**
 * The damage of the file, as the end of a sentence that begins with its name; undefined for a sound file. Throws the
 * error of the operating system where the file cannot be read.
 */
export function damageOfLmdbFile(path: string, examination: Examination = {}): string | undefined {
  const file = openSync(path, 'r');
  try {
    new LmdbFile(file).examine(examination.pagesMax ?? Number.POSITIVE_INFINITY);
    return undefined;
  } catch (error) {
    if (error instanceof Damage) return error.message;
    throw error;
  } finally {
    closeSync(file);
  }
}

class LmdbFile {
  private readonly file: number;
  private readonly bytes: number;
  /** Set when all pages are read. */
  private uses: PageUses | undefined;

  constructor(file: number) {
    this.file = file;
    this.bytes = fstatSync(file).size;
  }

  examine(pagesMax: number): void {
    const meta = this.newestMeta();
    // The last pages may be missing: freed by the same transaction that allocated them, they were never written.
    const isShort = BigInt(this.bytes) < (meta.lastPage + 1n) * BigInt(meta.pageBytes);
    const isWhole = isShort || pagesMax === Number.POSITIVE_INFINITY;
    if (isWhole) this.uses = new PageUses(meta.lastPage);
    this.walk(meta, isWhole ? Number.POSITIVE_INFINITY : pagesMax);
    const page = this.uses?.contradiction;
    if (page !== undefined) throw new Damage(`contradicts itself: it uses page ${page}, and lists it as free`);
  }

  private newestMeta(): Meta {
    const first = this.readMeta(0, 'its first page');
    const second = this.readMeta(first.pageBytes, 'its second page');
    if (first.pageBytes !== second.pageBytes) throw new Damage('its first two pages contradict each other');
    return first.transaction > second.transaction ? first : second;
  }

  private readMeta(offset: number, name: string): Meta {
    const page = this.read(offset, metaBytes);
    if (page === undefined) throw new Damage(`is cut off: it has only ${this.bytes} bytes`);
    if (page.every((byte) => byte === 0)) throw new Damage(`is overwritten: ${name} is empty`);
    const view = new DataView(page.buffer, page.byteOffset);
    if (view.getUint32(24, true) !== magic || (view.getUint16(18, true) & pageFlags.meta) === 0)
      throw new Damage(`is overwritten: ${name} is not one of a database`);
    if ((view.getUint32(28, true) & 0xffff) !== dataVersion)
      throw new Damage('was written by a version of LMDB that this server does not read');
    const pageBytes = view.getUint32(48, true);
    if (pageBytes < pageBytesMin || pageBytes > pageBytesMax || (pageBytes & (pageBytes - 1)) !== 0)
      throw new Damage(`is overwritten: ${name} says that pages have ${pageBytes} bytes`);
    const tree = (at: number): Tree => ({
      root: view.getBigUint64(at + 40, true),
      depth: view.getUint16(at + 6, true),
    });
    return {
      pageBytes,
      trees: [tree(48), tree(96)],
      lastPage: view.getBigUint64(144, true),
      transaction: view.getBigUint64(152, true),
    };
  }

  /** Level by level from the roots; every page counts against `pagesMax`. */
  private walk(meta: Meta, pagesMax: number): void {
    let level: TreePage[] = meta.trees.flatMap(({ root }, index) =>
      root === noPage ? [] : { number: root, isOfFreePages: index === 0 },
    );
    let pages = 0;
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > depthMax) throw new Damage('is overwritten: its pages lead in a circle');
      const below: TreePage[] = [];
      for (const page of level) {
        if (pages >= pagesMax) return;
        pages += 1;
        for (const child of this.childrenOf(page, meta)) below.push(child);
      }
      level = below;
    }
  }

  private childrenOf({ number, isOfFreePages }: TreePage, meta: Meta): TreePage[] {
    const page = this.readPage(number, meta);
    this.assertUsedOnce(number, 1n);
    const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
    const flags = view.getUint16(18, true);
    const isBranch = (flags & pageFlags.branch) !== 0;
    if (isBranch === ((flags & pageFlags.leaf) !== 0)) throw overwritten(number);
    const nodes = view.getUint16(20, true) >> 1;
    if (pageHeaderBytes + nodes * 2 > meta.pageBytes || (isBranch && nodes === 0)) throw overwritten(number);
    const children: TreePage[] = [];
    for (let index = 0; index < nodes; index += 1) {
      const node = pageHeaderBytes + view.getUint16(pageHeaderBytes + index * 2, true);
      if (node + 8 > meta.pageBytes) throw overwritten(number);
      if (isBranch) children.push({ number: pageOfNode(view, node), isOfFreePages });
      else {
        const list = this.valueOfLeaf(number, page, node, meta, isOfFreePages);
        if (list !== undefined) this.noteFree(list, meta);
      }
    }
    return children;
  }

  /** Checks where the value of a node lies. It is read only where it is wanted and pages are noted. */
  private valueOfLeaf(number: bigint, page: Buffer, node: number, meta: Meta, isWanted: boolean): Buffer | undefined {
    const value = node + 8 + page.readUInt16LE(node + 6);
    const length = page.readUInt16LE(node) + page.readUInt16LE(node + 2) * 0x1_0000;
    const isBig = (page.readUInt16LE(node + 4) & bigValueFlag) !== 0;
    if (value + (isBig ? 24 : length) > meta.pageBytes) throw overwritten(number);
    const isRead = isWanted && this.uses !== undefined;
    if (!isBig) return isRead ? page.subarray(value, value + length) : undefined;
    const first = page.readBigUInt64LE(value);
    const pagesNeeded = BigInt(Math.ceil((pageHeaderBytes + length) / meta.pageBytes));
    const header = this.readPage(first, meta);
    if ((header.readUInt16LE(18) & pageFlags.overflow) === 0) throw overwritten(first);
    if ((first + pagesNeeded) * BigInt(meta.pageBytes) > BigInt(this.bytes)) throw this.cutOff(meta);
    const pages = page.readBigUInt64LE(value + 16);
    if (pages < pagesNeeded || first + pages > meta.lastPage + 1n) throw overwritten(number);
    this.assertUsedOnce(first, pages);
    return isRead ? this.read(Number(first) * meta.pageBytes + pageHeaderBytes, length) : undefined;
  }

  private assertUsedOnce(first: bigint, pages: bigint): void {
    const page = this.uses?.use(first, pages);
    if (page !== undefined) throw new Damage(`contradicts itself: it uses page ${page} twice`);
  }

  private noteFree(list: Buffer, meta: Meta): void {
    for (const [first, pages] of freeRuns(list)) {
      if (first < metaPages || first + pages > meta.lastPage + 1n)
        throw new Damage(`contradicts itself: it lists page ${first} as free, which it cannot use`);
      const page = this.uses!.offer(first, pages);
      if (page !== undefined) throw new Damage(`contradicts itself: it lists page ${page} as free twice`);
    }
  }

  private readPage(number: bigint, meta: Meta): Buffer {
    if (number < metaPages || number > meta.lastPage) throw overwritten(number);
    const page = this.read(Number(number) * meta.pageBytes, meta.pageBytes);
    if (page === undefined) throw this.cutOff(meta);
    if (page.readBigUInt64LE(0) !== number) throw overwritten(number);
    return page;
  }

  private cutOff(meta: Meta): Damage {
    const expected = (meta.lastPage + 1n) * BigInt(meta.pageBytes);
    return new Damage(`is cut off: it has ${this.bytes} bytes where its first page tells of ${expected}`);
  }

  /** Undefined beyond the end of the file. */
  private read(offset: number, length: number): Buffer | undefined {
    const buffer = Buffer.alloc(length);
    return readSync(this.file, buffer, 0, length, offset) === length ? buffer : undefined;
  }
}

function overwritten(page: bigint): Damage {
  return new Damage(`is overwritten: its page ${page} is not what it was`);
}

/** A 48-bit number in three pieces. */
function pageOfNode(view: DataView, node: number): bigint {
  const low = BigInt(view.getUint32(node, true));
  return low | (BigInt(view.getUint16(node + 4, true)) << 32n);
}
