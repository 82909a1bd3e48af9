/** Lists through the API (specification 4.5): not paginated, owner only, followed accounts only. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import {
  deleteListMembers,
  getListMembers,
  listMemberEndpoints,
  postListMembers,
} from '../../../src/gateway/rest/lists/list-members.ts';
import { listTimeline } from '../../../src/gateway/rest/lists/list-timeline.ts';
import {
  deleteList,
  getList,
  getLists,
  getListsOfMember,
  postList,
  putList,
} from '../../../src/gateway/rest/lists/lists.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';
import { mergedHome } from '../../support/merged-home.ts';
import type { Person } from '../../support/observer.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { roundsOf } from '../../support/rounds-of.ts';

let { people, api, alice, bob, carol } = await newPeople();

beforeEach(async () => {
  ({ people, api, alice, bob, carol } = await newPeople());
  for (const target of [bob, carol]) await people.follow(alice, target);
});

const make = async (given: object = {}) =>
  (await api.ask<{ id: string }>(postList, alice, { title: 'Friends', ...given })).body;
const add = (id: string, ...members: Person[]) =>
  api.ask(postListMembers, alice, { id, account_ids: members.map((person) => `${person.id}`) });

test('are made with the defaults of the Mastodon API, changed and removed', async () => {
  const made = await make();
  expect(made).toEqual({ id: expect.any(String), title: 'Friends', replies_policy: 'list', exclusive: false });
  const { id } = made;
  const changed = await api.ask(putList, alice, { id, title: 'Family', replies_policy: 'none', exclusive: 'true' });
  expect(changed.body).toEqual({ id, title: 'Family', replies_policy: 'none', exclusive: true });
  expect((await api.ask(putList, alice, { id })).body).toEqual(changed.body);
  expect((await api.ask(getList, alice, { id })).body).toEqual(changed.body);
  const second = await make();
  expect(idsIn((await api.ask(getLists, alice)).body)).toEqual([id, second.id]);
  expect((await api.ask(getLists, bob)).body).toEqual([]);
  expect((await api.ask(deleteList, alice, { id })).body).toEqual({});
  expect(idsIn((await api.ask(getLists, alice)).body)).toEqual([second.id]);
});

test('are seen and changed by their owner only', async () => {
  const { id } = await make();
  const given = { id, list_id: id, account_ids: [] };
  for (const endpoint of [getList, putList, deleteList, listTimeline, ...listMemberEndpoints])
    expect(await outcomeOf(api.ask(endpoint, bob, given))).toBe('notFound');
  expect(idsIn((await api.ask(getLists, alice)).body)).toEqual([id]);
});

test('members are added, all or none, listed and taken out', async () => {
  const { id } = await make();
  expect((await add(id, bob)).body).toEqual({});
  expect(await outcomeOf(add(id, carol, alice))).toBe('notFound');
  expect(await outcomeOf(add(id, carol, bob))).toBe('validation');
  await add(id, carol);
  const listed = async (given: object = {}) => api.ask(getListMembers, alice, { id, ...given });
  expect(idsIn((await listed()).body)).toEqual([`${carol.id}`, `${bob.id}`]);
  const first = await listed({ limit: '1' });
  expect(idsIn(first.body)).toEqual([`${carol.id}`]);
  expect(idsIn((await listed(first.links.next)).body)).toEqual([`${bob.id}`]);
  for (const limit of ['0', 0]) {
    const all = await listed({ limit });
    expect([idsIn(all.body), all.links]).toEqual([[`${carol.id}`, `${bob.id}`], {}]);
  }
  expect(idsIn((await api.ask(getListsOfMember, alice, { id: bob.id })).body)).toEqual([id]);
  expect((await api.ask(deleteListMembers, alice, { id, account_ids: [`${bob.id}`, '5'] })).body).toEqual({});
  expect(idsIn((await listed()).body)).toEqual([`${carol.id}`]);
  expect((await api.ask(getListsOfMember, alice, { id: bob.id })).body).toEqual([]);
});

test('many members are answered at once, and others run in between', async () => {
  const { id } = await make();
  const members = Array.from({ length: 150 }, (_, number) => people.local(`member${number}`));
  for (const member of members) await people.follow(alice, member);
  await add(id, ...members);
  const shown = members.filter((_member, index) => index % 2 === 0);
  for (const member of members) if (!shown.includes(member)) people.suspend(member);
  const all: string[] = [];
  const rounds = await roundsOf(async () => {
    all.push(...idsIn((await api.ask(getListMembers, alice, { id, limit: 0 })).body));
  });
  expect(all.toSorted()).toEqual(shown.map((member) => `${member.id}`).toSorted());
  expect(rounds).toBeGreaterThan(1);
  for (const member of shown) people.suspend(member);
  expect((await api.ask(getListMembers, alice, { id, limit: 0 })).body).toEqual([]);
});

test('the timeline has what members publish and the user may see, page by page', async () => {
  const { id } = await make();
  await add(id, bob);
  const posts: string[] = [];
  for (let count = 0; count < 3; count += 1) posts.unshift(`${(await people.publish(bob)).id}`);
  await people.publish(carol);
  const first = await api.ask(listTimeline, alice, { list_id: id, limit: 2 });
  expect(idsIn(first.body)).toEqual(posts.slice(0, 2));
  const next = await api.ask(listTimeline, alice, { list_id: id, ...first.links.next });
  expect(idsIn(next.body)).toEqual(posts.slice(2));
  expect(idsIn((await api.ask(listTimeline, alice, { list_id: id, ...next.links.prev })).body)).toEqual(
    posts.slice(0, 2),
  );
  await people.mute(alice, bob);
  expect((await api.ask(listTimeline, alice, { list_id: id })).body).toEqual([]);
});

test('the timeline has no direct statuses: these are in the home of those whom they mention', async () => {
  const { id } = await make();
  await add(id, bob);
  const direct = await people.publish(bob, { visibility: 'direct', mentions: [alice] });
  const post = await people.publish(bob, { visibility: 'private' });
  expect(idsIn((await api.ask(listTimeline, alice, { list_id: id })).body)).toEqual([`${post.id}`]);
  expect(mergedHome(people.server.read, alice.id, { limit: 20 })).toEqual([post.id, direct.id]);
});

test('a timeline that could not be read whole is 206, never a short 200', async () => {
  const { id } = await make();
  await add(id, bob);
  await people.publish(bob);
  api.list = { ids: new BigUint64Array(), complete: false };
  const answer = await api.ask(listTimeline, alice, { list_id: id });
  expect([answer.status, answer.body]).toEqual([206, []]);
});

test('the first list that is too much is refused (specification 8)', async () => {
  for (let count = 0; count < 50; count += 1) await make({ title: `List ${count}` });
  expect(await outcomeOf(make())).toBe('validation');
  expect((await api.ask(getLists, alice)).body).toHaveLength(50);
});

test('a title is demanded, and kept where none is given', async () => {
  for (const title of ['', ' ', 'x'.repeat(257)]) expect(await outcomeOf(make({ title }))).toBe('validation');
  const { id } = await make();
  expect(await outcomeOf(api.ask(putList, alice, { id, title: '' }))).toBe('validation');
  await people.server.call(Account.changeList.to(alice.id, { listId: BigInt(id), exclusive: true }));
  expect((await api.ask(getList, alice, { id })).body).toMatchObject({ title: 'Friends', exclusive: true });
});

describe('behind more statuses of a muted member than a few pages have', () => {
  let listId: string;
  let before: string;
  let shown: string[];
  const page = async (bounds: object) => {
    const { body, links } = await api.ask(listTimeline, alice, { list_id: listId, limit: '2', ...bounds });
    return { ids: idsIn(body), links };
  };

  beforeEach(async () => {
    listId = (await make()).id;
    await add(listId, bob, carol);
    before = `${(await people.publish(carol)).id}`;
    const publish = async (author: Person, count: number) => {
      const ids: string[] = [];
      for (let written = 0; written < count; written += 1) ids.unshift(`${(await people.publish(author)).id}`);
      return ids;
    };
    await publish(bob, 30);
    shown = await publish(carol, 3);
    await publish(bob, 30);
    await people.mute(alice, bob);
  });

  test('there is a page of others, whose link continues after it', async () => {
    const first = await page({});
    expect(first.ids).toEqual(shown.slice(0, 2));
    const second = await page(first.links.next!);
    expect(second.ids).toEqual(shown.slice(2));
  });

  test('upwards, too', async () => {
    const first = await page({ min_id: before });
    expect(first.ids).toEqual(shown.slice(1));
    const second = await page(first.links.prev!);
    expect(second.ids).toEqual(shown.slice(0, 1));
  });
});
