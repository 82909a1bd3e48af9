/**
 * Some of the sockets of a channel that get everything it carries, as one native topic: a frame is published once for all
 * of them. The topic of a whole channel would be written in one go, however many sockets it has; shards take turns with
 * everything else that is written.
 */
import type { TemplatedApp } from 'uWebSockets.js';
import type { Outbox, Writer } from './outbox.ts';

export class Shard implements Writer {
  readonly topic: string;
  members = 0;
  private readonly app: TemplatedApp;
  private readonly outbox: Outbox;
  private queue: Uint8Array[] = [];

  constructor(app: TemplatedApp, outbox: Outbox, topic: string) {
    this.app = app;
    this.outbox = outbox;
    this.topic = topic;
  }

  publish(frame: Uint8Array): void {
    if (this.queue.length === 0) this.outbox.add(this);
    this.queue.push(frame);
  }

  /** Call before a socket joins or leaves, so that it gets what was published while it was a member. */
  flush(): boolean {
    if (this.queue.length === 0) return false;
    for (const frame of this.queue) this.app.publish(this.topic, frame);
    this.queue = [];
    return true;
  }
}
