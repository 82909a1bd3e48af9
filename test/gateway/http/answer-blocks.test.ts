/** Memory for pieces of large answers is used again, and only after it was given back. */
import { describe, expect, test } from 'vitest';
import { AnswerBlocks } from '../../../src/gateway/http/answer-blocks.ts';
import { httpLimits } from '../../../src/gateway/http/limits.ts';

const { pieceBytes, idleBlocksMax } = httpLimits;

const filled = (length: number, byte: number) => Buffer.alloc(length, byte);

describe('a copy', () => {
  test.each([
    0,
    1,
    pieceBytes,
    pieceBytes + 1,
    3 * pieceBytes - 1,
  ])('of %i bytes has pieces no larger than one', (length) => {
    const pieces = new AnswerBlocks().copyOf(filled(length, 7));
    expect(pieces.map(({ byteLength }) => byteLength).every((bytes) => bytes <= pieceBytes)).toBe(true);
    expect(Buffer.concat(pieces).equals(filled(length, 7))).toBe(true);
    expect(pieces).toHaveLength(Math.ceil(length / pieceBytes));
  });

  test('stays as it was while others are made', () => {
    const blocks = new AnswerBlocks();
    const first = blocks.copyOf(filled(2 * pieceBytes, 1));
    blocks.giveBack(blocks.copyOf(filled(pieceBytes, 2))[0]!);
    blocks.copyOf(filled(2 * pieceBytes, 3));
    expect(Buffer.concat(first).equals(filled(2 * pieceBytes, 1))).toBe(true);
  });
});

describe('a piece that was given back', () => {
  test('is the memory of the next one, also where only its rest was left', () => {
    const blocks = new AnswerBlocks();
    const [first, second] = blocks.copyOf(filled(pieceBytes + 10, 1));
    blocks.giveBack(first!);
    blocks.giveBack(second!.subarray(4));
    expect(blocks.idleBytes).toBe(2 * pieceBytes);
    const next = blocks.copyOf(filled(2 * pieceBytes, 2));
    expect(new Set(next.map(({ buffer }) => buffer))).toEqual(new Set([first!.buffer, second!.buffer]));
    expect(Buffer.concat(next).equals(filled(2 * pieceBytes, 2))).toBe(true);
    expect(blocks.idleBytes).toBe(0);
  });

  test('is not kept above the bound', () => {
    const blocks = new AnswerBlocks();
    for (const piece of blocks.copyOf(filled((idleBlocksMax + 2) * pieceBytes, 1))) blocks.giveBack(piece);
    expect(blocks.idleBytes).toBe(idleBlocksMax * pieceBytes);
  });

  test('is kept beyond it while that is asked for', () => {
    const blocks = new AnswerBlocks();
    const bytes = (idleBlocksMax + 2) * pieceBytes;
    blocks.keep(bytes);
    for (const piece of blocks.copyOf(filled(bytes, 1))) blocks.giveBack(piece);
    expect(blocks.idleBytes).toBe(bytes);
    blocks.keep(0);
    expect(blocks.idleBytes).toBe(idleBlocksMax * pieceBytes);
  });
});

test('memory of others is left alone', () => {
  const blocks = new AnswerBlocks();
  blocks.giveBack(filled(pieceBytes, 1));
  blocks.giveBack(Buffer.from('of a pool'));
  expect(blocks.idleBytes).toBe(0);
});
