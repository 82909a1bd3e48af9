/** Posts that are deleted by rule. */
import { forms } from '../message.ts';

export const cleanup = {
  title: 'Delete old posts',
  introduction:
    'Your posts and boosts are deleted once they are old enough, unless you keep them for a reason. That begins an hour after you have saved this, and nobody can bring them back.',
  isOn: 'Delete my old posts',
  age: 'Older than',
  days: forms({ one: '{count} day', other: '{count} days' }),
  keep: 'These stay, however old they are',
  exceptions: {
    keepsDirect: 'Private mentions',
    keepsPinned: 'What is pinned to your profile',
    keepsPolls: 'Polls',
    keepsMedia: 'Posts with media',
    keepsFavourited: 'What you have favourited yourself',
    keepsBookmarked: 'What you have bookmarked yourself',
  },
  favouritesMin: 'Posts with at least so many favourites',
  reblogsMin: 'Posts with at least so many boosts',
  optional: 'Leave it empty to keep none for that.',
  save: 'Save',
  done: 'Saved.',
} as const;
