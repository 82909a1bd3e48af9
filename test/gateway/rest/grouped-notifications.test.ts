/** Notifications in groups, version 2 (specification 4.10; behaviour of the Mastodon API). */
import { beforeEach, describe, expect, test } from 'vitest';
import { getUnreadCount, getUnreadGroupCount } from '../../../src/gateway/rest/notifications/count-unread.ts';
import { postDismiss } from '../../../src/gateway/rest/notifications/dismiss-notification.ts';
import { getNotifications } from '../../../src/gateway/rest/notifications/get-notifications.ts';
import {
  getGroup,
  getGroupAccounts,
  getGroups,
  postDismissGroup,
} from '../../../src/gateway/rest/notifications/grouped-notifications.ts';
import { moveMarkers } from '../../../src/operations/notifications/move-markers.ts';
import { unlimited } from '../../../src/operations/rate-limits.ts';
import type { Post } from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';
import type { Person } from '../../support/observer.ts';
import { testServices } from '../../support/services.ts';

const hour = 60 * 60 * 1_000;
let { people, api, alice, bob, carol } = await newPeople();
let post: Post;

beforeEach(async () => {
  ({ people, api, alice, bob, carol } = await newPeople());
  post = await people.publish(alice);
});

interface Group {
  readonly group_key: string;
  readonly notifications_count: number;
  readonly type: string;
  readonly sample_account_ids: readonly string[];
  readonly status_id?: string;
  readonly most_recent_notification_id: string | number;
  readonly page_min_id?: string;
  readonly page_max_id?: string;
}

async function groupsOf(person: Person, given: Record<string, unknown> = {}) {
  const { body, links } = await api.ask(getGroups, person, given);
  const { notification_groups: groups } = body as never as { notification_groups: readonly Group[] };
  return { body, links, groups, told: groups.map(({ type, notifications_count }) => `${type} ${notifications_count}`) };
}

const notifications = async (person: Person) =>
  (await api.ask(getNotifications, person)).body as never as { id: string; group_key: string }[];

describe('a group', () => {
  test('has the favourites, or the reblogs, of one status, and another one the follows', async () => {
    const other = await people.publish(alice);
    await people.favourite(bob, post);
    await people.follow(bob, alice);
    await people.favourite(bob, other);
    await people.favourite(carol, post);
    await people.reblog(carol, post);
    await people.follow(carol, alice);
    await people.publish(bob, { mentions: [alice] });
    const { groups, told, body } = await groupsOf(alice);
    expect(told).toEqual(['mention 1', 'follow 2', 'reblog 1', 'favourite 2', 'favourite 1']);
    expect(groups[3]).toMatchObject({
      status_id: `${post.id}`,
      sample_account_ids: [`${carol.id}`, `${bob.id}`],
      group_key: expect.stringMatching(new RegExp(`^favourite-${post.id}-\\d+$`)),
    });
    expect(groups[0]!.group_key).toBe(`ungrouped-${groups[0]!.most_recent_notification_id}`);
    expect(groups[1]).not.toHaveProperty('status_id');
    expect(idsIn(body.accounts).sort()).toEqual([`${bob.id}`, `${carol.id}`].sort());
    expect(idsIn(body.statuses)).toHaveLength(3);
    expect((await notifications(alice)).map(({ group_key }) => group_key)).toEqual(
      expect.arrayContaining(groups.map(({ group_key }) => group_key)),
    );
  });

  test('has the id of its newest notification as a number in the dialect of Mastodon', async () => {
    for (const fan of [bob, carol]) await people.favourite(fan, post);
    const asked = (dialect: 'specification' | 'mastodon', endpoint = getGroups, given = {}) =>
      api.ask<{ notification_groups: Group[] }>(endpoint, alice, given, dialect);
    for (let time = 0; time < 2; time += 1) {
      const [group] = (await asked('specification')).body.notification_groups;
      expect(group!.most_recent_notification_id).toBe(group!.page_max_id);
      const number = Number(group!.page_max_id);
      const listed = (await asked('mastodon')).body.notification_groups;
      expect(listed).toEqual([{ ...group, most_recent_notification_id: number }]);
      const alone = await asked('mastodon', getGroup as typeof getGroups, { group_key: group!.group_key });
      expect(alone.body.notification_groups[0]!.most_recent_notification_id).toBe(number);
    }
  });

  test('grows for half a day from its beginning, over any full hour', async () => {
    people.server.clock.advance(hour - 1_000);
    await people.favourite(bob, post);
    people.server.clock.advance(11 * hour);
    await people.favourite(carol, post);
    expect((await groupsOf(alice)).told).toEqual(['favourite 2']);
    people.server.clock.advance(hour);
    await people.favourite(people.local('dave'), post);
    expect((await groupsOf(alice)).told).toEqual(['favourite 1', 'favourite 2']);
  });

  test('is complete on every page that has something of it', async () => {
    await people.favourite(bob, post);
    await people.follow(bob, alice);
    await people.favourite(carol, post);
    const first = await groupsOf(alice, { limit: 1 });
    expect(first.told).toEqual(['favourite 2']);
    expect(first.groups[0]!.page_min_id).toBe(first.groups[0]!.page_max_id);
    const second = await groupsOf(alice, first.links.next);
    expect(second.told).toEqual(['follow 1']);
    const third = await groupsOf(alice, second.links.next);
    expect([third.told, third.groups[0]!.group_key]).toEqual([['favourite 1'], first.groups[0]!.group_key]);
    const back = await groupsOf(alice, third.links.prev);
    expect(back.told).toEqual(['follow 1']);
    expect((await groupsOf(alice, { min_id: first.groups[0]!.page_max_id })).told).toEqual([]);
  });

  test('is made only of the types that are asked for', async () => {
    await people.favourite(bob, post);
    await people.favourite(carol, post);
    await people.follow(bob, alice);
    await people.follow(carol, alice);
    const { told } = await groupsOf(alice, { grouped_types: ['follow'] });
    expect(told).toEqual(['follow 2', 'favourite 1', 'favourite 1']);
    expect((await groupsOf(alice, { types: ['follow'] })).told).toEqual(['follow 2']);
    expect((await groupsOf(alice, { exclude_types: ['follow'] })).told).toEqual(['favourite 2']);
    expect((await groupsOf(alice, { account_id: bob.id })).told).toEqual(['follow 1', 'favourite 1']);
  });

  test('shows all but the last who acted by their pictures only, where that is asked for', async () => {
    await people.favourite(bob, post);
    await people.favourite(carol, post);
    const { body } = await groupsOf(alice, { expand_accounts: 'partial_avatars' });
    expect(idsIn(body.accounts)).toEqual([`${carol.id}`]);
    const [partial] = body.partial_accounts as never as Record<string, unknown>[];
    expect(Object.keys(partial!).sort()).toEqual(
      ['acct', 'avatar', 'avatar_description', 'avatar_static', 'bot', 'id', 'locked', 'url'].sort(),
    );
    expect(partial).toMatchObject({ id: `${bob.id}`, acct: 'bob' });
    expect((await groupsOf(alice)).body).not.toHaveProperty('partial_accounts');
  });

  test('samples eight accounts, the last who acted', async () => {
    const fans: Person[] = [];
    for (let count = 0; count < 10; count += 1) fans.push(people.local(`fan${count}`, { partition: 1 }));
    for (const fan of fans) await people.favourite(fan, post);
    const { groups, told } = await groupsOf(alice);
    expect(told).toEqual(['favourite 10']);
    expect(groups[0]!.sample_account_ids).toEqual(
      fans
        .slice(2)
        .reverse()
        .map(({ id }) => `${id}`),
    );
    const all = await api.ask(getGroupAccounts, alice, { group_key: groups[0]!.group_key });
    expect(idsIn(all.body)).toEqual(fans.reverse().map(({ id }) => `${id}`));
  });

  test('has another sample, though as many members, once somebody is heard again and another one no longer', async () => {
    const fans: Person[] = [];
    for (let count = 0; count < 12; count += 1) fans.push(people.local(`fan${count}`, { partition: 1 }));
    for (const fan of fans) await people.favourite(fan, post);
    const sampleIds = async () => (await groupsOf(alice)).groups[0]!.sample_account_ids;
    await people.mute(alice, fans[1]!);
    const before = await sampleIds();
    expect(before).toContain(`${fans[8]!.id}`);
    await people.unmute(alice, fans[1]!);
    await people.mute(alice, fans[8]!);
    const { told } = await groupsOf(alice);
    expect(told).toEqual(['favourite 11']);
    expect(await sampleIds()).toEqual([...before.filter((id) => id !== `${fans[8]!.id}`), `${fans[3]!.id}`]);
  });

  test('leaves out whom the user has blocked, and is gone with the last of them', async () => {
    await people.favourite(bob, post);
    await people.favourite(carol, post);
    const { group_key } = (await groupsOf(alice)).groups[0]!;
    await people.block(alice, carol);
    expect((await groupsOf(alice)).told).toEqual(['favourite 1']);
    expect(idsIn((await api.ask(getGroupAccounts, alice, { group_key })).body)).toEqual([`${bob.id}`]);
    await people.block(alice, bob);
    expect((await groupsOf(alice)).told).toEqual([]);
    await expect(api.ask(getGroup, alice, { group_key })).rejects.toMatchObject({ code: 'notFound' });
  });

  test('is read and dismissed by its key, by its owner only', async () => {
    await people.favourite(bob, post);
    await people.favourite(carol, post);
    await people.publish(bob, { mentions: [alice] });
    const keys = (await groupsOf(alice)).groups.map(({ group_key }) => group_key);
    for (const group_key of keys) {
      const { body } = await api.ask(getGroup, alice, { group_key });
      expect(body).toMatchObject({ notification_groups: [{ group_key }], statuses: [{}] });
      expect(JSON.stringify(body)).not.toContain('page_min_id');
      await expect(api.ask(getGroup, bob, { group_key })).rejects.toMatchObject({ code: 'notFound' });
      await api.ask(postDismissGroup, bob, { group_key });
    }
    expect(await notifications(alice)).toHaveLength(3);
    await api.ask(postDismissGroup, alice, { group_key: keys[1]! });
    expect((await groupsOf(alice)).told).toEqual(['mention 1']);
    await api.ask(postDismissGroup, alice, { group_key: keys[0]! });
    expect(await notifications(alice)).toEqual([]);
  });

  test.each([
    '',
    'word',
    'follow',
    'follow-1-2',
    'favourite-2',
    'ungrouped-5',
    'ungrouped-',
    'favourite-9999999999-1',
  ])('with the key %o is no group, and dismissing it changes nothing', async (group_key) => {
    await people.favourite(bob, post);
    await expect(api.ask(getGroup, alice, { group_key })).rejects.toMatchObject({
      code: group_key === '' ? 'validation' : 'notFound',
    });
    if (group_key !== '') await api.ask(postDismissGroup, alice, { group_key });
    expect((await groupsOf(alice)).told).toEqual(['favourite 1']);
  });
});

test('what is unread is what is newer than the marker, one by one or in groups, up to a bound', async () => {
  await people.favourite(bob, post);
  await people.favourite(carol, post);
  await people.follow(bob, alice);
  const counts = async (given: object = {}) => [
    ((await api.ask(getUnreadCount, alice, { ...given })).body as never as { count: number }).count,
    ((await api.ask(getUnreadGroupCount, alice, { ...given })).body as never as { count: number }).count,
  ];
  expect(await counts()).toEqual([3, 2]);
  expect(await counts({ limit: 1 })).toEqual([1, 1]);
  expect(await counts({ types: ['favourite'] })).toEqual([2, 1]);
  expect(await counts({ grouped_types: ['follow'] })).toEqual([3, 3]);
  const [newest, second] = await notifications(alice);
  const services = testServices(people.server, {
    elsewhere: new Map(),
    home: { ids: new BigUint64Array(), complete: true },
  });
  const caller = { kind: 'account' as const, accountId: alice.id, limits: unlimited };
  await moveMarkers({ caller, services }, { notifications: BigInt(second!.id) });
  expect(await counts()).toEqual([1, 1]);
  await api.ask(postDismiss, alice, { id: newest!.id });
  expect(await counts()).toEqual([0, 0]);
});
