import { expect, test } from 'vitest';
import { openToken, sealingKey, sealToken } from '../../src/services/sealed-tokens.ts';

const key = sealingKey({ formSecret: 'a secret of the server' });
const binding = { accountId: 1n, tokenId: 'digest', endpoint: 'https://push.example/1' };
const token = 'the token as issued';

test('a token opens as it was issued, and never reads or looks the same', () => {
  const sealed = sealToken(key, binding, token);
  expect(openToken(key, binding, sealed)).toBe(token);
  expect(sealToken(key, binding, token)).not.toBe(sealed);
  expect(Buffer.from(sealed, 'base64url').toString()).not.toContain(token);
});

test.each([
  ['another account', { ...binding, accountId: 2n }],
  ['another token', { ...binding, tokenId: 'other' }],
  ['another endpoint', { ...binding, endpoint: 'https://push.example/2' }],
])('it does not open for %s', (_what, other) => {
  expect(openToken(key, other, sealToken(key, binding, token))).toBeUndefined();
});

test('it does not open with other secrets, or changed', () => {
  const sealed = sealToken(key, binding, token);
  expect(openToken(sealingKey({ formSecret: 'another' }), binding, sealed)).toBeUndefined();
  const changed = Buffer.from(sealed, 'base64url');
  changed[20]! ^= 1;
  for (const wrong of [changed.toString('base64url'), sealed.slice(0, -3), '', 'x'])
    expect(openToken(key, binding, wrong)).toBeUndefined();
});
