/** The events that a thread receives from owners, and their order, while owners are replaced. */

import { beforeEach, expect, test } from 'vitest';
import type { WantedEvents } from '../../src/runtime/events/event.ts';
import { packEvents } from '../../src/runtime/events/event.ts';
import type { CommitPosition } from '../../src/runtime/ports.ts';
import type { Client } from '../../src/runtime/threads/client.ts';
import { OwnerEvents } from '../../src/server/owner-events.ts';
import { EventHub } from '../../src/services/event-hub.ts';

let told: string[];
let answers: PromiseWithResolvers<void>[];
let owners: OwnerEvents;

beforeEach(() => {
  told = [];
  answers = [];
  const asked = (what: string) => {
    told.push(what);
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    return answer.promise;
  };
  const client = {
    listen: (owner: number, wanted?: WantedEvents) => asked(`ask owner ${owner} for ${wanted?.numbers}`),
    listenToAll: (wanted?: WantedEvents) => asked(`ask all for ${wanted?.numbers}`),
  } as Partial<Client> as Client;
  const events = new EventHub();
  events.subscribe(({ commit }) => told.push(`commit ${commit}`));
  events.onLoss(() => told.push('lost'));
  const noteCommit = (position?: CommitPosition) => told.push(`heard of ${position?.commit ?? 'anything'}`);
  owners = new OwnerEvents({ client, events, wanted: { numbers: [7] }, noteCommit });
});

test('a commit is noted before its events are dispatched', () => {
  owners.received({ type: 'events', partition: 0, commit: 3, events: packEvents([]), recipients: [] });
  expect(told).toEqual(['heard of 3', 'commit 3']);
});

test('listening begins when all owners have confirmed it', async () => {
  const listening = owners.listen();
  expect(told).toEqual(['ask all for 7']);
  answers[0]!.resolve();
  await listening;
});

test.each([
  ['sends its events', () => answers[0]!.resolve()],
  ['is gone before it answers', () => answers[0]!.reject(new Error('gone'))],
])('events are lost when an owner is replaced, and once more when the new one %s', async (_what, settle) => {
  owners.ownerReplaced(2);
  expect(told.splice(0)).toEqual(['heard of anything', 'lost', 'ask owner 2 for 7']);
  settle();
  await Promise.allSettled([answers[0]!.promise]);
  expect(told).toEqual(['heard of anything', 'lost']);
});

test('events are lost when an owner has left some out', () => {
  owners.fellBehind();
  expect(told).toEqual(['heard of anything', 'lost']);
});

test('nothing is read any more once the thread stops', async () => {
  owners.ownerReplaced(2);
  told = [];
  owners.stop();
  answers[0]!.resolve();
  await answers[0]!.promise;
  expect(told).toEqual([]);
});
