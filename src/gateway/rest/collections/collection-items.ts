/** The accounts in a collection (Mastodon API 4.6). */
import { z } from 'zod';
import {
  addToCollection,
  leaveCollection,
  removeFromCollection,
} from '../../../operations/collections/collection-items.ts';
import { collectionItemEntity, WrappedCollectionItemEntity } from '../../entities/collection.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { id, optionalId, required } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { alsoInAlpha } from './alpha.ts';

export const postCollectionItem = endpoint({
  method: 'POST',
  ...alsoInAlpha('/api/v1/collections/:collection_id/items'),
  authentication: 'user',
  scopes: ['write:collections'],
  parameters: z.object({ collection_id: id, account_id: required(optionalId) }),
  summary: 'Adds an account to a collection of the user, or asks it for consent.',
  answer: WrappedCollectionItemEntity,
  async handler(context, { collection_id: collectionId, account_id: accountId }) {
    const item = await addToCollection(context, { collectionId, accountId });
    return json({ collection_item: collectionItemEntity(item) });
  },
});

const ofItem = { authentication: 'user', scopes: ['write:collections'], answer: EmptyEntity } as const;
const parameters = z.object({ collection_id: id, id });

export const deleteCollectionItem = endpoint({
  ...ofItem,
  method: 'DELETE',
  ...alsoInAlpha('/api/v1/collections/:collection_id/items/:id'),
  parameters,
  summary: 'Removes an account from a collection of the user.',
  async handler(context, { collection_id: collectionId, id: itemId }) {
    await removeFromCollection(context, { collectionId, itemId });
    return empty();
  },
});

export const postRevokeCollectionItem = endpoint({
  ...ofItem,
  method: 'POST',
  ...alsoInAlpha('/api/v1/collections/:collection_id/items/:id/revoke'),
  parameters,
  summary: 'Removes the user from a collection of another account, for good.',
  async handler(context, { collection_id: collectionId, id: itemId }) {
    await leaveCollection(context, { collectionId, itemId });
    return empty();
  },
});

export const collectionItemEndpoints = [postCollectionItem, deleteCollectionItem, postRevokeCollectionItem];
