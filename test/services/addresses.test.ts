import { expect, test } from 'vitest';
import { Addresses } from '../../src/services/addresses.ts';

const addresses = new Addresses('https://here.example', 'example');
const local = new Addresses('http://localhost:3000');

test.each([
  'https://here.example/@alice',
  'https://here.example/users/alice',
  'https://here.example/@alice/',
  'https://here.example/@alice?x=1',
  'https://here.example/@alice/?x=1#y',
  'https://here.example/@alice#',
  'HTTPS://Here.Example/@alice',
  'https://here.example:443/@alice',
  'http://here.example/@alice',
])('%s is the account alice', (address) => {
  expect([addresses.isLocal(address), addresses.usernameOf(address)]).toEqual([true, 'alice']);
});

test.each([
  'https://here.example/@alice/7',
  'https://here.example/users/alice/statuses/7',
  'https://here.example/@alice/7?x=1',
  'https://here.example/@alice/7#y',
  'https://here.example/@alice/7/',
  'https://HERE.example/users/alice/statuses/7?a=/b/',
])('%s is her status', (address) => {
  expect(addresses.statusOf(address)).toEqual({ username: 'alice', id: 7n });
});

test('a collection is recognised in the same way', () => {
  expect(addresses.collectionIdOf('https://HERE.example/collections/9/?x')).toBe(9n);
  expect(addresses.collectionIdOf('https://here.example/users/alice/featured_collections/9#y')).toBe(9n);
});

test.each([
  'https://elsewhere.example/@alice',
  'https://here.example.evil.example/@alice',
  'https://here.example@evil.example/@alice',
  'https://alice@here.example/@alice',
  'https://here.example:8443/@alice',
  'ftp://here.example/@alice',
  '/@alice',
  '@alice@here.example',
  'https://example/@alice',
])('%s is no address of this server', (address) => {
  expect([addresses.isLocal(address), addresses.usernameOf(address), addresses.pathOf(address)]).toEqual([
    false,
    undefined,
    undefined,
  ]);
});

test('an account has no deeper address', () => {
  for (const path of ['/@alice//', '/@alice/x', '/@', '/users/alice/outbox', '/@alice/7/8', '/@alice/x?/7'])
    expect(
      addresses.usernameOf(`https://here.example${path}`) ?? addresses.statusOf(`https://here.example${path}`),
    ).toBe(undefined);
});

test('a port belongs to the host', () => {
  expect(local.usernameOf('http://LOCALHOST:3000/@alice?x')).toBe('alice');
  expect(local.isLocal('http://localhost/@alice')).toBe(false);
});
