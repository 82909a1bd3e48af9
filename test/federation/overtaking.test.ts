/** Activities that arrive concurrently, out of order, or repeatedly. */

import { describe, expect, it } from 'vitest';
import { findRelationship } from '../../src/actors/account/relationship-views.queries.ts';
import { findStatus } from '../../src/actors/account/status-views.queries.ts';
import { until } from '../support/until.ts';
import { home, InboundBed, publicAudience, type RemotePerson } from './inbound-bed.ts';

const aliceUri = `${home}/users/alice`;

/** Alice, whom bob may like and boost, follows bob. */
async function people() {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  const bobId = await bed.follow(alice, bob);
  const statusId = await bed.publish(alice, 'Hello');
  const statusUri = `${aliceUri}/statuses/${statusId}`;
  const counters = () => findStatus(bed.read, statusId)?.counters;
  const relation = () => findRelationship(bed.read, alice, bobId, bed.now);
  return { bed, alice, bob, bobId, statusUri, counters, relation };
}

type People = Awaited<ReturnType<typeof people>>;

/** Holds back what the activity asks of actors until `meanwhile` is over. */
async function sendSlowly(bed: InboundBed, bob: RemotePerson, activity: unknown, meanwhile: () => Promise<unknown>) {
  const { promise, resolve: goOn } = Promise.withResolvers<undefined>();
  const callsBefore = bed.calls;
  bed.holdCalls = promise;
  const sent = bed.send(bob, activity);
  await until(() => bed.calls > callsBefore);
  bed.holdCalls = undefined;
  await meanwhile();
  goOn(undefined);
  expect(await sent).toBe(202);
}

describe('an edit', () => {
  const edited = (bob: RemotePerson, content: string, updated: string) =>
    bob.note('hello', { content: `<p>${content}</p>`, updated: `2025-01-01T${updated}Z` });

  it('that arrives together with the publication takes effect', async () => {
    const { bed, bob } = await people();
    const update = bob.activity('Update', edited(bob, 'better', '11:30:00'));
    await sendSlowly(bed, bob, update, () => bed.send(bob, bob.create(bob.note('hello'))));
    expect(bed.stored(bob.note('hello').id)?.content).toBe('<p>better</p>');
  });

  it.each([
    ['in the second of the one before', '11:30:00', '11:30:00'],
    ['after one in the second of publication', '11:00:00', '11:00:05'],
    ['after one that says no time', undefined, '11:30:00'],
  ])('%s takes effect', async (_when, first, second) => {
    const { bed, bob } = await people();
    await bed.send(bob, bob.create(bob.note('hello')));
    const one = first === undefined ? bob.note('hello', { content: '<p>one</p>' }) : edited(bob, 'one', first);
    await bed.send(bob, bob.activity('Update', one));
    expect(bed.stored(one.id)?.content).toBe('<p>one</p>');
    await bed.send(bob, bob.activity('Update', edited(bob, 'two', second)));
    expect(bed.stored(one.id)?.content).toBe('<p>two</p>');
  });

  it('of the second of the one before, without an id, may be a repetition and changes nothing', async () => {
    const { bed, bob } = await people();
    await bed.send(bob, bob.create(bob.note('hello')));
    await bed.send(bob, bob.activity('Update', edited(bob, 'one', '11:30:00')));
    const { id: _none, ...nameless } = bob.activity('Update', edited(bob, 'two', '11:30:00')) as { id: string };
    expect(await bed.send(bob, nameless)).toBe(202);
    expect(bed.stored(bob.note('hello').id)?.content).toBe('<p>one</p>');
  });

  it('in the second of publication is shown as one', async () => {
    const { bed, bob } = await people();
    await bed.send(bob, bob.create(bob.note('hello')));
    const update = edited(bob, 'one', '11:00:00');
    await bed.send(bob, bob.activity('Update', update));
    const { content, createdAt, editedAt } = bed.stored(update.id)!;
    expect([content, editedAt]).toEqual(['<p>one</p>', createdAt]);
  });

  it.each([
    ['older', '11:30:00', '11:31:00'],
    ['of the same second', '11:30:00', '11:30:00'],
  ])('that is %s and comes again after a restart changes nothing', async (_when, first, second) => {
    const { bed, bob } = await people();
    await bed.send(bob, bob.create(bob.note('hello')));
    const replayed = bob.activity('Update', edited(bob, 'one', first));
    await bed.send(bob, replayed);
    await bed.send(bob, bob.activity('Update', edited(bob, 'two', second)));
    expect(await bed.send(bob, replayed, { thread: bed.anotherThread() })).toBe(202);
    expect(bed.stored(bob.note('hello').id)?.content).toBe('<p>two</p>');
  });
});

/** What bob does and takes back, and whether it shows. */
const acts: [string, (people: People) => { act: object; undo: object; shows: () => boolean }][] = [
  [
    'a note that is deleted',
    ({ bed, bob }) => {
      const note = bob.note('hello');
      const shows = () => bed.stored(note.id) !== undefined;
      return { act: bob.create(note), undo: bob.activity('Delete', note.id), shows };
    },
  ],
  [
    'a like that is undone',
    ({ bob, statusUri, counters }) => {
      const act = bob.activity('Like', statusUri);
      return { act, undo: bob.activity('Undo', act), shows: () => counters()?.favourites === 1 };
    },
  ],
  [
    'a like that is undone by its id alone',
    ({ bob, statusUri, counters }) => {
      const act = bob.activity('Like', statusUri);
      return { act, undo: bob.activity('Undo', act.id), shows: () => counters()?.favourites === 1 };
    },
  ],
  [
    'a boost that is undone',
    ({ bob, statusUri, counters }) => {
      const act = bob.activity('Announce', statusUri, { to: [publicAudience] });
      return { act, undo: bob.activity('Undo', act), shows: () => counters()?.reblogs === 1 };
    },
  ],
  [
    'a boost that is undone by its id alone',
    ({ bob, statusUri, counters }) => {
      const act = bob.activity('Announce', statusUri, { to: [publicAudience] });
      return { act, undo: bob.activity('Undo', act.id), shows: () => counters()?.reblogs === 1 };
    },
  ],
  [
    'a boost that is deleted',
    ({ bob, statusUri, counters }) => {
      const act = bob.activity('Announce', statusUri, { to: [publicAudience] });
      return { act, undo: bob.activity('Delete', act.id), shows: () => counters()?.reblogs === 1 };
    },
  ],
  [
    'a follow that is undone',
    ({ bob, relation }) => {
      const act = bob.activity('Follow', aliceUri);
      return { act, undo: bob.activity('Undo', act), shows: () => relation().followedBy };
    },
  ],
  [
    'a block that is undone',
    ({ bob, relation }) => {
      const act = bob.activity('Block', aliceUri);
      return { act, undo: bob.activity('Undo', act), shows: () => relation().blockedBy };
    },
  ],
];

describe.each(acts)('%s', (_what, actsOf) => {
  it('does not come back with the same bytes, also after a restart', async () => {
    const present = await people();
    const { bed, bob } = present;
    const { act, undo, shows } = actsOf(present);
    await bed.send(bob, act);
    expect(shows()).toBe(true);
    await bed.send(bob, undo);
    expect(shows()).toBe(false);
    for (const thread of [bed.gateway, bed.anotherThread()]) expect(await bed.send(bob, act, { thread })).toBe(202);
    expect(shows()).toBe(false);
  });

  it('does not show when its end came first, to another thread', async () => {
    const present = await people();
    const { bed, bob } = present;
    const { act, undo, shows } = actsOf(present);
    await bed.send(bob, undo, { thread: bed.anotherThread() });
    await bed.send(bob, act);
    expect(shows()).toBe(false);
  });

  it('does not show when its end comes to another thread while it is applied', async () => {
    const present = await people();
    const { bed, bob } = present;
    const { act, undo, shows } = actsOf(present);
    await sendSlowly(bed, bob, act, () => bed.send(bob, undo, { thread: bed.anotherThread() }));
    expect(shows()).toBe(false);
  });
});

describe('an id', () => {
  it('that another actor of the host has used is still the actor’s own', async () => {
    const { bed, alice, bob } = await people();
    const mallory = bed.person('remote.example', 'mallory');
    await bed.follow(alice, mallory);
    const { id } = bob.create(bob.note('hello'));
    await bed.send(mallory, { ...mallory.create(mallory.note('spent')), id });
    await bed.send(bob, bob.create(bob.note('hello')));
    expect(bed.stored(bob.note('hello').id)).toBeDefined();
  });
});
