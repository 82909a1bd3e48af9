/** Collections of accounts (Mastodon API 4.6): lists of them, and changes by their curators. */

import { z } from 'zod';
import { collectionsOf, collectionsWith } from '../../../actors/account/collections/collections.queries.ts';
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { isKeptFrom } from '../../../actors/account/relationships/relationships.queries.ts';
import { refreshCollectionsWhenOld } from '../../../federation/remote-objects/refresh-when-old.ts';
import { knownAccount } from '../../../operations/accounts/known-account.ts';
import {
  changeCollection,
  createCollection,
  removeCollection,
} from '../../../operations/collections/change-collection.ts';
import { shownCollection } from '../../../operations/collections/known-collection.ts';
import { type ShownCollection, showCollection } from '../../../operations/presentation/collections.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { accountsFor } from '../../entities/accounts-for.ts';
import {
  CollectionsEntity,
  CollectionWithAccountsEntity,
  collectionEntity,
  WrappedCollectionEntity,
} from '../../entities/collection.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, empty, json } from '../../http/answers.ts';
import { offsetHeaders, type PageAddress } from '../../http/pagination.ts';
import { boolean, id, idList, limit, offsetUpTo, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { refuseSuspended } from '../accounts/answers.ts';
import { alsoInAlpha } from './alpha.ts';

const page = { offset: offsetUpTo(10_000), limit: limit(40, 80) };

function answerCollections(
  { addresses }: GatewayServices,
  address: PageAddress,
  shown: readonly ShownCollection[],
  { offset = 0, limit: size }: { offset?: number | undefined; limit: number },
): Answer {
  const collections = shown.slice(0, size).map((one) => collectionEntity(one, addresses));
  return json(
    { collections },
    { headers: offsetHeaders(address, { offset, limit: size, hasMore: shown.length > size }) },
  );
}

function wrapped(services: GatewayServices, collectionId: Id, accountId: Id): Answer {
  const shown = shownCollection(services, collectionId, accountId);
  return json({ collection: collectionEntity(shown, services.addresses) });
}

export const getCollectionsOfAccount = endpoint({
  method: 'GET',
  ...alsoInAlpha('/api/v1/accounts/:id/collections'),
  authentication: 'optional',
  scopes: ['read:collections'],
  parameters: z.object({ id, ...page }),
  summary: 'Lists the collections of an account, latest first; of other accounts, those listed on the profile.',
  answer: CollectionsEntity,
  handler(context, given) {
    const { services, caller, grant, request } = context;
    const { snapshots, presenter } = services;
    const owner = knownAccount(services, given.id);
    refuseSuspended(context, owner);
    const viewer = presenter.viewer(grant?.accountId);
    const isHidden = isKeptFrom(owner.profile, viewer);
    // An anonymous request must not make this server contact others.
    if (grant !== undefined && !isHidden) refreshCollectionsWhenOld(services, given.id, caller);
    const { offset = 0, limit: size } = given;
    const listed = isHidden
      ? []
      : collectionsOf(snapshots, given.id)
          .filter(({ discoverable }) => discoverable || grant?.accountId === given.id)
          .slice(offset, offset + size + 1);
    const shown = listed.map((collection) => showCollection(snapshots, collection, owner, viewer));
    return answerCollections(services, request, shown, given);
  },
});

export const getCollectionsWithAccount = endpoint({
  method: 'GET',
  ...alsoInAlpha('/api/v1/accounts/:id/in_collections'),
  authentication: 'user',
  scopes: ['read:collections'],
  parameters: z.object({ id, ...page }),
  summary: 'Lists the collections that include the user, latest first.',
  answer: CollectionsEntity,
  handler({ services, grant, request }, given) {
    const { snapshots, presenter } = services;
    knownAccount(services, given.id);
    if (given.id !== grant.accountId) throw new Failure('forbidden');
    const { offset = 0, limit: size } = given;
    const viewer = presenter.viewer(grant.accountId);
    const shown = collectionsWith(snapshots, given.id, { offset, limit: size + 1 }).flatMap((collection) => {
      const owner = findAccount(snapshots, collection.accountId);
      return owner === undefined ? [] : [showCollection(snapshots, collection, owner, viewer)];
    });
    return answerCollections(services, request, shown, given);
  },
});

export const getCollection = endpoint({
  method: 'GET',
  ...alsoInAlpha('/api/v1/collections/:id'),
  authentication: 'optional',
  scopes: ['read:collections'],
  parameters: z.object({ id }),
  summary: 'Returns a collection with its accounts and its curator.',
  answer: CollectionWithAccountsEntity,
  handler({ services, grant }, given) {
    const shown = shownCollection(services, given.id, grant?.accountId);
    const entityOf = accountsFor(services, grant?.accountId);
    const members = shown.items.map(({ account }) => account);
    const isMember = members.some(({ profile }) => profile.id === shown.owner.profile.id);
    const accounts = isMember ? members : [shown.owner, ...members];
    return json({
      accounts: accounts.map((account) => entityOf(account)),
      collection: collectionEntity(shown, services.addresses),
    });
  },
});

const written = {
  name: text,
  description: text,
  language: text,
  tag_name: text,
  sensitive: boolean,
  discoverable: boolean,
};

export const postCollection = endpoint({
  method: 'POST',
  ...alsoInAlpha('/api/v1/collections'),
  authentication: 'user',
  scopes: ['write:collections'],
  failureStyle: 'nested',
  parameters: z.object({ ...written, account_ids: idList }),
  summary: 'Creates a collection and asks its accounts for consent.',
  answer: WrappedCollectionEntity,
  async handler(context, { tag_name: tagName, account_ids: accountIds = [], ...given }) {
    const { collectionId } = await createCollection(context, { ...given, tagName, accountIds });
    return wrapped(context.services, collectionId, context.grant.accountId);
  },
});

export const patchCollection = endpoint({
  methods: ['PUT', 'PATCH'],
  ...alsoInAlpha('/api/v1/collections/:id'),
  authentication: 'user',
  scopes: ['write:collections'],
  failureStyle: 'nested',
  parameters: z.object({ id, ...written }),
  summary: 'Changes the properties of a collection of the user.',
  answer: WrappedCollectionEntity,
  async handler(context, { id: collectionId, tag_name: tagName, ...given }) {
    await changeCollection(context, { ...given, collectionId, tagName });
    return wrapped(context.services, collectionId, context.grant.accountId);
  },
});

export const deleteCollection = endpoint({
  method: 'DELETE',
  ...alsoInAlpha('/api/v1/collections/:id'),
  authentication: 'user',
  scopes: ['write:collections'],
  parameters: z.object({ id }),
  summary: 'Removes a collection of the user.',
  answer: EmptyEntity,
  async handler(context, { id: collectionId }) {
    await removeCollection(context, { collectionId });
    return empty();
  },
});

export const ownCollectionEndpoints = [
  getCollectionsOfAccount,
  getCollectionsWithAccount,
  getCollection,
  postCollection,
  patchCollection,
  deleteCollection,
];
