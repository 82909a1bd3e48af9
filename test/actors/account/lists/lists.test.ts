/** Lists as their owner keeps them (specification 4.5, 8). */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { listStatusIds } from '../../../../src/actors/account/home/home.queries.ts';
import { listLimits } from '../../../../src/actors/account/lists/limits.ts';
import { listChanged } from '../../../../src/actors/account/lists/lists.events.ts';
import {
  findList,
  isExclusiveMember,
  listsOf,
  listsWithMember,
  memberIdsOf,
} from '../../../../src/actors/account/lists/lists.queries.ts';
import type { List } from '../../../../src/actors/account/lists/lists.records.ts';
import type { Id } from '../../../../src/runtime/ids.ts';
import { Circle, type Post } from '../../../support/circle.ts';
import { atOnce, mergedHome } from '../../../support/merged-home.ts';
import type { Person } from '../../../support/observer.ts';

let circle: Circle;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;

beforeEach(async () => {
  circle = new Circle();
  alice = await circle.local('alice', 0);
  bob = await circle.local('bob', 1);
  carol = await circle.remote('carol', 'there.test', 0);
  dave = await circle.local('dave', 1);
  for (const target of [bob, carol]) await circle.follow(alice, target);
});

const make = async (more: Partial<List> = {}): Promise<Id> => {
  const list = { title: 'Friends', repliesPolicy: 'list' as const, exclusive: false, ...more };
  return (await circle.server.call(Account.createList.to(alice.id, list))).listId;
};
const idsOf = (people: readonly Person[]) => people.map(({ id }) => id);
const add = (listId: Id, ...people: Person[]) =>
  circle.server.call(Account.addToList.to(alice.id, { listId, memberIds: idsOf(people) }));
const members = (listId: Id) => [...memberIdsOf(circle.server.read, listId)].sort();
const timeline = (listId: Id) => atOnce(listStatusIds(circle.server.read, listId, { limit: 40 }));
const home = () => mergedHome(circle.server.read, alice.id, { limit: 40 });

test('are made, changed and removed, by their owner only', async () => {
  const listId = await make();
  await circle.server.call(Account.changeList.to(alice.id, { listId, title: 'Family' }));
  expect(listsOf(circle.server.read, alice.id)).toEqual([
    { id: listId, accountId: alice.id, title: 'Family', repliesPolicy: 'list', exclusive: false },
  ]);
  for (const message of [
    Account.changeList.to(bob.id, { listId, title: 'x' }),
    Account.removeList.to(bob.id, { listId }),
    Account.addToList.to(bob.id, { listId, memberIds: [] }),
    Account.removeFromList.to(bob.id, { listId, memberIds: [] }),
  ])
    await expect(circle.server.call(message)).rejects.toMatchObject({ code: 'notFound' });
  await circle.server.call(Account.removeList.to(alice.id, { listId }));
  expect([listsOf(circle.server.read, alice.id), findList(circle.server.read, listId)]).toEqual([[], undefined]);
});

test(`are ${listLimits.listsMax} at most`, async () => {
  for (let count = 0; count < listLimits.listsMax; count += 1) await make();
  await expect(make()).rejects.toMatchObject({ code: 'validation' });
});

describe('members', () => {
  test('are accounts that the owner follows, each once; all of a request or none', async () => {
    const listId = await make();
    await circle.server.call(Account.changeProfile.to(dave.id, { locked: true }));
    await circle.follow(alice, dave);
    for (const refused of [dave, alice, { ...bob, id: 7n }])
      await expect(add(listId, bob, refused)).rejects.toMatchObject({ code: 'notFound' });
    expect(members(listId)).toEqual([]);
    await add(listId, bob, bob);
    await expect(add(listId, carol, bob)).rejects.toMatchObject({ code: 'validation' });
    await add(listId, carol);
    expect(members(listId)).toEqual(idsOf([bob, carol]).sort());
    await circle.server.call(Account.removeFromList.to(alice.id, { listId, memberIds: idsOf([bob, dave]) }));
    expect(members(listId)).toEqual([carol.id]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['is unfollowed', () => circle.unfollow(alice, bob)],
    ['is blocked', () => circle.block(alice, bob)],
    ['blocks', () => circle.block(bob, alice)],
    ['sends the owner away', () => circle.server.call(Account.rejectFollow.to(bob.id, { requesterId: alice.id }))],
  ])('leave all lists when one %s', async (_what, end) => {
    const [one, other] = [await make(), await make({ exclusive: true })];
    for (const listId of [one, other]) await add(listId, bob, carol);
    expect(listsWithMember(circle.server.read, alice.id, bob.id).map(({ id }) => id)).toEqual([one, other]);
    expect(isExclusiveMember(circle.server.read, alice.id, bob.id)).toBe(true);
    circle.server.forgetEvents();
    await end();
    expect([members(one), members(other)]).toEqual([[carol.id], [carol.id]]);
    expect(listsWithMember(circle.server.read, alice.id, bob.id)).toEqual([]);
    expect(circle.server.events(listChanged).map(({ listId, concernsHome }) => [listId, concernsHome])).toEqual([
      [one, false],
      [other, true],
    ]);
  });

  test('of a domain that the owner hides leave as well', async () => {
    const listId = await make();
    await add(listId, bob, carol);
    const followed = [{ targetId: carol.id, targetDestination: carol.destination }];
    await circle.server.call(Account.blockDomain.to(alice.id, { domain: 'there.test', followed }));
    expect(members(listId)).toEqual([bob.id]);
  });

  test('of a removed list are forgotten, however many', async () => {
    const listId = await make();
    const crowd: Person[] = [];
    for (let count = 0; count < listLimits.membersSweptPerTurn + 3; count += 1)
      crowd.push(await circle.remote(`fan${count}`, 'there.test', 1));
    for (const person of crowd) await circle.follow(alice, person);
    await add(listId, ...crowd);
    await circle.server.call(Account.removeList.to(alice.id, { listId }));
    expect(members(listId)).toEqual([]);
    expect(listsWithMember(circle.server.read, alice.id, crowd[0]!.id)).toEqual([]);
  });
});

describe('the timeline', () => {
  let ofBob: Post;
  let posts: Record<string, Post>;

  beforeEach(async () => {
    const [ofCarol, ofDave, ofAlice] = [
      await circle.receive(carol, 'https://there.test/1'),
      await circle.publish(dave),
      await circle.publish(alice),
    ];
    ofBob = await circle.publish(bob);
    posts = {
      'to himself': await circle.publish(bob, { replyTo: ofBob }),
      'to alice': await circle.publish(bob, { replyTo: ofAlice }),
      'to carol': await circle.publish(bob, { replyTo: ofCarol }),
      'to dave': await circle.publish(bob, { replyTo: ofDave }),
    };
  });

  test.each([
    ['none', ['to himself', 'to alice']],
    ['list', ['to himself', 'to alice']],
    ['followed', ['to himself', 'to alice', 'to carol']],
  ] as const)('has replies by the policy %s', async (repliesPolicy, replies) => {
    const listId = await make({ repliesPolicy });
    await add(listId, bob);
    expect(timeline(listId)).toEqual([...replies.map((reply) => posts[reply]!.id).reverse(), ofBob.id]);
  });

  test('has replies to members by the policy list, and nothing of the owner', async () => {
    const listId = await make();
    await add(listId, bob, carol);
    expect(timeline(listId)).toContain(posts['to carol']!.id);
    expect(timeline(listId)).not.toContain(posts['to dave']!.id);
  });

  test('of an exclusive list is what home leaves out; replies to its members stay there', async () => {
    await circle.follow(alice, dave);
    const toBob = await circle.publish(dave, { replyTo: ofBob });
    const listId = await make();
    await add(listId, bob);
    expect(home()).toContain(ofBob.id);
    await circle.server.call(Account.changeList.to(alice.id, { listId, exclusive: true }));
    expect(home()).not.toContain(ofBob.id);
    expect([home().includes(toBob.id), timeline(listId).includes(ofBob.id)]).toEqual([true, true]);
    await circle.server.call(Account.removeList.to(alice.id, { listId }));
    expect(home()).toContain(ofBob.id);
  });
});
