/**
 * Collections of accounts (FEP-7aa9). The owner (curator) stores the collection; a member has agreed to be in it, and
 * may leave. Message numbers 152 to 166.
 */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { SenderTraits } from '../../policy/notification-policy.ts';
import { identifier } from '../account.records.ts';
import { Collection, CollectionItem } from './collections.records.ts';

const { name, description, language, sensitive, discoverable, tag } = Collection.shape;
const Written = z.object({ name, description, language, sensitive, discoverable, tag });

const inCollection = { collectionId: identifier, itemId: identifier };
/** Unused: the items store where their accounts are reached. A message that is stored already may contain it. */
const destinations = z.array(Destination).optional();
const Found = z.object({ collectionId: identifier });
export type Found = z.infer<typeof Found>;

/** An account to be asked whether it agrees; `destination` for a remote one. */
const Candidate = z.object({ accountId: identifier, destination: Destination.optional() });
export type Candidate = z.infer<typeof Candidate>;

/** A collection of another server, translated, with sanitised HTML. */
export const ReceivedCollection = Collection.omit({ accountId: true }).extend({ uri: z.string() });
/** An item whose account has agreed: a local account on this server, a remote one according to its own server. */
export const ReceivedItem = CollectionItem.omit({ state: true, destination: true }).extend({ uri: z.string() });
export type ReceivedItem = z.infer<typeof ReceivedItem>;

/** Of the activity that brought it; absent where it was fetched. */
const signedAt = z.number().optional();

export const collectionMessages = {
  /** Answered when the local candidates have agreed or refused. */
  createCollection: call(152, Written.extend({ candidates: z.array(Candidate) }), Found),
  /** Undefined fields stay unchanged; an empty language, and null for the tag, remove them. */
  changeCollection: call(
    153,
    Written.partial().extend({ collectionId: identifier, tag: tag.nullable(), destinations }),
    Done,
  ),
  removeCollection: call(154, z.object({ collectionId: identifier, destinations }), Done),
  /** Answered when a local candidate has agreed or refused. */
  addToCollection: call(155, z.object({ collectionId: identifier, candidate: Candidate }), Found),
  removeFromCollection: call(156, z.object({ ...inCollection, destinations }), Done),
  /**
   * Runs on the account to be added: a local account decides by its policy; for a remote one its server has decided.
   * `request`: that of another server, which gets an answer.
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
      sender: SenderTraits.optional(),
    }),
    Found,
  ),
  /** Runs on the curator: the decision of an account. */
  decideFeaturing: call(
    158,
    z.object({ ...inCollection, decision: z.enum(['accepted', 'rejected', 'revoked']), destinations }),
    Found,
  ),
  /** Runs on an account that is no longer in a collection. `byDestination` of a remote curator. */
  unfeature: cast(159, z.object({ ...inCollection, by: identifier, byDestination: Destination.optional() })),
  /** Runs on a local account that leaves a collection. */
  revokeFeaturing: call(
    160,
    z.object({ collectionId: identifier, byDestination: Destination.optional(), destinations }),
    Found,
  ),
  /** Runs on a remote curator that asks a local account. */
  receiveFeatureRequest: call(
    161,
    z.object({ collectionId: identifier, accountId: identifier, requestUri: z.string().optional() }),
    Found,
  ),
  /** Runs on a local curator: the answer of a remote account's server. */
  receiveFeatureAnswer: call(
    162,
    z.object({
      ...inCollection,
      by: identifier,
      /** Absent for a refusal. */
      authorizationUri: z.string().optional(),
      destinations,
    }),
    Done,
  ),
  /** Runs on a remote curator: a collection as its server shows it. `itemUris`: of all items, verified or not. */
  receiveCollection: call(
    163,
    z.object({ collection: ReceivedCollection, itemUris: z.array(z.string()), items: z.array(ReceivedItem), signedAt }),
    Found,
  ),
  receiveCollectionItem: call(164, z.object({ collectionUri: z.string(), item: ReceivedItem, signedAt }), Done),
  /** Removes an item that the server no longer shows; without `itemUri` the whole collection. */
  receiveUncollected: call(
    165,
    z.object({ collectionUri: z.string(), itemUri: z.string().optional(), signedAt }),
    Done,
  ),
  /** Fetches the collections of a remote curator, unless that was done within this age. */
  refreshCollections: call(166, z.object({ ageMilliseconds: z.number() }), Done),
};
