/**
 * Collections of accounts (FEP-7aa9). Whoever curates one keeps it; an account that is in it has agreed, and may leave.
 * Message numbers 152 to 166.
 */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';
import { Collection, CollectionItem } from './collections.records.ts';

const { name, description, language, sensitive, discoverable, tag } = Collection.shape;
const Written = z.object({ name, description, language, sensitive, discoverable, tag });

const inCollection = { collectionId: identifier, itemId: identifier };
/** The remote accounts in a collection: their servers get its changes, as those of followers do. */
const destinations = z.array(Destination).optional();
const Found = z.object({ collectionId: identifier });
export type Found = z.infer<typeof Found>;

/** An account that is to be asked; `destination` of a remote one. */
const Candidate = z.object({ accountId: identifier, destination: Destination.optional() });
export type Candidate = z.infer<typeof Candidate>;

/** A collection of another server, translated and cleaned. */
export const ReceivedCollection = Collection.omit({ accountId: true }).extend({ uri: z.string() });
/** An item whose account has agreed: a local one here, a remote one by what its server shows. */
export const ReceivedItem = CollectionItem.omit({ state: true }).extend({ uri: z.string() });
export type ReceivedItem = z.infer<typeof ReceivedItem>;

export const collectionMessages = {
  /** The answer comes when the local candidates have agreed or not. */
  createCollection: call(152, Written.extend({ candidates: z.array(Candidate) }), Found),
  /** What is not given stays; an empty language, and null for the tag, take it away. */
  changeCollection: call(
    153,
    Written.partial().extend({ collectionId: identifier, tag: tag.nullable(), destinations }),
    Done,
  ),
  removeCollection: call(154, z.object({ collectionId: identifier, destinations }), Done),
  /** The answer comes when a local candidate has agreed or not. */
  addToCollection: call(155, z.object({ collectionId: identifier, candidate: Candidate }), Found),
  removeFromCollection: call(156, z.object({ ...inCollection, destinations }), Done),
  /**
   * On an account that is to be in a collection: it judges if it is local; for a remote one, its server has. `request`: of
   * another server, which is answered.
   */
  feature: call(
    157,
    z.object({
      ...inCollection,
      by: identifier,
      request: z
        .object({ uri: z.string().optional(), collectionUri: z.string(), destination: Destination.optional() })
        .optional(),
      authorizationUri: z.string().optional(),
    }),
    Found,
  ),
  /** On the curator: what an account in the collection has decided. */
  decideFeaturing: call(
    158,
    z.object({ ...inCollection, decision: z.enum(['accepted', 'rejected', 'revoked']), destinations }),
    Found,
  ),
  /** On an account that was in a collection: it is no more. `byDestination` of a remote curator. */
  unfeature: cast(159, z.object({ ...inCollection, by: identifier, byDestination: Destination.optional() })),
  /** On a local account that leaves a collection. */
  revokeFeaturing: call(
    160,
    z.object({ collectionId: identifier, byDestination: Destination.optional(), destinations }),
    Found,
  ),
  /** On a remote curator who asks a local account. */
  receiveFeatureRequest: call(
    161,
    z.object({ collectionId: identifier, accountId: identifier, requestUri: z.string().optional() }),
    Found,
  ),
  /** On a local curator: the server of a remote account answers. */
  receiveFeatureAnswer: call(
    162,
    z.object({
      ...inCollection,
      by: identifier,
      /** Absent where it is refused. */
      authorizationUri: z.string().optional(),
      destinations,
    }),
    Done,
  ),
  /** On a remote curator: what its server shows. `itemUris`: of all items, verified or not. */
  receiveCollection: call(
    163,
    z.object({ collection: ReceivedCollection, itemUris: z.array(z.string()), items: z.array(ReceivedItem) }),
    Found,
  ),
  receiveCollectionItem: call(164, z.object({ collectionUri: z.string(), item: ReceivedItem }), Done),
  /** The same of what is gone; without `itemUri` the whole collection. */
  receiveUncollected: call(165, z.object({ collectionUri: z.string(), itemUri: z.string().optional() }), Done),
  /** Asks the server of a remote curator for its collections, unless that was done within so long. */
  refreshCollections: call(166, z.object({ ageMilliseconds: z.number() }), Done),
};
