/** Notifications, version 1 (specification 4.10; behaviour of the Mastodon API). */
import { beforeEach, describe, expect, test } from 'vitest';
import { postClear } from '../../../src/gateway/rest/notifications/clear-notifications.ts';
import { postDismiss } from '../../../src/gateway/rest/notifications/dismiss-notification.ts';
import { getNotification } from '../../../src/gateway/rest/notifications/get-notification.ts';
import { getNotifications } from '../../../src/gateway/rest/notifications/get-notifications.ts';
import type { Post } from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';

let { people, api, alice, bob } = await newPeople();
let post: Post;

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
  post = await people.publish(alice);
  await people.follow(bob, alice);
  await people.favourite(bob, post);
  await people.reblog(bob, post);
});

async function types(given: Record<string, unknown> = {}): Promise<unknown> {
  const { body } = await api.ask<{ type: string }[]>(getNotifications, alice, given);
  return body.map(({ type }) => type);
}

test('a notification says who did what to which status', async () => {
  const { body } = await api.ask<Record<string, string>[]>(getNotifications, alice);
  const [reblog, , follow] = body;
  expect(reblog).toEqual({
    id: expect.stringMatching(/^[0-9]+$/),
    type: 'reblog',
    group_key: `reblog-${post.id}-${Math.floor(people.server.clock.now() / 3_600_000)}`,
    created_at: new Date(people.server.clock.now()).toISOString(),
    account: expect.objectContaining({ id: `${bob.id}`, username: 'bob' }),
    status: expect.objectContaining({ id: `${post.id}`, favourited: false, reblog: null }),
  });
  expect(Object.keys(follow!)).not.toContain('status');
});

test.each<[string, Record<string, unknown>, string[]]>([
  ['all', {}, ['reblog', 'favourite', 'follow']],
  ['some types', { types: ['follow', 'favourite'] }, ['favourite', 'follow']],
  ['no types, as a form says it', { types: [''], exclude_types: [''] }, ['reblog', 'favourite', 'follow']],
  ['a type that is not served', { types: ['quote'] }, []],
  ['all types but one', { exclude_types: ['favourite', 'quote'] }, ['reblog', 'follow']],
  ['nobody', { account_id: '77' }, []],
  ['what is no account', { account_id: 'word' }, []],
])('%s are listed', async (_what, given, expected) => {
  expect(await types(given)).toEqual(expected);
});

test('pages lead on by their links', async () => {
  const first = await api.ask(getNotifications, alice, { limit: 1, exclude_types: ['favourite'] });
  expect(first.links.next).toEqual({ limit: '1', max_id: idsIn(first.body)[0] });
  expect(first.links.prev).toEqual({ limit: '1', min_id: idsIn(first.body)[0] });
  expect(await types({ exclude_types: ['favourite'], ...first.links.next })).toEqual(['follow']);
});

describe('one notification', () => {
  test('is read and dismissed by its owner', async () => {
    const [id] = idsIn((await api.ask(getNotifications, alice)).body);
    expect((await api.ask(getNotification, alice, { id })).body).toMatchObject({ id, type: 'reblog' });
    await expect(api.ask(getNotification, bob, { id })).rejects.toMatchObject({ code: 'notFound' });
    await expect(api.ask(postDismiss, bob, { id })).rejects.toMatchObject({ code: 'notFound' });
    expect((await api.ask(postDismiss, alice, { id })).body).toEqual({});
    await expect(api.ask(getNotification, alice, { id })).rejects.toMatchObject({ code: 'notFound' });
    await expect(api.ask(postDismiss, alice, { id })).rejects.toMatchObject({ code: 'notFound' });
    expect(await types()).toEqual(['favourite', 'follow']);
  });
});

test('all are cleared at once', async () => {
  expect((await api.ask(postClear, alice)).body).toEqual({});
  const after = await api.ask(getNotifications, alice);
  expect([after.body, after.links]).toEqual([[], {}]);
});
