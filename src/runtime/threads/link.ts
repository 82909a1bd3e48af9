/**
 * A link to one other thread: messages of one tick leave as one array (measured: a third of the CPU of single posts).
 */
import type { MessagePort } from 'node:worker_threads';
import type { ThreadMessage, ThreadName } from './messages.ts';

export class Link {
  readonly peer: ThreadName;
  private readonly port: MessagePort;
  private queue: ThreadMessage[] = [];
  private closed = false;
  private readonly flush = () => {
    const messages = this.queue;
    this.queue = [];
    if (!this.closed) this.port.postMessage(messages);
  };

  constructor(peer: ThreadName, port: MessagePort, receive: (message: ThreadMessage, from: Link) => void) {
    this.peer = peer;
    this.port = port;
    port.on('message', (messages: ThreadMessage[]) => {
      // What a peer has said counts until another takes its place.
      for (const message of messages) if (!this.closed) receive(message, this);
    });
  }

  send(message: ThreadMessage): void {
    if (this.queue.length === 0) queueMicrotask(this.flush);
    this.queue.push(message);
  }

  close(): void {
    this.closed = true;
    this.port.close();
  }
}
