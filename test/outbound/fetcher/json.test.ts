import { describe, expect, it } from 'vitest';
import { parseJsonObject } from '../../../src/outbound/fetcher/json.ts';

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

  it.each([
    ['arrays', `{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`],
    ['objects', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
    ['arrays without an end', '['.repeat(1_000_000)],
  ])('refuses %s as deep as a body can hold, without a deep stack', (_name, text) => {
    expect(parseJsonObject(Buffer.from(text), 32)).toBeUndefined();
  });
});
