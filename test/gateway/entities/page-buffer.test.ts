import { expect, test } from 'vitest';
import { entityLimits } from '../../../src/gateway/entities/limits.ts';
import { PageBuffer } from '../../../src/gateway/entities/page-buffer.ts';
import { SeededRandom } from '../../sim/random.ts';

/** Longer than what is left out without a view, and longer than the first buffer. */
const lengths = [0, 1, 5, 12, 16, 17, 40, entityLimits.bufferBytes];

test('holds what was appended, in parts, from a position on, and byte by byte', () => {
  const random = new SeededRandom(7);
  const buffer = new PageBuffer();
  for (let page = 0; page < 200; page += 1) {
    buffer.begin();
    let expected = Buffer.alloc(0);
    for (let count = random.below(12); count > 0; count -= 1) {
      const part = Buffer.alloc(random.pick(page % 20 === 0 ? lengths : lengths.slice(0, -1)), random.below(256));
      const position = Math.min(random.pick([0, 0, 1, 12, 16, 17]), part.length);
      const byte = random.below(256);
      if (position === 0) buffer.append(part);
      else buffer.appendFrom(part, position);
      buffer.appendByte(byte);
      expected = Buffer.concat([expected, part.subarray(position), Buffer.from([byte])]);
    }
    expect(buffer.page.equals(expected)).toBe(true);
  }
});

test('is cut and overwritten', () => {
  const buffer = new PageBuffer();
  buffer.begin();
  buffer.append(Buffer.from('abcdef'));
  buffer.truncate(4);
  buffer.overwrite(0, 0x5b);
  expect(buffer.page.toString()).toBe('[bcd');
});
