/** Moving to another account, and who comes along. Message numbers 170 to 179. */
import { z } from 'zod';
import { call, cast, Done, Nothing } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';

/** From where to where; destinations are those of remote accounts. */
export const Move = z.object({
  formerId: identifier,
  formerDestination: Destination.optional(),
  targetId: identifier,
  targetDestination: Destination.optional(),
  /** How people know the former account: for the notes of those who have one. */
  formerAcct: z.string().optional(),
});

const Target = Move.pick({ targetId: true, targetDestination: true });

export const movingMessages = {
  /** Whom this local account is known as, all of them: from there it may be moved here. */
  changeAliases: call(170, z.object({ aliasIds: z.array(identifier) }), Done),
  /** Of a local account: whoever asks has seen that the target knows itself as this one. */
  move: call(171, Target, Done),
  /** The account is in use again; those who went do not come back. */
  cancelMove: call(172, Nothing, Done),
  /** The server of a remote account says that it has moved. */
  moved: call(173, Target, Done),
  /** Tells the next slice of those who mute or note, who block, and then of the followers; `after` is the last that was told. */
  tellOfMove: cast(
    174,
    Move.extend({ to: z.enum(['followers', 'blockers', 'rememberers']), after: identifier.optional() }),
  ),
  /** On a local follower. */
  followedMoved: cast(175, Move),
  /** On a local account that blocks. */
  blockedMoved: cast(176, Move),
  /** On the follower: the follow of the new account stands, and takes the place of the former one. */
  followReplaced: cast(177, Move),
  /** On an account that others mute or note: whether the one that says so still does. */
  remembered: cast(178, z.object({ by: identifier, isRemembered: z.boolean() })),
  /** On a local account that mutes the former one, or has a note on it. */
  rememberedMoved: cast(179, Move),
};
