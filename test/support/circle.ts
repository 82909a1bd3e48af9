/**
 * Two partitions with all of the account actor: people who publish, favourite, reblog and read. What is handed over for
 * delivery is written down, and so is what the other actors are told.
 */

import { accountActor } from '../../src/actors/account/account.actor.ts';
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Visibility } from '../../src/actors/account/account.records.ts';
import { senderTraits } from '../../src/actors/account/notification-requests/notification-requests.queries.ts';
import { chooseNotifications } from '../../src/actors/account/notifications/notifications.queries.ts';
import type { PublishStatus } from '../../src/actors/account/statuses/statuses.messages.ts';
import { findStatus, noStatusCounters } from '../../src/actors/account/statuses/statuses.queries.ts';
import type { Status, StatusCounters } from '../../src/actors/account/statuses/statuses.records.ts';
import { threadOf } from '../../src/actors/account/threads/threads.queries.ts';
import { keyspaces } from '../../src/actors/catalogue.ts';
import { Directory } from '../../src/actors/directory/directory.messages.ts';
import { Domain } from '../../src/actors/domain/domain.messages.ts';
import { instanceActor } from '../../src/actors/instance/instance.actor.ts';
import type { Destination, Intent } from '../../src/actors/intents.ts';
import { PartitionActor } from '../../src/actors/partition/partition.messages.ts';
import type { Envelope } from '../../src/runtime/contract.ts';
import { composeId, type Id, parseId } from '../../src/runtime/ids.ts';
import { createTestServer, recordingActor, type TestServer } from './actors.ts';
import { Observer, type Person } from './observer.ts';
import { testProfile } from './profile.ts';
import { signUp } from './sign-up.ts';

export interface Post {
  readonly id: Id;
  readonly author: Person;
}

export interface PostOptions {
  text?: string;
  visibility?: Visibility;
  mentions?: readonly Person[];
  tags?: readonly string[];
  replyTo?: Post;
  language?: string;
  withMedia?: boolean;
  poll?: PublishStatus['poll'];
}

const joinedAt = Date.UTC(2024, 5, 1);

export class Circle extends Observer {
  readonly server: TestServer;
  private readonly partitionTold;
  private count = 0;

  constructor() {
    super();
    const partition = recordingActor(PartitionActor);
    this.partitionTold = partition.told;
    const others = [recordingActor(Domain).actor, recordingActor(Directory).actor];
    this.server = createTestServer({
      actors: [accountActor, instanceActor, partition.actor, ...others],
      keyspaces,
    });
  }

  /** In the first partition with side 0, in the second with side 1. */
  async local(name: string, side: 0 | 1): Promise<Person> {
    const id = this.nextId(side);
    await this.server.call(Account.create.to(id, signUp(name)));
    return { id, name, destination: undefined };
  }

  async remote(name: string, domain: string, side: 0 | 1): Promise<Person> {
    const id = this.nextId(side);
    const uri = `https://${domain}/users/${name}`;
    const remote = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
    const profile = testProfile({ id, username: name, domain, remote });
    await this.server.call(Account.learn.to(id, { profile }));
    return { id, name, destination: { host: domain, inbox: remote.inbox } };
  }

  async follow(
    follower: Person,
    target: Person,
    options: { notify?: boolean; languages?: readonly string[] } = {},
  ): Promise<void> {
    const targetDestination = target.destination;
    const given = { notify: options.notify ?? false, languages: options.languages && [...options.languages] };
    await this.server.call(Account.follow.to(follower.id, { targetId: target.id, targetDestination, options: given }));
  }

  async block(blocker: Person, target: Person): Promise<void> {
    await this.server.call(
      Account.block.to(blocker.id, { targetId: target.id, targetDestination: target.destination }),
    );
  }

  async mute(muter: Person, target: Person, hideNotifications = true): Promise<void> {
    await this.server.call(Account.mute.to(muter.id, { targetId: target.id, hideNotifications, durationSeconds: 0 }));
  }

  /** Says something to an actor, and waits for all that follows. */
  say(message: Envelope): void {
    this.server.send(message);
    this.server.settle();
  }

  /** A status of a local person. Time moves on a second before each. */
  async publish(author: Person, options: PostOptions = {}): Promise<Post> {
    this.server.clock.advance(1_000);
    const { statusId } = await this.server.call(
      Account.publish.to(author.id, { ...publication(options), ...this.threadOf(options) }),
    );
    return { id: statusId, author };
  }

  /** A status of a remote person, published just now or a while ago. */
  async receive(author: Person, uri: string, options: PostOptions & { ageMilliseconds?: number } = {}): Promise<Post> {
    this.server.clock.advance(1_000);
    const { text, mentions, inReplyToDestination: _destination, poll: _poll, ...rest } = publication(options);
    const status = {
      ...rest,
      ...this.threadOf(options),
      content: text,
      uri,
      publishedAt: this.server.clock.now() - (options.ageMilliseconds ?? 0),
      mentions: mentions.map(({ mention }) => mention),
      localMentions: (options.mentions ?? []).filter((one) => one.destination === undefined).map(({ id }) => id),
    };
    const receivedAt = this.server.clock.now();
    const { statusId } = await this.server.call(Account.receive.to(author.id, { status, receivedAt }));
    return { id: statusId, author };
  }

  async unfollow(follower: Person, target: Person): Promise<void> {
    const targetDestination = target.destination;
    await this.server.call(Account.unfollow.to(follower.id, { targetId: target.id, targetDestination }));
  }

  favourite(by: Person, { id: statusId, author }: Post): Promise<undefined> {
    const sender = senderTraits(this.server.read, by.id, this.server.clock.now());
    const body = { statusId, by: by.id, byDestination: by.destination, sender };
    return this.server.call(Account.favourite.to(author.id, body));
  }

  unfavourite(by: Person, post: Post): Promise<undefined> {
    return this.server.call(Account.unfavourite.to(by.id, original(post)));
  }

  async reblog(by: Person, { id: statusId, author }: Post, visibility?: Visibility): Promise<Post> {
    this.server.clock.advance(1_000);
    const reblog = await this.server.call(Account.reblog.to(author.id, { statusId, by: by.id, visibility }));
    return { id: reblog.statusId, author: by };
  }

  unreblog(by: Person, post: Post): Promise<undefined> {
    return this.server.call(Account.unreblog.to(by.id, original(post)));
  }

  remove(post: Post): Promise<undefined> {
    return this.server.call(Account.deleteStatus.to(post.author.id, { statusId: post.id, destinations: [] }));
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
      const page = chooseNotifications(
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

  /** The intents handed over for delivery since the last time, each with its inboxes and audience. */
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

  /** As operations and the federation find it: that of the parent. */
  private threadOf({ replyTo }: PostOptions): { threadId?: Id } {
    const parent = replyTo === undefined ? undefined : this.statusRecord(replyTo.id);
    return parent === undefined ? {} : { threadId: threadOf(parent) };
  }

  private nextId(side: 0 | 1): Id {
    this.count += 1;
    return composeId(joinedAt + this.count, side === 0 ? 100 : 900, 0);
  }
}

export function original({ id: statusId, author }: Post) {
  return { statusId, authorId: author.id, authorDestination: author.destination };
}

export function publication(options: PostOptions): PublishStatus {
  const { text = 'hello', replyTo, mentions = [], tags = [] } = options;
  return {
    text,
    content: `<p>${text}</p>`,
    visibility: options.visibility ?? 'public',
    sensitive: false,
    spoilerText: '',
    language: options.language,
    inReplyToId: replyTo?.id,
    inReplyToAccountId: replyTo?.author.id,
    inReplyToDestination: replyTo?.author.destination,
    mentions: mentions.map(mentionOf),
    tags: tags.map((name) => ({ name, display: name })),
    emojis: [],
    attachments: options.withMedia ? [{ id: parseId('1')!, type: 'image', url: 'https://media.test/1.png' }] : [],
    ...(options.poll === undefined ? {} : { poll: options.poll }),
  };
}

export function mentionOf({ id, name, destination }: Person): PublishStatus['mentions'][number] {
  const acct = destination === undefined ? name : `${name}@${destination.host}`;
  return { mention: { id, username: name, acct, url: `https://here.test/@${acct}` }, destination };
}
