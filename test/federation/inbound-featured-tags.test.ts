/** Featured tags of remote accounts, by activity and by collection (specification 6.2). */
import { describe, expect, it, onTestFinished } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { featuredTagsOf } from '../../src/actors/account/featured-tags/featured-tags.queries.ts';
import { translateIntent } from '../../src/federation/documents/intents.ts';
import { readActivity } from '../../src/federation/documents/read-activity.ts';
import type { JsonObject } from '../../src/outbound/fetcher/json.ts';
import { home, InboundBed } from './inbound-bed.ts';

const featured = 'https://remote.example/users/bob/collections/featured';
const featuredTags = 'https://remote.example/users/bob/collections/tags';

async function withBob() {
  const bed = new InboundBed();
  onTestFinished(() => expect(bed.gateway.actors.problems).toEqual([]));
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob', { featured, featuredTags });
  const bobId = await bed.follow(alice, bob);
  const shown = () => featuredTagsOf(bed.read, bobId).map(({ display, statuses }) => [display, statuses]);
  return { bed, alice, bob, bobId, shown };
}

const hashtag = (name: string) => ({
  type: 'Hashtag',
  href: `https://remote.example/@bob/tagged/${name}`,
  name: `#${name}`,
});

describe('an Add of a Hashtag to the featured collection', () => {
  it('features the tag, once, with the statuses that are here, and a Remove ends it', async () => {
    const { bed, bob, shown } = await withBob();
    await bed.send(bob, bob.create(bob.note('1', { tag: [hashtag('Cats')] })));
    const told = (type: 'Add' | 'Remove', target = featured) => ({
      ...{ '@context': 'https://www.w3.org/ns/activitystreams', type, actor: bob.uri, object: hashtag('Cats'), target },
    });
    for (let time = 0; time < 2; time += 1) expect(await bed.send(bob, told('Add'))).toBe(202);
    expect(shown()).toEqual([['Cats', 1]]);
    await bed.send(bob, told('Remove', `${featured}/others`));
    expect(shown()).toEqual([['Cats', 1]]);
    await bed.send(bob, told('Remove'));
    expect(shown()).toEqual([]);
  });
});

describe('the collection of featured tags', () => {
  it.each<[string, (tags: readonly object[]) => object]>([
    ['of Mastodon', (items) => ({ type: 'Collection', items })],
    ['in order', (orderedItems) => ({ type: 'OrderedCollection', orderedItems })],
    ['with a page inside', (items) => ({ type: 'Collection', first: { type: 'CollectionPage', items } })],
  ])('%s is taken over, and anew when it has changed', async (_name, show) => {
    const { bed, bob, bobId, shown } = await withBob();
    await bed.send(bob, bob.create(bob.note('1', { tag: [hashtag('Cats')] })));
    const refresh = async (tags: readonly object[]) => {
      bed.web.set(featuredTags, { id: featuredTags, ...show(tags) });
      bed.gateway.actors.clock.advance(120_000);
      await bed.gateway.actors.call(Account.refreshPins.to(bobId, { ageMilliseconds: 60_000 }));
      await bed.runEffects();
    };
    await refresh([hashtag('Dogs'), hashtag('Cats'), hashtag('cats'), hashtag('12'), { type: 'Note' }]);
    expect(shown()).toEqual([
      ['Cats', 1],
      ['Dogs', 0],
    ]);
    await refresh([hashtag('Birds'), hashtag('Dogs')]);
    expect(shown().sort()).toEqual([
      ['Birds', 0],
      ['Dogs', 0],
    ]);
    bed.web.set(featuredTags, 'unreachable');
    await bed.runEffects();
    expect(shown()).toHaveLength(2);
  });

  it('of ours is served, and what we say of it we understand ourselves', async () => {
    const { bed, alice } = await withBob();
    await bed.gateway.actors.call(Account.featureTag.to(alice, { name: 'cats', display: 'Cats', isNew: true }));
    const address = `${home}/users/alice/collections/tags`;
    const fetched = async (path: string) =>
      (
        await bed.gateway.fetch(path, { headers: { accept: 'application/activity+json' } })
      ).json() as Promise<JsonObject>;
    const ours = { type: 'Hashtag', href: `${home}/@alice/tagged/cats`, name: '#Cats' };
    expect(await fetched('/users/alice/collections/tags')).toMatchObject({
      ...{ id: address, type: 'Collection', totalItems: 1, items: [ours] },
    });
    expect(await fetched('/users/alice')).toMatchObject({ featuredTags: address });
    const intent = {
      kind: 'featureTag',
      actorId: alice,
      activityId: 5n,
      tag: { name: 'cats', display: 'Cats' },
    } as const;
    const activity = translateIntent(intent, bed.read, bed.gateway.services.addresses)!.activity!;
    expect(activity).toMatchObject({ type: 'Add', object: ours, target: `${home}/users/alice/collections/featured` });
    expect(readActivity(activity)).toMatchObject({ acts: [{ kind: 'featureTag', tag: { name: 'cats' } }] });
  });
});
