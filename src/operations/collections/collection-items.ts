/** Adds accounts to a collection of the caller, and removes them; leaves a collection of another account. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import {
  findCollection,
  findItem,
  itemOfAccount,
  type StoredItem,
} from '../../actors/account/collections/collections.queries.ts';
import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { candidateOf, notFeaturable } from './featurable.ts';
import { onOwnCollection } from './known-collection.ts';

export const addToCollection = operation({
  input: z.object({ collectionId: identifier, accountId: identifier }),
  permission: 'manageOwnAccount',
  on: onOwnCollection,
  /**
   * Throws Failure notFound, forbidden (also where the account refuses), and validation for an account that is in it,
   * or above the bound.
   */
  async run({ caller, services }, { collectionId, accountId }): Promise<StoredItem> {
    const candidate = candidateOf(services, accountId, caller.accountId);
    const message = Account.addToCollection.to(caller.accountId, { collectionId, candidate });
    await services.client.call(message, flowOf(caller));
    const item = itemOfAccount(services.snapshots, collectionId, accountId);
    if (item === undefined) throw notFeaturable();
    return item;
  },
});

export const removeFromCollection = operation({
  input: z.object({ collectionId: identifier, itemId: identifier }),
  permission: 'manageOwnAccount',
  on: onOwnCollection,
  /** Throws Failure notFound and forbidden. */
  async run({ caller, services }, { collectionId, itemId }): Promise<void> {
    const message = Account.removeFromCollection.to(caller.accountId, { collectionId, itemId });
    await services.client.call(message, flowOf(caller));
  },
});

export const leaveCollection = operation({
  input: z.object({ collectionId: identifier, itemId: identifier }),
  permission: 'manageOwnAccount',
  /** Throws Failure notFound, and forbidden for another account's item. */
  async run({ caller, services }, { collectionId, itemId }): Promise<void> {
    const { snapshots } = services;
    const collection = findCollection(snapshots, collectionId);
    const item = findItem(snapshots, collectionId, itemId);
    if (collection === undefined || item === undefined) throw new Failure('notFound');
    if (item.accountId !== caller.accountId) throw new Failure('forbidden');
    const owner = findProfile(snapshots, collection.accountId);
    const byDestination = owner && destinationOf(owner);
    const message = Account.revokeFeaturing.to(caller.accountId, { collectionId, byDestination });
    await services.client.call(message, flowOf(caller));
  },
});
