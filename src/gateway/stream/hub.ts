/**
 * The hub of a gateway's streams: takes committed events, decides which channels and whose, and hands each connection
 * its frames. WebSocket and SSE are the same here.
 *
 * INVARIANTS
 * 1. A payload is encoded once per event, whatever the number of sockets.
 * 2. A socket sits in a native topic only while its viewer hides nothing; all others are asked one by one.
 * 3. An event that narrows sight is applied before anything that was committed after it is sent.
 */
import type { TemplatedApp } from 'uWebSockets.js';
import {
  notified,
  profileChanged,
  type StatusFacts,
  sightChanged,
  statusArrived,
  statusDeleted,
  statusEdited,
  statusGone,
  statusPublished,
  statusRevised,
} from '../../actors/account/account.events.ts';
import { findLocalAccount, loginStateOf } from '../../actors/account/logins.queries.ts';
import type { FeedAnswer } from '../../actors/partition/feeds.messages.ts';
import { loginChanged, tokenRevoked } from '../../actors/session/session.events.ts';
import { type Audience, type EventBatch, isEvent } from '../../runtime/events/event.ts';
import { type Id, timeOfId } from '../../runtime/ids.ts';
import type { Services } from '../services.ts';
import { type Channel, carries } from './channels.ts';
import { StreamFrame } from './frame.ts';
import { streamLimits } from './limits.ts';
import { notificationPayload, publishedPayload, statusPayload } from './payloads.ts';
import { isAfter, type Position } from './position.ts';
import { replay } from './replay.ts';
import { Sight } from './sight.ts';
import type { Connection, Subscriber } from './subscriber.ts';

interface PublicGroup {
  readonly channel: Channel;
  readonly topic: string;
  /** Those that are asked one by one. */
  readonly single: Set<Subscriber>;
  members: number;
}

interface Listening {
  readonly sight: Sight;
  readonly subscribers: Set<Subscriber>;
  /** Settles when the feeds know that the account listens. */
  ready: Promise<void>;
}

export class StreamHub {
  private readonly services: Services;
  private readonly app: TemplatedApp;
  private readonly accounts = new Map<Id, Listening>();
  private readonly groups = new Map<string, PublicGroup>();
  private readonly connections = new Set<Connection>();

  constructor(services: Services, app: TemplatedApp) {
    this.services = services;
    this.app = app;
    services.events.subscribe((batch, audiences) => this.dispatch(batch, audiences));
    services.events.onLoss(() => this.listenAgain());
  }

  get connectionCount(): number {
    return this.connections.size;
  }

  connected(connection: Connection): void {
    this.connections.add(connection);
  }

  disconnected(connection: Connection): void {
    this.connections.delete(connection);
  }

  /** Opens a channel; with `since` what was committed after those positions comes first. */
  subscribe(connection: Connection, channel: Channel, since?: readonly Position[]): Subscriber {
    const listening = this.listen(connection.grant.accountId);
    const subscriber: Subscriber = {
      connection,
      channel,
      sight: listening.sight,
      streamJson: JSON.stringify(channel.stream),
      inTopic: false,
      held: since === undefined ? undefined : [],
      replayed: undefined,
    };
    listening.subscribers.add(subscriber);
    if (channel.kind.audience === 'public' || channel.kind.audience === 'tag') this.join(subscriber);
    if (since !== undefined) {
      void listening.ready.then(() => {
        if (listening.subscribers.has(subscriber)) this.resume(subscriber, since);
      });
    }
    return subscriber;
  }

  /** Everything from `ready` on comes live and is held; what is in the logs by now is sent before it. */
  private resume(subscriber: Subscriber, since: readonly Position[]): void {
    const { frames, reached } = replay(this.services, subscriber, since);
    for (const frame of frames) subscriber.connection.deliver(subscriber, frame);
    const held = subscriber.held ?? [];
    subscriber.held = undefined;
    subscriber.replayed = reached;
    for (const frame of held) this.send(subscriber, frame);
  }

  /** A live frame: held during a replay, dropped when the replay has sent it. */
  private send(subscriber: Subscriber, frame: StreamFrame): void {
    if (subscriber.held !== undefined) {
      subscriber.held.push(frame);
      return;
    }
    const reached = subscriber.replayed?.get(frame.position.partition);
    if (reached !== undefined) {
      if (!isAfter(frame.position, reached)) return;
      subscriber.replayed!.delete(frame.position.partition);
      if (subscriber.replayed!.size === 0) this.caughtUp(subscriber);
    }
    subscriber.connection.deliver(subscriber, frame);
  }

  private caughtUp(subscriber: Subscriber): void {
    subscriber.replayed = undefined;
    const group = this.groups.get(subscriber.channel.key);
    if (group !== undefined) this.place(subscriber, group);
  }

  unsubscribe(subscriber: Subscriber): void {
    const accountId = subscriber.connection.grant.accountId;
    const listening = this.accounts.get(accountId);
    if (listening === undefined || !listening.subscribers.delete(subscriber)) return;
    if (this.groups.has(subscriber.channel.key)) this.leave(subscriber);
    if (listening.subscribers.size > 0) return;
    this.accounts.delete(accountId);
    void this.tellFeeds(accountId, false);
  }

  close(): void {
    for (const connection of [...this.connections]) connection.close('shutdown');
  }

  private listen(accountId: Id): Listening {
    const known = this.accounts.get(accountId);
    if (known !== undefined) return known;
    const sight = new Sight(this.services.snapshots, accountId);
    const listening = { sight, subscribers: new Set<Subscriber>(), ready: this.tellFeeds(accountId, true) };
    this.accounts.set(accountId, listening);
    return listening;
  }

  /** Never rejects: a stream whose account could not be registered lacks home events, which is reported. */
  private async tellFeeds(accountId: Id, listening: boolean): Promise<void> {
    const { client, feeds, report } = this.services;
    try {
      await client.control<FeedAnswer>(feeds.partitionOf(accountId), 'feeds', { kind: 'listen', accountId, listening });
      if (listening) feeds.warm(accountId);
    } catch (error) {
      report({ level: 'warn', message: 'a stream could not register its account', error });
    }
  }

  /** An owner thread was replaced: it knows nobody who listens, and what happened meanwhile was not seen. */
  private listenAgain(): void {
    for (const [accountId, listening] of this.accounts) {
      listening.sight.reload();
      listening.ready = this.tellFeeds(accountId, true);
    }
  }

  private join(subscriber: Subscriber): void {
    const { channel } = subscriber;
    let group = this.groups.get(channel.key);
    if (group === undefined) {
      group = { channel, topic: channel.key, single: new Set(), members: 0 };
      this.groups.set(channel.key, group);
    }
    group.members += 1;
    this.place(subscriber, group);
  }

  /** Puts a subscriber where its viewer's sight allows: into the native topic, or among those who are asked. */
  private place(subscriber: Subscriber, group: PublicGroup): void {
    const isLive = subscriber.held === undefined && subscriber.replayed === undefined;
    const native = isLive && subscriber.sight.isClear && subscriber.connection.joinTopic !== undefined;
    if (native) {
      group.single.delete(subscriber);
      if (!subscriber.inTopic) subscriber.connection.joinTopic!(group.topic);
    } else {
      group.single.add(subscriber);
      if (subscriber.inTopic) subscriber.connection.leaveTopic!(group.topic);
    }
    subscriber.inTopic = native;
  }

  private leave(subscriber: Subscriber): void {
    const group = this.groups.get(subscriber.channel.key)!;
    group.single.delete(subscriber);
    if (subscriber.inTopic) subscriber.connection.leaveTopic!(group.topic);
    group.members -= 1;
    if (group.members === 0) this.groups.delete(subscriber.channel.key);
  }

  private dispatch(batch: EventBatch, audiences: readonly Audience[]): void {
    if (this.accounts.size === 0) return;
    this.services.snapshots.fresh();
    const audienceOf = new Map(audiences.map(({ index, accounts }) => [index, accounts]));
    for (const [index, event] of batch.events.entries()) {
      const at = { partition: batch.partition, commit: batch.commit, index };
      const accounts = audienceOf.get(index) ?? [];
      if (isEvent(event, statusPublished)) this.published(event.body, accounts, at, true);
      else if (isEvent(event, statusArrived)) this.published(event.body, accounts, at, false);
      else if (isEvent(event, statusDeleted)) this.deleted(event.body, accounts, at, true);
      else if (isEvent(event, statusGone)) this.deleted(event.body, accounts, at, false);
      else if (isEvent(event, statusEdited)) this.edited(event.body, accounts, at, true);
      else if (isEvent(event, statusRevised)) this.edited(event.body, accounts, at, false);
      else if (isEvent(event, notified)) this.notified(event.body, at);
      else if (isEvent(event, sightChanged)) this.sightChanged(event.body.accountId);
      else if (isEvent(event, tokenRevoked))
        this.revoked((connection) => connection.grant.tokenId === event.body.tokenId);
      else if (isEvent(event, loginChanged) || isEvent(event, profileChanged)) this.loginChanged(event.body.accountId);
    }
  }

  private published(facts: StatusFacts, accounts: readonly Id[], at: Position, here: boolean): void {
    if (timeOfId(facts.id) < this.services.now() - streamLimits.newsMilliseconds) return;
    const groups = here ? this.groupsFor(facts) : [];
    if (accounts.length === 0 && groups.length === 0) return;
    // A reblog shows an original that the viewer may have marked: it is encoded per viewer.
    const shared = facts.reblogOfId === undefined ? publishedPayload(this.services, facts) : undefined;
    const frame = shared === undefined ? undefined : new StreamFrame('update', shared, at);
    for (const accountId of accounts) {
      const own = frame ?? this.personalFrame('update', facts.id, accountId, at);
      if (own !== undefined) this.toAccount(accountId, 'account', own, facts);
    }
    if (frame !== undefined) for (const group of groups) this.toGroup(group, frame, facts);
  }

  private edited(facts: StatusFacts, accounts: readonly Id[], at: Position, here: boolean): void {
    for (const accountId of accounts) {
      const frame = this.personalFrame('status.update', facts.id, accountId, at);
      if (frame !== undefined) this.toAccount(accountId, 'account', frame, facts);
    }
    const groups = here ? this.groupsFor(facts) : [];
    const payload = groups.length === 0 ? undefined : publishedPayload(this.services, facts);
    if (payload === undefined) return;
    const frame = new StreamFrame('status.update', payload, at);
    for (const group of groups) this.toGroup(group, frame, facts);
  }

  private personalFrame(event: string, statusId: Id, accountId: Id, at: Position): StreamFrame | undefined {
    const payload = statusPayload(this.services, statusId, accountId);
    return payload === undefined ? undefined : new StreamFrame(event, payload, at);
  }

  private deleted(facts: StatusFacts, accounts: readonly Id[], at: Position, here: boolean): void {
    const frame = new StreamFrame('delete', facts.id.toString(), at);
    for (const accountId of accounts) this.toAccount(accountId, 'account', frame, undefined);
    if (here) for (const group of this.groupsFor(facts)) this.toGroup(group, frame, undefined);
  }

  private notified(body: { accountId: Id; notificationId: Id }, at: Position): void {
    const listening = this.accounts.get(body.accountId);
    if (listening === undefined) return;
    const payload = notificationPayload(this.services, body.accountId, body.notificationId);
    if (payload === undefined) return;
    const frame = new StreamFrame('notification', payload, at);
    this.toAccount(body.accountId, 'account', frame, undefined);
    this.toAccount(body.accountId, 'notifications', frame, undefined);
  }

  private groupsFor(facts: StatusFacts): PublicGroup[] {
    return facts.visibility === 'public'
      ? [...this.groups.values()].filter((group) => carries(group.channel, facts))
      : [];
  }

  private toAccount(
    accountId: Id,
    audience: 'account' | 'notifications',
    frame: StreamFrame,
    facts: StatusFacts | undefined,
  ): void {
    const listening = this.accounts.get(accountId);
    if (listening === undefined) return;
    if (facts !== undefined && !listening.sight.shows(facts, this.services.now())) return;
    for (const subscriber of listening.subscribers)
      if (subscriber.channel.kind.audience === audience) this.send(subscriber, frame);
  }

  private toGroup(group: PublicGroup, frame: StreamFrame, facts: StatusFacts | undefined): void {
    if (group.members > group.single.size)
      this.app.publish(group.topic, frame.webSocket(JSON.stringify(group.channel.stream)));
    const now = this.services.now();
    for (const subscriber of group.single)
      if (facts === undefined || subscriber.sight.shows(facts, now)) this.send(subscriber, frame);
  }

  private sightChanged(accountId: Id): void {
    const listening = this.accounts.get(accountId);
    if (listening === undefined) return;
    listening.sight.reload();
    for (const subscriber of listening.subscribers) {
      const group = this.groups.get(subscriber.channel.key);
      if (group !== undefined) this.place(subscriber, group);
    }
  }

  private loginChanged(accountId: Id): void {
    if (!this.accounts.has(accountId)) return;
    const account = findLocalAccount(this.services.snapshots, accountId);
    if (account !== undefined && account.profile.suspendedAt === undefined && loginStateOf(account) === 'active')
      return;
    this.revoked((connection) => connection.grant.accountId === accountId);
  }

  private revoked(concerns: (connection: Connection) => boolean): void {
    for (const connection of [...this.connections]) if (concerns(connection)) connection.close('revoked');
  }
}
