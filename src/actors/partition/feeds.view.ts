/**
 * The home feeds of a partition's accounts: rings in shared memory, filled from the events of this partition, and the
 * answer to "which listening accounts does this status concern?" for streams.
 *
 * INVARIANTS
 * 1. From `open` on every status that belongs into a feed is added to its ring, so what a gateway then merges from
 *    snapshots and fills in leaves no gap. A change of what belongs (a follow) empties the ring and begins again.
 * 2. Filling rings is work after the commit: the author's own ring at once, the others in slices, in the order of events.
 */
import { type Audience, type EventBatch, isEvent } from '../../runtime/events/event.ts';
import type { PartitionView } from '../../runtime/partition/view.ts';
import type { RingMemory } from '../../runtime/shared-rings.ts';
import { RingWriter } from '../../runtime/shared-rings.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import {
  followChanged,
  notified,
  type StatusFacts,
  statusArrived,
  statusDeleted,
  statusEdited,
  statusGone,
  statusPublished,
  statusRevised,
} from '../account/account.events.ts';
import { following, logins } from '../account/account.state.ts';
import { reachesFollowers } from '../policy/visibility.ts';
import { FeedIndex, hidesReblogs, ringOf, wantsLanguages } from './feed-index.ts';
import type { FeedAnswer, FeedRequest } from './feeds.messages.ts';

export interface FeedPorts {
  now(): number;
  /** Runs the callback after the thread has looked at its other work. */
  defer(callback: () => void): void;
}

interface Job {
  readonly kind: 'add' | 'remove';
  readonly id: bigint;
  readonly rings: Uint32Array;
  next: number;
}

const ringsPerSlice = 20_000;

export class FeedsView implements PartitionView {
  readonly name = 'feeds';
  private readonly rings: RingWriter;
  private readonly ports: FeedPorts;
  private readonly index = new FeedIndex();
  private readonly listeners: Uint16Array;
  private readonly free: number[] = [];
  private readonly jobs: Job[] = [];
  private evictionHand = 0;
  private marks: Uint8Array | undefined;
  private reader: Reader | undefined;

  constructor(memory: RingMemory, ports: FeedPorts) {
    this.rings = new RingWriter(memory);
    this.ports = ports;
    this.listeners = new Uint16Array(memory.rings);
  }

  opened(reader: Reader): void {
    this.reader = reader;
    this.index.clear();
    this.listeners.fill(0);
    this.jobs.length = 0;
    this.free.length = 0;
    for (let ring = this.rings.rings - 1; ring >= 0; ring -= 1) {
      if (this.rings.accountOf(ring) !== 0n) this.rings.release(ring);
      this.free.push(ring);
    }
  }

  committed(batch: EventBatch): readonly Audience[] {
    const audiences: Audience[] = [];
    for (const [index, event] of batch.events.entries()) {
      if (isEvent(event, statusPublished) || isEvent(event, statusArrived)) {
        const accounts = this.spread('add', event.body);
        if (accounts.length > 0) audiences.push({ index, accounts });
      } else if (isEvent(event, statusDeleted) || isEvent(event, statusGone)) {
        const accounts = this.spread('remove', event.body);
        if (accounts.length > 0) audiences.push({ index, accounts });
      } else if (isEvent(event, statusEdited) || isEvent(event, statusRevised)) {
        const accounts = this.listeningTo(event.body);
        if (accounts.length > 0) audiences.push({ index, accounts });
      } else if (isEvent(event, notified)) {
        const ring = this.rings.find(event.body.accountId);
        if (ring >= 0 && this.listeners[ring]! > 0) audiences.push({ index, accounts: [event.body.accountId] });
      } else if (isEvent(event, followChanged)) this.changeFollow(event.body);
    }
    return audiences;
  }

  control(request: unknown): FeedAnswer {
    const asked = request as FeedRequest;
    switch (asked.kind) {
      case 'open':
        return this.open(asked.accountId);
      case 'fill':
        return this.fill(asked.accountId, asked.generation, asked.ids, asked.whole);
      case 'listen': {
        const opened = this.open(asked.accountId);
        const ring = this.rings.find(asked.accountId);
        if (ring >= 0) this.listeners[ring] = Math.max(0, this.listeners[ring]! + (asked.listening ? 1 : -1));
        return opened;
      }
    }
  }

  /** Gives the account a ring, which collects from now on. */
  private open(accountId: bigint): FeedAnswer {
    const known = this.rings.find(accountId);
    if (known >= 0) return { generation: this.rings.generationOf(known) };
    if (this.reader!.get(logins, [accountId]) === undefined) return { generation: undefined };
    const ring = this.free.pop() ?? this.evict();
    if (ring === undefined) return { generation: undefined };
    this.rings.assign(ring, accountId, Math.floor(this.ports.now() / 1000));
    for (const { key, value } of this.reader!.range(following, [accountId])) {
      if (value.state === 'accepted') this.index.add(key[1], ring, flagsOf(value));
    }
    return { generation: this.rings.generationOf(ring) };
  }

  private fill(accountId: bigint, generation: number, ids: readonly bigint[], whole: boolean): FeedAnswer {
    const ring = this.rings.find(accountId);
    if (ring < 0 || this.rings.generationOf(ring) !== generation) return { generation: undefined };
    for (const id of ids) this.rings.add(ring, id);
    this.rings.markReady(ring, whole);
    return { generation };
  }

  /** The least recently read ring that nobody listens to, by a hand that goes round and gives a second chance. */
  private evict(): number | undefined {
    const idleBefore = Math.floor(this.ports.now() / 1000) - secondChanceSeconds;
    for (let step = 0; step < this.rings.rings * 2; step += 1) {
      const ring = this.evictionHand;
      this.evictionHand = (this.evictionHand + 1) % this.rings.rings;
      const spared = step < this.rings.rings && this.rings.usedAt(ring) > idleBefore;
      if (this.listeners[ring]! > 0 || spared) continue;
      const accountId = this.rings.accountOf(ring);
      for (const { key } of this.reader!.range(following, [accountId])) this.index.remove(key[1], ring);
      this.rings.release(ring);
      return ring;
    }
    return undefined;
  }

  private changeFollow(change: {
    accountId: bigint;
    targetId: bigint;
    following: boolean;
    showReblogs: boolean;
    languages?: readonly string[] | undefined;
  }): void {
    const ring = this.rings.find(change.accountId);
    if (ring < 0) return;
    this.index.remove(change.targetId, ring);
    if (change.following) this.index.add(change.targetId, ring, flagsOf(change));
    this.rings.empty(ring);
  }

  /** The listening accounts in whose home the status belongs. */
  private listeningTo(facts: StatusFacts): bigint[] {
    if (!reachesFollowers(facts)) return [];
    const own = this.rings.find(facts.accountId);
    const rings = own < 0 ? [...this.concerned(facts)] : [own, ...this.concerned(facts)];
    return rings.filter((ring) => this.listeners[ring]! > 0).map((ring) => this.rings.accountOf(ring));
  }

  /** Adds or removes a status in the rings where it belongs; returns the listening accounts among them. */
  private spread(kind: Job['kind'], facts: StatusFacts): bigint[] {
    if (!reachesFollowers(facts)) return [];
    const listening: bigint[] = [];
    const own = this.rings.find(facts.accountId);
    if (own >= 0) {
      this.apply(kind, own, facts.id);
      if (this.listeners[own]! > 0) listening.push(facts.accountId);
    }
    const rings = this.concerned(facts);
    for (const ring of rings) if (this.listeners[ring]! > 0) listening.push(this.rings.accountOf(ring));
    if (rings.length > 0) this.enqueue({ kind, id: facts.id, rings, next: 0 });
    return listening;
  }

  /** The rings of followers whose home the status belongs in (policy/home.ts, over the index). */
  private concerned(facts: StatusFacts): Uint32Array {
    const entries = this.index.followersOf(facts.accountId);
    if (entries.length === 0) return entries;
    const isReblog = facts.reblogOfId !== undefined;
    const parent = isReblog || facts.inReplyToAccountId === facts.accountId ? undefined : facts.inReplyToAccountId;
    const known = parent === undefined ? undefined : this.markFollowers(parent);
    const rings = new Uint32Array(entries.length);
    let count = 0;
    for (const entry of entries) {
      const ring = ringOf(entry);
      if (isReblog && (hidesReblogs(entry) || this.rings.accountOf(ring) === facts.reblogOfAccountId)) continue;
      if (!isReblog && wantsLanguages(entry) && !this.readsLanguage(ring, facts)) continue;
      if (known !== undefined && known[ring] === 0) continue;
      rings[count] = ring;
      count += 1;
    }
    if (known !== undefined) this.unmarkFollowers(parent!);
    return rings.subarray(0, count);
  }

  private markFollowers(accountId: bigint): Uint8Array {
    this.marks ??= new Uint8Array(this.rings.rings);
    for (const entry of this.index.followersOf(accountId)) this.marks[ringOf(entry)] = 1;
    const own = this.rings.find(accountId);
    if (own >= 0) this.marks[own] = 1;
    return this.marks;
  }

  private unmarkFollowers(accountId: bigint): void {
    for (const entry of this.index.followersOf(accountId)) this.marks![ringOf(entry)] = 0;
    const own = this.rings.find(accountId);
    if (own >= 0) this.marks![own] = 0;
  }

  private readsLanguage(ring: number, facts: StatusFacts): boolean {
    if (facts.language === undefined) return true;
    const follow = this.reader!.get(following, [this.rings.accountOf(ring), facts.accountId]);
    return follow?.languages === undefined || follow.languages.includes(facts.language);
  }

  private enqueue(job: Job): void {
    this.jobs.push(job);
    if (this.jobs.length === 1) this.work();
  }

  private work(): void {
    let left = ringsPerSlice;
    while (left > 0) {
      const job = this.jobs[0];
      if (job === undefined) return;
      const end = Math.min(job.rings.length, job.next + left);
      for (let index = job.next; index < end; index += 1) this.apply(job.kind, job.rings[index]!, job.id);
      left -= end - job.next;
      job.next = end;
      if (end === job.rings.length) this.jobs.shift();
    }
    if (this.jobs.length > 0) this.ports.defer(() => this.work());
  }

  private apply(kind: Job['kind'], ring: number, id: bigint): void {
    if (kind === 'add') this.rings.add(ring, id);
    else this.rings.remove(ring, id);
  }
}

const secondChanceSeconds = 600;

function flagsOf(follow: { showReblogs: boolean; languages?: readonly string[] | undefined }) {
  return { hideReblogs: !follow.showReblogs, hasLanguages: follow.languages !== undefined };
}
