/** Relationships through the API (specification 2.6, 3, 4.2), in both dialects. */
import { beforeEach, describe, expect, test } from 'vitest';
import { postFollow } from '../../../../src/gateway/rest/accounts/follow-account.ts';
import { getRelationships } from '../../../../src/gateway/rest/accounts/get-relationships.ts';
import { postMute } from '../../../../src/gateway/rest/accounts/mute-account.ts';
import {
  postAuthorize,
  postBlock,
  postReject,
  postRemoveFromFollowers,
  postUnblock,
  postUnfollow,
  postUnmute,
} from '../../../../src/gateway/rest/accounts/relationship-changes.ts';
import { MemoryApi } from '../../../support/memory-api.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let api: MemoryApi;
let alice: Person;
let bob: Person;

beforeEach(() => {
  people = new People();
  api = new MemoryApi(people.server);
  alice = people.local('alice');
  bob = people.local('bob');
});

const of = (person: Person) => ({ id: person.id.toString() });

const strangers = {
  following: false,
  showing_reblogs: false,
  notifying: false,
  languages: null,
  followed_by: false,
  blocking: false,
  blocked_by: false,
  muting: false,
  muting_notifications: false,
  muting_expires_at: null,
  requested: false,
  requested_by: false,
  domain_blocking: false,
  endorsed: false,
  note: '',
};

describe('following', () => {
  test.each([
    ['specification', { reblogs: true }],
    ['mastodon', true],
  ] as const)('is answered in the dialect of the application: %s', async (dialect, following) => {
    const { status, body } = await api.ask(postFollow, alice, of(bob), dialect);
    expect(status).toBe(200);
    expect(body).toEqual({ id: bob.id.toString(), ...strangers, following, showing_reblogs: true });
  });

  test('applies options from the start, while the request waits', async () => {
    people.change(bob, { locked: true });
    const { body } = await api.ask(postFollow, alice, {
      ...of(bob),
      reblogs: 'false',
      notify: '1',
      languages: ['de', 'fr'],
    });
    expect(body).toMatchObject({
      following: false,
      requested: true,
      showing_reblogs: false,
      notifying: true,
      languages: ['de', 'fr'],
    });
  });

  test.each([
    ['an empty list', []],
    ['an empty list as forms say it', ['']],
  ])('all languages are asked for by %s', async (_case, languages) => {
    await api.ask(postFollow, alice, { ...of(bob), languages: ['de'] });
    expect((await api.ask(postFollow, alice, { ...of(bob), languages })).body).toMatchObject({ languages: null });
  });

  test('again changes what is given, and counts once against the limit', async () => {
    await api.ask(postFollow, alice, { ...of(bob), languages: ['de'] });
    const { body } = await api.ask(postFollow, alice, { ...of(bob), reblogs: '0' });
    expect(body).toMatchObject({ following: { reblogs: false }, showing_reblogs: false, languages: ['de'] });
    expect(api.counted).toEqual(['follows']);
  });

  test.each([
    ['oneself', () => alice, 'forbidden'],
    ['a suspended account', () => people.suspend(people.local('carol')), 'forbidden'],
    ['a moved account', () => people.move(people.local('carol'), bob), 'forbidden'],
    ['nobody', () => ({ id: 77n, name: 'nobody', destination: undefined }), 'notFound'],
  ])('%s is refused', async (_case, target, code) => {
    await expect(api.ask(postFollow, alice, of(target()))).rejects.toMatchObject({ code });
    expect(api.counted).toEqual([]);
  });

  test('somebody who blocks is 403', async () => {
    await api.ask(postBlock, bob, of(alice));
    await expect(api.ask(postFollow, alice, of(bob))).rejects.toMatchObject({ status: 403 });
  });

  test('ends by unfollowing, and by being removed', async () => {
    await api.ask(postFollow, alice, of(bob));
    expect((await api.ask(postUnfollow, alice, of(bob))).body).toMatchObject(strangers);
    await api.ask(postFollow, alice, of(bob));
    expect((await api.ask(postRemoveFromFollowers, bob, of(alice))).body).toMatchObject({ followed_by: false });
    expect((await api.ask(getRelationships, alice, of(bob))).body[0]).toMatchObject(strangers);
  });

  test('a remote account is told at its inbox', async () => {
    const carol = people.remote('carol', 'remote.example');
    expect((await api.ask(postFollow, alice, of(carol))).body).toMatchObject({ following: { reblogs: true } });
    expect(people.takeDeliveries()).toMatchObject([
      { intent: { kind: 'follow', targetId: carol.id }, inboxes: [carol.destination!.inbox] },
    ]);
  });
});

describe('a follow request', () => {
  const from = (person: Person) => ({ account_id: person.id.toString() });

  beforeEach(async () => {
    people.change(bob, { locked: true });
    await api.ask(postFollow, alice, of(bob));
  });

  test('is authorised once and for all', async () => {
    expect((await api.ask(getRelationships, bob, of(alice))).body[0]).toMatchObject({ requested_by: true });
    const { body } = await api.ask(postAuthorize, bob, from(alice));
    expect(body).toMatchObject({ id: alice.id.toString(), followed_by: true, requested_by: false });
    expect((await api.ask(getRelationships, alice, of(bob))).body[0]).toMatchObject({
      following: { reblogs: true },
      requested: false,
    });
  });

  test('is rejected once; then there is none', async () => {
    expect((await api.ask(postReject, bob, from(alice))).body).toMatchObject({ requested_by: false });
    expect((await api.ask(getRelationships, alice, of(bob))).body[0]).toMatchObject(strangers);
    await expect(api.ask(postReject, bob, from(alice))).rejects.toMatchObject({ code: 'notFound' });
    await expect(api.ask(postAuthorize, bob, from(alice))).rejects.toMatchObject({ code: 'notFound' });
  });
});

test('blocking is seen from both sides', async () => {
  expect((await api.ask(postBlock, alice, of(bob))).body).toMatchObject({ blocking: true, blocked_by: false });
  expect((await api.ask(getRelationships, bob, of(alice))).body[0]).toMatchObject({ blocked_by: true });
  expect((await api.ask(postUnblock, alice, of(bob))).body).toMatchObject(strangers);
});

describe('muting', () => {
  test('hides notifications unless it is told not to', async () => {
    expect((await api.ask(postMute, alice, of(bob))).body).toMatchObject({
      muting: true,
      muting_notifications: true,
      muting_expires_at: null,
    });
    const { body } = await api.ask(postMute, alice, { ...of(bob), notifications: false, duration: '60' });
    expect(body).toMatchObject({
      muting: true,
      muting_notifications: false,
      muting_expires_at: new Date(people.server.clock.now() + 60_000).toISOString(),
    });
    expect((await api.ask(postUnmute, alice, of(bob))).body).toMatchObject(strangers);
  });

  test('bounds the duration', async () => {
    const { body } = await api.ask(postMute, alice, { ...of(bob), duration: 99_999_999_999 });
    expect(body).toMatchObject({ muting: true });
  });

  test('for less than no time is refused', async () => {
    const message = 'Validation failed: Duration must be greater than or equal to 0';
    await expect(api.ask(postMute, alice, { ...of(bob), duration: '-1' })).rejects.toMatchObject({ message });
  });
});

test('relationships are answered in the order asked for, for one id or many', async () => {
  const ask = (id: string | string[], more = {}) => api.ask<{ id: string }[]>(getRelationships, alice, { id, ...more });
  const carol = people.suspend(people.local('carol'));
  const [first, second] = [carol.id.toString(), bob.id.toString()];
  const idsOf = async (asked: ReturnType<typeof ask>) => (await asked).body.map((one) => one.id);
  expect(await idsOf(ask([first, 'nonsense', '5', second]))).toEqual([first, second]);
  expect(await idsOf(ask([first, second], { with_suspended: 'false' }))).toEqual([second]);
  expect(await idsOf(ask(second))).toEqual([second]);
  expect((await api.ask(getRelationships, alice)).body).toEqual([]);
});
