/**
 * A link to one other thread: messages of one round leave as one array (measured: a third of the CPU of single posts).
 * A round of an owner ends with the callback that speaks, a commit most often. One of any other thread ends when all
 * that its sockets had ready has been read: then the owner finds many calls at once, and commits them together.
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

/** What is counted for a message that does not say how large it is. */
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
      // What a peer has said counts until another takes its place.
      for (const message of messages) if (!this.closed) receive(message, this);
    });
  }

  /** `bytes`: what the body takes, where it may be large. */
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
