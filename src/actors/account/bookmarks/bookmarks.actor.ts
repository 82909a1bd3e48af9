/** Bookmarks: private to their account, each status at most once. */
import { type BodyOf, feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { viewerStateChanged } from '../interactions/interactions.events.ts';
import { bookmarkMessages } from './bookmarks.messages.ts';
import * as state from './bookmarks.state.ts';

const { bookmarks, bookmarkOf } = state;

function bookmark(turn: AccountTurn, { statusId }: BodyOf<typeof bookmarkMessages.bookmark>): undefined {
  const accountId = turn.self.key;
  if (turn.get(bookmarkOf, [accountId, statusId]) !== undefined) return;
  const bookmarkId = turn.nextId();
  turn.put(bookmarks, [accountId, bookmarkId], { id: statusId });
  turn.put(bookmarkOf, [accountId, statusId], { id: bookmarkId });
  turn.emit(viewerStateChanged, { accountId, statusId });
}

function unbookmark(turn: AccountTurn, { statusId }: BodyOf<typeof bookmarkMessages.unbookmark>): undefined {
  const accountId = turn.self.key;
  const kept = turn.get(bookmarkOf, [accountId, statusId]);
  if (kept === undefined) return;
  turn.delete(bookmarks, [accountId, kept.id]);
  turn.delete(bookmarkOf, [accountId, statusId]);
  turn.emit(viewerStateChanged, { accountId, statusId });
}

export const bookmarksFeature = feature<AccountTurn>()({
  messages: bookmarkMessages,
  handlers: { bookmark, unbookmark },
  state: [state],
  rules: state.bookmarkRules,
});
