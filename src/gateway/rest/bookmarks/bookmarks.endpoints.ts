/** The endpoints of bookmarks (behaviour of the Mastodon API: newest bookmark first, opaque cursors). */
import { z } from 'zod';
import { chooseBookmarks } from '../../../actors/account/bookmarks/bookmarks.queries.ts';
import { bookmarkStatus, unbookmarkStatus } from '../../../operations/interactions/bookmark-status.ts';
import { UserStatusEntity } from '../../entities/status-schema.ts';
import { pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerStatusPage } from '../status-answers.ts';
import { statusChange } from '../status-change.ts';

export const getBookmarks = endpoint({
  method: 'GET',
  path: '/api/v1/bookmarks',
  authentication: 'user',
  scopes: ['read:bookmarks'],
  parameters: z.object(pageParameters(20, 40)),
  summary: 'Lists the bookmarks of the user, latest first.',
  answer: z.array(UserStatusEntity),
  handler: (context, given) =>
    answerStatusPage(context, given, 'single', (bounds, show) =>
      chooseBookmarks(context.services.snapshots, context.grant.accountId, bounds, show),
    ),
});

export const postBookmark = statusChange({
  path: '/api/v1/statuses/:id/bookmark',
  scope: 'write:bookmarks',
  summary: 'Adds a status to the bookmarks of the user.',
  operation: bookmarkStatus,
  shownAs: 'single',
});

export const postUnbookmark = statusChange({
  path: '/api/v1/statuses/:id/unbookmark',
  scope: 'write:bookmarks',
  summary: 'Removes a status from the bookmarks of the user.',
  operation: unbookmarkStatus,
  shownAs: 'takenBack',
});

export const bookmarkEndpoints = [getBookmarks, postBookmark, postUnbookmark];
