import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { Vapid } from '../../../src/outbound/web-push/vapid.ts';
import { readVapid } from '../../support/push-receiver.ts';

const hour = 3_600_000;
const keyPair = createECDH('prime256v1');
const publicKey = keyPair.generateKeys('base64url');
let now = 1_700_000_000_000;
const vapid = new Vapid({
  publicKey,
  privateKey: keyPair.getPrivateKey('base64url'),
  contact: 'mailto:staff@home.example',
  now: () => now,
});
const claimsOf = (token: string) =>
  readVapid({ headers: { authorization: `vapid t=${token},k=${publicKey}` }, body: Buffer.of() }).claims;

test('RFC 8292: the token names the push service, its end and whom to ask, and has the signature of the server', () => {
  const claims = claimsOf(vapid.tokenFor('https://push.example:8443'));
  expect(claims).toEqual({
    aud: 'https://push.example:8443',
    exp: now / 1_000 + 20 * 3_600,
    sub: 'mailto:staff@home.example',
  });
  const wrong = { authorization: `vapid t=${vapid.tokenFor('https://push.example')}x,k=${publicKey}` };
  expect(() => readVapid({ headers: wrong, body: Buffer.of() })).toThrow('of another key');
});

test('one is made for each origin, and used for hours', () => {
  const first = vapid.tokenFor('https://one.example');
  expect(vapid.tokenFor('https://two.example')).not.toBe(first);
  now += 11 * hour;
  expect(vapid.tokenFor('https://one.example')).toBe(first);
  now += 2 * hour;
  const second = vapid.tokenFor('https://one.example');
  expect(claimsOf(second).exp).toBe(now / 1_000 + 20 * 3_600);
  // A clock that was ahead: the token would end in more than a day.
  now -= 5 * hour;
  expect(vapid.tokenFor('https://one.example')).not.toBe(second);
});

test('of very many origins the ones used last are remembered', () => {
  const kept = vapid.tokenFor('https://kept.example');
  for (let number = 0; number < 1_100; number += 1) {
    if (number % 100 === 0) expect(vapid.tokenFor('https://kept.example')).toBe(kept);
    vapid.tokenFor(`https://${number}.example`);
  }
  const again = claimsOf(vapid.tokenFor('https://0.example'));
  expect(again.aud).toBe('https://0.example');
});
