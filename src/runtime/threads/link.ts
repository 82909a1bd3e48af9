/**
 * A link to one other thread: the port through which threads reach each other. Between the threads of one process it is
 * a MessagePort (port-link.ts); nothing that sends or receives knows that.
 *
 * A link promises (test/runtime/threads/link.conformance.test.ts):
 * 1. Messages arrive in the order of sending, each at most once, as copies.
 * 2. `send` never calls the receiver, and never throws: what is lost with a peer is noticed by whoever waits for an answer.
 * 3. The backlog counts what was sent and not read by the peer, so that a sender can stop before memory fills.
 * 4. After `close` nothing is received. Messages of a peer count until another takes its place.
 */
import type { ThreadMessage } from './messages.ts';
import type { ThreadName } from './role.ts';

/** What waits unread at the other end. */
export interface LinkBacklog {
  /** True above a bound: then messages that can be sent again, or replaced by a gap, are not sent. */
  readonly isFull: boolean;
  /** True while more than half of a bound waits. */
  readonly isHalfFull: boolean;
  readonly messagesUnread: number;
  readonly bytesUnread: number;
}

export interface Link {
  readonly peer: ThreadName;
  readonly backlog: LinkBacklog;
  /** `bytes`: size of the body, where it may be large. */
  send(message: ThreadMessage, bytes?: number): void;
  close(): void;
}

export type Receive = (message: ThreadMessage, from: Link) => void;

/** Counted for a message whose size is not given. */
export const messageBytesAssumed = 512;
