import { describe, expect, it } from 'vitest';
import { isSameHandle, normaliseHost, parseHandle } from '../../../src/federation/webfinger/handle.ts';

describe('handles', () => {
  it.each([
    ['alice@away.example', 'alice', 'away.example'],
    ['@alice@away.example', 'alice', 'away.example'],
    ['acct:alice@away.example', 'alice', 'away.example'],
    ['ACCT:Alice@AWAY.example', 'Alice', 'away.example'],
    [' alice@away.example. ', 'alice', 'away.example'],
    ['alice@away.example:443', 'alice', 'away.example'],
    ['alice@127.0.0.2:3000', 'alice', '127.0.0.2:3000'],
    ['alice@[::1]:3000', 'alice', '[::1]:3000'],
    ['alice@bücher.example', 'alice', 'xn--bcher-kva.example'],
    ['alice@localhost', 'alice', 'localhost'],
    ['instance.actor@away.example', 'instance.actor', 'away.example'],
    ['a-b_c.d@away.example', 'a-b_c.d', 'away.example'],
    ['ユーザー@away.example', 'ユーザー', 'away.example'],
    ['away.example@away.example', 'away.example', 'away.example'],
    ['away.example:3000@away.example:3000', 'away.example:3000', 'away.example:3000'],
  ])('%s', (text, username, host) => {
    expect(parseHandle(text)).toEqual({ username, host });
  });

  it.each([
    'alice',
    '@alice',
    '',
    '@',
    '@@away.example',
    'alice@',
    'alice@@away.example',
    'alice@away.example@evil.example',
    'alice@away.example/path',
    'alice@away.example?a',
    'alice@away.example#a',
    'alice@away.example\\',
    'alice@away example',
    'alice@%61way.example',
    'alice@.example',
    'alice@away..example',
    'alice@.',
    'alice@away.example:99999',
    'al ice@away.example',
    'email:25@away.example',
    'away.example:3000@other.example:3000',
    '.alice@away.example',
    'alice.@away.example',
    'alice/bob@away.example',
    'https://away.example/@alice',
    `${'a'.repeat(3_000)}@away.example`,
    `alice@${'a'.repeat(400)}.example`,
  ])('%s is none', (text) => {
    expect(parseHandle(text)).toBeUndefined();
  });

  it.each([
    ['alice@away.example', 'ALICE@away.example', true],
    ['alice@away.example', 'bob@away.example', false],
    ['alice@away.example', 'alice@evil.example', false],
  ])('%s and %s are the same: %s', (one, other, same) => {
    expect(isSameHandle(parseHandle(one)!, parseHandle(other)!)).toBe(same);
  });
});

it.each([
  ['AWAY.example.', 'away.example'],
  ['away.example:8443', 'away.example:8443'],
  ['user@away.example', undefined],
  ['', undefined],
  ['[2001:DB8::1]:8443', '[2001:db8::1]:8443'],
  ['a_b.away.example', 'a_b.away.example'],
  ['*.away.example', undefined],
  ['away.example,evil.example', undefined],
])('host %s becomes %s', (text, expected) => {
  expect(normaliseHost(text)).toBe(expected);
});
