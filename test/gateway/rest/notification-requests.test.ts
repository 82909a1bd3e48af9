/** The notification policy and what it filters, as clients see it (specification 4.10; behaviour of the Mastodon API). */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { addNotification } from '../../../src/actors/account/notifications/notify.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import { unreadCountEndpoints } from '../../../src/gateway/rest/notifications/count-unread.ts';
import { getNotification } from '../../../src/gateway/rest/notifications/get-notification.ts';
import { getNotifications } from '../../../src/gateway/rest/notifications/get-notifications.ts';
import {
  getGroup,
  getGroups,
  postDismissGroup,
} from '../../../src/gateway/rest/notifications/grouped-notifications.ts';
import { notificationPolicyEndpoints } from '../../../src/gateway/rest/notifications/notification-policy.ts';
import { notificationRequestEndpoints } from '../../../src/gateway/rest/notifications/notification-requests.ts';
import { removeStatus } from '../../../src/gateway/rest/statuses/delete-status.ts';
import { postStatus } from '../../../src/gateway/rest/statuses/post-status.ts';
import type { Endpoint } from '../../../src/gateway/route.ts';
import type { Post } from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';
import type { Person } from '../../support/observer.ts';

const [getPolicy, changePolicy] = notificationPolicyEndpoints;
const path = '/api/v1/notifications/requests';
const endpoint = (method: string, end: string) =>
  (notificationRequestEndpoints as readonly Endpoint<GatewayServices>[]).find(
    (one) => one.methods.includes(method as never) && one.path === `${path}${end}`,
  )!;
let { people, api, alice, bob, carol } = await newPeople();
let post: Post;

beforeEach(async () => {
  ({ people, api, alice, bob, carol } = await newPeople());
  post = await people.publish(alice);
  await api.ask(changePolicy, alice, { for_not_following: 'filter' });
});

interface Request {
  readonly id: string;
  readonly account: { readonly username: string };
  readonly notifications_count: string;
  readonly last_status?: { readonly id: string };
}

const suspend = (person: Person, suspended = true) =>
  people.server.call(Account.changeLogin.to(person.id, { suspended }));
const mention = (by = bob) => people.publish(by, { mentions: [alice] });
const requests = async (given = {}) => (await api.ask(endpoint('GET', ''), alice, given)).body as never as Request[];
const answer = (end: string, given: object, by = alice) => api.ask(endpoint('POST', end), by, { ...given });
const isMerged = async () => (await api.ask(endpoint('GET', '/merged'), alice)).body;
const notifications = async (given = {}) =>
  (await api.ask(getNotifications, alice, given)).body as never as { id: string; type: string; filtered?: true }[];
const types = async (given = {}) => (await notifications(given)).map(({ type }) => type);
const groups = async (given = {}) =>
  (await api.ask(getGroups, alice, given)).body.notification_groups as never as Record<string, unknown>[];
const summary = async () => (await api.ask(getPolicy, alice)).body.summary;

describe('the policy', () => {
  const untouched = {
    for_not_following: 'accept',
    for_not_followers: 'accept',
    for_new_accounts: 'accept',
    for_private_mentions: 'accept',
    for_limited_accounts: 'filter',
    for_bots: 'accept',
    summary: { pending_requests_count: 0, pending_notifications_count: 0 },
  };

  test('is changed by PATCH and by PUT', () => expect(changePolicy.methods).toEqual(['PATCH', 'PUT']));

  test('is there before anybody has chosen one, and changes in what is given', async () => {
    expect((await api.ask(getPolicy, bob)).body).toEqual(untouched);
    const first = { for_not_following: 'drop', for_bots: 'filter' };
    expect((await api.ask(changePolicy, bob, first)).body).toEqual({ ...untouched, ...first });
    const second = { for_not_following: 'accept', for_new_accounts: 'filter', for_bots: '' };
    expect((await api.ask(changePolicy, bob, second)).body).toEqual({
      ...untouched,
      for_new_accounts: 'filter',
      for_bots: 'filter',
    });
    expect((await api.ask(getPolicy, carol)).body).toEqual(untouched);
  });

  test.each([['reject'], [true], [['filter']]])('refuses %o, and nothing else of the request counts', async (value) => {
    const changed = api.ask(changePolicy, bob, { for_not_followers: 'drop', for_bots: value });
    await expect(changed).rejects.toMatchObject({ code: 'validation' });
    expect((await api.ask(getPolicy, bob)).body).toEqual(untouched);
  });

  test('says how many requests wait, and how many notifications they have', async () => {
    for (const by of [bob, bob, carol]) await mention(by);
    await people.favourite(bob, post);
    expect(await summary()).toEqual({ pending_requests_count: 2, pending_notifications_count: 3 });
    await suspend(carol);
    expect(await summary()).toEqual({ pending_requests_count: 1, pending_notifications_count: 2 });
  });
});

test('an account that staff limit is filtered without any choice, until it is accepted, followed or free again', async () => {
  const quietly = () => api.ask(changePolicy, alice, { for_not_following: 'accept' });
  await quietly();
  people.moderate(bob, { limited: true });
  const quoted = (await api.ask(postStatus, alice, { status: 'Look' })).body;
  const everything = async () => {
    await people.favourite(bob, post);
    await api.ask(postStatus, bob, { status: 'I see', quoted_status_id: quoted.id });
    await people.follow(bob, alice);
    await mention();
    people.server.settle();
  };
  await everything();
  expect(await types()).toEqual([]);
  expect((await types({ include_filtered: 'true' })).sort()).toEqual(['favourite', 'follow', 'mention', 'quote']);
  const [request] = await requests();
  expect(request).toMatchObject({ account: { username: 'bob' }, notifications_count: '2' });
  await answer('/:id/accept', { id: request!.id });
  expect((await types()).sort()).toEqual(['favourite', 'follow', 'mention', 'quote']);
  await mention();
  expect([await types(), await requests()]).toEqual([expect.arrayContaining(['mention']), []]);

  people.moderate(carol, { limited: true });
  await mention(carol);
  expect(await requests()).toHaveLength(1);
  await people.follow(alice, carol);
  const before = (await types()).length;
  await mention(carol);
  expect(await types()).toHaveLength(before + 1);
  await api.ask(changePolicy, alice, { for_limited_accounts: 'drop' });
  people.moderate(carol, { limited: false });
  await people.unfollow(alice, carol);
  await mention(carol);
  expect(await types()).toHaveLength(before + 2);
  people.expectSound();
});

describe('a filtered notification', () => {
  test('is in no list and no count, unless it is asked for or its sender is', async () => {
    await people.follow(alice, carol);
    await people.favourite(carol, post);
    await people.favourite(bob, post);
    await mention();
    expect(await types()).toEqual(['favourite']);
    expect(await types({ include_filtered: 'true' })).toEqual(['mention', 'favourite', 'favourite']);
    expect(await types({ include_filtered: 'true', types: ['mention'] })).toEqual(['mention']);
    expect(await types({ include_filtered: 'true', exclude_types: ['mention'] })).toHaveLength(2);
    expect(await types({ account_id: bob.id })).toEqual(['mention', 'favourite']);
    expect(await types({ account_id: carol.id })).toEqual(['favourite']);
    const counted = async (given: object) =>
      Promise.all(
        unreadCountEndpoints.map(
          async (one) => (await api.ask(one, alice, { ...given })).body.count as never as number,
        ),
      );
    expect(await counted({})).toEqual([1, 1]);
    expect(await counted({ include_filtered: 'true' })).toEqual([3, 2]);
    expect(await counted({ account_id: bob.id })).toEqual([2, 2]);
    const told = async (given = {}) =>
      (await groups(given)).map(({ type, notifications_count: count }) => `${type} ${count}`);
    expect(await told()).toEqual(['favourite 1']);
    expect(await told({ include_filtered: 'true' })).toEqual(['mention 1', 'favourite 2']);
  });

  test('says that it is one, and is read and dismissed by its id and by the key of its group', async () => {
    await people.favourite(bob, post);
    await mention();
    const [first, second] = await notifications({ include_filtered: 'true' });
    expect([first!.filtered, second!.filtered]).toEqual([true, true]);
    expect((await api.ask(getNotification, alice, { id: first!.id })).body).toEqual(first);
    for (const { group_key } of await groups({ include_filtered: 'true' })) {
      expect((await api.ask(getGroup, alice, { group_key })).body.notification_groups).toHaveLength(1);
      await api.ask(postDismissGroup, alice, { group_key });
    }
    expect(await types({ include_filtered: 'true' })).toEqual([]);
    expect(await requests()).toEqual([]);
  });

  test('of a group is no part of it', async () => {
    await people.follow(alice, carol);
    await people.favourite(carol, post);
    const [{ group_key } = {}] = await groups();
    await people.favourite(bob, post);
    const { body } = await api.ask(getGroup, alice, { group_key });
    expect(body.notification_groups).toMatchObject([{ notifications_count: 1, sample_account_ids: [`${carol.id}`] }]);
  });

  test('pages with the others, down and up', async () => {
    await people.follow(alice, carol);
    for (const by of [bob, carol, bob, carol, bob]) await mention(by);
    const all = idsIn(await notifications({ include_filtered: 'true' }));
    expect(all).toHaveLength(5);
    const page = async (given: object) => idsIn(await notifications({ include_filtered: 'true', limit: 2, ...given }));
    expect(await page({})).toEqual(all.slice(0, 2));
    expect(await page({ max_id: all[1] })).toEqual(all.slice(2, 4));
    expect(await page({ min_id: all[4] })).toEqual(all.slice(2, 4));
    expect(await page({ since_id: all[4] })).toEqual(all.slice(0, 2));
  });
});

describe('a request', () => {
  test('names the sender, how many mentions there are as a text, and the last of them', async () => {
    await mention();
    await people.favourite(bob, post);
    const last = await mention();
    const [request] = await requests();
    expect(request).toMatchObject({
      id: expect.stringMatching(/^[1-9][0-9]*$/),
      created_at: expect.stringMatching(/Z$/),
      updated_at: new Date(people.server.clock.now()).toISOString(),
      account: { username: 'bob' },
      notifications_count: '2',
      last_status: { id: `${last.id}` },
    });
    expect((await api.ask(endpoint('GET', '/:id'), alice, { id: request!.id })).body).toEqual(request);
    await expect(api.ask(endpoint('GET', '/:id'), bob, { id: request!.id })).rejects.toMatchObject({
      code: 'notFound',
    });
  });

  test('is made by a quote, too, and goes when that is deleted', async () => {
    const { body: quoted } = await api.ask(postStatus, alice, { status: 'Look' });
    const { body: quote } = await api.ask(postStatus, bob, { status: 'I see', quoted_status_id: quoted.id });
    people.server.settle();
    expect(await requests()).toMatchObject([{ notifications_count: '1', last_status: { id: quote.id } }]);
    const last = await mention();
    expect(await requests()).toMatchObject([{ notifications_count: '2', last_status: { id: String(last.id) } }]);
    await people.remove(last);
    expect(await requests()).toMatchObject([{ notifications_count: '1', last_status: { id: quote.id } }]);
    await api.ask(removeStatus, bob, { id: quote.id });
    people.server.settle();
    expect(await requests()).toEqual([]);
    people.expectSound();
  });

  test('counts up to a hundred', async () => {
    people.server.turn(Account.actor, alice.id, (turn) => {
      for (let number = 1; number <= 101; number += 1)
        addNotification(turn, { type: 'mention', fromId: bob.id, statusId: post.id });
    });
    expect((await requests())[0]!.notifications_count).toBe('100');
    expect(await summary()).toEqual({ pending_requests_count: 1, pending_notifications_count: 100 });
  });

  test.each([
    ['one by one', (ids: string[]) => Promise.all(ids.map((id) => answer('/:id/accept', { id })))],
    ['in bulk', (ids: string[]) => answer('/accept', { id: ids })],
    [
      'in bulk, with some that there are not',
      (ids: string[]) => answer('/accept', { id: ['5', 'word', ...ids, ...ids] }),
    ],
  ])('is accepted %s: what was filtered is listed when that is answered', async (_how, accept) => {
    await mention();
    await mention(carol);
    await people.favourite(bob, post);
    expect(await isMerged()).toEqual({ merged: true });
    await accept(idsIn(await requests()));
    expect(await types()).toEqual(['favourite', 'mention', 'mention']);
    expect([await requests(), await isMerged()]).toEqual([[], { merged: true }]);
    await mention();
    expect(await types()).toHaveLength(4);
  });

  test.each([
    ['one by one', (ids: string[]) => Promise.all(ids.map((id) => answer('/:id/dismiss', { id })))],
    ['in bulk', (ids: string[]) => answer('/dismiss', { id: ids })],
  ])('is dismissed %s', async (_how, dismiss) => {
    await mention();
    await mention(carol);
    await dismiss(idsIn(await requests()));
    expect([await requests(), await types({ include_filtered: 'true' })]).toEqual([[], []]);
    await mention();
    expect(await requests()).toHaveLength(1);
  });

  test.each([
    'accept',
    'dismiss',
  ])('that does not exist cannot be answered with %s; an empty list in bulk is fine', async (word) => {
    await mention();
    const [{ id } = { id: '' }] = await requests();
    for (const wrong of ['5', 'word'])
      await expect(answer(`/:id/${word}`, { id: wrong })).rejects.toMatchObject({ code: 'notFound' });
    await expect(answer(`/:id/${word}`, { id }, bob)).rejects.toMatchObject({ code: 'notFound' });
    expect((await answer(`/${word}`, {})).body).toEqual({});
    expect((await answer(`/${word}`, { id: [id] }, bob)).body).toEqual({});
    expect(idsIn(await requests())).toEqual([id]);
  });

  test('of somebody suspended is not shown until that is over', async () => {
    await mention();
    await suspend(bob);
    expect(await requests()).toEqual([]);
    await suspend(bob, false);
    expect(await requests()).toHaveLength(1);
  });

  test('of a blocked domain is not shown', async () => {
    const dora = people.remote('dora', 'there.test');
    await people.receive(dora, 'https://there.test/1', { mentions: [alice] });
    expect((await requests()).map(({ account }) => account.username)).toEqual(['dora']);
    await people.server.call(Account.blockDomain.to(alice.id, { domain: 'there.test', followed: [] }));
    expect(await requests()).toEqual([]);
  });
});
