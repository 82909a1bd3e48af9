import { beforeEach, describe, expect, test } from 'vitest';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { Session, tokenKey } from '../../../src/actors/session/session.messages.ts';
import {
  deleteSubscription,
  getSubscription,
  postSubscription,
  putSubscription,
} from '../../../src/gateway/rest/push/push.endpoints.ts';
import { newPeople } from '../../support/api-people.ts';
import { pushToken, subscription } from './push-keys.ts';

const tokenId = 'token';

let { people, api, alice, bob } = await newPeople();

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
  const keyPair = { publicKeyPem: '', privateKeyPem: '', createdAt: 0 };
  const secrets = { formSecret: '', keyPair, vapidPublicKey: 'the key of the server', vapidPrivateKey: '' };
  await people.server.call(Instance.adoptSecrets.to(instanceKey, secrets));
  await people.server.call(pushToken(tokenId, alice.id));
});

const subscribe = async (more: object = {}, changes: object = {}) =>
  (await api.ask(postSubscription, alice, { subscription: { ...subscription, ...changes }, ...more })).body;
const present = async (person = alice) => (await api.ask(getSubscription, person)).body;

test('specification 4.8: a subscription is made, read, changed and ended', async () => {
  const data = {
    alerts: { mention: 'true', poll: '0', 'admin.report': true, admin: { sign_up: true } },
    policy: 'followed',
  };
  const made = await subscribe({ data });
  expect(made).toMatchObject({
    id: expect.stringMatching(/^[1-9][0-9]*$/),
    endpoint: subscription.endpoint,
    standard: true,
    policy: 'followed',
    server_key: 'the key of the server',
    alerts: { mention: true, poll: false, follow: false, 'admin.report': true, 'admin.sign_up': true },
  });
  expect(await present()).toEqual(made);
  await expect(present(bob)).rejects.toMatchObject({ code: 'notFound' });
  const changed = await api.ask(putSubscription, alice, { data: { alerts: { follow: true } }, policy: 'none' });
  expect(changed.body).toMatchObject({ id: made.id, policy: 'none', alerts: { follow: true, mention: false } });
  expect((await api.ask(putSubscription, alice, {})).body).toEqual(changed.body);
  for (let time = 0; time < 2; time += 1) expect((await api.ask(deleteSubscription, alice)).body).toEqual({});
  await expect(present()).rejects.toMatchObject({ code: 'notFound' });
  await expect(api.ask(putSubscription, alice, { policy: 'all' })).rejects.toMatchObject({ code: 'notFound' });
});

test('its id is a number of 32 bits in the dialect of Mastodon, whose apps read nothing else', async () => {
  const { id } = await subscribe();
  const { body } = await api.ask(getSubscription, alice, {}, 'mastodon');
  expect(body.id).toBe(Number(BigInt(String(id)) & 0x7fff_ffffn));
  expect((await api.ask(putSubscription, alice, {}, 'mastodon')).body).toEqual(body);
  expect(await present()).toMatchObject({ id });
});

test('a new one takes the place of the one before, with nothing of it', async () => {
  const first = await subscribe({ policy: 'none', data: { alerts: { poll: true } } });
  const second = await subscribe({}, { endpoint: 'https://push.example/send/2' });
  expect(second).toMatchObject({ policy: 'all', alerts: { poll: false }, endpoint: 'https://push.example/send/2' });
  expect(second.id).not.toBe(first.id);
  expect(await present()).toEqual(second);
});

const revoke = (revoked: string) => people.server.call(Session.revokeToken.to(tokenKey(revoked), {}));

test('it ends with the token, and with no other', async () => {
  await people.server.call(pushToken('another', alice.id));
  await subscribe();
  await revoke('another');
  people.server.settle();
  expect(await present()).toMatchObject({ policy: 'all' });
  await revoke(tokenId);
  people.server.settle();
  await expect(present()).rejects.toMatchObject({ code: 'notFound' });
});

test('one that comes after the revocation of its token is refused, one that overlaps with it ends with it', async () => {
  const overlapping = Promise.allSettled([subscribe(), revoke(tokenId), subscribe()]);
  people.server.settle();
  expect((await overlapping).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  await expect(present()).rejects.toMatchObject({ code: 'notFound' });
  // The request was let in by a gateway that had not heard of the revocation yet.
  await expect(subscribe()).rejects.toMatchObject({ code: 'tokenInvalid' });
  people.server.settle();
  await expect(present()).rejects.toMatchObject({ code: 'notFound' });
});

const { p256dh, auth } = subscription.keys;
const offCurve = Buffer.from(p256dh, 'base64url').fill(1, 1).toString('base64url');

describe('is refused, and leaves the one before in place:', () => {
  test.each<[string, object, string]>([
    ['an address that is none', { endpoint: 'word' }, 'Endpoint is not a valid URL'],
    ['an address without encryption', { endpoint: 'http://push.example/' }, 'Endpoint is not a valid URL'],
    ['an address with a password', { endpoint: 'https://a:b@push.example/' }, 'Endpoint is not a valid URL'],
    ['a long address', { endpoint: `https://push.example/${'x'.repeat(2_048)}` }, 'Endpoint is not a valid URL'],
    ['no keys', { keys: undefined }, 'Key p256dh is invalid'],
    ['a key of other signs', { keys: { p256dh: '%%%', auth } }, 'Key p256dh is invalid'],
    ['a short key', { keys: { p256dh: p256dh.slice(0, 40), auth } }, 'Key p256dh is invalid'],
    ['a key that is no point of the curve', { keys: { p256dh: offCurve, auth } }, 'Key p256dh is invalid'],
    ['a short secret', { keys: { p256dh, auth: 'AAAA' } }, 'Key auth is invalid'],
  ])('%s', async (_what, changes, words) => {
    const before = await subscribe();
    await expect(subscribe({}, changes)).rejects.toMatchObject({ message: `Validation failed: ${words}` });
    expect(await present()).toEqual(before);
  });

  test('no subscription at all, and a policy that there is not', async () => {
    await expect(api.ask(postSubscription, alice, {})).rejects.toMatchObject({ code: 'parameterMissing' });
    await expect(subscribe({ policy: 'some' })).rejects.toMatchObject({ code: 'validation' });
    await expect(present()).rejects.toMatchObject({ code: 'notFound' });
  });
});
