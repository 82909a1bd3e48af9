/**
 * The hub of a gateway's streams: opens and closes channels, and sends each committed event to its recipients (see
 * stream-events.ts). WebSocket and server-sent events are treated alike.
 *
 * INVARIANTS
 * 1. A payload is encoded once per event, whatever the number of sockets; one that differs by viewer once for each
 *    variant.
 * 2. A block, a mute or a revoked token is applied before anything that was committed after it is sent.
 * 3. A stream gets every event dispatched since it was opened, live or by a replay, exactly once.
 */

import { followedTagsChanged } from '../../actors/account/followed-tags/followed-tags.events.ts';
import type { FeedAnswer } from '../../actors/partition/feeds.messages.ts';
import { type EventBatch, type EventRecipients, isEvent } from '../../runtime/events/event.ts';
import type { Id } from '../../runtime/ids.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { StreamingApp } from '../http/native-apps.ts';
import { type Channel, foundFor, isLogged } from './channels.ts';
import { ConnectionQuota } from './connection-quota.ts';
import { FanOut } from './fan-out.ts';
import { Heartbeats } from './heartbeats.ts';
import { MachineChannel, mayOpen, type WatchedMachine } from './machine-channel.ts';
import { Payloads } from './payloads.ts';
import { formatPosition, type Position } from './position.ts';
import { DispatchProgress } from './progress.ts';
import { PublicGroups } from './public-groups.ts';
import { Replay } from './replay.ts';
import { Replays } from './replays.ts';
import { Revocations } from './revocations.ts';
import { SharedLog } from './shared-log.ts';
import { StreamBuffers } from './stream-buffers.ts';
import { streamEventOf } from './stream-events.ts';
import { type Connection, type StreamRights, Subscriber } from './subscriber.ts';
import { TagFollowers } from './tag-followers.ts';
import { Viewer } from './viewer.ts';
import { Watchers } from './watchers.ts';
import { WriteScheduler } from './write-scheduler.ts';

const noAccounts: readonly Id[] = [];

export class StreamHub {
  readonly scheduler: WriteScheduler;
  readonly heartbeats = new Heartbeats();
  readonly services: GatewayServices;
  readonly payloads: Payloads;
  /** What replays read. */
  readonly log: SharedLog;
  private readonly viewers = new Map<Id, Viewer>();
  /** The same viewers' ids by the partition of the account: some events concern all accounts of one. */
  private readonly viewerIds: readonly Set<Id>[];
  private readonly groups: PublicGroups;
  private readonly watchers = new Watchers();
  private readonly machine: MachineChannel;
  private readonly connections = new Set<Connection>();
  /** Open channels by their kind. */
  private readonly opened = new Map<string, number>();
  private readonly quota: ConnectionQuota;
  private readonly progress: DispatchProgress;
  private readonly tagFollowers: TagFollowers;
  private readonly fanOut: FanOut;
  private readonly revocations: Revocations;
  private readonly replays: Replays;

  constructor(services: GatewayServices, app: StreamingApp, machine?: WatchedMachine) {
    this.services = services;
    this.machine = new MachineChannel(machine, services);
    this.payloads = new Payloads(services);
    this.log = new SharedLog(services);
    const buffers = new StreamBuffers({
      bytesMax: services.caches.bytesMax('streamBuffers'),
      connections: this.connections,
      report: (problem) => services.report(problem),
    });
    services.caches.measure('streamBuffers', buffers);
    this.scheduler = new WriteScheduler((bytes) => buffers.wrote(bytes));
    this.groups = new PublicGroups(app, this.scheduler);
    this.quota = new ConnectionQuota(services.options.rateLimits);
    this.progress = new DispatchProgress(services);
    this.viewerIds = services.snapshots.partitions.map(() => new Set());
    const { viewers, groups, connections, watchers } = this;
    this.tagFollowers = new TagFollowers(services.snapshots);
    const { tagFollowers } = this;
    this.fanOut = new FanOut({ services, payloads: this.payloads, viewers, groups, tagFollowers, watchers });
    this.revocations = new Revocations({
      services,
      viewers,
      connections,
      groups,
    });
    this.replays = new Replays({
      dispatched: this.progress.dispatched,
      caughtUp: ({ subscriber }) => {
        subscriber.replay = undefined;
        groups.reassign(subscriber);
      },
      allOver: () => this.log.clear(),
    });
    services.events.subscribe((batch, recipients) => this.dispatch(batch, recipients));
    services.events.onLoss(() => this.beginAgain());
    this.progress.begin(() => this.replays.unblock());
  }

  get connectionCount(): number {
    return this.connections.size;
  }

  /** How many channels of this kind are open. */
  openedOf(kind: string): number {
    return this.opened.get(kind) ?? 0;
  }

  /** What waits for the connections of channels, by their kind: one with several channels counts for each. */
  waitingBytes(): ReadonlyMap<string, number> {
    const bytes = new Map<string, number>();
    for (const { subscribers } of this.viewers.values())
      for (const { channel, connection } of subscribers) {
        const { bufferedBytes = 0 } = connection;
        if (bufferedBytes > 0) bytes.set(channel.kind.name, (bytes.get(channel.kind.name) ?? 0) + bufferedBytes);
      }
    return bytes;
  }

  /**
   * Call before a stream is opened. Returns the `address` of its connection. Throws Failure tooManyRequests when the
   * account or the address has reached its bound.
   */
  admit(accountId: Id, ip: string): string | undefined {
    return this.quota.admit(accountId, ip);
  }

  connected(connection: Connection): void {
    this.connections.add(connection);
    this.quota.add(connection);
  }

  disconnected(connection: Connection): void {
    if (this.connections.delete(connection)) this.quota.remove(connection);
  }

  /** Whether the channel is for the account, which may not be among the staff. */
  mayOpen({ kind }: Channel, accountId: Id): boolean {
    return mayOpen(kind, accountId, this.services);
  }

  /** The channel as it exists for the account; undefined where it does not. */
  find(channel: Channel, accountId: Id): Channel | undefined {
    return foundFor(channel, accountId, this.services);
  }

  /** Opens a channel; with `since`, events committed after those positions come first. */
  subscribe(connection: Connection, channel: Channel, since?: readonly Position[]): Subscriber {
    const viewer = this.viewerOf(connection.grant);
    const subscriber = new Subscriber(connection, channel, viewer);
    viewer.add(subscriber);
    this.opened.set(channel.kind.name, this.openedOf(channel.kind.name) + 1);
    this.groups.join(subscriber);
    this.watchers.join(subscriber);
    this.machine.join(subscriber);
    if (!isLogged(channel)) return subscriber;
    const from = since ?? (this.progress.isBehind ? this.progress.dispatched.known() : undefined);
    if (from !== undefined) this.catchUp(subscriber, viewer, from);
    return subscriber;
  }

  unsubscribe(subscriber: Subscriber): void {
    const viewer = this.viewers.get(subscriber.visibility.accountId);
    if (viewer?.subscribers.includes(subscriber) !== true) return;
    viewer.remove(subscriber);
    this.opened.set(subscriber.channel.kind.name, this.openedOf(subscriber.channel.kind.name) - 1);
    subscriber.replay = undefined;
    this.groups.leave(subscriber);
    this.watchers.leave(subscriber);
    this.machine.leave(subscriber);
    if (viewer.subscribers.length > 0) return;
    this.viewers.delete(viewer.accountId);
    this.viewerIds[this.services.feeds.partitionOf(viewer.accountId)]?.delete(viewer.accountId);
    this.tagFollowers.remove(viewer);
    void this.tellFeeds(viewer.accountId, false);
  }

  /** Call when a connection has room again. */
  drained(): void {
    this.replays.unblock();
  }

  close(): void {
    this.scheduler.flush();
    for (const connection of [...this.connections]) connection.close('shutdown');
  }

  private viewerOf({ accountId }: StreamRights): Viewer {
    const known = this.viewers.get(accountId);
    if (known !== undefined) return known;
    const viewer = new Viewer(accountId);
    viewer.load(this.services);
    this.viewers.set(accountId, viewer);
    this.viewerIds[this.services.feeds.partitionOf(accountId)]?.add(accountId);
    this.tagFollowers.load(viewer);
    this.register(viewer);
    return viewer;
  }

  private register(viewer: Viewer): void {
    const ready = this.tellFeeds(viewer.accountId, true).then(() => {
      if (viewer.ready === ready) viewer.ready = undefined;
    });
    viewer.ready = ready;
  }

  /** Never rejects: on failure the account's streams lack home events, which is reported. */
  private async tellFeeds(accountId: Id, listening: boolean): Promise<void> {
    const { client, feeds, report } = this.services;
    try {
      await client.control<FeedAnswer>(feeds.partitionOf(accountId), 'feeds', { kind: 'listen', accountId, listening });
    } catch (error) {
      report({ level: 'warn', message: 'an account with streams could not be registered with its feeds', error });
    }
  }

  private followedTagsChanged(accountId: Id): void {
    const viewer = this.viewers.get(accountId);
    if (viewer === undefined) return;
    this.revocations.readOrClose(accountId, () => this.tagFollowers.load(viewer));
    for (const { replay } of viewer.subscribers) replay?.followedTagsChanged(this.progress.dispatched);
  }

  private catchUp(subscriber: Subscriber, viewer: Viewer, since: readonly Position[]): void {
    const replay = new Replay(this, subscriber, since);
    subscriber.replay = replay;
    this.groups.reassign(subscriber);
    void Promise.all([this.progress.begun, viewer.ready]).then(() => this.replays.add(replay));
  }

  /**
   * An owner thread was replaced: its successor does not know the listeners here, and events may have been missed. They
   * are read from the logs, from the last dispatched position on.
   */
  private beginAgain(): void {
    const since = this.progress.dispatched.known();
    this.progress.isBehind = true;
    this.progress.begin(() => this.replays.unblock());
    for (const viewer of this.viewers.values()) {
      this.revocations.readOrClose(viewer.accountId, () => {
        viewer.load(this.services);
        this.tagFollowers.load(viewer);
      });
      if (!this.viewers.has(viewer.accountId)) continue;
      this.register(viewer);
      for (const subscriber of viewer.subscribers)
        if (subscriber.replay === undefined && isLogged(subscriber.channel)) this.catchUp(subscriber, viewer, since);
    }
  }

  private dispatch(batch: EventBatch, recipients: readonly EventRecipients[]): void {
    const { partition, commit, events } = batch;
    const { dispatched } = this.progress;
    if (this.viewers.size > 0) {
      const accounts: (readonly Id[] | undefined)[] = [];
      for (const { index, ids } of recipients) accounts[index] = ids;
      for (const [index, event] of events.entries()) {
        const at = { partition, commit, index };
        dispatched.moveTo(at);
        const shown = streamEventOf(event);
        this.revocations.apply(event);
        if (isEvent(event, followedTagsChanged)) this.followedTagsChanged(event.body.accountId);
        if (shown !== undefined)
          this.fanOut.send(
            shown,
            shown.isForEverybody ? [...(this.viewerIds[partition] ?? noAccounts)] : (accounts[index] ?? noAccounts),
            () => ({
              own: formatPosition(at),
              merged: dispatched.toString(),
            }),
          );
      }
    }
    dispatched.moveTo({ partition, commit, index: events.length - 1 });
    this.replays.unblock();
  }
}
