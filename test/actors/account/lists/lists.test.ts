/** Lists as stored by their owner (specification 4.5, 8). */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { listStatusIds } from '../../../../src/actors/account/home/home.queries.ts';
import { listLimits } from '../../../../src/actors/account/lists/limits.ts';
import { listChanged } from '../../../../src/actors/account/lists/lists.events.ts';
import {
  countMembers,
  findList,
  isExclusiveMember,
  listsOf,
  listsWithMember,
  memberIdsOf,
} from '../../../../src/actors/account/lists/lists.queries.ts';
import type { List } from '../../../../src/actors/account/lists/lists.records.ts';
import { atOnce } from '../../../../src/operations/presentation/slice.ts';
import type { Id } from '../../../../src/runtime/ids.ts';
import type { Post } from '../../../support/acts.ts';
import { mergedHome } from '../../../support/merged-home.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
  carol = people.remote('carol', 'there.test');
  dave = people.local('dave');
  for (const target of [bob, carol]) await people.follow(alice, target);
});

const make = async (more: Partial<List> = {}): Promise<Id> => {
  const list = { title: 'Friends', repliesPolicy: 'list' as const, exclusive: false, ...more };
  return (await people.server.call(Account.createList.to(alice.id, list))).listId;
};
const idsOf = (members: readonly Person[]) => members.map(({ id }) => id);
const add = (listId: Id, ...members: Person[]) =>
  people.server.call(Account.addToList.to(alice.id, { listId, memberIds: idsOf(members) }));
const members = (listId: Id) => [...memberIdsOf(people.server.read, listId)].sort();
const timeline = (listId: Id) => atOnce(listStatusIds(people.server.read, listId, { limit: 40 }));
const home = () => mergedHome(people.server.read, alice.id, { limit: 40 });

test('are made, changed and removed, by their owner only', async () => {
  const listId = await make();
  await people.server.call(Account.changeList.to(alice.id, { listId, title: 'Family' }));
  expect(listsOf(people.server.read, alice.id)).toEqual([
    { id: listId, accountId: alice.id, title: 'Family', repliesPolicy: 'list', exclusive: false },
  ]);
  for (const message of [
    Account.changeList.to(bob.id, { listId, title: 'x' }),
    Account.removeList.to(bob.id, { listId }),
    Account.addToList.to(bob.id, { listId, memberIds: [] }),
    Account.removeFromList.to(bob.id, { listId, memberIds: [] }),
  ])
    await expect(people.server.call(message)).rejects.toMatchObject({ code: 'notFound' });
  await people.server.call(Account.removeList.to(alice.id, { listId }));
  expect([listsOf(people.server.read, alice.id), findList(people.server.read, listId)]).toEqual([[], undefined]);
});

test(`are ${listLimits.listsMax} at most`, async () => {
  for (let count = 0; count < listLimits.listsMax; count += 1) await make();
  await expect(make()).rejects.toMatchObject({ code: 'validation' });
});

describe('members', () => {
  test('are counted up to a bound', async () => {
    const listId = await make();
    await add(listId, bob, carol);
    expect([0, 1, 2, 9].map((bound) => countMembers(people.server.read, listId, bound))).toEqual([0, 1, 2, 2]);
  });

  test('are accounts that the owner follows, each once; all of a request or none', async () => {
    const listId = await make();
    await people.server.call(Account.changeProfile.to(dave.id, { locked: true }));
    await people.follow(alice, dave);
    for (const refused of [dave, alice, { ...bob, id: 7n }])
      await expect(add(listId, bob, refused)).rejects.toMatchObject({ code: 'notFound' });
    expect(members(listId)).toEqual([]);
    await add(listId, bob, bob);
    await expect(add(listId, carol, bob)).rejects.toMatchObject({ code: 'validation' });
    await add(listId, carol);
    expect(members(listId)).toEqual(idsOf([bob, carol]).sort());
    await people.server.call(Account.removeFromList.to(alice.id, { listId, memberIds: idsOf([bob, dave]) }));
    expect(members(listId)).toEqual([carol.id]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['is unfollowed', () => people.unfollow(alice, bob)],
    ['is blocked', () => people.block(alice, bob)],
    ['blocks', () => people.block(bob, alice)],
    ['sends the owner away', () => people.server.call(Account.rejectFollow.to(bob.id, { requesterId: alice.id }))],
  ])('leave all lists when one %s', async (_what, end) => {
    const [one, other] = [await make(), await make({ exclusive: true })];
    for (const listId of [one, other]) await add(listId, bob, carol);
    expect(listsWithMember(people.server.read, alice.id, bob.id).map(({ id }) => id)).toEqual([one, other]);
    expect(isExclusiveMember(people.server.read, alice.id, bob.id)).toBe(true);
    people.server.forgetEvents();
    await end();
    expect([members(one), members(other)]).toEqual([[carol.id], [carol.id]]);
    expect(listsWithMember(people.server.read, alice.id, bob.id)).toEqual([]);
    expect(people.server.events(listChanged).map(({ listId, concernsHome }) => [listId, concernsHome])).toEqual([
      [one, false],
      [other, true],
    ]);
  });

  test('of a domain that the owner hides leave as well', async () => {
    const listId = await make();
    await add(listId, bob, carol);
    const followed = [{ targetId: carol.id, targetDestination: carol.destination }];
    await people.server.call(Account.blockDomain.to(alice.id, { domain: 'there.test', followed }));
    expect(members(listId)).toEqual([bob.id]);
  });

  test('of a removed list are forgotten, however many', async () => {
    const listId = await make();
    const crowd: Person[] = [];
    for (let count = 0; count < listLimits.membersSweptPerTurn + 3; count += 1)
      crowd.push(people.remote(`fan${count}`, 'there.test', { partition: 1 }));
    for (const person of crowd) await people.follow(alice, person);
    await add(listId, ...crowd);
    await people.server.call(Account.removeList.to(alice.id, { listId }));
    expect(members(listId)).toEqual([]);
    expect(listsWithMember(people.server.read, alice.id, crowd[0]!.id)).toEqual([]);
  });
});

describe('the timeline', () => {
  let ofBob: Post;
  let posts: Record<string, Post>;

  beforeEach(async () => {
    const [ofCarol, ofDave, ofAlice] = [
      await people.receive(carol, 'https://there.test/1'),
      await people.publish(dave),
      await people.publish(alice),
    ];
    ofBob = await people.publish(bob);
    posts = {
      'to himself': await people.publish(bob, { replyTo: ofBob }),
      'to alice': await people.publish(bob, { replyTo: ofAlice }),
      'to carol': await people.publish(bob, { replyTo: ofCarol }),
      'to dave': await people.publish(bob, { replyTo: ofDave }),
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

  test('has replies to members by the policy list, none by the policy none, and nothing of the owner', async () => {
    const listId = await make();
    await add(listId, bob, carol);
    expect(timeline(listId)).toContain(posts['to carol']!.id);
    expect(timeline(listId)).not.toContain(posts['to dave']!.id);
    await people.server.call(Account.changeList.to(alice.id, { listId, repliesPolicy: 'none' }));
    expect(timeline(listId)).not.toContain(posts['to carol']!.id);
  });

  test('of an exclusive list is what home leaves out; replies to its members stay there', async () => {
    await people.follow(alice, dave);
    const toBob = await people.publish(dave, { replyTo: ofBob });
    const listId = await make();
    await add(listId, bob);
    expect(home()).toContain(ofBob.id);
    await people.server.call(Account.changeList.to(alice.id, { listId, exclusive: true }));
    expect(home()).not.toContain(ofBob.id);
    expect([home().includes(toBob.id), timeline(listId).includes(ofBob.id)]).toEqual([true, true]);
    await people.server.call(Account.removeList.to(alice.id, { listId }));
    expect(home()).toContain(ofBob.id);
  });
});
