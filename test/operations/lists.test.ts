/** Lists: ownership, and rules for titles (specification 4.5). */
import { beforeEach, expect, test } from 'vitest';
import { memberIdsOf } from '../../src/actors/account/lists/lists.queries.ts';
import { changeList, createList, removeList } from '../../src/operations/lists/change-list.ts';
import { addToList, removeFromList } from '../../src/operations/lists/list-members.ts';
import type { Person } from '../support/observer.ts';
import { Callers } from './callers.ts';

let callers: Callers;
let alice: Person;
let bob: Person;
const friends = { title: 'Friends', repliesPolicy: 'list' as const, exclusive: false };

beforeEach(async () => {
  callers = new Callers();
  alice = callers.people.local('alice');
  bob = callers.people.local('bob');
  await callers.people.follow(alice, bob);
});

test('what was made or changed is answered as it is kept now', async () => {
  const made = await createList(callers.as(alice), friends);
  expect(made).toMatchObject({ ...friends, accountId: alice.id });
  expect(await changeList(callers.as(alice), { listId: made.id, exclusive: true })).toEqual({
    ...made,
    exclusive: true,
  });
  await addToList(callers.as(alice), { listId: made.id, memberIds: [bob.id] });
  expect([...memberIdsOf(callers.services.snapshots, made.id)]).toEqual([bob.id]);
  await removeFromList(callers.as(alice), { listId: made.id, memberIds: [bob.id] });
  expect([...memberIdsOf(callers.services.snapshots, made.id)]).toEqual([]);
});

test("somebody else's list is not found, and one without a title is not created", async () => {
  const { id: listId } = await createList(callers.as(alice), friends);
  const bobs = callers.as(bob);
  for (const wish of [
    () => changeList(bobs, { listId, title: 'x' }),
    () => removeList(bobs, { listId }),
    () => addToList(bobs, { listId, memberIds: [] }),
  ])
    expect(wish).toThrow(expect.objectContaining({ code: 'notFound' }));
  await expect(createList(bobs, { ...friends, title: '\t' })).rejects.toMatchObject({ code: 'validation' });
  const memberIds = Array.from({ length: 501 }, () => bob.id);
  await expect(addToList(callers.as(alice), { listId, memberIds })).rejects.toMatchObject({ code: 'validation' });
});
