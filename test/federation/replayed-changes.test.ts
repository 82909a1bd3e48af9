/**
 * Changes of what an account features and says of itself, whose signed bytes come again while their signature counts as
 * fresh. A gateway that was restarted remembers no ids, and Mastodon's Add and Remove have none.
 */
import { expect, it } from 'vitest';
import {
  collectionIdOfUri,
  findCollection,
  itemsOf,
} from '../../src/actors/account/collections/collections.queries.ts';
import { featuredTagsOf } from '../../src/actors/account/featured-tags/featured-tags.queries.ts';
import { choosePins } from '../../src/actors/account/pins/pins.queries.ts';
import { findProfile } from '../../src/actors/account/remote/federation.queries.ts';
import { authorize, bedOfAlice, cats, item, list } from './collections-bed.ts';
import { signedHeaders } from './signed-headers.ts';

const featured = 'https://remote.example/users/bob/collections/featured';

async function scene() {
  const made = await bedOfAlice();
  const { bed, alice, bob } = made;
  Object.assign(bob.more, { featured });
  bed.serve(bob);
  const bobId = await bed.follow(alice, bob);
  await bed.send(bob, bob.create(bob.note('post')));
  bed.web.set(cats().id, cats());
  const change = (type: string, object: unknown, target?: string) => ({
    ...{ '@context': 'https://www.w3.org/ns/activitystreams', type, actor: bob.uri, object },
    ...(target === undefined ? {} : { target }),
  });
  /** Makes it an activity that can be sent again as it was. */
  const sign = (activity: object, clockError = 0) => {
    const body = JSON.stringify(activity);
    const headers = signedHeaders(bob, '/inbox', body, bed.now + clockError);
    return (thread = bed.gateway) => bed.post('/inbox', body, headers, thread);
  };
  return { ...made, bobId, change, sign };
}

type Scene = Awaited<ReturnType<typeof scene>>;

const collectionOf = ({ bed, bobId }: Scene) => collectionIdOfUri(bed.read, bobId, cats().id);

/** Two changes of one thing, after the first where there is one. */
interface Changes {
  readonly first?: object;
  readonly older: object;
  readonly newer: object;
  readonly shown: () => unknown;
}

const changes: [string, (scene: Scene) => Changes][] = [
  ['a pin', pinning],
  ['the end of a pin', (made) => reversed(pinning(made))],
  ['a featured tag', tagging],
  ['the end of a featured tag', (made) => reversed(tagging(made))],
  [
    'a profile',
    ({ bed, bob, bobId, change }) => ({
      older: change('Update', { ...bob.document, name: 'Older' }),
      newer: change('Update', { ...bob.document, name: 'Newer' }),
      shown: () => findProfile(bed.read, bobId)?.displayName,
    }),
  ],
  [
    'a suspension',
    ({ bed, bob, bobId, change }) => ({
      older: change('Update', { ...bob.document, suspended: true }),
      newer: change('Update', bob.document),
      shown: () => findProfile(bed.read, bobId)?.suspendedAt,
    }),
  ],
  [
    'a collection that is removed from the list',
    (made) => ({
      older: made.change('Add', cats(), list),
      newer: made.change('Remove', cats().id, list),
      shown: () => collectionOf(made),
    }),
  ],
  [
    'a collection that is deleted',
    (made) => ({
      older: made.change('Add', cats(), list),
      newer: made.change('Delete', cats().id),
      shown: () => collectionOf(made),
    }),
  ],
  [
    'the name of a collection',
    (made) => ({
      first: made.change('Add', cats(), list),
      older: made.change('Add', cats([], { name: 'Older' }), list),
      newer: made.change('Update', cats([], { name: 'Newer' })),
      shown: () => findCollection(made.bed.read, collectionOf(made)!)?.name,
    }),
  ],
];

function reversed({ older, newer, shown }: Changes): Changes {
  return { older: newer, newer: older, shown };
}

function pinning({ bed, bob, bobId, change }: Scene): Changes {
  const uri = bob.note('post').id;
  const shown = () => choosePins(bed.read, bobId, { limit: 40 }, (id) => id).items.length;
  return { older: change('Add', uri, featured), newer: change('Remove', uri, featured), shown };
}

function tagging({ bed, bobId, change }: Scene): Changes {
  const tag = { type: 'Hashtag', name: '#cats', href: 'https://remote.example/tags/cats' };
  const shown = () => featuredTagsOf(bed.read, bobId).length;
  return { older: change('Add', tag, featured), newer: change('Remove', tag, featured), shown };
}

it.each(changes)('%s does not come back with the same bytes after a restart', async (_what, changesOf) => {
  const made = await scene();
  const { bed, sign } = made;
  const { older, newer, shown } = changesOf(made);
  const replay = sign(older);
  await replay();
  const before = shown();
  bed.gateway.actors.clock.advance(1_000);
  await sign(newer)();
  const after = shown();
  expect(after).not.toEqual(before);
  expect(await replay(bed.anotherThread())).toBe(202);
  expect(shown()).toEqual(after);
  // The newer one again, signed anew, as a server that got no answer sends it.
  await sign(newer)();
  expect(shown()).toEqual(after);
});

it.each(changes)('%s that arrives after what is newer has no effect', async (_what, changesOf) => {
  const made = await scene();
  const { first } = changesOf(made);
  if (first !== undefined) await made.sign(first)();
  const { bed, sign } = made;
  const { older, newer, shown } = changesOf(made);
  const late = sign(older);
  bed.gateway.actors.clock.advance(1_000);
  await sign(newer)();
  const after = shown();
  await late();
  expect(shown()).toEqual(after);
});

it('an account that was added to a collection and removed does not come back either', async () => {
  const made = await scene();
  const { bed, sign, change } = made;
  await sign(change('Add', cats(), list))();
  const added = item(made.carol.uri, authorize(made));
  const replay = sign(change('Add', added, cats().id));
  await replay();
  const members = () => itemsOf(bed.read, collectionOf(made)!).length;
  expect(members()).toBe(1);
  bed.gateway.actors.clock.advance(1_000);
  await sign(change('Remove', added.id, cats().id))();
  expect(members()).toBe(0);
  expect(await replay(bed.anotherThread())).toBe(202);
  expect(members()).toBe(0);
});

it('of two changes in one second the later arrival counts', async () => {
  const made = await scene();
  const { older, newer, shown } = pinning(made);
  for (const activity of [older, newer, older]) await made.sign(activity)();
  expect(shown()).toBe(1);
});

it('a server whose clock was wrong is heard as soon as it is right', async () => {
  const made = await scene();
  const { older, newer, shown } = pinning(made);
  await made.sign(older, 30 * 60_000)();
  expect(shown()).toBe(1);
  made.bed.gateway.actors.clock.advance(1_000);
  await made.sign(newer)();
  expect(shown()).toBe(0);
});
