/** One channel open on one connection. */

import { hasAnyScope } from '../../operations/applications/scopes.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { UserGrant } from '../http/grant.ts';
import { type Channel, isOfAccount } from './channels.ts';
import type { StreamFrame } from './frame.ts';
import type { Payload } from './payloads.ts';
import type { Positions } from './position.ts';
import type { Shard } from './shard.ts';
import type { EventPayloads, StreamEvent } from './stream-events.ts';
import type { VisibilityFilter } from './visibility-filter.ts';

export type CloseReason = 'shutdown' | 'revoked' | 'slow';

/** What a stream may show: by a token, which may be revoked, or for a browser session, which has none. */
export type StreamRights = Pick<UserGrant, 'accountId' | 'scopes'> & Partial<Pick<UserGrant, 'tokenId'>>;

/** A WebSocket, an SSE answer, or an open page. */
export interface Connection {
  readonly grant: StreamRights;
  /** Counted by the quota; absent where addresses are not limited. */
  readonly address?: string | undefined;
  /** Queues the frame; all frames queued before its turn leave in one write. */
  deliver(subscriber: Subscriber, frame: StreamFrame): void;
  /** Writes what is queued at once. */
  flush?(): unknown;
  /** Bytes that its socket has not taken yet. */
  readonly bufferedBytes?: number;
  /** False while a slow client has so much queued that its replay pauses. */
  canTakeMore?(): boolean;
  /** Only WebSockets can use native publishing. */
  joinTopic?(topic: string): void;
  leaveTopic?(topic: string): void;
  close(reason: CloseReason): void;
}

export interface RunningReplay {
  /** Call when the viewer's followed tags have changed. */
  followedTagsChanged(dispatched: Positions): void;
}

export class Subscriber {
  readonly connection: Connection;
  readonly channel: Channel;
  readonly visibility: VisibilityFilter;
  /** Set while a native topic serves it. */
  shard: Shard | undefined = undefined;
  /** Replay in progress. Live frames are skipped until it ends: the replay includes them. */
  replay: RunningReplay | undefined = undefined;
  /** What a channel that watches has been sent last. */
  private lastShown: Payload | undefined = undefined;

  constructor(connection: Connection, channel: Channel, visibility: VisibilityFilter) {
    this.connection = connection;
    this.channel = channel;
    this.visibility = visibility;
  }

  /**
   * Whether it follows the logs of all partitions, not only that of its account: a status that is at home because of a
   * tag is logged in its author's partition.
   */
  get mergesLogs(): boolean {
    return !isOfAccount(this.channel) || (this.channel.kind.isHome === true && this.visibility.followedTags.length > 0);
  }

  /** Whether this is a channel that watches what the event is about. */
  watches({ name, watched: change, sufficientScopes }: StreamEvent): boolean {
    const { kind, value } = this.channel;
    if (change === undefined || kind.watched === undefined || !kind.events.includes(name)) return false;
    if (kind.watched.subjectOf(change)?.toString() !== value) return false;
    const { accountId, scopes } = this.connection.grant;
    return (change.viewerId ?? accountId) === accountId && hasAnyScope(scopes, sufficientScopes);
  }

  /**
   * What a channel that watches is sent of an event: undefined for what its viewer may not see, and for a status that
   * looks as it did in the event before.
   */
  watchedPayload({ name }: Pick<StreamEvent, 'name'>, payloads: EventPayloads): Payload | undefined {
    const { watched } = this.channel.kind;
    const payload = watched && payloads.watched(this.connection.grant.accountId, watched.context);
    if (name === 'status.update' && payload?.json === this.lastShown?.json) return undefined;
    this.lastShown = payload;
    return payload;
  }

  /** Whether this is an account's channel that carries such events, with a sufficient token. */
  shouldReceive(event: StreamEvent, services: Pick<GatewayServices, 'snapshots' | 'repeatedReblogs'>): boolean {
    const { snapshots, repeatedReblogs } = services;
    const { name, status, sufficientScopes, newReblog } = event;
    const { kind, value } = this.channel;
    if (kind.audience !== 'account' || !kind.events.includes(name)) return false;
    const { accountId, scopes } = this.connection.grant;
    if (!hasAnyScope(scopes, sufficientScopes)) return false;
    if (kind.isHome && status !== undefined && this.visibility.leavesOut(status.accountId)) return false;
    if (kind.belongs !== undefined) {
      if (status === undefined || value === undefined) return false;
      if (!kind.belongs(status, value, accountId, snapshots)) return false;
    }
    if (newReblog === undefined || kind.feed === undefined) return true;
    return !repeatedReblogs.includes(kind.feed(accountId, value), newReblog);
  }
}
