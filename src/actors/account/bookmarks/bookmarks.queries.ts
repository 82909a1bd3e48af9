/** What an account has bookmarked. */
import { chooseKept, keptAmong } from '../interactions/kept-statuses.queries.ts';
import { bookmarkOf, bookmarks } from './bookmarks.state.ts';

export const bookmarkedAmong = keptAmong(bookmarkOf);
export const chooseBookmarks = chooseKept(bookmarks);
