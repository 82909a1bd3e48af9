/** Pinned statuses through the API (specification 3, 4.3 and 6.2). */
import { beforeEach, describe, expect, test } from 'vitest';
import { getAccountStatuses } from '../../../src/gateway/rest/accounts-statuses/get-account-statuses.ts';
import { deletePin, postPin, postUnpin } from '../../../src/gateway/rest/pins/pins.endpoints.ts';
import { getStatus } from '../../../src/gateway/rest/statuses/get-status.ts';
import type { Post } from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';
import type { Person } from '../../support/observer.ts';

let { people, api, alice, bob } = await newPeople();
let post: Post;

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
  post = await people.publish(alice);
});

const pinned = async (viewer: Person | undefined, of = alice) =>
  idsIn((await api.ask(getAccountStatuses, viewer, { id: of.id, pinned: 'true' })).body);
const pin = async (...posts: Post[]) => {
  for (const { id } of posts) await api.ask(postPin, alice, { id });
};
const several = async (count: number) => {
  const posts: Post[] = [];
  while (posts.length < count) posts.push(await people.publish(alice));
  return posts;
};
const refused = (words: string) => ({ code: 'validation', message: `Validation failed: ${words}` });

test('pin answers the status as pinned, and the profile shows it first, the latest pin before others', async () => {
  const [other] = await several(1);
  expect((await api.ask(postPin, alice, { id: post.id })).body).toMatchObject({ id: `${post.id}`, pinned: true });
  await pin(other!, post);
  expect(await pinned(bob)).toEqual([`${other!.id}`, `${post.id}`]);
  expect(await pinned(undefined)).toHaveLength(2);
});

test.each([
  ['POST unpin', postUnpin],
  ['DELETE pin (specification 4.3)', deletePin],
])('%s takes it away, also the second time', async (_name, endpoint) => {
  await pin(post);
  for (let time = 0; time < 2; time += 1)
    expect((await api.ask(endpoint, alice, { id: post.id })).body).toMatchObject({ pinned: false });
  expect(await pinned(alice)).toEqual([]);
});

test('DELETE unpin is served as well', () => {
  expect(postUnpin.methods).toEqual(['POST', 'DELETE']);
});

test('followers and the servers of followers hear of an Add and a Remove, once each', async () => {
  people.takeDeliveries();
  const carol = people.remote('carol', 'there.test', { partition: 0 });
  await people.follow(carol, alice);
  people.takeDeliveries();
  for (const endpoint of [postPin, postPin, postUnpin, postUnpin]) await api.ask(endpoint, alice, { id: post.id });
  const heard = people.takeDeliveries().map(({ intent, toFollowers }) => [intent.kind, toFollowers]);
  expect(heard).toEqual([
    ['pin', true],
    ['unpin', true],
  ]);
});

test('five is the maximum, and unpinning makes room', async () => {
  const posts = await several(5);
  await pin(...posts);
  const words = 'You have already pinned the maximum number of posts';
  await expect(api.ask(postPin, alice, { id: post.id })).rejects.toMatchObject(refused(words));
  await pin(posts[0]!);
  await api.ask(postUnpin, alice, { id: posts[0]!.id });
  await pin(post);
  expect(await pinned(alice)).toHaveLength(5);
});

describe('what cannot be pinned', () => {
  test.each<[string, () => Promise<Post>, string]>([
    ['of somebody else', () => people.publish(bob), "Someone else's post cannot be pinned"],
    ['a boost', () => people.reblog(alice, post), 'A boost cannot be pinned'],
    [
      'a direct one',
      () => people.publish(alice, { visibility: 'direct' }),
      'Posts that are only visible to mentioned users cannot be pinned',
    ],
  ])('%s', async (_name, make, words) => {
    const { id } = await make();
    await expect(api.ask(postPin, alice, { id })).rejects.toMatchObject(refused(words));
    expect(await pinned(alice)).toEqual([]);
  });

  test('nobody is told of what they may not see', async () => {
    const { id } = await people.publish(bob, { visibility: 'private' });
    for (const endpoint of [postPin, postUnpin])
      await expect(api.ask(endpoint, alice, { id })).rejects.toMatchObject({ code: 'notFound' });
  });

  test('the flag stands on own statuses that can be pinned, and on no other', async () => {
    const direct = await people.publish(alice, { visibility: 'direct' });
    const seen = async (viewer: Person, { id }: Post) => (await api.ask(getStatus, viewer, { id })).body;
    expect(await seen(alice, post)).toMatchObject({ pinned: false });
    expect(await seen(alice, direct)).not.toHaveProperty('pinned');
    expect(await seen(bob, post)).not.toHaveProperty('pinned');
  });
});

test('a private pin is for followers, a deleted status is not pinned any more', async () => {
  const secret = await people.publish(alice, { visibility: 'private' });
  await pin(secret, post);
  expect(await pinned(bob)).toEqual([`${post.id}`]);
  await people.follow(bob, alice);
  expect(await pinned(bob)).toEqual([`${post.id}`, `${secret.id}`]);
  await people.remove(post);
  expect(await pinned(bob)).toEqual([`${secret.id}`]);
  await pin(...(await several(4)));
  expect(await pinned(bob)).toHaveLength(5);
});
