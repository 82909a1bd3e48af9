/**
 * The floors of an account, lowest first, as ARCHITECTURE.md shows them: a feature may use those on the floors below it, and
 * none on its own floor or above. What a lower one has to tell a higher one goes through the tables of hooks.
 */
export const floors: readonly (readonly string[])[] = [
  ['profile', 'conversations', 'markers', 'withdrawals'],
  ['relationships', 'mail', 'announcements', 'filters', 'followed-tags', 'sign-ins'],
  ['lists', 'endorsements', 'notes', 'suggestions', 'push', 'reports', 'local', 'two-factor', 'cleanup'],
  ['statuses'],
  ['cards', 'featured-tags', 'home', 'media', 'pins', 'threads', 'email-subscriptions'],
  ['notifications', 'scheduled', 'imports'],
  ['interactions', 'mentions', 'domain-blocks', 'severed'],
  ['bookmarks', 'collections', 'polls', 'quotes', 'reply-requests'],
  ['remote', 'moving'],
  ['moderation'],
  ['leaving'],
];
