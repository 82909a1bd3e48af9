/**
 * The listeners of channels with public statuses.
 *
 * INVARIANT: a socket is in a native topic only while its viewer hides nobody, may read all that the channel carries, and
 * has no replay in progress; every other subscriber is filtered individually.
 */

import type { StatusFacts } from '../../actors/account/statuses/statuses.events.ts';
import type { Id } from '../../runtime/ids.ts';
import type { StreamingApp } from '../http/native-apps.ts';
import { type Channel, carries, channelParameters } from './channels.ts';
import type { StreamFrame } from './frame.ts';
import { streamLimits } from './limits.ts';
import { Shard } from './shard.ts';
import { hasShownParts, type StreamEvent } from './stream-events.ts';
import type { Subscriber } from './subscriber.ts';
import type { WriteScheduler } from './write-scheduler.ts';

export interface PublicGroup {
  readonly channel: Channel;
  /** Subscribers that are checked individually. */
  readonly single: Set<Subscriber>;
  /** The others, in native topics. */
  readonly shards: Set<Shard>;
  members: number;
}

/** An event of a public channel: the same for all except viewers who need frames of their own. */
export interface PublicFrames {
  readonly shared: StreamFrame;
  of(viewerId: Id): StreamFrame | undefined;
}

const noValues: readonly string[] = [];
const noGroups: readonly PublicGroup[] = [];

export class PublicGroups {
  private readonly app: StreamingApp;
  private readonly scheduler: WriteScheduler;
  private readonly groups = new Map<string, PublicGroup>();
  /** Groups of channels without a parameter. */
  private readonly plain = new Set<PublicGroup>();
  /** The others by parameter and value: one client may open thousands of tags, and few match a status. */
  private readonly byValue = new Map(
    channelParameters.map((parameter) => [parameter, new Map<string, Set<PublicGroup>>()]),
  );
  private lastShard = 0;

  constructor(app: StreamingApp, scheduler: WriteScheduler) {
    this.app = app;
    this.scheduler = scheduler;
  }

  join(subscriber: Subscriber): void {
    const { channel } = subscriber;
    if (channel.kind.audience !== 'public') return;
    let group = this.groups.get(channel.key);
    if (group === undefined) {
      group = { channel, single: new Set(), shards: new Set(), members: 0 };
      this.add(group);
    }
    group.members += 1;
    this.reassign(subscriber);
  }

  /** Moves a subscriber into a native topic, or out of it, as its viewer's filter now requires. */
  reassign(subscriber: Subscriber): void {
    const group = this.groupOf(subscriber);
    if (group === undefined) return;
    const { connection, replay, visibility } = subscriber;
    const isClear = visibility.isClear && visibility.readsAll(group.channel.kind);
    if (replay === undefined && isClear && connection.joinTopic !== undefined) {
      group.single.delete(subscriber);
      if (subscriber.shard === undefined) this.joinShard(subscriber, group);
    } else {
      group.single.add(subscriber);
      leaveShard(subscriber, group);
    }
  }

  leave(subscriber: Subscriber): void {
    const group = this.groupOf(subscriber);
    if (group === undefined) return;
    group.single.delete(subscriber);
    leaveShard(subscriber, group);
    group.members -= 1;
    if (group.members === 0) this.drop(group);
  }

  /** The groups whose channels carry an event about a status. */
  carrying(event: Pick<StreamEvent, 'name' | 'status'>): PublicGroup[] {
    const found: PublicGroup[] = [];
    if (event.status?.visibility !== 'public') return found;
    const collect = (groups: Iterable<PublicGroup>) => {
      for (const group of groups) if (carries(group.channel, event)) found.push(group);
    };
    collect(this.plain);
    for (const [parameter, groups] of this.byValue)
      for (const value of parameter.valuesOf?.(event.status) ?? noValues) collect(groups.get(value) ?? noGroups);
    return found;
  }

  /** Sends to all of a group; with `facts`, viewers who hide the author are left out. */
  send(group: PublicGroup, frames: PublicFrames, facts: StatusFacts | undefined, now: number): void {
    const { channel, single, shards } = group;
    for (const shard of shards) shard.publish(frames.shared.webSocket({ channel, mergesLogs: true }));
    for (const subscriber of single) {
      if (subscriber.replay !== undefined) continue;
      const { visibility, connection } = subscriber;
      if (facts !== undefined && !(visibility.reads(channel.kind, facts) && visibility.shows(facts, now))) continue;
      const isPersonal = visibility.needsOwnFrames || (facts !== undefined && hasShownParts(facts));
      const frame = isPersonal ? frames.of(visibility.accountId) : frames.shared;
      if (frame !== undefined) connection.deliver(subscriber, frame);
    }
  }

  private add(group: PublicGroup): void {
    const { kind, key, value } = group.channel;
    this.groups.set(key, group);
    const byValue = kind.parameter && this.byValue.get(kind.parameter);
    if (byValue === undefined || value === undefined) this.plain.add(group);
    else byValue.set(value, (byValue.get(value) ?? new Set()).add(group));
  }

  private drop(group: PublicGroup): void {
    const { kind, key, value } = group.channel;
    this.groups.delete(key);
    this.plain.delete(group);
    const byValue = kind.parameter && this.byValue.get(kind.parameter);
    if (byValue === undefined || value === undefined) return;
    const sameValue = byValue.get(value);
    sameValue?.delete(group);
    if (sameValue?.size === 0) byValue.delete(value);
  }

  private joinShard(subscriber: Subscriber, group: PublicGroup): void {
    let shard = [...group.shards].find(({ members }) => members < streamLimits.shardSocketsMax);
    if (shard === undefined) {
      this.lastShard += 1;
      shard = new Shard(this.app, this.scheduler, String(this.lastShard));
      group.shards.add(shard);
    }
    shard.flush();
    shard.members += 1;
    subscriber.shard = shard;
    subscriber.connection.joinTopic!(shard.topic);
  }

  private groupOf({ channel }: Subscriber): PublicGroup | undefined {
    return this.groups.get(channel.key);
  }
}

function leaveShard(subscriber: Subscriber, group: PublicGroup): void {
  const { shard, connection } = subscriber;
  if (shard === undefined) return;
  shard.flush();
  shard.members -= 1;
  if (shard.members === 0) group.shards.delete(shard);
  subscriber.shard = undefined;
  connection.leaveTopic!(shard.topic);
}
