/** IP addresses, e-mail addresses and names, as lists of staff compare them. */
import { describe, expect, test } from 'vitest';
import { canonicalEmail, domainsOfEmail, isNamedBy, strictestOf } from '../../../src/actors/policy/access.ts';
import { AddressRanges, parseRange, rangeText } from '../../../src/actors/policy/addresses.ts';

describe('a range of addresses', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1/32'],
    ['192.0.2.77/24', '192.0.2.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['255.255.255.255', '255.255.255.255/32'],
    ['::ffff:192.0.2.1', '192.0.2.1/32'],
    ['::ffff:192.0.2.1/120', '192.0.2.0/24'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1/128'],
    ['2001:db8:1:2:3:4:5:6/48', '2001:db8:1::/48'],
    ['::', '::/128'],
    ['::1', '::1/128'],
    ['fe80::/10', 'fe80::/10'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3/128'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7/128'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201/128'],
  ])('%s is %s', (typed, normal) => {
    const text = rangeText(parseRange(typed)!);
    expect(text).toBe(normal);
    expect(rangeText(parseRange(text)!)).toBe(normal);
  });

  test.each([
    ...[
      '',
      'word',
      '1.2.3',
      '1.2.3.4.5',
      '1.2.3.256',
      '01.2.3.4',
      '1.2.3.4/33',
      '1.2.3.4/',
      '1.2.3.4/-1',
      '1.2.3.4/8/8',
    ],
    ...[
      '1:2',
      ':::',
      '1::2::3',
      '1:2:3:4:5:6:7:8:9',
      '12345::',
      'g::',
      '::1/129',
      '1:2:3:4:5:6:7::8',
      '::ffff:1.2.3.4/90',
    ],
  ])('%j is none', (typed) => {
    expect(parseRange(typed)).toBeUndefined();
  });

  test('contains addresses in any spelling, each family by itself', () => {
    const ranges = new AddressRanges<string>();
    for (const range of ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.3', '2001:db8::/32', '::/0'])
      ranges.set(parseRange(range)!, range);
    const containing = (address: string) => [...ranges.containing(address)].sort();
    expect(containing('10.1.2.3')).toEqual(['10.0.0.0/8', '10.1.0.0/16', '10.1.2.3']);
    expect(containing('::ffff:10.1.2.4')).toEqual(['10.0.0.0/8', '10.1.0.0/16']);
    expect(containing('11.0.0.0')).toEqual([]);
    expect(containing('2001:db8:0::1')).toEqual(['2001:db8::/32', '::/0']);
    expect(containing('nonsense')).toEqual([]);
    ranges.set(parseRange('10.1.0.0/16')!, undefined);
    expect(containing('10.1.2.4')).toEqual(['10.0.0.0/8']);
  });
});

test('of several blocks the strictest counts', () => {
  expect(strictestOf(['sign_up_block', 'sign_up_requires_approval'])).toBe('sign_up_block');
  expect(strictestOf(['sign_up_block', 'no_access'])).toBe('no_access');
  expect(strictestOf([])).toBeUndefined();
});

test.each([
  ['Bob.Smith+news@Mail.example', 'bobsmith@mail.example'],
  ['bob@mail.example', 'bob@mail.example'],
  [' bob@mail.example ', 'bob@mail.example'],
  ['+x@mail.example', undefined],
  ['bob', undefined],
  ['a@b@c', undefined],
])('%s is the mailbox %s', (email, canonical) => {
  expect(canonicalEmail(email)).toBe(canonical);
});

test('a domain of e-mail is below others', () => {
  expect(domainsOfEmail('bob@a.Mail.example')).toEqual(['a.mail.example', 'mail.example', 'example']);
  expect(domainsOfEmail('bob')).toEqual([]);
});

test.each([
  [{ username: 'admin', isExact: false }, 'the_Adm1n', true],
  [{ username: 'admin', isExact: true }, '4DM1N', true],
  [{ username: 'admin', isExact: true }, 'admins', false],
  [{ username: 'b0b', isExact: false }, 'bobby', true],
  [{ username: 'admin', isExact: false }, 'adam', false],
])('%j is about %s: %s', (rule, username, expected) => {
  expect(isNamedBy(rule, username)).toBe(expected);
});
