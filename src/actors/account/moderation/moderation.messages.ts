/** What staff do about an account, and its removal. Message numbers 64, 500 to 529, 553, 720. */
import { z } from 'zod';
import { call, cast, Done, Slice } from '../../../runtime/contract.ts';
import { audited } from '../../audit.records.ts';
import { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';
import { Warning } from '../notifications/notifications.records.ts';
import { ServerPosition } from './moderation.records.ts';

const standing = {
  suspended: z.boolean().optional(),
  limited: z.boolean().optional(),
  sensitized: z.boolean().optional(),
  disabled: z.boolean().optional(),
};

export const moderationMessages = {
  /** Throws notFound for an account that is not local, forbidden for one that is suspended. */
  warn: call(64, Warning.extend(audited), Done),
  /**
   * An action with its strike, on an account of this server or another one. Throws conflict where the account is in that
   * state already, validation for what only a local account can be.
   */
  sanction: call(
    500,
    Warning.extend({
      /** Whether a local account is notified and gets a mail; it sees the strike in any case. */
      tells: z.boolean(),
      ...audited,
    }),
    z.object({ strikeId: identifier }),
  ),
  /** Ends what a sanction has begun. Undefined fields stay. */
  changeStanding: call(501, z.object({ ...standing, ...audited }), Done),
  /** On a remote account that staff have suspended: ends its follows of accounts here, in slices. */
  endFollowsOfSuspended: cast(502, Slice),
  /** On a suspended account: what it left here was kept long enough. */
  suspendedDataDue: cast(503, z.object({ until: z.number() })),
  /** What a suspended account left here is removed now. Throws forbidden where it was not suspended, or that has begun. */
  removeSuspended: call(505, z.object(audited), Done),
  /** On an account that was removed: some of the servers that may know it, which are told. `next`: where others begin. */
  serversFound: cast(
    553,
    z.object({ activityId: identifier, destinations: z.array(Destination), next: ServerPosition.optional() }),
  ),
  /** On an account that was removed: the next slice of what only itself could see. `list`: of removed-lists.ts. */
  removeOwn: cast(506, z.object({ list: z.number(), after: identifier.optional(), ...Slice.shape })),
  /** A sign-up that waits for approval: the account is gone, and its name is free. Throws forbidden for any other. */
  reject: call(507, z.object(audited), Done),
  /** Of a local account, which gets the strike; `tells` as above. Throws conflict where one of them is not there. */
  removePictures: call(
    508,
    z.object({
      pictures: z.array(z.enum(['avatar', 'header'])),
      ...audited,
      strike: Warning.extend({ tells: z.boolean() }).optional(),
    }),
    Done,
  ),
  /**
   * Against a strike; `staffIds`: who decides about it, and is told by mail. Throws notFound, and validation for one that
   * was appealed already, or too long ago.
   */
  appeal: call(
    520,
    z.object({ strikeId: identifier, text: z.string(), staffIds: z.array(identifier) }),
    z.object({ appealId: identifier }),
  ),
  /**
   * `statuses`: those that the strike has marked as sensitive, with who has them besides followers. Throws notFound, and
   * conflict where somebody has decided already.
   */
  decideAppeal: call(
    521,
    z.object({
      strikeId: identifier,
      isApproved: z.boolean(),
      statuses: z.array(z.object({ statusId: identifier, destinations: z.array(Destination) })),
      ...audited,
    }),
    Done,
  ),
  /** On a suspended account: its e-mail address may sign up again. Throws validation where it may already. */
  unblockEmail: call(720, z.object(audited), Done),
  /** Marks a status of the account, with media, as sensitive; `destinations`: who has it besides followers. */
  markSensitive: call(504, z.object({ statusId: identifier, destinations: z.array(Destination) }), Done),
};
