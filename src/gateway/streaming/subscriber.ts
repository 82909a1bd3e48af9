/** One channel open on one connection. */

import { hasAnyScope, sufficientScopes } from '../../operations/applications/scopes.ts';
import type { UserGrant } from '../http/grant.ts';
import type { Channel } from './channels.ts';
import type { StreamFrame } from './frame.ts';
import type { Shard } from './shard.ts';
import type { Sight } from './sight.ts';

/** A WebSocket or an SSE answer. */
export interface Connection {
  readonly grant: UserGrant;
  /** Under which its stream counts, where addresses are counted. */
  readonly address?: string | undefined;
  /** Queues the frame; frames that come before its turn to write leave in one write. */
  deliver(subscriber: Subscriber, frame: StreamFrame): void;
  /** Writes what is queued at once. */
  flush?(): unknown;
  /** False while so much waits for a slow client that its replay should wait as well. */
  canTakeMore?(): boolean;
  /** Only WebSockets can be served by the native publish. */
  joinTopic?(topic: string): void;
  leaveTopic?(topic: string): void;
  close(reason: 'shutdown' | 'revoked'): void;
}

const statusScopes = sufficientScopes(['read:statuses']);
const notificationScopes = sufficientScopes(['read:notifications']);

export class Subscriber {
  readonly connection: Connection;
  readonly channel: Channel;
  readonly sight: Sight;
  /** While a native topic serves it. */
  shard: Shard | undefined = undefined;
  /** The replay by which the channel catches up: live frames pass it by meanwhile, as the replay comes to them. */
  replay: object | undefined = undefined;

  constructor(connection: Connection, channel: Channel, sight: Sight) {
    this.connection = connection;
    this.channel = channel;
    this.sight = sight;
  }

  /** Whether this is a channel of an account that carries such events, for a token that may read them. */
  hears(event: 'notification' | 'status'): boolean {
    const { audience } = this.channel.kind;
    const { scopes } = this.connection.grant;
    if (event === 'status') return audience === 'account' && hasAnyScope(scopes, statusScopes);
    return (audience === 'account' || audience === 'notifications') && hasAnyScope(scopes, notificationScopes);
  }
}
