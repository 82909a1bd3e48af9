/** Temporary files of uploads: whole however little memory there is for what waits, and refused by a disk that stands still. */
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { AnswerBlocks } from '../../../src/gateway/http/answer-blocks.ts';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import { TemporaryFile } from '../../../src/gateway/http/uploads/temporary-file.ts';
import { UploadWrites } from '../../../src/gateway/http/uploads/upload-writes.ts';
import { until } from '../../support/until.ts';

const { pieceBytes, uploadBytesAtOnce, uploadStallMilliseconds } = httpLimits;

function create(bytesMax: number) {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-writes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const writes = new UploadWrites({ blocks: new AnswerBlocks(), bytesMax, onRoom: () => undefined });
  const errors: (Error | undefined)[] = [];
  const file = new TemporaryFile(join(folder, 'a'), writes, (error) => errors.push(error));
  return { folder, writes, file, errors };
}

/** Each place has a byte of its own neighbourhood. */
function counted(from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let index = 0; index < length; index += 1) bytes[index] = (from + index) % 251;
  return bytes;
}

const sizes = [1, 70_000, 3, uploadBytesAtOnce, pieceBytes, pieceBytes - 1, 500_000, 2, 300_000, 40];

describe.each([
  ['no memory', 0],
  ['memory for some', 3 * pieceBytes],
  ['memory for most', 2 * uploadBytesAtOnce],
  ['memory for all', Number.POSITIVE_INFINITY],
])('%s', (_what, bytesMax) => {
  test('writes everything to its place', async () => {
    const { file, writes, errors } = create(bytesMax);
    for (const round of [0, 1, 2]) {
      for (const size of sizes) {
        const bytes = counted(file.byteLength, size);
        file.append(bytes);
        bytes.fill(255);
        expect(writes.bytes).toBeLessThanOrEqual(Math.max(bytesMax, 0) + pieceBytes);
      }
      if (round === 1) await until(() => !file.isWriting);
    }
    file.flush();
    await until(() => !file.isWriting);
    file.close();
    const total = 3 * sizes.reduce((sum, size) => sum + size, 0);
    expect(readFileSync(file.path).equals(counted(0, total))).toBe(true);
    expect([writes.bytes, errors.filter((error) => error !== undefined)]).toEqual([0, []]);
  });
});

test('few writes are made at a time, whoever makes them, and all of them', async () => {
  const { file, folder, writes } = create(Number.POSITIVE_INFINITY);
  const others = ['b', 'c', 'd', 'e'].map((name) => new TemporaryFile(join(folder, name), writes, () => undefined));
  for (const one of [file, ...others]) one.append(counted(0, 2 * uploadBytesAtOnce));
  for (const one of [file, ...others]) one.flush();
  await until(() => writes.bytes === 0);
  for (const one of [file, ...others]) {
    one.close();
    expect(readFileSync(one.path).equals(counted(0, 2 * uploadBytesAtOnce))).toBe(true);
  }
});

test('a removed file is gone though it was being written, and its memory is given back', async () => {
  const { file, folder, writes } = create(Number.POSITIVE_INFINITY);
  file.append(counted(0, uploadBytesAtOnce + 5));
  expect(file.isWriting).toBe(true);
  file.remove();
  await until(() => readdirSync(folder).length === 0 && writes.bytes === 0);
});

test('a disk that stands still takes no more than fits into memory', () => {
  const { file } = create(uploadBytesAtOnce + pieceBytes);
  file.append(counted(0, uploadBytesAtOnce));
  file.append(counted(0, 2 * pieceBytes));
  const later = performance.now() + uploadStallMilliseconds + 1;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
  onTestFinished(() => clock.mockRestore());
  expect(() => file.append(counted(0, 2 * pieceBytes))).toThrow('overloaded');
});

test('what cannot be written is told', async () => {
  const { folder, writes } = create(Number.POSITIVE_INFINITY);
  const path = join(folder, 'read-only');
  closeSync(openSync(path, 'w'));
  const descriptor = openSync(path, 'r');
  let told: Error | undefined;
  const done = (error: Error | undefined) => {
    told = error;
  };
  writes.write({ descriptor, pieces: [Buffer.from('x')], position: 0, done });
  await until(() => told !== undefined);
  closeSync(descriptor);
  expect((told as NodeJS.ErrnoException).code).toBe('EBADF');
});
