/** Validation of filters, for every caller (specification 2.3, 2.4). */
import { beforeEach, expect, test } from 'vitest';
import { filtersOf } from '../../src/actors/account/filters/filters.queries.ts';
import { changeFilter, keptFilter } from '../../src/operations/filters/change-filter.ts';
import { addFilterStatus, removeFilterStatus } from '../../src/operations/filters/filter-status.ts';
import { removeFilter } from '../../src/operations/filters/remove-filter.ts';
import type { Person } from '../support/observer.ts';
import { Callers } from './callers.ts';

let callers: Callers;
let alice: Person;
const shared = { title: 'Animals', contexts: ['home' as const] };

beforeEach(async () => {
  callers = new Callers();
  alice = await callers.people.local('alice');
});

const filters = () => filtersOf(callers.services.snapshots, alice.id);

test('what was changed is answered as it is kept now', async () => {
  const made = await changeFilter(callers.as(alice), { changes: shared, keywords: [{ keyword: 'cat' }] });
  const { id: filterId } = keptFilter(made);
  expect(filters()).toEqual([made.filter]);
  expect(made.filter?.keywords.map(({ id }) => id)).toEqual(made.addedKeywordIds);
  const keywords = [{ id: made.addedKeywordIds[0], isRemoved: true }];
  const emptied = await changeFilter(callers.as(alice), { filterId, changes: {}, keywords, isRemovedWhenEmpty: true });
  expect(() => keptFilter(emptied)).toThrow(expect.objectContaining({ code: 'notFound' }));
  await expect(removeFilter(callers.as(alice), { filterId })).rejects.toMatchObject({ code: 'notFound' });
});

test.each([
  ['a blank title', { changes: { ...shared, title: ' ' }, keywords: [] }],
  ['no context', { changes: { ...shared, contexts: [] }, keywords: [] }],
  ['a blank keyword', { changes: shared, keywords: [{ keyword: '\n' }] }],
])('%s is refused', async (_what, change) => {
  await expect(changeFilter(callers.as(alice), change)).rejects.toMatchObject({ code: 'validation' });
  expect(filters()).toEqual([]);
});

test('statuses that the caller cannot see are not filtered, and what is not there is not taken out', async () => {
  const { filter } = await changeFilter(callers.as(alice), { changes: shared, keywords: [] });
  const wish = { filterId: filter!.id, statusId: 7n };
  await expect(addFilterStatus(callers.as(alice), wish)).rejects.toMatchObject({ code: 'notFound' });
  await expect(removeFilterStatus(callers.as(alice), { filterStatusId: 7n })).rejects.toMatchObject({
    code: 'notFound',
  });
  expect(filters()).toEqual([filter]);
});
