/** What turns write of the favourites and reblogs of their own account. */
import type { Id } from '../../../runtime/ids.ts';
import type { AccountTurn } from '../account.turn.ts';
import { favouriteOf, favourites, reblogOf } from './interactions.state.ts';

export function forgetFavourite(turn: AccountTurn, statusId: Id, favouriteId: Id): void {
  turn.delete(favourites, [turn.self.key, favouriteId]);
  turn.delete(favouriteOf, [turn.self.key, statusId]);
}

export function rememberReblog(turn: AccountTurn, statusId: Id, reblogId: Id): void {
  turn.put(reblogOf, [turn.self.key, statusId], { id: reblogId });
}

export function forgetReblog(turn: AccountTurn, statusId: Id): void {
  turn.delete(reblogOf, [turn.self.key, statusId]);
}
