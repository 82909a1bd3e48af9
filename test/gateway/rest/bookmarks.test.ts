import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { getBookmarks, postBookmark, postUnbookmark } from '../../../src/gateway/rest/bookmarks/bookmarks.endpoints.ts';
import { getContext } from '../../../src/gateway/rest/interactions/get-context.ts';
import { getNotifications } from '../../../src/gateway/rest/notifications/get-notifications.ts';
import { getStatus } from '../../../src/gateway/rest/statuses/get-status.ts';
import { publicTimeline } from '../../../src/gateway/rest/timelines/public-timeline.ts';
import type { Post } from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';
import type { Person } from '../../support/observer.ts';

let { people, api, alice, bob } = await newPeople();
let post: Post;

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
  post = await people.publish(alice, { mentions: [bob] });
});

const bookmarked = async (person: Person) => idsIn((await api.ask(getBookmarks, person)).body);

test('bookmark and unbookmark answer the status with its new state, also the second time', async () => {
  for (let time = 0; time < 2; time += 1)
    expect((await api.ask(postBookmark, bob, { id: post.id })).body).toMatchObject({
      id: `${post.id}`,
      bookmarked: true,
      favourited: false,
    });
  for (let time = 0; time < 2; time += 1)
    expect((await api.ask(postUnbookmark, bob, { id: post.id })).body).toMatchObject({ bookmarked: false });
  expect(await bookmarked(bob)).toEqual([]);
});

test('on a reblog they act on the original', async () => {
  const reblog = await people.reblog(bob, post);
  expect((await api.ask(postBookmark, bob, { id: reblog.id })).body).toMatchObject({ id: `${post.id}`, reblog: null });
  expect(await bookmarked(bob)).toEqual([`${post.id}`]);
  const seen = await api.ask(getStatus, bob, { id: reblog.id });
  expect(seen.body).toMatchObject({ bookmarked: true, reblog: { bookmarked: true } });
  await api.ask(postUnbookmark, bob, { id: reblog.id });
  expect(await bookmarked(bob)).toEqual([]);
});

test('the state is the same wherever the status is shown, and for nobody else', async () => {
  const reply = await people.publish(alice, { replyTo: post, mentions: [bob] });
  const places = async (person: Person) => [
    (await api.ask(getStatus, person, { id: post.id })).body,
    (await api.ask(publicTimeline, person)).body,
    (await api.ask(getContext, person, { id: reply.id })).body,
    (await api.ask(getNotifications, person)).body,
  ];
  const marksIn = (answers: unknown) => JSON.stringify(answers).match(/"bookmarked":true/g)?.length ?? 0;
  expect(marksIn(await places(bob))).toBe(0);
  await api.ask(postBookmark, bob, { id: post.id });
  expect(marksIn(await places(bob))).toBe(4);
  expect(marksIn(await places(alice))).toBe(0);
  await api.ask(postUnbookmark, bob, { id: post.id });
  expect(marksIn(await places(bob))).toBe(0);
});

test.each([
  ['bookmark', postBookmark],
  ['unbookmark', postUnbookmark],
])('%s answers 404 for what the viewer may not see, and keeps nothing', async (_name, endpoint) => {
  const hidden = await people.publish(alice, { visibility: 'private' });
  for (const id of [hidden.id, 12n, 'nothing'])
    await expect(api.ask(endpoint, bob, { id })).rejects.toMatchObject({ code: 'notFound' });
  await people.follow(bob, alice);
  expect(await bookmarked(bob)).toEqual([]);
});

test('what is no longer seen leaves the list, can be taken out, and comes back otherwise', async () => {
  for (const one of [post, await people.publish(alice)]) await api.ask(postBookmark, bob, { id: one.id });
  await people.block(alice, bob);
  expect(await bookmarked(bob)).toEqual([]);
  await expect(api.ask(postBookmark, bob, { id: post.id })).rejects.toMatchObject({ code: 'notFound' });
  expect((await api.ask(postUnbookmark, bob, { id: post.id })).body).toMatchObject({ bookmarked: false });
  await expect(api.ask(postUnbookmark, bob, { id: post.id })).rejects.toMatchObject({ code: 'notFound' });
  await people.server.call(Account.unblock.to(alice.id, { targetId: bob.id, targetDestination: undefined }));
  expect(await bookmarked(bob)).toHaveLength(1);
});

describe('the list', () => {
  test('has the latest bookmark first, with links that lead through all of it', async () => {
    const posts = [post, await people.publish(bob), await people.publish(alice)];
    for (const index of [1, 2, 0]) await api.ask(postBookmark, bob, { id: posts[index]!.id });
    const first = await api.ask(getBookmarks, bob, { limit: 2 });
    expect(idsIn(first.body)).toEqual([`${posts[0]!.id}`, `${posts[2]!.id}`]);
    expect(first.body).toMatchObject([{ bookmarked: true }, { bookmarked: true }]);
    const second = await api.ask(getBookmarks, bob, first.links.next);
    expect(idsIn(second.body)).toEqual([`${posts[1]!.id}`]);
    expect(second.links).toEqual({ prev: expect.objectContaining({ min_id: expect.any(String) }) });
    expect(idsIn((await api.ask(getBookmarks, bob, second.links.prev)).body)).toEqual(idsIn(first.body));
    expect(await bookmarked(alice)).toEqual([]);
  });

  test('passes over what is gone, however much that is', async () => {
    const gone: Post[] = [];
    for (let count = 0; count < 30; count += 1) gone.push(await people.publish(alice));
    for (const { id } of [post, ...gone]) await api.ask(postBookmark, bob, { id });
    for (const one of gone) await people.remove(one);
    expect(idsIn((await api.ask(getBookmarks, bob, { limit: 5 })).body)).toEqual([`${post.id}`]);
  });
});
