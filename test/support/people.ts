/**
 * People over actors in memory: they join and act through the messages that the server itself uses. Deliveries are
 * recorded, and so are messages to domain actors.
 */

import { accountActor } from '../../src/actors/account/account.actor.ts';
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Visibility } from '../../src/actors/account/account.records.ts';
import { senderTraits } from '../../src/actors/account/notifications/notification-requests.queries.ts';
import { profileChanged } from '../../src/actors/account/profile/profile.events.ts';
import type { Login, Profile } from '../../src/actors/account/profile/profile.records.ts';
import { storeProfile } from '../../src/actors/account/profile/store-profile.ts';
import { findStatus } from '../../src/actors/account/status-views.queries.ts';
import { noStatusCounters } from '../../src/actors/account/statuses/statuses.queries.ts';
import { type Status, type StatusCounters, threadOf } from '../../src/actors/account/statuses/statuses.records.ts';
import { blobActor } from '../../src/actors/blob/blob.actor.ts';
import { keyspaces } from '../../src/actors/catalogue.ts';
import { directoryActor } from '../../src/actors/directory/directory.actor.ts';
import { Directory, nameOfHandle } from '../../src/actors/directory/directory.messages.ts';
import { Domain } from '../../src/actors/domain/domain.messages.ts';
import { instanceActor } from '../../src/actors/instance/instance.actor.ts';
import type { Destination, Intent } from '../../src/actors/intents.ts';
import { PartitionActor } from '../../src/actors/partition/partition.messages.ts';
import { relayActor } from '../../src/actors/relay/relay.actor.ts';
import { sessionActor } from '../../src/actors/session/session.actor.ts';
import type { BodyOf, Envelope } from '../../src/runtime/contract.ts';
import { composeId, type Id, slotCount } from '../../src/runtime/ids.ts';
import { createTestServer, type Recorded, recordingActor, type TestServer } from './actors.ts';
import type { FollowOptions, Post, PostOptions } from './acts.ts';
import * as acts from './acts.ts';
import { Observer, type Person } from './observer.ts';
import { ownMedia } from './own-media.ts';
import { testProfile } from './profile.ts';
import { signUp } from './sign-up.ts';
import { storedNotifications } from './stored-notifications.ts';

interface Home {
  /** The partition of the account. By default people are distributed over all partitions. */
  readonly partition?: number;
}

export type LocalChanges = BodyOf<typeof Account.changeProfile>;

interface Recordings {
  readonly server: TestServer;
  readonly partitionTold: Recorded[];
  readonly domainTold: Recorded[];
}

const joinedAt = Date.UTC(2024, 5, 1);

export class People extends Observer {
  readonly server: TestServer;
  private readonly partitionTold: Recorded[];
  private readonly domainTold: Recorded[];
  private count = 0;

  /** On a new server, or on a given one with all actors, where nothing is recorded. */
  constructor(server?: TestServer) {
    super();
    const on = server === undefined ? recordingServer() : { server, partitionTold: [], domainTold: [] };
    this.server = on.server;
    this.partitionTold = on.partitionTold;
    this.domainTold = on.domainTold;
  }

  local(username: string, given: LocalChanges & Home = {}, login: Partial<Login> = {}): Person {
    const { partition, displayName = username, locked = false, bot = false, ...changes } = given;
    const id = this.nextId(partition);
    this.server.callNow(Account.create.to(id, { ...signUp(username, login), displayName, locked, bot }));
    this.say(Directory.point.to(nameOfHandle(username, undefined), { accountId: id }));
    const person = { id, name: username, destination: undefined };
    if (Object.keys(changes).length > 0) this.change(person, changes);
    return person;
  }

  remote(username: string, domain: string, { partition, ...changes }: Partial<Profile> & Home = {}): Person {
    const id = this.nextId(partition);
    const uri = `https://${domain}/users/${username}`;
    const url = `https://${domain}/@${username}`;
    const [inbox, sharedInbox] = [`${uri}/inbox`, `https://${domain}/inbox`];
    const remote = { uri, url, inbox, sharedInbox, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
    const profile = testProfile({ id, username, domain, remote, ...changes });
    this.server.callNow(Account.learnProfile.to(id, { profile }));
    this.say(Directory.point.to(uri, { accountId: id }));
    return { id, name: username, destination: { host: domain, inbox, sharedInbox } };
  }

  /** Changes the profile of a local person. */
  change(person: Person, changes: LocalChanges): void {
    this.server.callNow(Account.changeProfile.to(person.id, changes));
  }

  /** Changes a remote profile, as reported by its server. */
  learn(person: Person, changes: Partial<Profile> = {}): void {
    this.server.callNow(Account.learnProfile.to(person.id, { profile: { ...this.profile(person)!, ...changes } }));
  }

  /** Changes by staff for which there is no message. */
  moderate(
    person: Person,
    decided: Pick<Partial<Profile>, 'suspendedAt' | 'limited' | 'memorial' | 'sensitized'>,
  ): void {
    const before = this.profile(person)!;
    this.server.turn(Account.actor, person.id, (turn) => {
      storeProfile(turn, { ...before, ...decided }, before);
      turn.emit(profileChanged, { accountId: person.id });
    });
  }

  suspend(person: Person): Person {
    if (person.destination !== undefined) this.moderate(person, { suspendedAt: this.server.clock.now() });
    else this.server.callNow(Account.changeLogin.to(person.id, { suspended: true }));
    return person;
  }

  move(person: Person, target: Person): Person {
    const message = person.destination === undefined ? Account.move : Account.moved;
    this.server.callNow(message.to(person.id, { targetId: target.id, targetDestination: target.destination }));
    return person;
  }

  follow(follower: Person, target: Person, options: FollowOptions = {}) {
    return this.server.call(acts.follow(follower, target, options));
  }

  /** Receives a Follow from a remote server. */
  receiveFollow(follower: Person, target: Person, uri: string) {
    return this.server.call(acts.follow(follower, target, {}, uri));
  }

  unfollow(follower: Person, target: Person) {
    return this.server.call(acts.unfollow(follower, target));
  }

  authorize(target: Person, requester: Person) {
    return this.server.call(acts.authorizeFollow(target, requester));
  }

  reject(target: Person, requester: Person) {
    return this.server.call(acts.rejectFollow(target, requester));
  }

  block(blocker: Person, target: Person) {
    return this.server.call(acts.block(blocker, target));
  }

  unblock(blocker: Person, target: Person) {
    return this.server.call(acts.unblock(blocker, target));
  }

  mute(muter: Person, target: Person, options: { notifications?: boolean; seconds?: number } = {}) {
    const { notifications: hideNotifications = true, seconds: durationSeconds = 0 } = options;
    return this.server.call(Account.mute.to(muter.id, { targetId: target.id, hideNotifications, durationSeconds }));
  }

  unmute(muter: Person, target: Person) {
    return this.server.call(Account.unmute.to(muter.id, { targetId: target.id }));
  }

  /** Sends a message to an actor, and runs all consequences. */
  say(message: Envelope): void {
    this.server.send(message);
    this.server.settle();
  }

  /** Publishes a status of a local person, one second later than the previous one. */
  async publish(author: Person, options: PostOptions = {}): Promise<Post> {
    this.server.clock.advance(1_000);
    const mediaId = options.withMedia === true ? this.upload(author) : undefined;
    const post = { ...options, ...(mediaId === undefined ? {} : { mediaId }) };
    const { statusId } = await this.server.call(acts.publish(author, post, this.threadOf(options)));
    return { id: statusId, author };
  }

  /** A picture that a local person has uploaded. */
  upload({ id }: Person): Id {
    const { id: _any, ...picture } = acts.picture();
    return ownMedia(this.server, id, picture).id;
  }

  /** Receives a status of a remote person, published now or earlier. */
  async receive(author: Person, uri: string, options: PostOptions & { ageMilliseconds?: number } = {}): Promise<Post> {
    this.server.clock.advance(1_000);
    const { ageMilliseconds = 0, ...written } = options;
    const receivedAt = this.server.clock.now();
    const given = { ...written, uri, publishedAt: receivedAt - ageMilliseconds, threadId: this.threadOf(options) };
    const { statusId } = await this.server.call(acts.receive(author, given, receivedAt));
    return { id: statusId, author };
  }

  favourite(by: Person, { id: statusId, author }: Post): Promise<undefined> {
    const sender = senderTraits(this.server.read, by.id, this.server.clock.now());
    const body = { statusId, by: by.id, byDestination: by.destination, sender };
    return this.server.call(Account.favourite.to(author.id, body));
  }

  unfavourite(by: Person, post: Post): Promise<undefined> {
    return this.server.call(acts.unfavourite(by, post));
  }

  async reblog(by: Person, post: Post, visibility?: Visibility): Promise<Post> {
    this.server.clock.advance(1_000);
    const reblog = await this.server.call(acts.reblog(by, post, visibility));
    return { id: reblog.statusId, author: by };
  }

  unreblog(by: Person, post: Post): Promise<undefined> {
    return this.server.call(acts.unreblog(by, post));
  }

  remove(post: Post): Promise<undefined> {
    return this.server.call(acts.remove(post));
  }

  statusOf(post: Post): Status | undefined {
    return this.statusRecord(post.id);
  }

  countersOf(post: Post): StatusCounters {
    return findStatus(this.server.read, post.id)?.counters ?? noStatusCounters;
  }

  /** Types and senders of a person's notifications, oldest first. */
  notificationsOf(person: Person): { type: string; fromId: Id; statusId: Id | undefined }[] {
    const told: { type: string; fromId: Id; statusId: Id | undefined }[] = [];
    let maxId: Id | undefined;
    do {
      const page = storedNotifications(
        this.server.read,
        person.id,
        {},
        { limit: 10_000, maxId },
        (_id, { type, accountId: fromId, statusId }) => ({ type, fromId, statusId }),
      );
      told.push(...page.items);
      maxId = page.full ? page.oldest : undefined;
    } while (maxId !== undefined);
    return told.reverse();
  }

  /** The recorded intents since the last call, each with its inboxes and audience. */
  takeDeliveries(): { intent: Intent; inboxes: string[]; toFollowers: boolean }[] {
    const told = this.partitionTold.splice(0).filter(({ name }) => name === 'deliver');
    return told.map(({ body }) => {
      const { intent, destinations, followersOf } = body as {
        intent: Intent;
        destinations: Destination[];
        followersOf?: Id;
      };
      return { intent, inboxes: destinations.map(({ inbox }) => inbox), toFollowers: followersOf !== undefined };
    });
  }

  /** The mails since the last call; nothing else is taken. */
  takeMails(): BodyOf<typeof PartitionActor.mail>[] {
    const told = this.partitionTold.splice(0);
    this.partitionTold.push(...told.filter(({ name }) => name !== 'mail'));
    return told.filter(({ name }) => name === 'mail').map(({ body }) => body as BodyOf<typeof PartitionActor.mail>);
  }

  /** The recorded messages to domain actors since the last call. */
  takeDomainNews(): { host: string; news: string; accountId: Id; followerId: Id }[] {
    return this.domainTold.splice(0).map(({ key, name, body }) => {
      const { accountId, followerId } = body as { accountId: Id; followerId: Id };
      return { host: String(key), news: name, accountId, followerId };
    });
  }

  /** The thread of the parent, as operations and the federation find it. */
  threadOf({ replyTo }: PostOptions): Id | undefined {
    const parent = replyTo === undefined ? undefined : this.statusRecord(replyTo.id);
    return parent && threadOf(parent);
  }

  private nextId(chosen: number | undefined): Id {
    const partitions = this.server.partitions.length;
    const partition = chosen ?? this.count % partitions;
    this.count += 1;
    // A slot in the middle of the partition's range.
    const slot = Math.floor(((partition + 0.5) * slotCount) / partitions);
    return composeId(joinedAt + this.count, slot, 0);
  }
}

function recordingServer(): Recordings {
  const [partition, domain] = [recordingActor(PartitionActor), recordingActor(Domain)];
  const recording = [partition.actor, domain.actor];
  const real = [accountActor, blobActor, directoryActor, instanceActor, relayActor, sessionActor];
  const server = createTestServer({ actors: [...real, ...recording], keyspaces });
  return { server, partitionTold: partition.told, domainTold: domain.told };
}
