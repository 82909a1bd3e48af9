/**
 * OAuth scopes of the Mastodon API and their hierarchy: a parent grants its children (`read` grants `read:lists`,
 * `admin:read` grants `admin:read:reports`), and the legacy `follow` grants reading and writing of blocks, follows and
 * mutes.
 */
const readTopics = [
  'accounts',
  'blocks',
  'bookmarks',
  'collections',
  'favourites',
  'filters',
  'follows',
  'lists',
  'mutes',
  'notifications',
  'search',
  'statuses',
];
const writeTopics = [
  'accounts',
  'blocks',
  'bookmarks',
  'collections',
  'conversations',
  'favourites',
  'filters',
  'follows',
  'lists',
  'media',
  'mutes',
  'notifications',
  'reports',
  'statuses',
];
const adminTopics = [
  'accounts',
  'reports',
  'domain_allows',
  'domain_blocks',
  'ip_blocks',
  'email_domain_blocks',
  'canonical_email_blocks',
];
const followTopics = ['blocks', 'follows', 'mutes'];

/** The scopes with children, and single ones, in the order in which they are advertised. */
const topScopes = ['profile', 'read', 'write', 'push', 'follow', 'admin:read', 'admin:write'];

export const knownScopes: ReadonlySet<string> = new Set([
  ...topScopes,
  ...readTopics.map((topic) => `read:${topic}`),
  ...writeTopics.map((topic) => `write:${topic}`),
  ...adminTopics.flatMap((topic) => [`admin:read:${topic}`, `admin:write:${topic}`]),
]);

const grantedByFollow: ReadonlySet<string> = new Set(
  followTopics.flatMap((topic) => [`read:${topic}`, `write:${topic}`]),
);

/**
 * The scopes of which a token needs one, for an endpoint that requires one of `demanded`. Throws an Error for an unknown
 * scope: a mistake in a declaration.
 */
export function sufficientScopes(demanded: readonly string[]): readonly string[] {
  const sufficient = new Set<string>();
  for (const scope of demanded) {
    if (!knownScopes.has(scope)) throw new Error(`There is no scope ${scope}`);
    sufficient.add(scope);
    const parent = scope.slice(0, scope.lastIndexOf(':'));
    if (knownScopes.has(parent)) sufficient.add(parent);
    if (grantedByFollow.has(scope)) sufficient.add('follow');
  }
  return [...sufficient];
}

export function hasAnyScope(granted: ReadonlySet<string>, sufficient: readonly string[]): boolean {
  for (const scope of sufficient) {
    if (granted.has(scope)) return true;
  }
  return false;
}

/** Whether `granted` includes everything that `scope` allows, for a request of part of an application's scopes. */
export function scopeIncluded(scope: string, granted: ReadonlySet<string>): boolean {
  if (granted.has(scope)) return true;
  if (scope === 'follow') return [...grantedByFollow].every((part) => scopeIncluded(part, granted));
  return knownScopes.has(scope) && hasAnyScope(granted, sufficientScopes([scope]));
}
