import { describe, expect, it } from 'vitest';
import { isDeeperThan, parseJsonObject } from '../../../src/gateway/fetcher/json.ts';

const parse = (text: string) => parseJsonObject(Buffer.from(text), 4);

describe('JSON of other servers', () => {
  it.each([
    ['an object', '{"a":[1,null,"b"]}', { a: [1, null, 'b'] }],
    ['a byte order mark before it', '\ufeff{"a":1}', { a: 1 }],
    ['the allowed depth', '{"a":[{"b":[]}]}', { a: [{ b: [] }] }],
    ['many neighbours', '{"a":[],"b":[],"c":[],"d":[],"e":[]}', { a: [], b: [], c: [], d: [], e: [] }],
    ['brackets in strings', '{"a":"[[[[[[\\"[[[[[\\\\"}', { a: '[[[[[["[[[[[\\' }],
  ])('reads %s', (_name, text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it.each([
    ['more depth', '{"a":[{"b":[{}]}]}'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a string', '"a"'],
    ['half an object', '{"a":'],
    ['HTML', '<!doctype html>'],
    ['nothing', ''],
  ])('refuses %s', (_name, text) => {
    expect(parse(text)).toBeUndefined();
  });

  it('measures a deep document without a deep stack', () => {
    expect(isDeeperThan(Buffer.from('['.repeat(1_000_000)), 1_000_001)).toBe(false);
    expect(isDeeperThan(Buffer.from('['.repeat(33)), 32)).toBe(true);
  });
});
