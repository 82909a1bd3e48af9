/** The keyspaces of collections: those of their curators, and those of the accounts in them. */

import { present, record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { agreement, counterparts, isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { owner, Reference, withAccount } from '../account.state.ts';
import { Collection, CollectionItem, Featuring } from './collections.records.ts';
import { collectionLimits } from './limits.ts';

export const collections = keyspace<[bigint], Collection>({
  number: 216,
  name: 'collections',
  owner,
  key: [id('collection')],
  value: record(Collection),
  bound: withAccount,
});

export const collectionsOfAccount = keyspace<[bigint, bigint], true>({
  number: 217,
  name: 'collections of an account',
  owner,
  derived: true,
  sparse: true,
  key: [id('account'), id('collection')],
  value: present,
  bound: { by: 'count', entries: collectionLimits.perRemoteAccountMax },
});

export const collectionItems = keyspace<[bigint, bigint], CollectionItem>({
  number: 218,
  name: 'collection items',
  owner,
  key: [id('collection'), id('item')],
  value: record(CollectionItem),
  bound: { by: 'count', entries: collectionLimits.itemsPerRemoteCollectionMax },
});

/** An account is in a collection at most once. */
export const collectionItemOf = keyspace<[bigint, bigint], Reference>({
  number: 219,
  name: 'collection item by account',
  owner,
  derived: true,
  key: [id('collection'), id('member')],
  value: record(Reference),
  bound: { by: 'count', entries: collectionLimits.itemsPerRemoteCollectionMax },
});

/** Remote collections only. */
export const collectionByUri = keyspace<[bigint, string], Reference>({
  number: 220,
  name: 'collection by uri',
  owner,
  derived: true,
  sparse: true,
  key: [id('account'), hashedString('uri')],
  value: record(Reference),
  bound: { by: 'count', entries: collectionLimits.perRemoteAccountMax },
});

/** The collections that an account is in, and those it has left, so that it is not added to them again. */
export const featurings = keyspace<[bigint, bigint], Featuring>({
  number: 221,
  name: 'featurings',
  owner,
  sparse: true,
  key: [id('account'), id('collection')],
  value: record(Featuring),
  bound: withAccount,
});

/** Authorizations by servers of remote accounts, by address: a Delete names nothing but the address. */
export const featuringByAuthorization = keyspace<[bigint, string], Reference>({
  number: 222,
  name: 'featuring by authorization',
  owner,
  derived: true,
  sparse: true,
  key: [id('account'), hashedString('authorization')],
  value: record(Reference),
  bound: withAccount,
});

/**
 * Remote collections by ActivityPub id and by page, for whoever finds a link to one: an address does not tell the
 * curator, so every partition is read. Those that were stored before this index are in it after their next fetch.
 */
export const collectionByAddress = keyspace<[string], Reference>({
  number: 223,
  name: 'collection by address',
  owner,
  partitionWide: true,
  derived: true,
  key: [hashedString('address')],
  value: record(Reference),
  bound: withAccount,
});

/** Both addresses of a remote collection; none of a local one. */
export function addressesOf({ uri, url }: Collection): string[] {
  return [uri, url === uri ? undefined : url].filter((address) => address !== undefined);
}

export const collectionRules: readonly Rule[] = [
  ...counterparts(
    collections,
    ([collection], { accountId }) => [accountId, collection],
    collectionsOfAccount,
    ([, collection]) => [collection],
  ),
  ...counterparts(
    collectionItems,
    ([collection], { accountId }) => [collection, accountId],
    collectionItemOf,
    ([collection], { id: item }) => [collection, item],
  ),
  rule(collectionItems, ([collection], _item, reader) =>
    reader.get(collections, [collection]) === undefined ? 'is in no collection' : undefined,
  ),
  rule(collections, ([collection], { accountId, uri }, reader) =>
    uri === undefined || reader.get(collectionByUri, [accountId, uri])?.id === collection
      ? undefined
      : 'is not found by its address',
  ),
  rule(collectionByUri, ([account], { id: collection }, reader, bytes) => {
    const uri = reader.get(collections, [collection])?.uri;
    return uri !== undefined && isKey(collectionByUri, [account, uri], bytes)
      ? undefined
      : 'leads to a collection of another address';
  }),
  rule(collectionByAddress, (_key, { id: collection }, reader, bytes) => {
    const stored = reader.get(collections, [collection]);
    const leads = stored !== undefined && addressesOf(stored).some((one) => isKey(collectionByAddress, [one], bytes));
    return leads ? undefined : 'leads to a collection of another address';
  }),
  rule(featuringByAuthorization, ([account], { id: collection }, reader, bytes) => {
    const uri = reader.get(featurings, [account, collection])?.authorizationUri;
    return uri !== undefined && isKey(featuringByAuthorization, [account, uri], bytes)
      ? undefined
      : 'leads to no collection that it authorises';
  }),
  agreement(collectionItems, ([collection, item], { accountId, state }, server) => {
    if (state === 'pending') return undefined;
    const kept = server.get(featurings, [accountId, collection]);
    return kept?.itemId === item && kept.isRevoked !== true ? undefined : 'has an account that did not agree';
  }),
  agreement(featurings, ([, collection], { itemId, isRevoked }, server) => {
    if (isRevoked === true) return undefined;
    return server.get(collectionItems, [collection, itemId])?.state === 'accepted' ? undefined : 'is of no item';
  }),
];
