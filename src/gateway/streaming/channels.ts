/**
 * The channels of the streaming API (with names and paths of the Mastodon API), one row each. WebSocket, server-sent
 * events, the API document and the pages derive from these rows, for live events and replays alike.
 */

import { findList, listFactsBelong } from '../../actors/account/lists/lists.queries.ts';
import { findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { findStatus } from '../../actors/account/status-views.queries.ts';
import type { StatusFacts } from '../../actors/account/statuses/statuses.events.ts';
import { threadOf } from '../../actors/account/statuses/statuses.records.ts';
import type { FeedKind } from '../../actors/policy/feed-access.ts';
import { isInPublicTimeline, isInTagTimelines } from '../../actors/policy/visibility.ts';
import { normaliseTagName, withoutSign } from '../../actors/text/hashtags.ts';
import type { StaffPermission } from '../../operations/permissions.ts';
import type { PresentationContext } from '../../operations/presentation/contexts.ts';
import type { ReaderFeed } from '../../operations/timelines/repeated-reblogs.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { StreamEvent, StreamEventName, WatchedChange } from './stream-events.ts';

/** A parameter of a channel, such as the tag of `hashtag`. */
interface ChannelParameter {
  /** Its name in queries and messages. */
  readonly name: string;
  /** The value with which events are compared; undefined for an invalid text. */
  read(text: string): string | undefined;
  /** The values of a status, for public channels. */
  valuesOf?(facts: StatusFacts): readonly string[];
}

const readId = (text: string) => parseId(text)?.toString();

/** A list is identified by its id, as in answers of the API. */
const list: ChannelParameter = { name: 'list', read: readId };

/** Of a status or an account. */
const id: ChannelParameter = { name: 'id', read: readId };

const tag: ChannelParameter = {
  name: 'tag',
  read: (text) => normaliseTagName(withoutSign(text)),
  valuesOf: ({ tags }) => tags,
};

export interface ChannelKind {
  readonly name: string;
  /** Below /api/v1/streaming. Kinds with the same path differ in `onlyMedia`. */
  readonly path: string;
  /** The kind that clients of server-sent events request with `only_media`. */
  readonly onlyMedia?: true;
  readonly parameter?: ChannelParameter;
  /** A token needs any one of these to open it. */
  readonly scopes: readonly string[];
  /**
   * `account`: events for the token's account. `public`: public statuses. `watched`: of one status, thread or account,
   * what each viewer may see. `machine`: what is measured, which no log has.
   */
  readonly audience: 'account' | 'public' | 'watched' | 'machine';
  /** Of staff; absent for channels of everybody. */
  readonly permission?: StaffPermission;
  readonly events: readonly StreamEventName[];
  /** The statuses of a public channel; with a parameter, among those with its value. */
  readonly accepts?: (facts: StatusFacts) => boolean;
  /** The timelines whose readers may read a public channel. */
  readonly reads?: FeedKind;
  /** Carries the home timeline, without statuses that are only in exclusive lists. */
  readonly isHome?: true;
  /**
   * The value with which events are compared in the account's channel, undefined where the channel does not exist for it;
   * absent where every value is one.
   */
  readonly find?: (value: string, accountId: Id, services: FindingServices) => string | undefined;
  readonly watched?: WatchedKind;
  /**
   * Which statuses of its home an account's channel carries, by the value of its parameter (a list's id); absent for
   * all.
   */
  readonly belongs?: (facts: StatusFacts, value: string, accountId: Id, snapshots: Snapshots) => boolean;
  /** The feed whose repeated reblogs an account's channel leaves out, by the value of its parameter. */
  readonly feed?: (accountId: Id, value: string | undefined) => ReaderFeed;
}

/** What a channel that watches one thing carries. */
export interface WatchedKind {
  /** What the change is of, compared with the value of the channel. */
  readonly subjectOf: (change: WatchedChange) => Id | undefined;
  /** Where statuses are shown that it carries. */
  readonly context: PresentationContext;
  /** Carries statuses that are old when they arrive: replies that were looked for later. */
  readonly carriesOld?: true;
}

export type FindingServices = Pick<GatewayServices, 'snapshots' | 'presenter'>;

type Accepts = NonNullable<ChannelKind['accepts']>;
const local: Accepts = (facts) => facts.local && isInPublicTimeline(facts);
const remote: Accepts = (facts) => !facts.local && isInPublicTimeline(facts);
const localInTags: Accepts = (facts) => facts.local && isInTagTimelines(facts);
const withMedia =
  (accepts: Accepts): Accepts =>
  (facts) =>
    facts.hasMedia && accepts(facts);

const statusEvents = ['update', 'status.update', 'delete'] as const;
const announcementEvents = ['announcement', 'announcement.reaction', 'announcement.delete'] as const;
const watchedStatuses = { scopes: ['read:statuses'], audience: 'watched', parameter: id } as const;
const publicStatuses = { scopes: ['read:statuses'], audience: 'public', events: statusEvents, reads: 'live' } as const;
const tagged = { ...publicStatuses, reads: 'topic', parameter: tag } as const;

export const channelKinds: readonly ChannelKind[] = [
  {
    ...{ name: 'user', path: 'user', scopes: ['read:statuses', 'read:notifications'], audience: 'account' },
    events: [...statusEvents, 'notification', 'notifications_merged', 'filters_changed', ...announcementEvents],
    isHome: true,
    feed: (accountId) => ({ accountId }),
  },
  {
    ...{ name: 'user:notification', path: 'user/notification', scopes: ['read:notifications'], audience: 'account' },
    events: ['notification', 'notifications_merged'],
  },
  {
    ...{ name: 'direct', path: 'direct', scopes: ['read:statuses'], audience: 'account' },
    events: ['conversation'],
  },
  { ...publicStatuses, name: 'public', path: 'public', accepts: isInPublicTimeline },
  { ...publicStatuses, name: 'public:local', path: 'public/local', accepts: local },
  { ...publicStatuses, name: 'public:remote', path: 'public/remote', accepts: remote },
  { ...publicStatuses, name: 'public:media', path: 'public', onlyMedia: true, accepts: withMedia(isInPublicTimeline) },
  { ...publicStatuses, name: 'public:local:media', path: 'public/local', onlyMedia: true, accepts: withMedia(local) },
  {
    ...publicStatuses,
    name: 'public:remote:media',
    path: 'public/remote',
    onlyMedia: true,
    accepts: withMedia(remote),
  },
  { ...tagged, name: 'hashtag', path: 'hashtag', accepts: isInTagTimelines },
  {
    ...{ name: 'list', path: 'list', scopes: ['read:statuses'], audience: 'account', events: statusEvents },
    parameter: list,
    find: (listId, accountId, { snapshots }) =>
      findList(snapshots, BigInt(listId))?.accountId === accountId ? listId : undefined,
    belongs: (facts, listId, _accountId, snapshots) => listFactsBelong(snapshots, BigInt(listId), facts),
    feed: (accountId, listId) => ({ accountId, listId: BigInt(listId!) }),
  },
  { ...tagged, name: 'hashtag:local', path: 'hashtag/local', accepts: localInTags },
  {
    ...{ ...watchedStatuses, name: 'status', path: 'status', events: ['status.update', 'delete'] },
    // Of a reblog, its original: that is what is edited and counted.
    find: (statusId, accountId, services) => {
      const shown = visible(statusId, accountId, services);
      return (shown?.reblogOfId ?? shown?.id)?.toString();
    },
    watched: { subjectOf: ({ statusId }) => statusId, context: 'single' },
  },
  {
    ...{ ...watchedStatuses, name: 'thread', path: 'thread', events: statusEvents },
    find: (statusId, accountId, services) => {
      const shown = visible(statusId, accountId, services);
      const found = shown && findStatus(services.snapshots, shown.reblogOfId ?? shown.id);
      return found && threadOf(found.status).toString();
    },
    watched: { subjectOf: ({ facts }) => facts && threadOf(facts), context: 'thread', carriesOld: true },
  },
  {
    ...{ ...watchedStatuses, name: 'account', path: 'account', events: statusEvents },
    find: (accountId, _viewerId, { snapshots }) => {
      const account = findAccount(snapshots, BigInt(accountId));
      return account === undefined || account.profile.suspendedAt !== undefined ? undefined : accountId;
    },
    watched: { subjectOf: ({ facts }) => facts?.accountId, context: 'account' },
  },
  {
    ...{ name: 'admin:machine', path: 'admin/machine', scopes: ['admin:read'], audience: 'machine' },
    events: ['machine'],
    permission: 'operateMachine',
  },
];

/** The status with this id, if the account may see it. */
function visible(statusId: string, accountId: Id, { presenter }: FindingServices) {
  return presenter.one(BigInt(statusId), accountId, 'single')?.status;
}

/** The parameters of all channels, each once. */
export const channelParameters: readonly ChannelParameter[] = [
  ...new Set(channelKinds.flatMap(({ parameter }) => parameter ?? [])),
];

export interface Channel {
  readonly kind: ChannelKind;
  /** Equal for equal channels; the account's id is not part of it. */
  readonly key: string;
  /** The value of its parameter, with which events are compared. */
  readonly value: string | undefined;
  /** The encoded `stream` member of frames: the name, then the parameter exactly as the client sent it. */
  readonly streamJson: string;
}

/** Channels without a parameter are the same for everybody. */
const byName = new Map<string, Channel>(
  channelKinds.map((kind) => [
    kind.name,
    { kind, key: kind.name, value: undefined, streamJson: JSON.stringify([kind.name]) },
  ]),
);

/** The given parameters by name. */
export type GivenParameters = Readonly<Record<string, unknown>>;

/** Undefined for an unknown name, and where the channel's parameter is missing or invalid. */
export function channelOf(name: string, given: GivenParameters = {}): Channel | undefined {
  const channel = byName.get(name);
  if (channel?.kind.parameter === undefined) return channel;
  const { kind } = channel;
  const text = given[channel.kind.parameter.name];
  const value = typeof text === 'string' ? channel.kind.parameter.read(text) : undefined;
  if (value === undefined) return undefined;
  return { kind, key: `${name} ${text}`, value, streamJson: JSON.stringify([name, text]) };
}

/** The channel as it exists for the account; undefined where it does not: a list may belong to another one. */
export function foundFor(channel: Channel, accountId: Id, services: FindingServices): Channel | undefined {
  const { kind, value } = channel;
  if (kind.find === undefined || value === undefined) return channel;
  const found = kind.find(value, accountId, services);
  return found === undefined ? undefined : { ...channel, value: found };
}

/** An account's channel follows the log of that account's partition; every other merges the logs of all. */
export function isOfAccount({ kind }: Channel): boolean {
  return kind.audience === 'account';
}

/** Whether what it carries is in event logs, from which it can be read again. */
export function isLogged({ kind }: Channel): boolean {
  return kind.audience !== 'machine';
}

/** Whether a public channel carries the event's status. */
export function carries({ kind, value }: Channel, { name, status }: Pick<StreamEvent, 'name' | 'status'>): boolean {
  if (status === undefined || kind.accepts === undefined || !kind.events.includes(name)) return false;
  if (value !== undefined && kind.parameter?.valuesOf?.(status).includes(value) !== true) return false;
  return kind.accepts(status);
}
