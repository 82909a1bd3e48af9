/**
 * Favourites and reblogs. Called on the author of the status, who decides, and then on the acting account. Message
 * numbers 15, 20 to 29, 35.
 */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { SenderTraits } from '../../policy/notification-policy.ts';
import { identifier, Visibility } from '../account.records.ts';
import { By } from '../relationships/relationships.messages.ts';
import { StatusReference } from '../statuses/statuses.messages.ts';

/**
 * Another account's status: its author, and its ActivityPub address for the author's server (absent for local authors).
 */
const Original = {
  statusId: identifier,
  authorId: identifier,
  authorDestination: Destination.optional(),
  statusUri: z.string().optional(),
};

export const interactionMessages = {
  favourite: call(
    20,
    z.object({ statusId: identifier, ...By, uri: z.string().optional(), sender: SenderTraits.optional() }),
    Done,
  ),
  favouriteKept: call(21, z.object({ ...Original, favouriteId: identifier, uri: z.string().optional() }), Done),
  /** `favouriteId`: of a favourite that the author has removed: that one and no other is removed here as well. */
  unfavourite: call(22, z.object({ ...Original, favouriteId: identifier.optional() }), Done),
  /** Whichever favourite of the account there is; `favouriteId`: the one that the account had stored, if any. */
  unfavourited: call(23, z.object({ statusId: identifier, by: identifier, favouriteId: identifier.optional() }), Done),
  reblog: call(
    24,
    z.object({ statusId: identifier, by: identifier, visibility: Visibility.optional() }),
    StatusReference,
  ),
  reblogAllowed: call(
    25,
    z.object({
      ...Original,
      visibility: Visibility,
      language: z.string().optional(),
      hasMedia: z.boolean(),
      /** As the status is: it stays on this server. */
      localOnly: z.boolean().optional(),
    }),
    StatusReference,
  ),
  reblogged: call(
    26,
    z.object({ statusId: identifier, by: identifier, reblogId: identifier, sender: SenderTraits.optional() }),
    StatusReference,
  ),
  /** `reblogId`: only this one, which the author does not allow. */
  unreblog: call(27, z.object({ ...Original, reblogId: identifier.optional() }), Done),
  unreblogged: call(28, z.object({ statusId: identifier, by: identifier }), Done),
  /** Runs on an account that had reblogged: the original was deleted. */
  originalDeleted: cast(15, z.object({ statusId: identifier, isForgotten: z.boolean().optional() })),
  /** Runs on the author of an edited status: notifies the accounts that reblogged it, in slices. */
  tellRebloggers: cast(35, z.object({ statusId: identifier, afterReblogId: identifier.optional() })),
};
