/** Who reads the public timelines, as staff have decided. Pure. */

/** With the words of the Mastodon API: everybody, who has signed in, or only roles that may read them whatever is decided. */
export const feedAccesses = ['public', 'authenticated', 'disabled'] as const;
export type FeedAccess = (typeof feedAccesses)[number];

/** Of this server's posts with a tag: closed to everybody, tags would lead nowhere (behaviour of the Mastodon API). */
export const ownTopicAccesses = ['public', 'authenticated'] as const;
export type OwnTopicAccess = (typeof ownTopicAccesses)[number];

/** `live`: everything public. `topic`: what has a tag or a link. */
const feedKinds = ['live', 'topic'] as const;
export type FeedKind = (typeof feedKinds)[number];

/** Where posts are from: this server, and all others. */
export const feedParts = ['local', 'remote'] as const;
export type FeedPart = (typeof feedParts)[number];

export type FeedRules = Readonly<Record<FeedKind, Readonly<Record<FeedPart, FeedAccess>>>>;

/** What one reader may read of the timelines of one kind. */
export type FeedReach = Readonly<Record<FeedPart, boolean>>;
export type FeedReaches = Readonly<Record<FeedKind, FeedReach>>;

const whole: FeedReach = { local: true, remote: true };
export const everyFeed: FeedReaches = { live: whole, topic: whole };

export interface FeedReader {
  readonly isSignedIn: boolean;
  /** Whether the role may read them whatever is decided; asked where that decides. */
  mayViewFeeds(): boolean;
}

/** `everyFeed` itself for whoever may read everything. */
export function reachesOf(rules: FeedRules, reader: FeedReader): FeedReaches {
  if (feedKinds.every((kind) => feedParts.every((part) => rules[kind][part] === 'public'))) return everyFeed;
  const reads = (access: FeedAccess) =>
    access === 'public' || (reader.isSignedIn && (access === 'authenticated' || reader.mayViewFeeds()));
  const reach = ({ local, remote }: FeedRules[FeedKind]): FeedReach => ({ local: reads(local), remote: reads(remote) });
  const reaches = { live: reach(rules.live), topic: reach(rules.topic) };
  return feedKinds.every((kind) => readsAll(reaches[kind])) ? everyFeed : reaches;
}

export function readsAll({ local, remote }: FeedReach): boolean {
  return local && remote;
}

/** What is left of the posts that are asked for; undefined for nothing. */
export function readableOrigin<Asked extends FeedPart | 'all'>(
  asked: Asked,
  { local, remote }: FeedReach,
): Asked | FeedPart | undefined {
  if (asked === 'local') return local ? asked : undefined;
  if (asked === 'remote') return remote ? asked : undefined;
  if (local && remote) return asked;
  if (local) return 'local';
  return remote ? 'remote' : undefined;
}
