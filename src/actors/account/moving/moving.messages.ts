/** Moving to another account, and how local accounts react. Message numbers 170 to 179. */
import { z } from 'zod';
import { call, cast, Done, Nothing } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';

/** The old and the new account; destinations are those of remote accounts. */
export const Move = z.object({
  formerId: identifier,
  formerDestination: Destination.optional(),
  targetId: identifier,
  targetDestination: Destination.optional(),
  /** The handle of the former account: it heads the note taken over by those who have one. */
  formerAcct: z.string().optional(),
});

const Target = Move.pick({ targetId: true, targetDestination: true });

export const movingMessages = {
  /** The complete aliases of this local account: accounts that may be moved to it. */
  changeAliases: call(170, z.object({ aliasIds: z.array(identifier) }), Done),
  /**
   * Runs on a local account: the caller has checked that the target lists this account as an alias. `blockers`: inboxes
   * of accounts that block it.
   */
  move: call(171, Target.extend({ blockers: z.array(Destination).optional() }), Done),
  /** The account is in use again; followers who moved do not come back. */
  cancelMove: call(172, Nothing, Done),
  /** The server of a remote account reports its move. */
  moved: call(173, Target, Done),
  /**
   * Informs the next slice of accounts that mute or have a note, then of those that block, then of followers; `after`
   * is the last one informed.
   */
  tellOfMove: cast(
    174,
    Move.extend({ to: z.enum(['followers', 'blockers', 'rememberers']), after: identifier.optional() }),
  ),
  /** Runs on a local follower. */
  followedMoved: cast(175, Move),
  /** Runs on a local account that blocks. */
  blockedMoved: cast(176, Move),
  /** Runs on the follower: the follow of the new account was accepted, and replaces the former one. */
  followReplaced: cast(177, Move),
  /** Runs on an account that others mute or have a note on: whether the sender still does. */
  remembered: cast(178, z.object({ by: identifier, isRemembered: z.boolean() })),
  /** Runs on a local account that mutes the former one, or has a note on it. */
  rememberedMoved: cast(179, Move),
};
