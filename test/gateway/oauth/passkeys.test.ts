/** Signing in with passkeys, and who tries to without. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { passkeysOf, twoFactorOf } from '../../../src/actors/account/two-factor/two-factor.queries.ts';
import { unlimited } from '../../../src/operations/rate-limits.ts';
import { addPasskey } from '../../../src/operations/two-factor/manage-passkeys.ts';
import { offerPasskey } from '../../../src/operations/two-factor/passkeys.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { PasskeyDevice } from '../../support/passkey-device.ts';
import { addPerson, Browser, changeLogin, password, signInFields, startGateway } from './people.ts';

const origin = 'https://social.example';
const minute = 60_000;

let gateway: TestGateway;
let alice: bigint;
let device: PasskeyDevice;
let recoveryCodes: readonly string[];
let browser: Browser;

async function equip(id: bigint, username: string) {
  const { services } = gateway;
  const made = new PasskeyDevice(origin);
  const offered = await offerPasskey(services, { id, username, displayName: '' }, 'at home');
  const caller = { kind: 'account', accountId: id, limits: unlimited } as const;
  const wish = { password, code: '', browser: 'at home', name: 'Phone', made: made.make(offered) };
  return { made, codes: (await addPasskey({ caller, services }, wish)).recoveryCodes! };
}

beforeEach(async () => {
  gateway = startGateway();
  alice = await addPerson(gateway, 'alice');
  ({ made: device, codes: recoveryCodes } = await equip(alice, 'alice'));
  browser = new Browser(gateway);
});

afterEach(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

/** What the page asks the browser for. */
function askedIn({ text }: Browser): { challenge: string; rpId: string; allowCredentials: { id: string }[] } {
  return JSON.parse(/data-options="([^"]+)"/.exec(text)![1]!.replaceAll('&quot;', '"'));
}

const hiddenIn = ({ text }: Browser, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)![1]!;

const post = (path: string, form: Readonly<Record<string, string>>, who = browser) =>
  gateway.fetch(path, {
    method: 'POST',
    form: { form_token: hiddenIn(who, 'form_token'), return_to: '/', ...form },
    headers: { cookie: [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });

const signInWith = (passkey: string, who = browser) => post('/auth/sign_in/passkey', { passkey }, who);

async function isRefused(answer: Promise<Response>): Promise<boolean> {
  const { status, headers } = await answer;
  return status === 422 && headers.getSetCookie().every((cookie) => !cookie.startsWith('murmuration_session'));
}

describe('a passkey alone', () => {
  beforeEach(async () => {
    await browser.open('/auth/sign_in');
  });

  test('signs in whom it belongs to, and the page names nobody before', async () => {
    expect(askedIn(browser)).toMatchObject({
      rpId: 'social.example',
      allowCredentials: [],
      userVerification: 'required',
    });
    const answer = await signInWith(device.use(askedIn(browser)));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^murmuration_session=/);
    expect(passkeysOf(gateway.actors.read, alice)[0]!.passkey).toMatchObject({ counter: 1, name: 'Phone' });
  });

  test('signs in once with what it has signed', async () => {
    const signed = device.use(askedIn(browser));
    expect((await signInWith(signed)).status).toBe(303);
    expect(await isRefused(signInWith(signed))).toBe(true);
  });

  test('without a counter signs in once with it too', async () => {
    const signed = device.use(askedIn(browser), { counter: 0 });
    expect((await signInWith(signed)).status).toBe(303);
    expect(await isRefused(signInWith(signed))).toBe(true);
    await browser.open('/auth/sign_in');
    expect((await signInWith(device.use(askedIn(browser), { counter: 0 }))).status).toBe(303);
  });

  test('that has counted less than before is a copy', async () => {
    expect((await signInWith(device.use(askedIn(browser), { counter: 7 }))).status).toBe(303);
    await browser.open('/auth/sign_in');
    for (const counter of [7, 6, 0])
      expect(await isRefused(signInWith(device.use(askedIn(browser), { counter })))).toBe(true);
    expect((await signInWith(device.use(askedIn(browser), { counter: 8 }))).status).toBe(303);
  });

  test.each([
    ['another origin', { origin: 'https://social.example.evil.example' }],
    ['an origin without TLS', { origin: 'http://social.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['no PIN, finger or face', { isVerified: false }],
    ['what makes a passkey', { type: 'webauthn.create' }],
    ['nobody named', { userHandle: undefined }],
    ['another account named', { userHandle: Buffer.from('77').toString('base64url') }],
    ['nonsense named', { userHandle: Buffer.from('alice').toString('base64url') }],
  ])('is refused with %s', async (_what, lies) => {
    expect(await isRefused(signInWith(device.use(askedIn(browser), lies)))).toBe(true);
    expect((await signInWith(device.use(askedIn(browser)))).status).toBe(303);
  });

  test('is refused for a challenge of another browser, another purpose, another time, and of its own', async () => {
    const other = new Browser(gateway);
    await other.open('/auth/sign_in');
    expect(await isRefused(signInWith(device.use(askedIn(other))))).toBe(true);
    const { rpId, challenge } = askedIn(browser);
    const offered = await offerPasskey(gateway.services, { id: alice, username: 'alice', displayName: '' }, 'at home');
    for (const forged of [offered.challenge, 'A'.repeat(challenge.length), '', `${challenge.slice(0, -4)}AAAA`])
      expect(await isRefused(signInWith(device.use({ rpId, challenge: forged })))).toBe(true);
    gateway.actors.clock.advance(10 * minute);
    expect(await isRefused(signInWith(device.use({ rpId, challenge })))).toBe(true);
  });

  test('of another account signs in that one, whatever it says', async () => {
    const mallory = await addPerson(gateway, 'mallory');
    const { made } = await equip(mallory, 'mallory');
    const userHandle = Buffer.from(String(alice)).toString('base64url');
    expect(await isRefused(signInWith(made.use(askedIn(browser), { userHandle })))).toBe(true);
    expect((await signInWith(made.use(askedIn(browser)))).status).toBe(303);
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['no object', '"passkey"'],
    ['an empty object', '{}'],
    ['wrong types', '{"id":1,"rawId":{},"type":"public-key","response":[]}'],
    ['too much', JSON.stringify({ id: 'a'.repeat(20_000) })],
  ])('is refused as %s', async (_what, passkey) => {
    expect(await isRefused(signInWith(passkey))).toBe(true);
  });

  test('that nobody knows, and a changed signature, are refused', async () => {
    expect(await isRefused(signInWith(new PasskeyDevice(origin).use(askedIn(browser))))).toBe(true);
    const signed = JSON.parse(device.use(askedIn(browser)));
    const signature = Buffer.from(signed.response.signature, 'base64url');
    signature[signature.length - 1]! ^= 1;
    signed.response.signature = signature.toString('base64url');
    expect(await isRefused(signInWith(JSON.stringify(signed)))).toBe(true);
  });

  test('is taken from a form of this server only, and leads a disabled account to what staff have decided', async () => {
    const passkey = device.use(askedIn(browser));
    expect((await post('/auth/sign_in/passkey', { passkey, form_token: 'guessed' })).status).toBe(403);
    await changeLogin(gateway, alice, { disabled: true });
    expect((await signInWith(passkey)).headers.get('location')).toBe('/disputes/strikes');
  });
});

describe('a passkey as the second step', () => {
  async function knock(who = browser): Promise<void> {
    await who.open('/auth/sign_in');
    expect((await who.submit(signInFields('alice'))).status).toBe(200);
  }
  const give = (passkey: string, who = browser) =>
    post('/auth/sign_in/code', { ticket: hiddenIn(who, 'ticket'), passkey }, who);

  test('is asked for by its name, and a recovery code does as well', async () => {
    await knock();
    expect(askedIn(browser).allowCredentials.map(({ id }) => id)).toEqual([device.id.toString('base64url')]);
    expect((await give(device.use(askedIn(browser)))).status).toBe(303);
    const other = new Browser(gateway);
    await knock(other);
    expect((await other.submit({ code: recoveryCodes[0]! })).status).toBe(303);
    expect(twoFactorOf(gateway.actors.read, alice)!.recoveryCodes).toHaveLength(9);
  });

  test('is refused for what another account signed, and for a challenge of a sign-in without password', async () => {
    const mallory = await addPerson(gateway, 'mallory');
    const { made } = await equip(mallory, 'mallory');
    await browser.open('/auth/sign_in');
    const alone = askedIn(browser);
    await knock();
    const asked = askedIn(browser);
    for (const signed of [made.use(asked), device.use(alone), device.use(asked, { origin: 'https://evil.example' })])
      expect(await isRefused(give(signed))).toBe(true);
    expect(await isRefused(signInWith(device.use(asked)))).toBe(true);
    expect((await give(device.use(asked))).status).toBe(303);
  });

  test('which keys an account has is not shown to a ticket that does not hold', async () => {
    await knock();
    const ticket = `${alice}.9999999999999.${'A'.repeat(32)}`;
    const answer = await post('/auth/sign_in/code', { ticket, code: '000000' });
    expect([answer.status, (await answer.text()).includes(device.id.toString('base64url'))]).toEqual([401, false]);
  });
});
