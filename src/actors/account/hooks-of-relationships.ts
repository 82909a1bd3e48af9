/** What features do when the relationship of an account to another one changes, in this order. */
import { collectionHooks } from './collections/collections.hooks.ts';
import { endorsementHooks } from './endorsements/endorsements.hooks.ts';
import { listHooks } from './lists/lists.hooks.ts';
import { noteHooks } from './notes/notes.hooks.ts';
import { notificationHooks } from './notifications/notifications.hooks.ts';
import type { RelationshipHooks } from './relationships/relationship-hooks.ts';
import { replyRequestBlocks } from './reply-requests/reply-requests.hooks.ts';
import { suggestionHooks } from './suggestions/suggestions.hooks.ts';

export const relationshipHooks: readonly RelationshipHooks[] = [
  endorsementHooks,
  listHooks,
  noteHooks,
  notificationHooks,
  collectionHooks,
  suggestionHooks,
  replyRequestBlocks,
];
