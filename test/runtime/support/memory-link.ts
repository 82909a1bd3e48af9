/** A link in memory: what was sent arrives once its two ends are told to `deliver`, so that a test decides when. */

import { threadLimits } from '../../../src/runtime/limits.ts';
import { type Link, messageBytesAssumed, type Receive } from '../../../src/runtime/threads/link.ts';
import type { ThreadMessage } from '../../../src/runtime/threads/messages.ts';
import type { ThreadName } from '../../../src/runtime/threads/role.ts';

interface Sent {
  readonly message: ThreadMessage;
  readonly bytes: number;
}

export class MemoryLink implements Link {
  readonly peer: ThreadName;
  private other: MemoryLink | undefined;
  private readonly receive: Receive;
  private readonly unread: Sent[] = [];
  private closed = false;

  private constructor(peer: ThreadName, receive: Receive) {
    this.peer = peer;
    this.receive = receive;
  }

  /** The ends of `names[0]` and `names[1]`, in this order. */
  static pair(
    names: readonly [ThreadName, ThreadName],
    receivers: readonly [Receive, Receive],
  ): [MemoryLink, MemoryLink] {
    const ends: [MemoryLink, MemoryLink] = [
      new MemoryLink(names[1], receivers[0]),
      new MemoryLink(names[0], receivers[1]),
    ];
    [ends[0].other, ends[1].other] = [ends[1], ends[0]];
    return ends;
  }

  get backlog(): Link['backlog'] {
    const messagesUnread = this.unread.length;
    const bytesUnread = this.unread.reduce((sum, { bytes }) => sum + bytes, 0);
    const holds = (share: number) =>
      messagesUnread >= threadLimits.linkMessagesMax * share || bytesUnread >= threadLimits.linkBytesMax * share;
    return { messagesUnread, bytesUnread, isFull: holds(1), isHalfFull: holds(0.5) };
  }

  send(message: ThreadMessage, bytes = 0): void {
    if (this.closed) return;
    this.unread.push({ message: structuredClone(message), bytes: messageBytesAssumed + bytes });
  }

  /** What was sent from this end. */
  deliver(): void {
    for (const { message } of this.unread.splice(0)) if (!this.other!.closed) this.other!.receive(message, this.other!);
  }

  close(): void {
    this.closed = true;
  }
}
