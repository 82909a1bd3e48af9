/**
 * Some sockets of a channel that need no filter, as one native topic: a frame is published once for all of them. One
 * topic for the whole channel would be written in one go, however many sockets it has; shards take turns with all other
 * writers.
 */
import type { StreamingApp } from '../http/native-apps.ts';
import { compressed } from './frame.ts';
import type { Writer, WriteScheduler } from './write-scheduler.ts';

export class Shard implements Writer {
  readonly topic: string;
  members = 0;
  private readonly app: StreamingApp;
  private readonly scheduler: WriteScheduler;
  private queue: Uint8Array[] = [];

  constructor(app: StreamingApp, scheduler: WriteScheduler, topic: string) {
    this.app = app;
    this.scheduler = scheduler;
    this.topic = topic;
  }

  publish(frame: Uint8Array): void {
    if (this.queue.length === 0) this.scheduler.add(this);
    this.queue.push(frame);
  }

  /** Call before a socket joins or leaves, so that it gets exactly what was published while it was a member. */
  flush(): boolean {
    if (this.queue.length === 0) return false;
    const { queue } = this;
    this.queue = [];
    let bytes = 0;
    for (const frame of queue) {
      this.app.publish(this.topic, frame, ...compressed);
      bytes += frame.length;
    }
    this.scheduler.wrote(bytes * this.members);
    return true;
  }
}
