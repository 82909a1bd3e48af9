/**
 * The channels of the streaming interface (specification 6.1; names and paths are those of the Mastodon API): what each
 * is called over WebSocket, where it lies over SSE, which scopes it needs, which statuses it carries.
 */
import type { StatusFacts } from '../../actors/account/statuses/statuses.events.ts';
import { isInPublicTimeline, isInTagTimelines } from '../../actors/policy/visibility.ts';
import { normaliseTagName } from '../../actors/text/hashtags.ts';

interface ChannelKind {
  readonly name: string;
  /** Below /api/v1/streaming. */
  readonly path: string;
  readonly scopes: readonly string[];
  /** Who is served: the account's own events, or everybody's public ones. */
  readonly audience: 'account' | 'notifications' | 'public' | 'tag';
  readonly accepts?: (facts: StatusFacts) => boolean;
}

const reading = ['read:statuses'];
const anything = (facts: StatusFacts) => isInPublicTimeline(facts);
const local = (facts: StatusFacts) => facts.local && isInPublicTimeline(facts);
const remote = (facts: StatusFacts) => !facts.local && isInPublicTimeline(facts);
const withMedia = (accepts: (facts: StatusFacts) => boolean) => (facts: StatusFacts) =>
  facts.hasMedia && accepts(facts);

export const channelKinds: readonly ChannelKind[] = [
  { name: 'user', path: 'user', scopes: ['read:statuses', 'read:notifications'], audience: 'account' },
  { name: 'user:notification', path: 'user/notification', scopes: ['read:notifications'], audience: 'notifications' },
  { name: 'public', path: 'public', scopes: reading, audience: 'public', accepts: anything },
  { name: 'public:local', path: 'public/local', scopes: reading, audience: 'public', accepts: local },
  { name: 'public:remote', path: 'public/remote', scopes: reading, audience: 'public', accepts: remote },
  { name: 'public:media', path: 'public', scopes: reading, audience: 'public', accepts: withMedia(anything) },
  { name: 'public:local:media', path: 'public/local', scopes: reading, audience: 'public', accepts: withMedia(local) },
  {
    name: 'public:remote:media',
    path: 'public/remote',
    scopes: reading,
    audience: 'public',
    accepts: withMedia(remote),
  },
  { name: 'hashtag', path: 'hashtag', scopes: reading, audience: 'tag', accepts: isInTagTimelines },
  {
    name: 'hashtag:local',
    path: 'hashtag/local',
    scopes: reading,
    audience: 'tag',
    accepts: (facts) => facts.local && isInTagTimelines(facts),
  },
];

export interface Channel {
  readonly kind: ChannelKind;
  /** Equal for equal channels: an account's id is not part of it. */
  readonly key: string;
  /** The tag, normalised, for those that carry one. */
  readonly tag: string | undefined;
  /** The `stream` member of frames, encoded: the name, then the parameter exactly as the client wrote it. */
  readonly streamJson: string;
}

/** Channels without a parameter are the same for everybody. */
const byName = new Map<string, Channel>(
  channelKinds.map((kind) => [
    kind.name,
    { kind, key: kind.name, tag: undefined, streamJson: JSON.stringify([kind.name]) },
  ]),
);

/** Undefined for a name that there is not, and for a tag channel without a tag. */
export function channelOf(name: string, tag: string | undefined): Channel | undefined {
  const channel = byName.get(name);
  if (channel?.kind.audience !== 'tag') return channel;
  const normalised = tag === undefined ? undefined : normaliseTagName(tag);
  if (normalised === undefined) return undefined;
  return { kind: channel.kind, key: `${name} ${tag}`, tag: normalised, streamJson: JSON.stringify([name, tag]) };
}

/** An account's channel follows the log of that account's partition; every other merges the logs of all. */
export function isOfAccount({ kind }: Channel): boolean {
  return kind.audience === 'account' || kind.audience === 'notifications';
}

export function carries(channel: Channel, facts: StatusFacts): boolean {
  if (channel.tag !== undefined && !facts.tags.includes(channel.tag)) return false;
  return channel.kind.accepts?.(facts) ?? false;
}
