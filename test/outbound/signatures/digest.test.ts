import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkDigest, digestHeader, parseDigestHeader } from '../../../src/outbound/signatures/digest.ts';

const body = Buffer.from('{"type":"Note"}');
const sha256 = createHash('sha256').update(body).digest('base64');
const sha512 = createHash('sha512').update(body).digest('base64');
const other = createHash('sha256').update('other').digest('base64');

describe('digest header', () => {
  it('is written with the algorithm in upper case', () => {
    expect(digestHeader(body)).toBe(`SHA-256=${sha256}`);
  });

  it('of an empty body is that of no bytes', () => {
    expect(digestHeader(Buffer.alloc(0))).toBe('SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=');
  });

  it.each([
    ['upper case', `SHA-256=${sha256}`, undefined],
    ['lower case', `sha-256=${sha256}`, undefined],
    ['sha-512 alone', `SHA-512=${sha512}`, undefined],
    ['two that hold', `SHA-512=${sha512}, SHA-256=${sha256}`, undefined],
    ['an unknown one beside a known', `MD5=abcd,SHA-256=${sha256}`, undefined],
    ['one that holds and one that does not', `SHA-512=${sha512},SHA-256=${other}`, 'digestMismatch'],
    ['in the alphabet of addresses', `SHA-256=${sha256.replaceAll('+', '-').replaceAll('/', '_')}`, undefined],
    ['of another body', `SHA-256=${other}`, 'digestMismatch'],
    ['cut short', `SHA-256=${sha256.slice(0, 20)}`, 'digestMismatch'],
    ['unknown algorithms only', 'MD5=abcd,crc32c=1234', 'digestUnsupported'],
    ['the same algorithm twice', `SHA-256=${other},sha-256=${sha256}`, 'digestMalformed'],
    ['no value', 'SHA-256=', 'digestMalformed'],
    ['no algorithm', sha256.replaceAll('=', ''), 'digestMalformed'],
    ['empty', '', 'digestMalformed'],
    ['nine algorithms', Array.from({ length: 9 }, (_, index) => `a${index}=abcd`).join(','), 'digestMalformed'],
    ['too long', `SHA-256=${'A'.repeat(3_000)}`, 'digestMalformed'],
  ])('%s', (_name, header, refusal) => {
    expect(checkDigest(header, body)).toBe(refusal);
  });

  it('parses every entry in order', () => {
    expect(parseDigestHeader('SHA-512=ab==, sha-256=cd=')).toEqual([
      { algorithm: 'sha-512', value: 'ab==' },
      { algorithm: 'sha-256', value: 'cd=' },
    ]);
  });
});
