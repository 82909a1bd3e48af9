/**
 * The link between two threads of one process, over a MessagePort: messages of one round of the event loop leave as one
 * array (measured: saves a third of the CPU of single posts).
 */
import type { MessagePort } from 'node:worker_threads';
import type { Backlog } from './backlog.ts';
import { type Link, messageBytesAssumed, type Receive } from './link.ts';
import type { ThreadMessage } from './messages.ts';
import { ownerRole, type ThreadName } from './role.ts';

export interface PortLinkOptions {
  readonly peer: ThreadName;
  readonly port: MessagePort;
  readonly backlog: Backlog;
  /** Calls back at the end of the sender's round (`endOfRound`). */
  readonly atEndOfRound: (callback: () => void) => unknown;
  readonly receive: Receive;
}

/**
 * A round of an owner ends with the callback that sends, usually a commit. A round of any other thread ends when
 * everything that its sockets had ready was read: the owner then finds many calls at once and commits them together.
 */
export function endOfRound(role: string): PortLinkOptions['atEndOfRound'] {
  return role === ownerRole ? queueMicrotask : setImmediate;
}

export class PortLink implements Link {
  readonly peer: ThreadName;
  readonly backlog: Backlog;
  private readonly port: MessagePort;
  private readonly atEndOfRound: PortLinkOptions['atEndOfRound'];
  private queue: ThreadMessage[] = [];
  private queueBytes = 0;
  private closed = false;
  private readonly flush = () => {
    const messages = this.queue;
    this.queue = [];
    if (!this.closed) {
      this.backlog.sent(messages.length, this.queueBytes);
      this.port.postMessage(messages);
    }
    this.queueBytes = 0;
  };

  constructor({ peer, port, backlog, atEndOfRound, receive }: PortLinkOptions) {
    this.peer = peer;
    this.port = port;
    this.backlog = backlog;
    this.atEndOfRound = atEndOfRound;
    port.on('message', (messages: ThreadMessage[]) => {
      backlog.received();
      for (const message of messages) if (!this.closed) receive(message, this);
    });
  }

  send(message: ThreadMessage, bytes = 0): void {
    if (this.queue.length === 0) this.atEndOfRound(this.flush);
    this.queue.push(message);
    this.queueBytes += messageBytesAssumed + bytes;
  }

  close(): void {
    this.closed = true;
    this.port.close();
  }
}
