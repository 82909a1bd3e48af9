import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import type { Visibility } from '../../../src/actors/account/account.records.ts';
import { getContext } from '../../../src/gateway/rest/interactions/get-context.ts';
import { getFavouritedBy } from '../../../src/gateway/rest/interactions/get-favourited-by.ts';
import { getFavourites } from '../../../src/gateway/rest/interactions/get-favourites.ts';
import { getRebloggedBy } from '../../../src/gateway/rest/interactions/get-reblogged-by.ts';
import { postReblog } from '../../../src/gateway/rest/interactions/reblog-status.ts';
import { postFavourite, postUnfavourite, postUnreblog } from '../../../src/gateway/rest/interactions/status-changes.ts';
import type { Post } from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';

let { people, api, alice, bob } = await newPeople();
let post: Post;

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
  post = await people.publish(alice);
});

describe('favourite and unfavourite', () => {
  test('answer the status with its new state', async () => {
    const favourited = await api.ask(postFavourite, bob, { id: post.id });
    expect(favourited.status).toBe(200);
    expect(favourited.body).toMatchObject({
      id: `${post.id}`,
      favourited: true,
      reblogged: false,
      favourites_count: 1,
    });
    const undone = await api.ask(postUnfavourite, bob, { id: post.id });
    expect(undone.body).toMatchObject({ id: `${post.id}`, favourited: false, favourites_count: 0 });
    expect((await api.ask(postUnfavourite, bob, { id: post.id })).body).toMatchObject({ favourited: false });
  });

  test('on a reblog act on the original', async () => {
    const reblog = await people.reblog(bob, post);
    const favourited = await api.ask(postFavourite, bob, { id: reblog.id });
    expect(favourited.body).toMatchObject({ id: `${post.id}`, favourited: true, reblog: null });
    const undone = await api.ask(postUnfavourite, bob, { id: reblog.id });
    expect(undone.body).toMatchObject({ id: `${post.id}`, favourited: false, favourites_count: 0 });
  });
});

describe('reblog and unreblog', () => {
  test('answer the reblog, then the original', async () => {
    const first = await api.ask(postReblog, bob, { id: post.id, visibility: 'unlisted' });
    expect(first.body).toMatchObject({
      visibility: 'unlisted',
      reblogged: true,
      account: { username: 'bob' },
      reblog: { id: `${post.id}`, reblogged: true, reblogs_count: 1 },
    });
    expect((await api.ask(postReblog, bob, { id: post.id })).body.id).toBe(first.body.id);
    // The limit on posts counts what is new.
    expect(api.counted).toEqual(['statuses']);
    const undone = await api.ask(postUnreblog, bob, { id: first.body.id });
    expect(undone.body).toMatchObject({ id: `${post.id}`, reblogged: false, reblogs_count: 0 });
    expect((await api.ask(postUnreblog, bob, { id: post.id })).body).toMatchObject({ reblogged: false });
  });

  test.each<[Visibility, Visibility, Visibility | undefined, Visibility]>([
    ['public', 'public', undefined, 'public'],
    ['unlisted', 'public', undefined, 'unlisted'],
    ['private', 'public', undefined, 'private'],
    ['direct', 'public', undefined, 'private'],
    ['private', 'unlisted', 'public', 'public'],
    ['public', 'private', undefined, 'private'],
  ])('where the default is %s, of a status that is %s, asked for as %s: %s', async (preferred, of, asked, expected) => {
    await people.server.call(Account.changeProfile.to(alice.id, { defaultPrivacy: preferred }));
    const { id } = await people.publish(alice, { visibility: of });
    const { body } = await api.ask(postReblog, alice, { id, visibility: asked });
    expect(body).toMatchObject({ visibility: expected, reblog: { id: `${id}`, visibility: of } });
  });

  test('refuse a direct visibility and a direct status', async () => {
    const direct = api.ask(postReblog, bob, { id: post.id, visibility: 'direct' });
    await expect(direct).rejects.toMatchObject({ code: 'validation' });
    const secret = await people.publish(alice, { visibility: 'direct', mentions: [bob] });
    await expect(api.ask(postReblog, bob, { id: secret.id })).rejects.toMatchObject({ code: 'notFound' });
    expect(api.counted).toEqual([]);
  });
});

test.each([
  ['favourite', postFavourite],
  ['unfavourite', postUnfavourite],
  ['reblog', postReblog],
  ['unreblog', postUnreblog],
  ['favourited_by', getFavouritedBy],
  ['reblogged_by', getRebloggedBy],
  ['context', getContext],
])('%s answers 404 for what the viewer may not see', async (_name, endpoint) => {
  const hidden = await people.publish(alice, { visibility: 'private' });
  for (const id of [hidden.id, 12n, 'nothing'])
    await expect(api.ask(endpoint, bob, { id })).rejects.toMatchObject({ code: 'notFound' });
});

test('what somebody did can be taken back after a block', async () => {
  await people.favourite(bob, post);
  await people.reblog(bob, post);
  await people.block(alice, bob);
  await expect(api.ask(postFavourite, bob, { id: post.id })).rejects.toMatchObject({ code: 'notFound' });
  expect((await api.ask(postUnfavourite, bob, { id: post.id })).body).toMatchObject({ favourited: false });
  expect((await api.ask(postUnreblog, bob, { id: post.id })).body).toMatchObject({ reblogged: false });
  expect(people.countersOf(post)).toMatchObject({ favourites: 0, reblogs: 0 });
  await expect(api.ask(postUnfavourite, bob, { id: post.id })).rejects.toMatchObject({ code: 'notFound' });
});

test('the server of a remote author hears of what was taken back', async () => {
  const carol = people.remote('carol', 'there.test');
  const theirs = await people.receive(carol, 'https://there.test/1');
  people.takeDeliveries();
  for (const endpoint of [postFavourite, postUnfavourite, postReblog, postUnreblog])
    await api.ask(endpoint, alice, { id: theirs.id });
  const deliveries = people.takeDeliveries();
  expect(deliveries.map(({ intent }) => intent.kind)).toEqual(['like', 'undoLike', 'announce', 'undoAnnounce']);
  expect(deliveries.every(({ inboxes }) => inboxes[0] === carol.destination?.inbox)).toBe(true);
});

describe('favourited_by and reblogged_by', () => {
  test('list accounts, with links that lead through all of them', async () => {
    const carol = people.local('carol', { partition: 0 });
    for (const person of [bob, carol]) {
      await people.favourite(person, post);
      await people.reblog(person, post);
    }
    for (const endpoint of [getFavouritedBy, getRebloggedBy]) {
      const first = await api.ask(endpoint, undefined, { id: post.id, limit: 1 });
      expect(idsIn(first.body)).toEqual([`${carol.id}`]);
      const second = await api.ask(endpoint, undefined, { id: post.id, ...first.links.next });
      expect(idsIn(second.body)).toEqual([`${bob.id}`]);
      const third = await api.ask(endpoint, undefined, { id: post.id, ...second.links.next });
      expect([idsIn(third.body), third.links]).toEqual([[], {}]);
      expect(second.links.prev).toHaveProperty('since_id');
    }
  });
});

describe('favourites', () => {
  test('are listed by the time of the favourite, with links that lead through all of them', async () => {
    const posts = [post, await people.publish(bob), await people.publish(alice)];
    const order = [posts[1]!, posts[2]!, posts[0]!];
    for (const one of order) {
      people.server.clock.advance(1_000);
      await people.favourite(bob, one);
    }
    const latestFirst = order.map(({ id }) => `${id}`).reverse();
    const first = await api.ask(getFavourites, bob, { limit: 2 });
    expect(idsIn(first.body)).toEqual(latestFirst.slice(0, 2));
    expect(first.body).toMatchObject([{ favourited: true }, { favourited: true }]);
    const second = await api.ask(getFavourites, bob, first.links.next);
    expect(idsIn(second.body)).toEqual(latestFirst.slice(2));
    expect(second.links).toEqual({ prev: expect.objectContaining({ min_id: expect.any(String) }) });
    expect(idsIn((await api.ask(getFavourites, bob, second.links.prev)).body)).toEqual(latestFirst.slice(0, 2));
    expect((await api.ask(getFavourites, alice)).body).toEqual([]);
  });

  test('leave out what is gone, and what the account may no longer see', async () => {
    const carol = people.local('carol', { partition: 0 });
    const posts = [post, await people.publish(alice), await people.publish(carol)];
    for (const one of posts) await people.favourite(bob, one);
    await people.server.call(Account.deleteStatus.to(alice.id, { statusId: posts[1]!.id, destinations: [] }));
    await people.block(carol, bob);
    expect(idsIn((await api.ask(getFavourites, bob)).body)).toEqual([`${post.id}`]);
  });
});

describe('context', () => {
  test('has ancestors and descendants, with what they are to the viewer', async () => {
    const reply = await people.publish(bob, { replyTo: post });
    const last = await people.publish(alice, { replyTo: reply });
    await people.favourite(bob, post);
    const { body } = await api.ask(getContext, bob, { id: reply.id });
    expect([idsIn(body.ancestors), idsIn(body.descendants)]).toEqual([[`${post.id}`], [`${last.id}`]]);
    expect(body.ancestors).toMatchObject([{ favourited: true }]);
    const anonymous = await api.ask(getContext, undefined, { id: reply.id });
    expect(anonymous.body.ancestors).toMatchObject([{ filtered: [] }]);
    expect(anonymous.body.ancestors).not.toMatchObject([{ favourited: true }]);
  });

  test('of a reblog is that of the original', async () => {
    const reply = await people.publish(bob, { replyTo: post });
    const reblog = await people.reblog(bob, post);
    const { body } = await api.ask(getContext, undefined, { id: reblog.id });
    expect(idsIn(body.descendants)).toEqual([`${reply.id}`]);
  });

  test('that is long is answered whole', async () => {
    let last = post;
    for (let number = 0; number < 300; number += 1) last = await people.publish(bob, { replyTo: last });
    const down = await api.ask(getContext, undefined, { id: post.id });
    expect(idsIn(down.body.descendants)).toHaveLength(300);
    const up = await api.ask(getContext, undefined, { id: last.id });
    expect(idsIn(up.body.ancestors)[0]).toBe(`${post.id}`);
  });
});
