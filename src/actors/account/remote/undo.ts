/**
 * Follow, Block and Like of a remote account, and their Undo, as well as that of reblogs. The id of an undone activity
 * is remembered (withdrawals.turn.ts), whether the activity has arrived or is still on its way.
 */

import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { unfavourite } from '../interactions/favourite.ts';
import { favouriteOf, favourites, reblogOf } from '../interactions/interactions.state.ts';
import { ownTraits } from '../profile/profile.turn.ts';
import { block, unblock } from '../relationships/block.ts';
import { follow, unfollow } from '../relationships/follow.ts';
import type { FollowAnswer } from '../relationships/relationships.messages.ts';
import { blocks, following } from '../relationships/relationships.state.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { addWithdrawal, dropsWithdrawn } from '../withdrawals/withdrawals.turn.ts';
import { blockedByUri, followedByUri } from './federation.queries.ts';
import { removeReblog } from './received-statuses.ts';
import type { Undone } from './remote.messages.ts';
import { ownStatusOfUri } from './status-of-uri.ts';

/** Favourites searched for a Like's id, newest first. */
const searchedFavouritesMax = 1_000;

/** `refused` also where the Follow was undone. */
export function receiveFollow(
  turn: AccountTurn,
  { targetId, uri, signedAt }: BodyOf<typeof Account.receiveFollow>,
): FollowAnswer | DelegatedReply {
  if (dropsWithdrawn(turn, uri, signedAt)) return { state: 'refused' };
  return follow(turn, { targetId, options: {}, uri });
}

export function receiveBlock(
  turn: AccountTurn,
  { targetId, uri, signedAt }: BodyOf<typeof Account.receiveBlock>,
): undefined | DelegatedReply {
  return dropsWithdrawn(turn, uri, signedAt) ? undefined : block(turn, { targetId, uri });
}

/** The author of the status decides. */
export function receiveLike(
  turn: AccountTurn,
  { statusId, authorId, uri, signedAt }: BodyOf<typeof Account.receiveLike>,
): undefined | DelegatedReply {
  if (dropsWithdrawn(turn, uri, signedAt)) return undefined;
  return turn.delegateReply(
    Account.favourite.to(authorId, { statusId, by: turn.self.key, uri, sender: ownTraits(turn) }),
  );
}

export function receiveUndo(
  turn: AccountTurn,
  { uri, signedAt, undone: named }: BodyOf<typeof Account.receiveUndo>,
): undefined | DelegatedReply {
  const undone = named ?? (uri === undefined ? undefined : undoneByUri(turn, uri));
  const known = undone === undefined ? undefined : activityOf(turn, undone);
  if (uri !== undefined) addWithdrawal(turn, uri, { signedThrough: signedAt, isAwaited: known === undefined });
  if (known?.uri !== undefined && known.uri !== uri)
    addWithdrawal(turn, known.uri, { signedThrough: signedAt, isAwaited: false });
  switch (undone?.kind) {
    case undefined:
      return undefined;
    case 'follow':
      return unfollow(turn, undone);
    case 'block':
      return unblock(turn, undone);
    case 'like':
      return unfavourite(turn, undone);
    case 'boost':
      return void removeReblog(turn, undone.statusId, undone.authorId);
  }
}

/** The undone activity, as far as it is known here, with its id. */
function activityOf(turn: AccountTurn, undone: Undone): { readonly uri?: string | undefined } | undefined {
  const self = turn.self.key;
  switch (undone.kind) {
    case 'follow':
      return turn.get(following, [self, undone.targetId]);
    case 'block':
      return turn.get(blocks, [self, undone.targetId]);
    case 'like': {
      const kept = turn.get(favouriteOf, [self, undone.statusId]);
      return kept === undefined ? undefined : turn.get(favourites, [self, kept.id]);
    }
    case 'boost': {
      const kept = turn.get(reblogOf, [self, undone.statusId]);
      return kept === undefined ? undefined : { uri: turn.get(statuses, [kept.id])?.activityUri };
    }
  }
}

function undoneByUri(turn: AccountTurn, uri: string): Undone | undefined {
  const self = turn.self.key;
  const followedId = followedByUri(turn, self, uri);
  if (followedId !== undefined) return { kind: 'follow', targetId: followedId };
  const blockedId = blockedByUri(turn, self, uri);
  if (blockedId !== undefined) return { kind: 'block', targetId: blockedId };
  return boostByUri(turn, uri) ?? likeByUri(turn, uri);
}

function boostByUri(turn: AccountTurn, uri: string): Undone | undefined {
  const reblog = ownStatusOfUri(turn, uri);
  if (reblog?.reblogOfId === undefined) return undefined;
  return { kind: 'boost', statusId: reblog.reblogOfId, authorId: reblog.reblogOfAccountId! };
}

function likeByUri(turn: AccountTurn, uri: string): Undone | undefined {
  const query = { reverse: true, limit: searchedFavouritesMax };
  for (const { value } of turn.range(favourites, [turn.self.key], query)) {
    const { id: statusId, authorId } = value;
    if (value.uri === uri && authorId !== undefined) return { kind: 'like', statusId, authorId };
  }
  return undefined;
}
