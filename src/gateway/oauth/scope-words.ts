/** Scopes in words, for the user who is asked for consent. */
const words: Readonly<Record<string, string>> = {
  profile: 'see who you are',
  read: 'read everything of your account',
  write: 'change everything of your account, and publish in your name',
  follow: 'see and change whom you follow, mute and block',
  push: 'send you push notifications',
  'admin:read': 'read everything that staff of this server may read',
  'admin:write': 'do everything that staff of this server may do',
};

const topics: Readonly<Record<string, string>> = {
  accounts: 'your profile and account information',
  blocks: 'whom you block',
  bookmarks: 'your bookmarks',
  collections: 'your collections',
  conversations: 'your conversations',
  favourites: 'your favourites',
  filters: 'your filters',
  follows: 'whom you follow',
  lists: 'your lists',
  media: 'your media files',
  mutes: 'whom you mute',
  notifications: 'your notifications',
  reports: 'your reports',
  search: 'what you search for',
  statuses: 'your posts',
};

export function describeScope(scope: string): string {
  const whole = words[scope];
  if (whole !== undefined) return whole;
  const colon = scope.lastIndexOf(':');
  const topic = scope.slice(colon + 1);
  const verb = scope.slice(0, colon).endsWith('write') ? 'change' : 'read';
  if (scope.startsWith('admin:')) return `${verb}, as staff of this server: ${topic.replaceAll('_', ' ')}`;
  return `${verb} ${topics[topic] ?? topic}`;
}
