/** Local collections of accounts as other servers hear of them, and what they answer (FEP-7aa9). */
import { describe, expect, it } from 'vitest';
import { itemsOf } from '../../src/actors/account/collections/collections.queries.ts';
import {
  changeCollection,
  createCollection,
  removeCollection,
} from '../../src/operations/collections/change-collection.ts';
import { addToCollection, removeFromCollection } from '../../src/operations/collections/collection-items.ts';
import { blockAccount } from '../../src/operations/relationships/block-account.ts';
import { actorOf, authorize, type Bed, bedOfAlice } from './collections-bed.ts';
import { publicAudience } from './inbound-bed.ts';

describe('a local collection', () => {
  async function withCarol(setting: Bed) {
    const { bed, as, carol, alice } = setting;
    const carolId = await bed.know(carol);
    await bed.send(carol, carol.activity('Follow', actorOf('alice')));
    const { collectionId } = await createCollection(as, {
      name: 'Birds',
      tagName: 'birds',
      accountIds: [alice, carolId],
    });
    const address = `${actorOf('alice')}/featured_collections/${collectionId}`;
    const carols = itemsOf(bed.read, collectionId).find(({ accountId }) => accountId === carolId)!;
    return {
      carolId,
      collectionId,
      address,
      itemId: carols.id,
      requestUri: `${address}/items/${carols.id}/feature_request`,
    };
  }

  it('asks the servers of others, has who agrees, and tells followers of each change', async () => {
    const setting = await bedOfAlice();
    const { bed, as, carol, sent, membersOf, fetched } = setting;
    const { collectionId, address, itemId, requestUri } = await withCarol(setting);
    expect(membersOf(collectionId)).toEqual(['alice accepted', 'carol pending']);
    expect(sent()).toContainEqual(
      expect.objectContaining({ type: 'FeatureRequest', id: requestUri, object: carol.uri, instrument: address }),
    );
    expect(sent()).toContainEqual(
      expect.objectContaining({
        type: 'Add',
        target: `${actorOf('alice')}/featured_collections`,
        object: expect.objectContaining({ type: 'FeaturedCollection', id: address, name: 'Birds' }),
      }),
    );
    const authorization = authorize(setting, address);
    const accept = { to: actorOf('alice'), result: authorization };
    expect(await bed.send(carol, carol.activity('Accept', requestUri, accept))).toBe(202);
    expect(membersOf(collectionId)).toEqual(['alice accepted', 'carol accepted']);
    const added = {
      id: `${address}/items/${itemId}`,
      ...{ type: 'FeaturedItem', featuredObject: carol.uri, featuredObjectType: 'Person' },
      featureAuthorization: authorization,
    };
    expect(sent()).toContainEqual(
      expect.objectContaining({ type: 'Add', target: address, object: expect.objectContaining(added) }),
    );
    const ownAuthorization = `${actorOf('alice')}/feature_authorizations/${collectionId}`;
    const own = expect.objectContaining({ featuredObject: actorOf('alice'), featureAuthorization: ownAuthorization });
    expect(await fetched(new URL(address).pathname)).toMatchObject({
      status: 200,
      body: {
        ...{ type: 'FeaturedCollection', id: address, attributedTo: actorOf('alice'), totalItems: 2 },
        topic: { type: 'Hashtag', name: '#birds' },
        orderedItems: [own, expect.objectContaining(added)],
      },
    });
    expect(await fetched(new URL(ownAuthorization).pathname)).toMatchObject({
      body: {
        ...{ type: 'FeatureAuthorization', interactingObject: address, interactionTarget: actorOf('alice') },
      },
    });
    expect(await fetched(`${new URL(address).pathname}/items/${itemId}`)).toMatchObject({ body: added });
    expect(await fetched('/users/alice/featured_collections')).toMatchObject({ body: { totalItems: 1 } });
    expect(await fetched('/users/alice')).toMatchObject({
      body: {
        featuredCollections: `${actorOf('alice')}/featured_collections`,
        interactionPolicy: { canFeature: { automaticApproval: [publicAudience] } },
      },
    });

    await changeCollection(as, { collectionId, name: 'Owls' });
    const owls = expect.objectContaining({ name: 'Owls', totalItems: 2 });
    expect(sent()).toContainEqual(expect.objectContaining({ type: 'Update', object: owls }));
    await removeFromCollection(as, { collectionId, itemId });
    const gone = { type: 'Remove', object: `${address}/items/${itemId}`, target: address };
    expect(sent()).toContainEqual(expect.objectContaining(gone));
    await removeCollection(as, { collectionId });
    expect(sent()).toContainEqual(
      expect.objectContaining({ type: 'Remove', object: address, target: `${actorOf('alice')}/featured_collections` }),
    );
    expect(await fetched(new URL(address).pathname)).toMatchObject({ status: 404 });
    expect(await fetched(new URL(ownAuthorization).pathname)).toMatchObject({ status: 404 });
  });

  it.each<[string, (bed: Bed, requestUri: string) => object]>([
    ['is refused', ({ carol }, requestUri) => carol.activity('Reject', requestUri)],
    [
      'is refused as a whole object',
      ({ carol }, id) => carol.activity('Reject', { id, type: 'FeatureRequest', object: carol.uri }),
    ],
  ])('loses whoever %s', async (_what, answer) => {
    const setting = await bedOfAlice();
    const { collectionId, requestUri } = await withCarol(setting);
    await setting.bed.send(setting.carol, answer(setting, requestUri));
    expect(setting.membersOf(collectionId)).toEqual(['alice accepted']);
  });

  it('takes no answer from somebody else, nor with an authorization elsewhere', async () => {
    const setting = await bedOfAlice();
    const { bed, bob, carol, membersOf } = setting;
    const { collectionId, requestUri } = await withCarol(setting);
    const result = 'https://remote.example/users/bob/feature_authorizations/1';
    await bed.send(bob, bob.activity('Accept', requestUri, { result }));
    await bed.send(carol, carol.activity('Accept', requestUri, { result }));
    await bed.send(carol, carol.activity('Accept', requestUri));
    expect(membersOf(collectionId)).toEqual(['alice accepted', 'carol pending']);
  });

  it('loses the account whose server deletes the authorization', async () => {
    const setting = await bedOfAlice();
    const { bed, carol, sent, membersOf } = setting;
    const { collectionId, requestUri, itemId, address } = await withCarol(setting);
    const id = authorize(setting, address);
    await bed.send(carol, carol.activity('Accept', requestUri, { result: id }));
    const stamp = { id, type: 'FeatureAuthorization', interactingObject: address, interactionTarget: carol.uri };
    await bed.send(carol, carol.activity('Delete', stamp));
    expect(membersOf(collectionId)).toEqual(['alice accepted']);
    expect(sent()).toContainEqual(
      expect.objectContaining({ type: 'Remove', object: `${address}/items/${itemId}`, target: address }),
    );
  });

  it.each<[string, (bed: Bed, carolId: bigint) => Promise<unknown>]>([
    ['is blocked', ({ as }, accountId) => blockAccount(as, { accountId })],
    ['blocks', ({ bed, carol }) => bed.send(carol, carol.activity('Block', actorOf('alice')))],
  ])('loses whom its curator %s, and tells that server', async (_how, block) => {
    const setting = await bedOfAlice();
    const { bed, carol, sent, membersOf } = setting;
    const { collectionId, requestUri, itemId, address, carolId } = await withCarol(setting);
    await bed.send(carol, carol.activity('Accept', requestUri, { result: authorize(setting, address) }));
    await block(setting, carolId);
    expect(membersOf(collectionId)).toEqual(['alice accepted']);
    const gone = { type: 'Remove', object: `${address}/items/${itemId}`, target: address };
    expect(sent()).toContainEqual(expect.objectContaining(gone));
  });

  it.each<[string, object, string]>([
    ['says nothing of collections', {}, 'missing'],
    [
      'wants to be in none',
      { interactionPolicy: { canFeature: { automaticApproval: ['https://third.example/users/dora'] } } },
      'denied',
    ],
  ])('has nobody who %s', async (_what, more) => {
    const { bed, as, membersOf } = await bedOfAlice();
    const dora = await bed.know(bed.person('third.example', 'dora', { ...more }));
    const { collectionId } = await createCollection(as, { name: 'Birds', accountIds: [] });
    await expect(addToCollection(as, { collectionId, accountId: dora })).rejects.toMatchObject({ code: 'forbidden' });
    expect(membersOf(collectionId)).toEqual([]);
  });
});
