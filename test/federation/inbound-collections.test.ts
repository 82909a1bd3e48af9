/** Collections of remote accounts, with documents as Mastodon sends them (FEP-7aa9). */
import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import {
  collectionIdOfUri,
  collectionsOf,
  collectionsWith,
  findCollection,
  itemsOf,
} from '../../src/actors/account/collections/collections.queries.ts';
import { leaveCollection } from '../../src/operations/collections/collection-items.ts';
import { blockAccount } from '../../src/operations/relationships/block-account.ts';
import { unblockAccount } from '../../src/operations/relationships/unblock-account.ts';
import { search } from '../../src/operations/search/search.ts';
import { actorOf, authorize, type Bed, bedOfAlice, cats, item, list } from './collections-bed.ts';
import type { InboundBed, RemotePerson } from './inbound-bed.ts';

describe('a request to be in a remote collection', () => {
  /** Mastodon names no actor: whoever signs asks. */
  const request = (bob: RemotePerson, instrument: unknown = cats().id) => {
    const { actor: _actor, ...asked } = bob.activity('FeatureRequest', actorOf('alice'), { instrument });
    return { ...asked, id: `${bob.uri}/feature_requests/1` };
  };

  it('is granted by whoever wants to be found, with an authorization that everybody can fetch', async () => {
    const { bed, alice, bob, sent, notified, fetched, membersOf } = await bedOfAlice();
    bed.web.set(cats().id, cats());
    expect(await bed.send(bob, request(bob))).toBe(202);
    const bobId = bed.accountOf(bob.uri)!;
    const collectionId = collectionIdOfUri(bed.read, bobId, cats().id)!;
    expect(findCollection(bed.read, collectionId)).toMatchObject({
      ...{ name: 'Cats', description: 'Purr', language: 'en', tag: { name: 'cats', display: 'Cats' } },
      url: 'https://remote.example/collections/7',
    });
    expect(membersOf(collectionId)).toEqual(['alice accepted']);
    expect(collectionsWith(bed.read, alice, { offset: 0, limit: 5 }).map(({ name }) => name)).toEqual(['Cats']);
    expect(notified()).toEqual(['added_to_collection']);
    const result = `${actorOf('alice')}/feature_authorizations/${collectionId}`;
    expect(sent()).toContainEqual(
      expect.objectContaining({ type: 'Accept', object: `${bob.uri}/feature_requests/1`, result, to: [bob.uri] }),
    );
    expect(await fetched(new URL(result).pathname)).toMatchObject({
      body: { interactingObject: cats().id, interactionTarget: actorOf('alice') },
    });
    // Bob's server adds the item, and then asks again.
    await bed.send(bob, bob.activity('Add', item(actorOf('alice'), result), { target: cats().id }));
    await bed.send(bob, request(bob));
    expect(membersOf(collectionId)).toEqual(['alice accepted']);
    expect(notified()).toEqual(['added_to_collection']);
  });

  it.each([
    ['drops bots', 'drop', []],
    ['filters bots', 'filter', ['(added_to_collection)']],
  ] as const)('of a bot is told by the policy: %s', async (_what, forBots, expected) => {
    const { bed, alice, bob, notified } = await bedOfAlice();
    bed.web.set(bob.uri, { ...bob.document, type: 'Service' });
    bed.web.set(cats().id, cats());
    await bed.gateway.actors.call(Account.changeNotificationPolicy.to(alice, { forBots }));
    expect(await bed.send(bob, request(bob))).toBe(202);
    expect(notified()).toEqual(expected);
  });

  it('is refused for whoever does not, and nobody is in it', async () => {
    const { bed, alice, bob, sent, membersOf, notified } = await bedOfAlice();
    await bed.gateway.actors.call(Account.changeProfile.to(alice, { discoverable: false }));
    await bed.send(bob, request(bob, cats()));
    const collectionId = collectionIdOfUri(bed.read, bed.accountOf(bob.uri)!, cats().id)!;
    expect(membersOf(collectionId)).toEqual([]);
    expect(sent()).toContainEqual(expect.objectContaining({ type: 'Reject', object: `${bob.uri}/feature_requests/1` }));
    expect(notified()).toEqual([]);
  });

  it('holds until the account leaves: its server is told, and later requests are refused', async () => {
    const { bed, as, alice, bob, sent, membersOf, fetched } = await bedOfAlice();
    await bed.send(bob, request(bob, cats()));
    const collectionId = collectionIdOfUri(bed.read, bed.accountOf(bob.uri)!, cats().id)!;
    const [own] = itemsOf(bed.read, collectionId);
    await leaveCollection(as, { collectionId, itemId: own!.id });
    const object = `${actorOf('alice')}/feature_authorizations/${collectionId}`;
    expect(sent()).toContainEqual(expect.objectContaining({ type: 'Delete', actor: actorOf('alice'), object }));
    expect(await fetched(new URL(object).pathname)).toMatchObject({ status: 404 });
    await bed.send(bob, request(bob));
    await bed.send(bob, bob.activity('Add', item(actorOf('alice'), object), { target: cats().id }));
    expect(membersOf(collectionId)).toEqual([]);
    expect(collectionsWith(bed.read, alice, { offset: 0, limit: 5 })).toEqual([]);
  });

  it('ends for good when the account blocks the curator', async () => {
    const { bed, as, bob, sent, membersOf, fetched } = await bedOfAlice();
    await bed.send(bob, request(bob, cats()));
    const bobId = bed.accountOf(bob.uri)!;
    const collectionId = collectionIdOfUri(bed.read, bobId, cats().id)!;
    await blockAccount(as, { accountId: bobId });
    expect(membersOf(collectionId)).toEqual([]);
    const object = `${actorOf('alice')}/feature_authorizations/${collectionId}`;
    const revocation = { type: 'Delete', actor: actorOf('alice'), object };
    expect(sent()).toContainEqual(expect.objectContaining(revocation));
    expect(await fetched(new URL(object).pathname)).toMatchObject({ status: 404 });
    await unblockAccount(as, { accountId: bobId });
    await bed.send(bob, bob.activity('Add', item(actorOf('alice'), object), { target: cats().id }));
    await bed.send(bob, request(bob));
    expect(membersOf(collectionId)).toEqual([]);
  });

  it.each<[string, (bob: RemotePerson) => object]>([
    [
      'for a collection of somebody else',
      (bob) => request(bob, { ...cats(), attributedTo: 'https://remote.example/users/eve' }),
    ],
    ['for a collection elsewhere', (bob) => request(bob, 'https://other.example/collections/1')],
    ['for nobody here', (bob) => ({ ...request(bob, cats()), object: actorOf('nobody') })],
  ])('%s is dropped', async (_what, make) => {
    const { bed, bob, sent, notified } = await bedOfAlice();
    await bed.send(bob, make(bob));
    expect(sent()).toEqual([]);
    expect(notified()).toEqual([]);
  });
});

describe('a remote collection', () => {
  async function followed(setting: Bed) {
    const bobId = await setting.bed.follow(setting.alice, setting.bob);
    await setting.bed.know(setting.carol);
    const shown = () => collectionsOf(setting.bed.read, bobId).map(({ id, name }) => [name, ...setting.membersOf(id)]);
    return { bobId, shown };
  }
  const add = (bob: RemotePerson, collection: object) => bob.activity('Add', collection, { target: list });

  it('comes by Add, changes by Update, and goes by Remove', async () => {
    const setting = await bedOfAlice();
    const { bed, bob, carol } = setting;
    const { shown } = await followed(setting);
    const ofCarol = item(carol.uri, authorize(setting));
    expect(await bed.send(bob, add(bob, cats([ofCarol])))).toBe(202);
    expect(shown()).toEqual([['Cats', 'carol accepted']]);
    await bed.send(bob, bob.activity('Update', cats([ofCarol], { name: 'Tigers' })));
    expect(shown()).toEqual([['Tigers', 'carol accepted']]);
    await bed.send(bob, bob.activity('Remove', ofCarol.id, { target: cats().id }));
    expect(shown()).toEqual([['Tigers']]);
    await bed.send(bob, bob.activity('Add', ofCarol, { target: cats().id }));
    expect(shown()).toEqual([['Tigers', 'carol accepted']]);
    await bed.send(bob, bob.activity('Remove', cats().id, { target: list }));
    expect(shown()).toEqual([]);
  });

  it('has only who agreed: in a document on their own host, about this collection and themselves', async () => {
    const setting = await bedOfAlice();
    const { bed, bob, carol } = setting;
    const { shown } = await followed(setting);
    const elsewhere = 'https://remote.example/authorizations/1';
    bed.web.set(elsewhere, { id: elsewhere, type: 'FeatureAuthorization', interactingObject: cats().id });
    await bed.send(bob, add(bob, cats()));
    for (const forged of [
      () => item(carol.uri, elsewhere),
      () => item(carol.uri, authorize(setting, 'https://remote.example/collections/other')),
      () => item(carol.uri, authorize(setting, cats().id, bob.uri)),
      () => item(carol.uri, 'https://other.example/nothing'),
      () => item(actorOf('alice'), `${actorOf('alice')}/feature_authorizations/1`),
      () => ({ ...item(carol.uri, authorize(setting)), id: 'https://other.example/items/1' }),
    ]) {
      await bed.send(bob, bob.activity('Update', cats([forged()])));
      expect(shown()).toEqual([['Cats']]);
    }
    await bed.send(bob, bob.activity('Update', cats([item(carol.uri, authorize(setting))], { totalItems: 9 })));
    expect(shown()).toEqual([['Cats', 'carol accepted']]);
  });

  it('is stored only if somebody here follows its owner, and only from its owner', async () => {
    const setting = await bedOfAlice();
    const { bed, bob, carol } = setting;
    await bed.know(bob);
    await bed.send(bob, add(bob, cats()));
    expect(collectionsOf(bed.read, bed.accountOf(bob.uri)!)).toEqual([]);
    const { shown } = await followed(setting);
    expect(await bed.send(carol, carol.activity('Add', cats(), { target: list }))).toBe(403);
    expect(shown()).toEqual([]);
  });

  it.each<[string, (bed: InboundBed, items: readonly object[]) => void]>([
    ['whole', (bed, items) => void bed.web.set(list, { id: list, type: 'OrderedCollection', orderedItems: items })],
    [
      'in pages, as Mastodon shows it',
      (bed, items) => {
        bed.web.set(list, { id: list, type: 'Collection', totalItems: items.length, first: `${list}?page=1` });
        const page = { id: `${list}?page=1`, type: 'CollectionPage', partOf: list, items };
        bed.web.set(`${list}?page=1`, page);
      },
    ],
  ])('is read again from the profile, %s', async (_how, show) => {
    const setting = await bedOfAlice();
    const { bed, bob } = setting;
    const { bobId, shown } = await followed(setting);
    const refresh = async (items: readonly object[]) => {
      show(bed, items);
      bed.gateway.actors.clock.advance(120_000);
      await bed.gateway.actors.call(Account.refreshCollections.to(bobId, { ageMilliseconds: 60_000 }));
      await bed.runEffects();
    };
    await bed.send(bob, add(bob, cats()));
    await refresh([cats([item(setting.carol.uri, authorize(setting))])]);
    expect(shown()).toEqual([['Cats', 'carol accepted']]);
    await refresh([]);
    expect(shown()).toEqual([]);
  });

  it('is found by its address', async () => {
    const { bed, as, bob } = await bedOfAlice();
    await bed.know(bob);
    bed.web.set(cats().id, cats());
    const asked = { words: cats().id, resolve: true, followedOnly: false, offset: 0, limit: 5 };
    const { collections } = await search(as, asked);
    expect(collections.map(({ collection }) => collection.name)).toEqual(['Cats']);
  });

  it('goes with its account, and so does who is in one', async () => {
    const setting = await bedOfAlice();
    const { bed, bob, carol } = setting;
    const { shown } = await followed(setting);
    await bed.send(bob, add(bob, cats([item(carol.uri, authorize(setting))])));
    bed.web.set(carol.uri, 'gone');
    await bed.send(carol, carol.activity('Delete', carol.uri));
    expect(shown()).toEqual([['Cats']]);
    await bed.send(bob, bob.activity('Delete', bob.uri));
    // It goes a little later.
    bed.gateway.actors.clock.advance(60_000);
    expect(shown()).toEqual([]);
  });
});
