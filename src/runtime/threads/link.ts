/**
 * A link to one other thread: messages of one round of the event loop leave as one array (measured: saves a third of
 * the CPU of single posts). A round of an owner ends with the callback that sends, usually a commit. A round of any
 * other thread ends when everything that its sockets had ready was read: the owner then finds many calls at once and
 * commits them together.
 */
import type { MessagePort } from 'node:worker_threads';
import type { Backlog } from './backlog.ts';
import type { Role, ThreadMessage, ThreadName } from './messages.ts';

export interface LinkOptions {
  readonly own: Role;
  readonly peer: ThreadName;
  readonly port: MessagePort;
  readonly backlog: Backlog;
  receive(message: ThreadMessage, from: Link): void;
}

/** Counted for a message whose size is not given. */
const messageBytesAssumed = 512;

export class Link {
  readonly peer: ThreadName;
  readonly backlog: Backlog;
  private readonly port: MessagePort;
  private readonly atEndOfRound: (callback: () => void) => unknown;
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

  constructor({ own, peer, port, backlog, receive }: LinkOptions) {
    this.peer = peer;
    this.port = port;
    this.backlog = backlog;
    this.atEndOfRound = own === 'owner' ? queueMicrotask : setImmediate;
    port.on('message', (messages: ThreadMessage[]) => {
      backlog.received();
      // Messages of a peer count until another takes its place.
      for (const message of messages) if (!this.closed) receive(message, this);
    });
  }

  /** `bytes`: size of the body, where it may be large. */
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
