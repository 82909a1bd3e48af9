import { beforeEach, expect, test } from 'vitest';
import { markersOf } from '../../src/actors/account/markers/markers.queries.ts';
import { moveMarkers } from '../../src/operations/notifications/move-markers.ts';
import type { Person } from '../support/observer.ts';
import { Callers } from './callers.ts';

let callers: Callers;
let alice: Person;

beforeEach(() => {
  callers = new Callers();
  alice = callers.people.local('alice');
});

/** As somebody whose message to the actor is overtaken by what is done meanwhile. */
function overtakenBy(meanwhile: () => Promise<unknown>) {
  const { client } = callers.services;
  const call = async (...given: Parameters<typeof client.call>) => {
    await meanwhile();
    return client.call(...given);
  };
  return { ...callers.as(alice), services: Object.create(callers.services, { client: { value: { call } } }) };
}

test('markers that another client moved meanwhile are left to it, and both can be moved again', async () => {
  const other = () => moveMarkers(callers.as(alice), { home: 20n });
  const move = moveMarkers(overtakenBy(other), { home: 10n, notifications: 10n });
  await expect(move).rejects.toMatchObject({ code: 'conflict' });
  const markers = () => markersOf(callers.people.server.read, alice.id);
  expect(markers()).toEqual({ home: expect.objectContaining({ lastReadId: 20n, version: 1 }) });
  await moveMarkers(callers.as(alice), { home: 21n, notifications: 10n });
  expect(markers()).toMatchObject({ home: { lastReadId: 21n, version: 2 }, notifications: { version: 1 } });
});

test('markers of different timelines do not disturb each other', async () => {
  const other = () => moveMarkers(callers.as(alice), { notifications: 20n });
  expect(await moveMarkers(overtakenBy(other), { home: 10n })).toMatchObject({ home: { version: 1 } });
});
