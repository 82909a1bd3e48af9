/**
 * A link to one other thread: messages of one round leave as one array (measured: a third of the CPU of single posts).
 * A round of an owner ends with the callback that speaks, a commit most often. One of any other thread ends when all
 * that its sockets had ready has been read: then the owner finds many calls at once, and commits them together.
 */
import type { MessagePort } from 'node:worker_threads';
import type { Role, ThreadMessage, ThreadName } from './messages.ts';

export class Link {
  readonly peer: ThreadName;
  private readonly port: MessagePort;
  private readonly atEndOfRound: (callback: () => void) => unknown;
  private queue: ThreadMessage[] = [];
  private closed = false;
  private readonly flush = () => {
    const messages = this.queue;
    this.queue = [];
    if (!this.closed) this.port.postMessage(messages);
  };

  constructor(own: Role, peer: ThreadName, port: MessagePort, receive: (message: ThreadMessage, from: Link) => void) {
    this.peer = peer;
    this.port = port;
    this.atEndOfRound = own === 'owner' ? queueMicrotask : setImmediate;
    port.on('message', (messages: ThreadMessage[]) => {
      // What a peer has said counts until another takes its place.
      for (const message of messages) if (!this.closed) receive(message, this);
    });
  }

  send(message: ThreadMessage): void {
    if (this.queue.length === 0) this.atEndOfRound(this.flush);
    this.queue.push(message);
  }

  close(): void {
    this.closed = true;
    this.port.close();
  }
}
