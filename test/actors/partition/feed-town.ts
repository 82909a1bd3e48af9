/**
 * People over a few partitions who follow, publish, reblog and delete, with a handful of feed rings: everything happens
 * in one thread, a piece at a time, so that a seed decides what overtakes what. Rings are opened, merged and filled in
 * three steps, as a gateway does.
 */
import { Account } from '../../../src/actors/account/account.messages.ts';
import type { Visibility } from '../../../src/actors/account/account.records.ts';
import { actors, keyspaces } from '../../../src/actors/catalogue.ts';
import type { Destination } from '../../../src/actors/intents.ts';
import { allocateRings, type RingMemory, RingReader } from '../../../src/actors/partition/feed-rings.queries.ts';
import type { FeedAnswer, FeedRequest } from '../../../src/actors/partition/feeds.messages.ts';
import { FeedsView } from '../../../src/actors/partition/feeds.view.ts';
import type { Envelope } from '../../../src/runtime/contract.ts';
import type { EventBatch, EventRecipients, LoggedEvent } from '../../../src/runtime/events/event.ts';
import { composeId, type Id, slotCount, slotOfId } from '../../../src/runtime/ids.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import { createTestServer, type TestServer } from '../../support/actors.ts';
import type { MemoryStore } from '../../support/memory-log.ts';
import { mergedHome } from '../../support/merged-home.ts';
import type { Person } from '../../support/observer.ts';
import { testProfile } from '../../support/profile.ts';
import { signUp } from '../../support/sign-up.ts';

export interface FollowChoice {
  readonly showReblogs?: boolean;
  readonly languages?: string[];
}

export interface Writing {
  readonly visibility?: Visibility;
  readonly language?: string | undefined;
  readonly replyTo?: { readonly id: Id; readonly accountId: Id } | undefined;
  readonly mentions?: readonly Person[];
}

export interface FeedTownOptions {
  readonly partitions: number;
  /** Per partition. */
  readonly rings: number;
  readonly entries: number;
  readonly ringsPerSlice?: number;
  /** Instead of new ones, one for each partition. */
  readonly disks?: readonly MemoryStore[];
  /** Sees what every partition commits. */
  readonly watch?: (batch: EventBatch) => void;
}

/** A ring on its way to be filled. */
interface Filling {
  readonly person: Person;
  readonly generation: number;
  merged?: { readonly ids: Id[]; readonly whole: boolean };
}

/** An event with the listening accounts that its partition's view named. */
export interface Named {
  readonly partition: number;
  readonly event: LoggedEvent;
  readonly accounts: readonly Id[];
}

const joinedAt = Date.UTC(2024, 5, 1);

export class FeedTown {
  readonly server: TestServer;
  readonly memories: readonly RingMemory[];
  readonly readers: readonly RingReader[];
  readonly people: Person[] = [];
  readonly fillings: Filling[] = [];
  /** Events since `forget`, in the order of their commits. */
  named: Named[] = [];
  private readonly options: FeedTownOptions;
  private readonly placement;

  constructor(options: FeedTownOptions) {
    this.options = options;
    this.placement = evenPlacement(options.partitions);
    const { rings, entries, partitions } = options;
    this.memories = Array.from({ length: partitions }, () => allocateRings(rings, entries));
    this.readers = this.memories.map((memory) => new RingReader(memory));
    // Until the server is there no view asks for time or for work to be put off.
    let server: TestServer | undefined;
    const ports = { now: () => server!.clock.now(), defer: (callback: () => void) => server!.defer(callback) };
    this.server = createTestServer({
      partitions,
      ...(options.disks && { disks: options.disks }),
      actors,
      keyspaces,
      views: (number) => [this.recording(number, new FeedsView(this.memories[number]!, ports, options.ringsPerSlice))],
    });
    server = this.server;
  }

  async local(name: string, slot: number): Promise<Person> {
    const person = this.settleIn(name, slot, undefined);
    await this.server.call(Account.create.to(person.id, signUp(name)));
    return person;
  }

  async remote(name: string, slot: number): Promise<Person> {
    const uri = `https://there.test/${name}`;
    const person = this.settleIn(name, slot, { host: 'there.test', inbox: `${uri}/inbox` });
    const remote = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#key`, publicKeyPem: '' };
    const profile = testProfile({ id: person.id, username: name, domain: 'there.test', remote });
    await this.server.call(Account.learn.to(person.id, { profile }));
    return person;
  }

  follow(follower: Person, target: Person, options: FollowChoice = {}): Envelope {
    const { id: targetId, destination: targetDestination } = target;
    return Account.follow.to(follower.id, { targetId, targetDestination, options });
  }

  unfollow(follower: Person, target: Person): Envelope {
    return Account.unfollow.to(follower.id, { targetId: target.id, targetDestination: target.destination });
  }

  publish(author: Person, writing: Writing = {}): Envelope<{ statusId: Id }> {
    return Account.publish.to(author.id, { ...textOf(writing), mentions: mentionsIn(writing), text: 'hello' });
  }

  /** A status of a remote person that was published some time ago. */
  receive(author: Person, uri: string, agoMilliseconds: number, writing: Writing = {}): Envelope<{ statusId: Id }> {
    const receivedAt = this.server.clock.now();
    const status = {
      ...textOf(writing),
      uri,
      publishedAt: receivedAt - agoMilliseconds,
      mentions: mentionsIn(writing).map(({ mention }) => mention),
      localMentions: [],
    };
    return Account.receive.to(author.id, { status, receivedAt });
  }

  edit(author: Person, statusId: Id, text: string, writing: Pick<Writing, 'language' | 'mentions'>): Envelope {
    const { content: _content, visibility: _visibility, inReplyToId, inReplyToAccountId, ...kept } = textOf(writing);
    return Account.edit.to(author.id, {
      ...kept,
      statusId,
      text,
      content: `<p>${text}</p>`,
      mentions: mentionsIn(writing),
    });
  }

  reblog(by: Person, statusId: Id, author: Person): Envelope<{ statusId: Id }> {
    return Account.reblog.to(author.id, { statusId, by: by.id });
  }

  /** A reblog by a remote person, some time ago. */
  receiveReblog(by: Person, statusId: Id, author: Person, uri: string, agoMilliseconds: number): Envelope {
    const publishedAt = this.server.clock.now() - agoMilliseconds;
    const body = { statusId, authorId: author.id, uri, publishedAt, visibility: 'public' as const };
    return Account.receiveReblog.to(by.id, body);
  }

  unreblog(by: Person, statusId: Id, author: Person): Envelope {
    return Account.unreblog.to(by.id, { statusId, authorId: author.id, authorDestination: author.destination });
  }

  remove(author: Person, statusId: Id): Envelope {
    return Account.deleteStatus.to(author.id, { statusId, destinations: [] });
  }

  control(person: Person, request: FeedRequest, caller = 0): FeedAnswer {
    return this.server.partitions[this.partitionOf(person)]!.control('feeds', request, caller) as FeedAnswer;
  }

  /** The first step of warming a feed; nothing comes of it where no ring can be had. */
  open(person: Person): void {
    const { generation } = this.control(person, { kind: 'open', accountId: person.id });
    if (generation !== undefined) this.fillings.push({ person, generation });
  }

  /** The next step of a ring that was opened: the merge, then the filling, which may come too late. */
  carryOn(filling: Filling): void {
    const { person, generation, merged } = filling;
    const { entries: limit } = this.options;
    if (merged === undefined) {
      const ids = mergedHome(this.server.read, person.id, { limit });
      filling.merged = { ids: ids.reverse(), whole: ids.length < limit };
      return;
    }
    this.fillings.splice(this.fillings.indexOf(filling), 1);
    this.control(person, { kind: 'fill', accountId: person.id, generation, ...merged });
  }

  warm(person: Person): void {
    this.open(person);
    const filling = this.fillings.at(-1)!;
    this.carryOn(filling);
    this.carryOn(filling);
  }

  ringOf(person: Person): { ids: Id[]; whole: boolean } | undefined {
    const copy = this.readers[this.partitionOf(person)]!.read(person.id, Math.floor(this.server.clock.now() / 1000));
    return copy === undefined ? undefined : { ids: [...copy.ids], whole: copy.whole };
  }

  /** As after an append that failed. */
  reopen(partition: number): void {
    void this.server.partitions[partition]!.open(1);
    this.server.settle();
  }

  /** Per partition. */
  get rings(): number {
    return this.options.rings;
  }

  partitionOf({ id }: Person): number {
    return this.placement.partitionOf(slotOfId(id));
  }

  hasRing(person: Person): boolean {
    return this.readers[this.partitionOf(person)]!.find(person.id) >= 0;
  }

  private settleIn(name: string, slot: number, destination: Destination | undefined): Person {
    const id = composeId(joinedAt + this.people.length, slot % slotCount, 0);
    const person = { id, name, destination };
    this.people.push(person);
    return person;
  }

  private recording(partition: number, view: FeedsView) {
    const note = (batch: EventBatch, recipients: readonly EventRecipients[]) => {
      this.options.watch?.(batch);
      for (const [index, event] of batch.events.entries()) {
        const accounts = recipients.filter((one) => one.index === index).flatMap((one) => one.ids);
        this.named.push({ partition, event, accounts });
      }
      return recipients;
    };
    return {
      name: view.name,
      opened: (...given: Parameters<FeedsView['opened']>) => view.opened(...given),
      control: (request: unknown, caller: number) => view.control(request, caller),
      callerReplaced: (caller: number) => view.callerReplaced(caller),
      committed: (batch: EventBatch) => note(batch, view.committed(batch)),
    };
  }
}

function mentionsIn({ mentions = [] }: Pick<Writing, 'mentions'>) {
  return mentions.map(({ id, name, destination }) => ({
    mention: { id, username: name, acct: name, url: `https://here.test/@${name}` },
    destination,
  }));
}

function textOf({ visibility = 'public', language, replyTo }: Writing) {
  return {
    content: '<p>hello</p>',
    visibility,
    sensitive: false,
    spoilerText: '',
    language,
    inReplyToId: replyTo?.id,
    inReplyToAccountId: replyTo?.accountId,
    tags: [],
    emojis: [],
    attachments: [],
  };
}
