/** Local collections of accounts towards other servers: announcements, requests and answers (FEP-7aa9). */
import { describe, expect, it } from 'vitest';
import { itemsOf } from '../../src/actors/account/collections/collections.queries.ts';
import { collectionItems } from '../../src/actors/account/collections/collections.state.ts';
import { type Delivery, deliveryLog } from '../../src/actors/partition/partition.state.ts';
import {
  changeCollection,
  createCollection,
  removeCollection,
} from '../../src/operations/collections/change-collection.ts';
import { addToCollection, removeFromCollection } from '../../src/operations/collections/collection-items.ts';
import { blockAccount } from '../../src/operations/relationships/block-account.ts';
import type { MemoryStore } from '../support/memory-log.ts';
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

const count = (texts: readonly string[], text: string) => texts.filter((one) => one === text).length;

describe('the servers of all remote accounts in a collection hear of each change, though none of them follows its curator', () => {
  const inboxes = ['https://other.example/users/carol/inbox', 'https://third.example/users/dora/inbox'];

  /** Carol and Dora have agreed; only what is sent from now on is told. */
  async function ofTwo() {
    const setting = await bedOfAlice();
    const { bed, as, alice, carol } = setting;
    const dora = bed.person('third.example', 'dora', { ...carol.more });
    const [carolId, doraId] = [await bed.know(carol), await bed.know(dora)];
    const { collectionId } = await createCollection(as, { name: 'Birds', accountIds: [carolId, doraId] });
    const address = `${actorOf('alice')}/featured_collections/${collectionId}`;
    const itemOf = (accountId: bigint) =>
      itemsOf(bed.read, collectionId).find((one) => one.accountId === accountId)!.id;
    const accept = async (person: typeof carol, accountId: bigint) => {
      const result = `https://${person.host}/stamps/1`;
      const requestUri = `${address}/items/${itemOf(accountId)}/feature_request`;
      expect(await bed.send(person, person.activity('Accept', requestUri, { result }))).toBe(202);
    };
    const deliveries = () =>
      bed.read.partitions.flatMap((partition) => Array.from(partition.range(deliveryLog, []), ({ value }) => value));
    /** The inboxes to which something of this kind was sent. */
    const told = (kind: Delivery['intent']['kind']) =>
      deliveries()
        .filter(({ intent }) => intent.kind === kind)
        .flatMap(({ single }) => single.map(({ inbox }) => inbox))
        .sort();
    return { ...setting, alice, dora, carolId, doraId, collectionId, itemOf, accept, told };
  }

  it('from the request on', async () => {
    const { as, alice, carol, dora, carolId, doraId, collectionId, accept, told } = await ofTwo();
    expect(told('addCollection')).toEqual(inboxes);
    await accept(carol, carolId);
    expect(told('addCollectionItem')).toEqual(inboxes);
    await accept(dora, doraId);
    await addToCollection(as, { collectionId, accountId: alice });
    expect(told('addCollectionItem')).toEqual([...inboxes, ...inboxes, ...inboxes].sort());
    await changeCollection(as, { collectionId, name: 'Owls' });
    expect(told('updateCollection')).toEqual(inboxes);
  });

  it.each<[string, (setting: Awaited<ReturnType<typeof ofTwo>>) => Promise<unknown>]>([
    [
      'the curator takes it out',
      ({ as, collectionId, itemOf, carolId }) => removeFromCollection(as, { collectionId, itemId: itemOf(carolId) }),
    ],
    ['the curator blocks it', ({ as, carolId }) => blockAccount(as, { accountId: carolId })],
    ['it blocks the curator', ({ bed, carol }) => bed.send(carol, carol.activity('Block', actorOf('alice')))],
    [
      'its server deletes the authorization',
      ({ bed, carol }) => bed.send(carol, carol.activity('Delete', 'https://other.example/stamps/1')),
    ],
  ])('when an account is no longer in it because %s', async (_how, leave) => {
    const setting = await ofTwo();
    const { carol, carolId, accept, told, membersOf, collectionId } = setting;
    await accept(carol, carolId);
    await leave(setting);
    expect(membersOf(collectionId)).toEqual(['dora pending']);
    expect(told('removeCollectionItem')).toEqual(inboxes);
  });

  it('when it is removed', async () => {
    const { as, collectionId, told } = await ofTwo();
    await removeCollection(as, { collectionId });
    expect(told('removeCollection')).toEqual(inboxes);
  });

  it('at an inbox that has moved', async () => {
    const { bed, as, carol, carolId, collectionId, told, accept } = await ofTwo();
    await accept(carol, carolId);
    Object.assign(carol.more, { inbox: 'https://other.example/new/inbox' });
    bed.serve(carol);
    await bed.send(carol, carol.activity('Update', carol.document));
    await changeCollection(as, { collectionId, name: 'Owls' });
    expect(told('updateCollection')).toEqual(['https://other.example/new/inbox', inboxes[1]]);
  });

  it('also of one that was put in before items had inboxes, once its profile is learned again', async () => {
    const { bed, as, carol, carolId, collectionId, itemOf, told, accept } = await ofTwo();
    await accept(carol, carolId);
    const key = collectionItems.encode([collectionId, itemOf(carolId)]);
    const disk = bed.gateway.actors.disks.find((one) => one.get(key) !== undefined) as MemoryStore;
    const { destination: _, ...former } = collectionItems.value.decode(disk.get(key)!);
    disk.apply({ keys: [key], values: [collectionItems.value.encode(former)] });
    const heardOf = async (name: string) => {
      const before = told('updateCollection');
      await changeCollection(as, { collectionId, name });
      const after = told('updateCollection');
      return inboxes.filter((inbox) => count(after, inbox) > count(before, inbox));
    };
    // Turns read what was written above from the next commit on.
    await heardOf('Wrens');
    expect(await heardOf('Owls')).toEqual([inboxes[1]]);
    await bed.send(carol, carol.activity('Update', carol.document));
    expect(await heardOf('Larks')).toEqual(inboxes);
  });
});
