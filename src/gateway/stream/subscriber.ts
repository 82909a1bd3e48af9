/** One channel open on one connection. */
import type { UserGrant } from '../http/grant.ts';
import type { Channel } from './channels.ts';
import type { StreamFrame } from './frame.ts';
import type { Position } from './position.ts';
import type { Sight } from './sight.ts';

/** A WebSocket or an SSE answer. */
export interface Connection {
  readonly grant: UserGrant;
  /** Queues the frame; frames of one tick leave in one write. */
  deliver(subscriber: Subscriber, frame: StreamFrame): void;
  /** Only WebSockets can be served by the native publish. */
  joinTopic?(topic: string): void;
  leaveTopic?(topic: string): void;
  close(reason: 'shutdown' | 'revoked'): void;
}

export interface Subscriber {
  readonly connection: Connection;
  readonly channel: Channel;
  readonly sight: Sight;
  readonly streamJson: string;
  /** True while the native topic serves it. */
  inTopic: boolean;
  /** While the channel is being replayed, live frames wait here. */
  held: StreamFrame[] | undefined;
  /** After a replay: what it reached in each partition, until the live events have passed it. */
  replayed: Map<number, Position> | undefined;
}
