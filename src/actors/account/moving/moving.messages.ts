/** Moving to another account, and who comes along. Message numbers 170 to 177. */
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
  /** Tells the next slice of the followers, and then of those who block; `after` is the last that was told. */
  tellOfMove: cast(174, Move.extend({ to: z.enum(['followers', 'blockers']), after: identifier.optional() })),
  /** On a local follower. */
  followedMoved: cast(175, Move),
  /** On a local account that blocks. */
  blockedMoved: cast(176, Move),
  /** On the follower: the follow of the new account stands, and takes the place of the former one. */
  followReplaced: cast(177, Move),
};
