/**
 * What a feature does when the relationship of its account to another one changes: an `x.hooks.ts` of the feature, and a row
 * of `account/hooks-of-relationships.ts`, so that relationships know nothing of the features above them.
 */
import type { Id } from '../../../runtime/ids.ts';
import type { SenderTraits } from '../../policy/notification-policy.ts';
import type { AccountTurn } from '../account.turn.ts';

export interface Approach {
  readonly type: 'follow' | 'follow_request';
  readonly fromId: Id;
  /** What the account cannot look up of the other one. */
  readonly sender?: SenderTraits | undefined;
}

export interface RelationshipHooks {
  /** Another account follows this one, or asks to. */
  approached?(turn: AccountTurn, approach: Approach): void;
  /** Requests of these accounts were accepted. */
  answered?(turn: AccountTurn, requesterIds: ReadonlySet<Id>): void;
  /** These accounts neither follow this one any more, nor ask for it. */
  left?(turn: AccountTurn, followerIds: ReadonlySet<Id>): void;
  /** This account no longer follows the other one. */
  unfollowed?(turn: AccountTurn, targetId: Id): void;
  /** One of the two blocked the other: `isOwn` where this account did. */
  blocked?(turn: AccountTurn, otherId: Id, isOwn: boolean): void;
  /** This account muted the other one, or changed the mute. */
  muted?(
    turn: AccountTurn,
    targetId: Id,
    mute: { readonly isNew: boolean; readonly hidesNotifications: boolean },
  ): void;
  unmuted?(turn: AccountTurn, targetId: Id): void;
}
