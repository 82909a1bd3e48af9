/** The page of what an account signs in with. */
import { describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { twoFactorLimits } from '../../../src/actors/account/two-factor/limits.ts';
import {
  type ListedPasskey,
  passkeysOf,
  twoFactorOf,
} from '../../../src/actors/account/two-factor/two-factor.queries.ts';
import { liveRoute } from '../../../src/gateway/pages/live/live.ts';
import { hashPassword } from '../../../src/operations/registration/passwords.ts';
import { AuthenticatorApp, setUpApp } from '../../support/authenticator-app.ts';
import { PasskeyDevice } from '../../support/passkey-device.ts';
import { type Person, type Shown, Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

const password = 'correct horse battery';
const minute = 60_000;

async function someone(site: Site, username = 'alice'): Promise<Person> {
  return site.person(username, { passwordHash: await hashPassword(password, { memoryKibibytes: 8, iterations: 1 }) });
}

const hiddenIn = ({ html }: Shown, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)![1]!;
const secretIn = ({ html }: Shown) => /<code class="secret">([A-Z2-7 ]+)</.exec(html)![1]!;
const codesIn = ({ html }: Shown) => Array.from(html.matchAll(/<li><code>([a-z\d-]{19})</g), ([, code]) => code!);
const now = (site: Site) => site.gateway.actors.clock.now();
const stateOf = (site: Site, { id }: Person) => twoFactorOf(site.gateway.actors.read, id);

test('a browser stays signed in as long as it is used', async () => {
  const site = new Site();
  const alice = await site.person('alice');
  const cookie = async () => (await alice.ask('/settings')).headers.get('set-cookie');
  expect(await cookie()).toBeNull();
  for (let visits = 0; visits < 3; visits += 1) {
    site.gateway.actors.clock.advance(80 * 24 * 60 * minute);
    expect(await cookie()).toContain(`${alice.cookie}; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000`);
    expect(await cookie()).toBeNull();
  }
  site.gateway.actors.clock.advance(90 * 24 * 60 * minute);
  expect((await alice.ask('/settings')).location).toContain('/auth/sign_in');
});

test('a browser that only sends forms stays signed in, and keeps the cookie that one of them gives it', async () => {
  const site = new Site();
  const alice = await someone(site);
  const form_token = await alice.formToken();
  const send = async (path: string, fields: Readonly<Record<string, string>> = {}) =>
    (await alice.ask(path, { form: { form_token, ...fields } })).headers.get('set-cookie');
  expect(await send('/web/notifications/clear')).toBeNull();
  for (let days = 0; days < 3; days += 1) {
    site.gateway.actors.clock.advance(80 * 24 * 60 * minute);
    expect(await send('/web/notifications/clear')).toContain(`${alice.cookie}; Path=/; HttpOnly; SameSite=Lax`);
    expect(await send('/web/notifications/clear')).toBeNull();
  }
  site.gateway.actors.clock.advance(24 * 60 * minute);
  const anew = await send('/web/settings/password', { present: password, wanted: 'another long password' });
  expect(anew).toContain('murmuration_session=');
  expect(anew).not.toContain(alice.cookie);
});

test('an app is set up with its code, and ten recovery codes are shown once', async () => {
  const site = new Site();
  const alice = await someone(site);
  expect((await site.stranger.ask('/settings/security/app')).location).toContain('/auth/sign_in');
  const offer = await alice.ask('/settings/security/app');
  expectStrict(offer);
  expect(offer.html).toMatch(/<svg class="qr" aria-hidden="true"/);
  const app = new AuthenticatorApp(secretIn(offer));
  const sealed = hiddenIn(offer, 'sealed');

  const wrong = await alice.act('/web/security/app', { sealed, password, app_code: '000000' });
  expect([wrong.status, secretIn(wrong), stateOf(site, alice)]).toEqual([422, secretIn(offer), undefined]);
  expect(textOf(wrong.html)).toContain('This code is wrong');
  const stranger = await alice.act('/web/security/app', { sealed, password: 'wrong', app_code: app.code(now(site)) });
  expect([stranger.status, stateOf(site, alice)]).toEqual([422, undefined]);

  const done = await alice.act('/web/security/app', { sealed, password, app_code: app.code(now(site)) });
  expectStrict(done);
  expect(new Set(codesIn(done)).size).toBe(10);
  const after = await alice.ask('/settings/security');
  expectStrict(after);
  expect([codesIn(after), textOf(after.html).includes('10 codes are left.')]).toEqual([[], true]);
  const [code, app_code] = [codesIn(done)[0]!, app.code(now(site) + minute / 2)];
  const again = await alice.act('/web/security/app', { sealed, password, code, app_code });
  expect(again.status).toBe(409);
});

test('a secret that was offered to another account sets nothing up', async () => {
  const site = new Site();
  const [alice, mallory] = [await someone(site), await someone(site, 'mallory')];
  const offer = await mallory.ask('/settings/security/app');
  const code = new AuthenticatorApp(secretIn(offer)).code(now(site));
  const sealed = hiddenIn(offer, 'sealed');
  for (const one of [sealed, '', 'forged', `${sealed.slice(0, -4)}AAAA`])
    expect((await alice.act('/web/security/app', { sealed: one, password, app_code: code })).status).toBe(422);
  expect(stateOf(site, alice)).toBeUndefined();
});

describe('with an app', () => {
  async function withApp() {
    const site = new Site();
    const alice = await someone(site);
    const { app, recoveryCodes } = await setUpApp(site.gateway.services, { id: alice.id, username: 'alice', password });
    site.gateway.actors.clock.advance(minute);
    return { site, alice, app, recoveryCodes };
  }

  test('new recovery codes end the old ones', async () => {
    const { site, alice, app, recoveryCodes } = await withApp();
    const before = stateOf(site, alice)!.recoveryCodes;
    const renew = (fields: Readonly<Record<string, string>>) => alice.act('/web/security/recovery-codes', fields);
    expect((await renew({ password, code: '000000' })).status).toBe(422);
    expect((await renew({ password: 'wrong', code: recoveryCodes[0]! })).status).toBe(422);
    expect(stateOf(site, alice)!.recoveryCodes).toEqual(before);
    const renewed = await renew({ password, code: app.code(now(site)) });
    expect(codesIn(renewed)).toHaveLength(10);
    expect(stateOf(site, alice)!.recoveryCodes.filter((one) => before.includes(one))).toEqual([]);
    expect((await renew({ password, code: app.code(now(site)) })).status).toBe(422);
    expect((await renew({ password, code: recoveryCodes[1]! })).status).toBe(422);
    expect((await renew({ password, code: codesIn(renewed)[0]! })).status).toBe(200);
  });

  test('it is switched off with password and code', async () => {
    const { site, alice, app, recoveryCodes } = await withApp();
    const disable = (fields: Readonly<Record<string, string>>) => alice.act('/web/security/two-factor/disable', fields);
    for (const fields of [
      { password },
      { password, code: '000000' },
      { password: 'wrong', code: recoveryCodes[0]! },
      { code: recoveryCodes[0]! },
    ])
      expect((await disable(fields)).status).toBe(422);
    expect(stateOf(site, alice)).toBeDefined();
    expect((await disable({ password, code: app.code(now(site)) })).location).toBe('/settings/security?done=disabled');
    expect(stateOf(site, alice)).toBeUndefined();
    expect((await disable({ password })).status).toBe(303);
  });

  test('its forms are taken from its own pages only', async () => {
    const { alice, app, site } = await withApp();
    for (const path of ['/web/security/app', '/web/security/recovery-codes', '/web/security/two-factor/disable']) {
      const form = { form_token: 'guessed', password, code: app.code(now(site)), sealed: 'forged' };
      expect((await alice.ask(path, { form })).status).toBe(403);
      expect((await alice.ask(path)).status).toBe(303);
    }
    const form_token = await alice.formToken();
    const elsewhere = { form: { form_token, password }, headers: { 'sec-fetch-site': 'same-site' } };
    expect((await alice.ask('/web/security/two-factor/disable', elsewhere)).status).toBe(403);
    expect(stateOf(site, alice)).toBeDefined();
  });
});

describe('passkeys', () => {
  const origin = 'https://social.example';
  const offeredIn = ({ html }: Shown, name = 'options') =>
    JSON.parse(new RegExp(`data-passkey="make"[^>]*data-${name}="([^"]+)"`).exec(html)![1]!.replaceAll('&quot;', '"'));
  const askedIn = ({ html }: Shown) =>
    JSON.parse(/data-passkey="use" data-options="([^"]+)"/.exec(html)![1]!.replaceAll('&quot;', '"'));
  const listedFor = (site: Site, { id }: Person) => passkeysOf(site.gateway.actors.read, id);

  async function withPasskey() {
    const site = new Site();
    const alice = await someone(site);
    const phone = new PasskeyDevice(origin);
    const offered = offeredIn(await alice.ask('/settings/security'));
    const added = await alice.act('/web/security/passkeys', { name: ' Phone ', password, made: phone.make(offered) });
    return { site, alice, phone, added };
  }

  test('the first one comes with recovery codes, is named, and is asked for as a second step', async () => {
    const { site, alice, phone, added } = await withPasskey();
    expectStrict(added);
    expect(codesIn(added)).toHaveLength(10);
    const page = await alice.ask('/settings/security');
    expectStrict(page);
    expect(textOf(page.html)).toContain('Phone');
    const [{ id }] = listedFor(site, alice) as [ListedPasskey];
    expect((await alice.act(`/web/security/passkeys/${id}/name`, { name: ' ' })).status).toBe(422);
    expect((await alice.act(`/web/security/passkeys/${id}/name`, { name: 'x'.repeat(61) })).status).toBe(422);
    expect((await alice.act(`/web/security/passkeys/${id}/name`, { name: 'Old phone' })).status).toBe(303);
    const one = await alice.ask(`/settings/security/passkeys/${id}`);
    expectStrict(one);
    expect(textOf(one.html)).toContain('Old phone');
    expect(offeredIn(await alice.ask('/settings/security')).excludeCredentials).toEqual([
      { type: 'public-key', id: phone.id.toString('base64url'), transports: ['internal'] },
    ]);
  });

  test('another one needs the first, or a code', async () => {
    const { site, alice, phone, added } = await withPasskey();
    const tablet = new PasskeyDevice(origin);
    const page = await alice.ask('/settings/security');
    const made = tablet.make(offeredIn(page));
    const add = (fields: Readonly<Record<string, string>>) =>
      alice.act('/web/security/passkeys', { name: 'Tablet', made, ...fields });
    for (const fields of [
      { password },
      { password: 'wrong', code: codesIn(added)[0]! },
      { password, passkey: tablet.use(askedIn(page)) },
      { password, passkey: phone.use(offeredIn(page)) },
    ])
      expect((await add(fields)).status).toBe(422);
    expect((await add({ password, passkey: phone.use(offeredIn(page, 'proof')) })).status).toBe(200);
    expect((await add({ password, code: codesIn(added)[0]! })).status).toBe(409);
    expect(listedFor(site, alice).map(({ passkey }) => passkey.name)).toEqual(['Phone', 'Tablet']);
  });

  test.each([
    ['for another origin', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['without a PIN, finger or face', { isVerified: false }],
    ['as what uses one', { type: 'webauthn.get' }],
  ])('one that was made %s is not added', async (_what, lies) => {
    const site = new Site();
    const alice = await someone(site);
    const offered = offeredIn(await alice.ask('/settings/security'));
    const made = new PasskeyDevice(origin).make(offered, lies);
    expect((await alice.act('/web/security/passkeys', { name: 'Phone', password, made })).status).toBe(422);
    expect([listedFor(site, alice), stateOf(site, alice)]).toEqual([[], undefined]);
  });

  test('one that was offered to another account, or to another browser of this one, is not added', async () => {
    const site = new Site();
    const [alice, mallory] = [await someone(site), await someone(site, 'mallory')];
    const elsewhere = await site.signIn(alice.id, 'Chrome · Windows');
    for (const other of [mallory, elsewhere]) {
      const made = new PasskeyDevice(origin).make(offeredIn(await other.ask('/settings/security')));
      expect((await alice.act('/web/security/passkeys', { name: 'Phone', password, made })).status).toBe(422);
    }
    expect(listedFor(site, alice)).toEqual([]);
  });

  test('there are as many as there may be', async () => {
    const { site, alice, phone } = await withPasskey();
    const page = await alice.ask('/settings/security');
    const [{ id: passkeyId, passkey: first }] = listedFor(site, alice) as [ListedPasskey];
    for (let count = 1; count < twoFactorLimits.passkeysMax; count += 1) {
      const used = { kind: 'passkey', passkeyId, counter: 0, isBackedUp: false, challenge: `${count}` } as const;
      const code = { ...used, end: now(site) + minute };
      const passkey = { ...first, credentialId: `key${count}` };
      await site.gateway.actors.call(Account.addPasskey.to(alice.id, { passkey, recoveryCodes: [], code }));
    }
    const made = new PasskeyDevice(origin).make(offeredIn(page));
    const passkey = phone.use(offeredIn(page, 'proof'));
    const refused = await alice.act('/web/security/passkeys', { name: 'One more', password, made, passkey });
    expect([refused.status, textOf(refused.html).includes('more than 25 passkeys')]).toEqual([422, true]);
  });

  test('is removed with the passkey itself; with the last one goes the second step', async () => {
    const { site, alice, phone, added } = await withPasskey();
    const mallory = await someone(site, 'mallory');
    const [{ id }] = listedFor(site, alice) as [ListedPasskey];
    const path = `/web/security/passkeys/${id}/remove`;
    expect((await mallory.act(path, { password })).status).toBe(404);
    expect((await mallory.ask(`/settings/security/passkeys/${id}`)).status).toBe(404);
    expect((await mallory.act(`/web/security/passkeys/${id}/name`, { name: 'Mine' })).status).toBe(404);
    expect((await alice.act(path, { password })).status).toBe(422);
    expect(
      (await alice.ask(path, { form: { form_token: 'guessed', password, code: codesIn(added)[0]! } })).status,
    ).toBe(403);
    const page = await alice.ask(`/settings/security/passkeys/${id}`);
    const passkey = phone.use(askedIn(page));
    expect((await alice.act(path, { password: 'wrong', passkey })).status).toBe(422);
    expect((await alice.act(path, { password, passkey })).location).toBe('/settings/security?done=removed');
    expect([listedFor(site, alice), stateOf(site, alice)]).toEqual([[], undefined]);
  });

  test('go when two-factor authentication is switched off; an app beside them keeps it on', async () => {
    const { site, alice, phone } = await withPasskey();
    const offer = await alice.ask('/settings/security/app');
    const app_code = new AuthenticatorApp(secretIn(offer)).code(now(site));
    const sealed = hiddenIn(offer, 'sealed');
    expect((await alice.act('/web/security/app', { sealed, password, app_code })).status).toBe(422);
    const passkey = phone.use(askedIn(offer));
    expect((await alice.act('/web/security/app', { sealed, password, app_code, passkey })).status).toBe(200);
    const page = await alice.ask('/settings/security');
    const off = await alice.act('/web/security/two-factor/disable', { password, passkey: phone.use(askedIn(page)) });
    expect(off.location).toBe('/settings/security?done=disabled');
    expect([listedFor(site, alice), stateOf(site, alice)]).toEqual([[], undefined]);
  });
});

test('a role that needs two steps sets them up before it uses anything else', async () => {
  const live = liveRoute(() => expect.unreachable('nothing is streamed to them'));
  const site = new Site([live], { environment: { MURMURATION_TWO_FACTOR_FROM: 'moderator' } });
  const [alice, user] = [await someone(site), await someone(site, 'user')];
  await site.gateway.actors.call(Account.changeLogin.to(alice.id, { role: 'admin' }));
  const there = '/settings/security?done=required';
  for (const path of ['/about', '/settings', '/notifications', '/settings/sessions'])
    expect((await alice.ask(path)).location).toBe(there);
  const form = { form_token: 'any', status: 'Hello' };
  expect((await alice.ask('/web/statuses', { form })).location).toBe(there);
  expect((await alice.ask('/web/live')).status).toBe(403);
  expect((await user.ask('/settings')).status).toBe(200);

  const page = await alice.ask(there);
  expect(textOf(page.html)).toContain('Your role here needs two-factor authentication.');
  const form_token = hiddenIn(page, 'form_token');
  const made = new PasskeyDevice('https://social.example').make(
    JSON.parse(/data-passkey="make"[^>]*data-options="([^"]+)"/.exec(page.html)![1]!.replaceAll('&quot;', '"')),
  );
  const add = { form: { form_token, name: 'Phone', password, made } };
  expect((await alice.ask('/web/security/passkeys', add)).status).toBe(200);
  expect((await alice.ask('/settings')).status).toBe(200);
});
