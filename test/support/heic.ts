/**
 * Makes photographs as iPhones do: HEVC tiles side by side, which a grid joins and a property turns (HEIF,
 * ISO/IEC 23008-12). The tiles are encoded by ffmpeg, the boxes around them are written here.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Colour = readonly [red: number, green: number, blue: number];

const tileSide = 64;

/** Tiles in a row, turned by so many quarters against the clock. */
export function heicOf(colours: readonly Colour[], quarters: number): Buffer {
  const { configuration, tiles } = encoded(colours);
  const gridId = tiles.length + 1;
  const width = tileSide * tiles.length;
  const grid = Buffer.concat([Buffer.from([0, 0, 0, tiles.length - 1]), u16(width, tileSide)]);
  const items = [...tiles, grid];
  const properties = [
    configuration,
    full('ispe', u32(tileSide, tileSide)),
    full('ispe', u32(width, tileSide)),
    box('irot', Buffer.from([quarters])),
  ];
  const metaOf = (start: number) =>
    full(
      'meta',
      full('hdlr', u32(0), Buffer.from('pict'), u32(0, 0, 0), Buffer.from([0])),
      full('pitm', u16(gridId)),
      locations(items, start),
      full('iinf', u16(items.length), ...items.map((_, index) => entry(index + 1, index + 1 === gridId))),
      full('iref', box('dimg', u16(gridId, tiles.length, ...tiles.map((_, index) => index + 1)))),
      box(
        'iprp',
        box('ipco', ...properties),
        full(
          'ipma',
          u32(items.length),
          ...items.map((_, index) => {
            const of = index + 1 === gridId ? [3, 4 | essential] : [1 | essential, 2];
            return Buffer.concat([u16(index + 1), Buffer.from([of.length, ...of])]);
          }),
        ),
      ),
    );
  const type = box('ftyp', Buffer.from('heic'), u32(0), Buffer.from('mif1heic'));
  const start = type.length + metaOf(0).length + 8;
  return Buffer.concat([type, metaOf(start), box('mdat', ...items)]);
}

const essential = 0x80;
const hidden = 1;

function entry(id: number, isGrid: boolean): Buffer {
  const flags = isGrid ? 0 : hidden;
  return box('infe', u32((2 << 24) | flags), u16(id, 0), Buffer.from(isGrid ? 'grid' : 'hvc1'), Buffer.from([0]));
}

function locations(items: readonly Buffer[], start: number): Buffer {
  let at = start;
  const extents = items.map((item, index) => {
    const extent = Buffer.concat([u16(index + 1, 0, 1), u32(at, item.length)]);
    at += item.length;
    return extent;
  });
  return full('iloc', u16(0x4400, items.length), ...extents);
}

/** The configuration box of HEVC, and the coded frames: one for each colour. */
function encoded(colours: readonly Colour[]): { configuration: Buffer; tiles: Buffer[] } {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-heic-'));
  const file = join(folder, 'tiles.mp4');
  const frames = colours.map((colour) => Buffer.alloc(tileSide * tileSide * 3, Buffer.from(colour)));
  try {
    execFileSync(
      'ffmpeg',
      [
        ...['-v', 'error', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${tileSide}x${tileSide}`, '-r', '1'],
        ...['-i', 'pipe:', '-c:v', 'libx265', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1'],
        ...['-x265-params', 'keyint=1:log-level=none:pools=1', file],
      ],
      { input: Buffer.concat(frames), stdio: ['pipe', 'ignore', 'pipe'] },
    );
    return framesOf(readFileSync(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function framesOf(film: Buffer): { configuration: Buffer; tiles: Buffer[] } {
  const configurationAt = film.indexOf('hvcC') - 4;
  const configuration = film.subarray(configurationAt, configurationAt + film.readUInt32BE(configurationAt));
  const sizesAt = film.indexOf('stsz') + 12;
  const count = film.readUInt32BE(sizesAt);
  let at = film.readUInt32BE(film.indexOf('stco') + 12);
  const tiles = Array.from({ length: count }, (_, index) => {
    const tile = film.subarray(at, at + film.readUInt32BE(sizesAt + 4 + 4 * index));
    at += tile.length;
    return tile;
  });
  return { configuration, tiles };
}

function box(type: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type), body]);
}

/** With a version and flags, all 0. */
function full(type: string, ...content: readonly Buffer[]): Buffer {
  return box(type, u32(0), ...content);
}

function u16(...numbers: readonly number[]): Buffer {
  return Buffer.concat(numbers.map((number) => Buffer.from([number >> 8, number & 255])));
}

function u32(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index);
  return bytes;
}
