/** Pinned statuses of remote accounts, by activity and by collection (specification 6.2). */
import { describe, expect, it, onTestFinished } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { choosePins } from '../../src/actors/account/pins/pins.queries.ts';
import { home, InboundBed, type RemotePerson } from './inbound-bed.ts';

const featured = 'https://remote.example/users/bob/collections/featured';

async function withBob() {
  const bed = new InboundBed();
  onTestFinished(() => expect(bed.gateway.actors.problems).toEqual([]));
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob', { featured });
  const bobId = await bed.follow(alice, bob);
  const pinned = () =>
    choosePins(bed.read, bobId, { limit: 40 }, (id) => id).items.map(
      (id) => [1, 2, 3].find((number) => bed.stored(bob.note(`${number}`).id)?.id === id) ?? id,
    );
  const publish = async (...numbers: number[]) => {
    for (const number of numbers) await bed.send(bob, bob.create(bob.note(`${number}`)));
  };
  return { bed, alice, bob, bobId, pinned, publish };
}

/** In the form of Mastodon: without an id. */
const toFeatured = (by: RemotePerson, type: 'Add' | 'Remove', object: unknown, target = featured) => ({
  '@context': 'https://www.w3.org/ns/activitystreams',
  type,
  actor: by.uri,
  object,
  target,
});

describe('an Add to the featured collection', () => {
  it('pins, once, and a Remove unpins', async () => {
    const { bed, bob, pinned, publish } = await withBob();
    await publish(1, 2);
    for (const number of [1, 2, 1]) await bed.send(bob, toFeatured(bob, 'Add', bob.note(`${number}`).id));
    expect(pinned()).toEqual([2, 1]);
    expect(await bed.send(bob, toFeatured(bob, 'Remove', { id: bob.note('2').id, type: 'Note' }))).toBe(202);
    expect(pinned()).toEqual([1]);
  });

  it('of a status that is not here has it fetched', async () => {
    const { bed, bob, pinned } = await withBob();
    bed.web.set(String(bob.note('1').id), bob.note('1'));
    await bed.send(bob, toFeatured(bob, 'Add', bob.note('1').id));
    expect(pinned()).toEqual([1]);
  });

  it.each<[string, (bob: RemotePerson, of: string) => object]>([
    ['to another collection', (bob, of) => toFeatured(bob, 'Add', of, `${featured}/others`)],
    ['of a hashtag', (bob) => toFeatured(bob, 'Add', { type: 'Hashtag', name: '#cats', href: `${bob.uri}/tags/cats` })],
    ['of a status of this server', (bob) => toFeatured(bob, 'Add', `${home}/users/alice/statuses/1`)],
    ['of nothing', (bob) => toFeatured(bob, 'Add', [])],
  ])('%s pins nothing', async (_name, activity) => {
    const { bed, bob, bobId, pinned, publish } = await withBob();
    await publish(1);
    await bed.send(bob, activity(bob, String(bob.note('1').id)));
    expect([pinned(), bobId]).toEqual([[], bobId]);
  });

  // activitypub.bot tells of answers, likes and shares so; FEP-171b sends the conversation of a post.
  it.each<[string, (alice: string) => string]>([
    ['a post of this server', (alice) => `${alice}/statuses/1`],
    ['a post of a third', () => 'https://third.example/notes/1'],
  ])('of %s to a collection that means nothing here is no offence', async (_what, objectOf) => {
    const { bed, bob, pinned } = await withBob();
    const object = objectOf(`${home}/users/alice`);
    for (const target of [`${bob.uri}/notes/1/replies`, featured]) {
      for (const type of ['Add', 'Remove'] as const)
        expect(await bed.send(bob, toFeatured(bob, type, object, target))).toBe(202);
    }
    expect([pinned(), bed.asked.includes(object)]).toEqual([[], false]);
  });

  it('of a status of a neighbour pins nothing', async () => {
    const { bed, bob, alice, pinned } = await withBob();
    const carol = bed.person('remote.example', 'carol');
    const carolId = await bed.follow(alice, carol);
    await bed.send(carol, carol.create(carol.note('hers')));
    await bed.send(bob, toFeatured(bob, 'Add', carol.note('hers').id));
    expect([pinned(), choosePins(bed.read, carolId, { limit: 40 }, (id) => id).items]).toEqual([[], []]);
  });

  it('by somebody whom nobody follows has nothing fetched', async () => {
    const { bed } = await withBob();
    const collection = 'https://remote.example/users/carol/collections/featured';
    const carol = bed.person('remote.example', 'carol', { featured: collection });
    await bed.know(carol);
    bed.web.set(String(carol.note('hers').id), carol.note('hers'));
    await bed.send(carol, toFeatured(carol, 'Add', carol.note('hers').id, collection));
    expect(bed.asked).not.toContain(carol.note('hers').id);
    expect(bed.stored(carol.note('hers').id)).toBeUndefined();
  });
});

describe('the featured collection', () => {
  const refresh = async ({ bed, bobId }: Awaited<ReturnType<typeof withBob>>, ageMilliseconds = 60_000) => {
    await bed.gateway.actors.call(Account.refreshPins.to(bobId, { ageMilliseconds }));
    await bed.runEffects();
  };

  it.each<[string, (notes: readonly Record<string, unknown>[]) => object]>([
    ['that shows whole statuses', (notes) => ({ orderedItems: notes })],
    ['that names them', (notes) => ({ orderedItems: notes.map(({ id }) => id) })],
    ['with a page inside', (notes) => ({ first: { type: 'OrderedCollectionPage', orderedItems: notes } })],
  ])('%s is taken over in its order, and anew when it has changed', async (_name, show) => {
    const given = await withBob();
    const { bed, bob, pinned, publish } = given;
    await publish(1, 3);
    const serve = (...numbers: number[]) => {
      const notes = numbers.map((number) => bob.note(`${number}`));
      for (const note of notes) bed.web.set(String(note.id), note);
      bed.web.set(featured, { id: featured, type: 'OrderedCollection', ...show(notes) });
    };
    serve(2, 1);
    await refresh(given);
    expect(pinned()).toEqual([2, 1]);
    serve(3, 2);
    await refresh(given);
    expect(pinned(), 'asked again at once').toEqual([2, 1]);
    bed.gateway.actors.clock.advance(60_000);
    await refresh(given);
    expect(pinned()).toEqual([3, 2]);
  });

  it.each(['notFound', 'unreachable', 'gone'] as const)('that is %s leaves what was pinned', async (kind) => {
    const given = await withBob();
    const { bed, bob, pinned, publish } = given;
    await publish(1);
    await bed.send(bob, toFeatured(bob, 'Add', bob.note('1').id));
    bed.web.set(featured, kind);
    await refresh(given);
    expect(pinned()).toEqual([1]);
  });

  it('of this server shows what everybody may see of its pins', async () => {
    const { bed, alice } = await withBob();
    const ids: bigint[] = [];
    for (const visibility of ['public', 'private', 'unlisted'] as const) {
      ids.push(await bed.publish(alice, visibility, { visibility }));
      await bed.gateway.actors.call(Account.pin.to(alice, { statusId: ids.at(-1)! }));
    }
    const { body } = await bed.gateway.json('/users/alice/collections/featured', {
      headers: { accept: 'application/activity+json' },
    });
    const address = (id: bigint | undefined) => `${home}/users/alice/statuses/${id}`;
    expect(body).toMatchObject({
      type: 'OrderedCollection',
      totalItems: 2,
      orderedItems: [
        { type: 'Note', id: address(ids[2]) },
        { type: 'Note', id: address(ids[0]) },
      ],
    });
  });
});
