/**
 * The hub of a gateway's streams: takes committed events, decides which channels and whose, and hands each connection
 * its frames. WebSocket and SSE are the same here.
 *
 * INVARIANTS
 * 1. A payload is encoded once per event, whatever the number of sockets; one that differs by viewer once for each way
 *    in which it differs.
 * 2. A block, a mute or a revoked token is applied before anything that was committed after it is sent.
 * 3. A stream gets every event that was dispatched since it opened, live or by a replay, and each once.
 */
import type { TemplatedApp } from 'uWebSockets.js';
import { notified } from '../../actors/account/notifications/notifications.events.ts';
import { findLocalAccount, loginStateOf } from '../../actors/account/profile/logins.queries.ts';
import { profileChanged } from '../../actors/account/profile/profile.events.ts';
import { hiddenAccountsChanged } from '../../actors/account/relationships/relationships.events.ts';
import {
  type StatusFacts,
  statusArrived,
  statusDeleted,
  statusEdited,
  statusGone,
  statusPublished,
  statusRevised,
} from '../../actors/account/statuses/statuses.events.ts';
import type { FeedAnswer } from '../../actors/partition/feeds.messages.ts';
import { loginChanged, tokenRevoked } from '../../actors/session/session.events.ts';
import { type Audience, type EventBatch, isEvent, type LoggedEvent } from '../../runtime/events/event.ts';
import { type Id, timeOfId } from '../../runtime/ids.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { UserGrant } from '../http/grant.ts';
import type { Channel } from './channels.ts';
import { ConnectionQuota } from './connection-quota.ts';
import { type FrameIds, StreamFrame } from './frame.ts';
import { Heartbeats } from './heartbeats.ts';
import { streamLimits } from './limits.ts';
import { Payload, Payloads } from './payloads.ts';
import { formatPosition, type Position, Positions } from './position.ts';
import { PublicGroups } from './public-groups.ts';
import { publishedPosition } from './published-position.ts';
import { Replay } from './replay.ts';
import { Replays } from './replays.ts';
import { type Connection, Subscriber } from './subscriber.ts';
import { Viewer } from './viewer.ts';
import { WriteScheduler } from './write-scheduler.ts';

const noAccounts: readonly Id[] = [];

export class StreamHub {
  readonly scheduler = new WriteScheduler();
  readonly heartbeats = new Heartbeats();
  private readonly services: GatewayServices;
  private readonly payloads: Payloads;
  private readonly viewers = new Map<Id, Viewer>();
  private readonly groups: PublicGroups;
  private readonly connections = new Set<Connection>();
  private readonly quota: ConnectionQuota;
  /** How far the events of each partition have been handed out here. */
  private readonly dispatched: Positions;
  private readonly replays: Replays;
  /** Settles when it is known where each partition stood when this gateway began to listen. */
  private begun: Promise<void>;
  /** True from the loss of an owner thread until it is known what was missed. */
  private isBehind = false;

  constructor(services: GatewayServices, app: TemplatedApp) {
    this.services = services;
    this.payloads = new Payloads(services);
    this.groups = new PublicGroups(app, this.scheduler);
    this.quota = new ConnectionQuota(services.options.rateLimits);
    this.dispatched = new Positions(services.snapshots.partitions.length);
    this.replays = new Replays({
      dispatched: this.dispatched,
      caughtUp: ({ subscriber }) => {
        subscriber.replay = undefined;
        this.groups.reassign(subscriber);
      },
    });
    services.events.subscribe((batch, audiences) => this.dispatch(batch, audiences));
    services.events.onLoss(() => this.beginAgain());
    this.begun = this.learnPositions();
  }

  get connectionCount(): number {
    return this.connections.size;
  }

  /**
   * Call before a stream is opened. Answers the `address` of its connection. Throws Failure tooManyRequests when the
   * account or the address has as many streams as it may.
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

  /** Opens a channel; with `since` what was committed after those positions comes first. */
  subscribe(connection: Connection, channel: Channel, since?: readonly Position[]): Subscriber {
    const viewer = this.viewerOf(connection.grant);
    const subscriber = new Subscriber(connection, channel, viewer);
    viewer.add(subscriber);
    this.groups.join(subscriber);
    const from = since ?? (this.isBehind ? this.dispatched.known() : undefined);
    if (from !== undefined) this.catchUp(subscriber, viewer, from);
    return subscriber;
  }

  unsubscribe(subscriber: Subscriber): void {
    const viewer = this.viewers.get(subscriber.visibility.accountId);
    if (viewer?.subscribers.includes(subscriber) !== true) return;
    viewer.remove(subscriber);
    subscriber.replay = undefined;
    this.groups.leave(subscriber);
    if (viewer.subscribers.length > 0) return;
    this.viewers.delete(viewer.accountId);
    void this.tellFeeds(viewer.accountId, false);
  }

  /** A connection that had no room has some again. */
  drained(): void {
    this.replays.unblock();
  }

  close(): void {
    for (const connection of [...this.connections]) {
      connection.flush?.();
      connection.close('shutdown');
    }
  }

  private viewerOf({ accountId }: UserGrant): Viewer {
    const known = this.viewers.get(accountId);
    if (known !== undefined) return known;
    const viewer = new Viewer(accountId);
    viewer.load(this.services.snapshots);
    this.viewers.set(accountId, viewer);
    this.register(viewer);
    return viewer;
  }

  private register(viewer: Viewer): void {
    const ready = this.tellFeeds(viewer.accountId, true).then(() => {
      if (viewer.ready === ready) viewer.ready = undefined;
    });
    viewer.ready = ready;
  }

  /** Never rejects: a stream whose account could not be registered lacks home events, which is reported. */
  private async tellFeeds(accountId: Id, listening: boolean): Promise<void> {
    const { client, feeds, report } = this.services;
    try {
      await client.control<FeedAnswer>(feeds.partitionOf(accountId), 'feeds', { kind: 'listen', accountId, listening });
    } catch (error) {
      report({ level: 'warn', message: 'a stream could not register its account', error });
    }
  }

  private catchUp(subscriber: Subscriber, viewer: Viewer, since: readonly Position[]): void {
    const replay = new Replay(this.services, this.payloads, subscriber, since);
    subscriber.replay = replay;
    this.groups.reassign(subscriber);
    void Promise.all([this.begun, viewer.ready]).then(() => this.replays.add(replay));
  }

  /**
   * An owner thread was replaced: it knows nobody who listens, and what happened meanwhile was not seen. It is in the
   * logs, from where the events broke off.
   */
  private beginAgain(): void {
    const since = this.dispatched.known();
    this.isBehind = true;
    this.begun = this.learnPositions();
    for (const viewer of this.viewers.values()) {
      viewer.load(this.services.snapshots);
      this.register(viewer);
      for (const subscriber of viewer.subscribers)
        if (subscriber.replay === undefined) this.catchUp(subscriber, viewer, since);
    }
  }

  /** Never rejects: where a partition does not say how far it is, its first event does. */
  private async learnPositions(): Promise<void> {
    const { snapshots, report } = this.services;
    const learn = async (partition: number) => {
      const published = await publishedPosition(this.services, partition);
      const known = this.dispatched.at(partition);
      if (known === undefined || known.commit < published.commit) this.dispatched.moveTo(published);
    };
    try {
      await Promise.all(snapshots.partitions.map((_, partition) => learn(partition)));
    } catch (error) {
      report({ level: 'warn', message: 'a partition did not say how far its events are', error });
    }
    this.isBehind = false;
    this.replays.unblock();
  }

  private dispatch(batch: EventBatch, audiences: readonly Audience[]): void {
    const { partition, commit, events } = batch;
    if (this.viewers.size > 0) {
      const accounts: (readonly Id[] | undefined)[] = [];
      for (const audience of audiences) accounts[audience.index] = audience.accounts;
      for (let index = 0; index < events.length; index += 1) {
        this.dispatched.moveTo({ partition, commit, index });
        this.handOut(events[index]!, accounts[index] ?? noAccounts, this.dispatched.at(partition)!);
      }
    }
    this.dispatched.moveTo({ partition, commit, index: events.length - 1 });
    this.replays.unblock();
  }

  private handOut(event: LoggedEvent, accounts: readonly Id[], at: Position): void {
    if (isEvent(event, statusPublished)) this.published(event.body, accounts, at, true);
    else if (isEvent(event, statusArrived)) this.published(event.body, accounts, at, false);
    else if (isEvent(event, statusDeleted)) this.deleted(event.body, accounts, at, true);
    else if (isEvent(event, statusGone)) this.deleted(event.body, accounts, at, false);
    else if (isEvent(event, statusEdited)) this.edited(event.body, accounts, at, true);
    else if (isEvent(event, statusRevised)) this.edited(event.body, accounts, at, false);
    else if (isEvent(event, notified)) this.notified(event.body, at);
    else if (isEvent(event, hiddenAccountsChanged)) this.hiddenAccountsChanged(event.body.accountId);
    else if (isEvent(event, tokenRevoked)) this.revoked(({ grant }) => grant.tokenId === event.body.tokenId);
    else if (isEvent(event, loginChanged) || isEvent(event, profileChanged)) this.loginChanged(event.body.accountId);
  }

  private published(facts: StatusFacts, accounts: readonly Id[], at: Position, here: boolean): void {
    if (timeOfId(facts.id) < this.services.now() - streamLimits.newsMilliseconds) return;
    // A reblog shows an original that the viewer may have marked.
    if (facts.reblogOfId !== undefined) {
      this.toAccountsPersonally('update', facts, accounts, at);
      return;
    }
    const groups = here ? this.groups.carrying(facts) : [];
    if (accounts.length === 0 && groups.length === 0) return;
    const shown = this.services.presenter.forStranger(facts.id);
    if (shown === undefined) return;
    const frame = new StreamFrame('update', this.payloads.status(shown), this.idsAt(at), facts.id);
    this.toAccounts(accounts, frame, facts);
    // The public streams carry nothing of limited accounts.
    if (!shown.author.isLimited) for (const group of groups) this.groups.send(group, frame, facts, this.services.now());
  }

  private edited(facts: StatusFacts, accounts: readonly Id[], at: Position, here: boolean): void {
    this.toAccountsPersonally('status.update', facts, accounts, at);
    const groups = here ? this.groups.carrying(facts) : [];
    const shown = groups.length === 0 ? undefined : this.services.presenter.forStranger(facts.id);
    if (shown === undefined || shown.author.isLimited) return;
    const frame = new StreamFrame('status.update', this.payloads.status(shown), this.idsAt(at), facts.id);
    for (const group of groups) this.groups.send(group, frame, facts, this.services.now());
  }

  private deleted(facts: StatusFacts, accounts: readonly Id[], at: Position, here: boolean): void {
    const groups = here ? this.groups.carrying(facts) : [];
    if (accounts.length === 0 && groups.length === 0) return;
    const frame = new StreamFrame('delete', new Payload(facts.id.toString()), this.idsAt(at), facts.id);
    this.toAccounts(accounts, frame, undefined);
    for (const group of groups) this.groups.send(group, frame, undefined, this.services.now());
  }

  private notified(body: { accountId: Id; notificationId: Id }, at: Position): void {
    const viewer = this.viewers.get(body.accountId);
    if (viewer === undefined) return;
    const payload = this.payloads.notification(body.accountId, body.notificationId);
    if (payload === undefined) return;
    const frame = new StreamFrame('notification', payload, this.idsAt(at));
    this.toViewer(viewer, 'notification', frame);
  }

  /** With `facts`, viewers who hide their author are left out. */
  private toAccounts(accounts: readonly Id[], frame: StreamFrame, facts: StatusFacts | undefined): void {
    const now = this.services.now();
    for (const accountId of accounts) {
      const viewer = this.viewers.get(accountId);
      if (viewer !== undefined && (facts === undefined || viewer.shows(facts, now)))
        this.toViewer(viewer, 'status', frame);
    }
  }

  /** As each viewer sees it; those who see the same get the same frame. */
  private toAccountsPersonally(event: string, facts: StatusFacts, accounts: readonly Id[], at: Position): void {
    const frames = new Map<Payload, StreamFrame>();
    const now = this.services.now();
    for (const accountId of accounts) {
      const viewer = this.viewers.get(accountId);
      const payload = viewer?.shows(facts, now) === true ? this.payloads.statusFor(facts.id, accountId) : undefined;
      if (viewer === undefined || payload === undefined) continue;
      let frame = frames.get(payload);
      if (frame === undefined) {
        frame = new StreamFrame(event, payload, this.idsAt(at), facts.id);
        frames.set(payload, frame);
      }
      this.toViewer(viewer, 'status', frame);
    }
  }

  private toViewer(viewer: Viewer, event: 'notification' | 'status', frame: StreamFrame): void {
    for (const subscriber of viewer.subscribers)
      if (subscriber.replay === undefined && subscriber.shouldReceive(event))
        subscriber.connection.deliver(subscriber, frame);
  }

  private idsAt(at: Position): FrameIds {
    return { own: formatPosition(at), merged: this.dispatched.toString() };
  }

  private hiddenAccountsChanged(accountId: Id): void {
    const viewer = this.viewers.get(accountId);
    if (viewer === undefined) return;
    viewer.load(this.services.snapshots);
    for (const subscriber of viewer.subscribers) {
      // What is queued was still visible: write it before the answer to the block or mute can leave.
      subscriber.connection.flush?.();
      this.groups.reassign(subscriber);
    }
  }

  private loginChanged(accountId: Id): void {
    if (!this.viewers.has(accountId)) return;
    const account = findLocalAccount(this.services.snapshots, accountId);
    if (account !== undefined && account.profile.suspendedAt === undefined && loginStateOf(account) === 'active')
      return;
    this.revoked(({ grant }) => grant.accountId === accountId);
  }

  private revoked(concerns: (connection: Connection) => boolean): void {
    for (const connection of [...this.connections]) if (concerns(connection)) connection.close('revoked');
  }
}
