import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseSignatureHeader,
  signatureHeaderOf,
  signingString,
} from '../../../src/outbound/signatures/draft-cavage.ts';

const keyId = 'https://away.example/users/alice#main-key';
const base = `keyId="${keyId}",algorithm="rsa-sha256",headers="(request-target) host date",signature="YWJj"`;

describe('signature header', () => {
  it('gives all parameters', () => {
    expect(parseSignatureHeader(`${base},created=1700000000,expires=1700000300.5`)).toEqual({
      keyId,
      algorithm: 'rsa-sha256',
      signedHeaders: ['(request-target)', 'host', 'date'],
      signature: Buffer.from('abc'),
      created: '1700000000',
      expires: '1700000300.5',
    });
  });

  it.each([
    ['any order', `signature="YWJj",headers="host date",keyId="${keyId}"`],
    ['spaces around separators', `keyId = "${keyId}" , signature = "YWJj" , headers = "host date"`],
    ['the old prefix', `Signature ${base}`],
    ['quoted numbers', `${base},created="1700000000"`],
    ['parameters of other drafts', `${base},opaque="x"`],
    ['names in any case', base.replace('keyId', 'KEYID')],
    ['header names in capitals', base.replace('host date', 'Host Date')],
  ])('accepts %s', (_name, header) => {
    const parsed = parseSignatureHeader(header);
    expect(parsed?.keyId).toBe(keyId);
    expect(parsed?.signedHeaders.slice(-2)).toEqual(['host', 'date']);
  });

  it('takes for base64 what the pattern of base64 says, padded or not', () => {
    const padded = fc.uint8Array({ minLength: 1, maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    const character = fc.constantFrom('A', 'Q', '/', '+', '=', '-', '_', ' ', 'é');
    const text = fc.oneof(padded, fc.string({ unit: character, maxLength: 9 }));
    fc.assert(
      fc.property(text, (signature) => {
        const parsed = parseSignatureHeader(base.replace('YWJj', signature));
        expect(parsed !== undefined).toBe(/^[A-Za-z0-9+/]+={0,2}$/.test(signature));
      }),
      { numRuns: 500 },
    );
  });

  it('means the date alone when no headers are named', () => {
    expect(parseSignatureHeader(`keyId="${keyId}",signature="YWJj"`)?.signedHeaders).toEqual(['date']);
  });

  it.each([
    ['empty', ''],
    ['no keyId', 'signature="YWJj"'],
    ['an empty keyId', 'keyId="",signature="YWJj"'],
    ['no signature', `keyId="${keyId}"`],
    ['a keyId twice', `${base},keyId="https://evil.example/#main-key"`],
    ['a keyId twice in another case', `${base},keyid="https://evil.example/#main-key"`],
    ['an escape', base.replace('alice', 'al\\"ice')],
    ['an open quote', `keyId="${keyId}`],
    ['a trailing comma', `${base},`],
    ['no comma between', `keyId="${keyId}" signature="YWJj"`],
    ['text without quotes', `keyId=${keyId},signature="YWJj"`],
    ['a signature that is not base64', base.replace('YWJj', 'YW-j')],
    ['an empty signature', base.replace('YWJj', '')],
    ['a header signed twice', base.replace('host date', 'host host')],
    ['no signed header', base.replace('(request-target) host date', '')],
    ['created in words', `${base},created="now"`],
    ['created as a fraction', `${base},created=1.5`],
    ['seventeen parameters', `${base},${Array.from({ length: 13 }, (_, index) => `${'x'.repeat(index + 1)}="1"`)}`],
    ['a signature longer than any key makes', base.replace('YWJj', 'YWJj'.repeat(400))],
    ['more than the header may hold', `${base},opaque="${'x'.repeat(9_000)}"`],
    ['a line break in a name', base.replace('host date', 'host\ndate')],
  ])('refuses %s', (_name, header) => {
    expect(parseSignatureHeader(header)).toBeUndefined();
  });

  it.each([
    [{ signature: base }, base],
    [{ authorization: `Signature ${base}` }, `Signature ${base}`],
    [{ authorization: 'Bearer abc' }, undefined],
    [{}, undefined],
  ])('is found in %o', (headers, expected) => {
    expect(signatureHeaderOf(new Map(Object.entries(headers)))).toBe(expected);
  });
});

describe('signing string', () => {
  const request = {
    method: 'POST',
    headers: new Map([
      ['host', ' home.example '],
      ['x-empty', ''],
    ]),
  };
  const signature = { created: '1700000000', expires: undefined };

  it('has one line per signed header, in the order of the signature', () => {
    const signedHeaders = ['host', '(request-target)', '(created)', 'x-empty'];
    expect(signingString(request, { ...signature, signedHeaders }, '/inbox?a=%2f')).toBe(
      'host: home.example\n(request-target): post /inbox?a=%2f\n(created): 1700000000\nx-empty: ',
    );
  });

  it.each(['digest', '(expires)', '__proto__', 'constructor'])('needs %s to be there', (name) => {
    expect(signingString(request, { ...signature, signedHeaders: ['host', name] }, '/inbox')).toBeUndefined();
  });
});
