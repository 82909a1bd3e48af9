/** Stored data, including messages and timers, is not sufficient to sign in. */
import { expect, test, vi } from 'vitest';
import { digestOfSecret } from '../../../src/actors/session/session.messages.ts';
import { registrationLimits } from '../../../src/operations/registration/limits.ts';
import { hashPassword, isPasswordOf } from '../../../src/operations/registration/passwords.ts';
import type { LogBatch, LogRefusal } from '../../../src/runtime/storage/log.ts';
import { isSecretOf, sameText } from '../../../src/services/secrets.ts';
import { MemoryLog } from '../../support/memory-log.ts';
import {
  addPerson,
  authorizePath,
  Browser,
  locationOf,
  password,
  redirectUri,
  registerClient,
  signInFields,
  startGateway,
} from './people.ts';

const cheapCost = { memoryKibibytes: 8, iterations: 1 };

test('no secret is ever stored in clear', async () => {
  const written: Buffer[] = [];
  const append = MemoryLog.prototype.append;
  vi.spyOn(MemoryLog.prototype, 'append').mockImplementation(function (
    this: MemoryLog,
    batch: LogBatch,
    completed: (refusal: LogRefusal | undefined) => void,
  ) {
    for (const bytes of [...batch.keys, ...batch.values]) if (bytes !== undefined) written.push(Buffer.from(bytes));
    append.call(this, batch, completed);
  });
  const gateway = startGateway();
  const client = await registerClient(gateway);
  await addPerson(gateway, 'alice');
  const browser = new Browser(gateway);
  await browser.open('/auth/sign_in');
  await browser.submit(signInFields('alice'));
  await browser.open(authorizePath(client));
  const code = locationOf(await browser.submit({ decision: 'authorize' })).searchParams.get('code')!;
  const { body } = await gateway.json('/oauth/token', {
    form: { grant_type: 'authorization_code', ...client, redirect_uri: redirectUri, code },
  });
  const appToken = await gateway.json('/oauth/token', {
    form: { grant_type: 'client_credentials', ...client, scope: 'write' },
  });
  const signedUp = await gateway.json('/api/v1/accounts', {
    token: String(appToken.body.access_token),
    form: { username: 'bob', email: 'bob@example.org', password: 'another password', agreement: 'true' },
  });
  const secrets = [
    client.client_secret,
    code,
    String(body.access_token),
    String(appToken.body.access_token),
    String(signedUp.body.access_token),
    browser.cookies.get('murmuration_session')!,
    password,
    'another password',
  ];
  expect(secrets.every((secret) => secret.length > 10)).toBe(true);
  const everything = Buffer.concat(written);
  // The search would find them: what is public is there.
  expect(everything.includes('bob@example.org')).toBe(true);
  expect(everything.includes(client.client_id)).toBe(true);
  expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
  await gateway.close();
});

test('texts are compared whole', () => {
  expect(sameText('one', 'one')).toBe(true);
  expect(sameText('one', 'one ')).toBe(false);
  expect(isSecretOf('secret', digestOfSecret('secret'))).toBe(true);
  expect(isSecretOf(digestOfSecret('secret'), digestOfSecret('secret'))).toBe(false);
});

test('passwords are hashed with argon2id, each with a salt of its own', async () => {
  const [one, other] = await Promise.all([hashPassword('password', cheapCost), hashPassword('password', cheapCost)]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
  expect(one).not.toBe(other);
  expect(await isPasswordOf('password', one)).toBe(true);
  expect(await isPasswordOf('passwork', one)).toBe(false);
  expect(await isPasswordOf('password', undefined)).toBe(false);
  expect(await hashPassword('password')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('only so many passwords wait for their turn', async () => {
  const count = registrationLimits.passwordsHashedAtOnceMax + registrationLimits.passwordsWaitingMax + 5;
  const outcomes = await Promise.allSettled(Array.from({ length: count }, () => hashPassword('password', cheapCost)));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused.map(({ reason }) => reason.code)).toEqual(Array(5).fill('overloaded'));
  expect(await hashPassword('password', cheapCost)).toMatch(/^\$argon2id/);
});
