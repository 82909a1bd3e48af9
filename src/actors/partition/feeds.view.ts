/**
 * The feeds of a partition's accounts, for homes and lists: rings in shared memory, filled from the partition's events,
 * and the answer to "which listening accounts does this status concern?" for streams. The ring of a home is keyed by
 * the id of its account, that of a list by the id of the list. Listeners get what concerns their home or lists.
 *
 * INVARIANTS
 * 1. From `open` on every status that belongs in a feed is added to its ring, so the ids that a gateway then merges
 *    from snapshots and fills in leave no gap. A change of what belongs (a follow) empties the ring and starts over.
 * 2. Rings are filled after the commit: the author's own ring at once, the others in slices, in the order of events.
 * 3. Storage may be ahead of the events by a commit that is on disk and not announced yet; its events then correct the
 *    ring.
 * 4. The ring of a listening account is never evicted. With more listeners than rings some wait for one, and get
 *    nothing about their homes until then.
 */
import { type EventBatch, type EventRecipients, isEvent } from '../../runtime/events/event.ts';
import type { PartitionView } from '../../runtime/partition/views.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { listChanged } from '../account/lists/lists.events.ts';
import { findList, listsOf } from '../account/lists/lists.queries.ts';
import { notified } from '../account/notifications/notifications.events.ts';
import { findLogin } from '../account/profile/logins.queries.ts';
import { followChanged } from '../account/relationships/relationships.events.ts';
import {
  type StatusFacts,
  statusArrived,
  statusDeleted,
  statusEdited,
  statusForgotten,
  statusGone,
  statusPublished,
  statusRevised,
} from '../account/statuses/statuses.events.ts';
import { replyAttached } from '../account/threads/threads.events.ts';
import { isInHomes } from '../policy/home.ts';
import { type Concerned, FeedAudience, type FollowChange } from './feed-audience.view.ts';
import { FeedJobs, type JobKind } from './feed-jobs.ts';
import { FeedListeners } from './feed-listeners.ts';
import type { RingMemory } from './feed-rings.queries.ts';
import { RingWriter } from './feed-rings-writer.ts';
import type { FeedAnswer, FeedRequest } from './feeds.messages.ts';

export interface FeedPorts {
  /** The same for the threads that read the rings (`Clock` in runtime/ports.ts). */
  monotonic(): number;
  /** Runs the callback after the thread's other pending work. */
  defer(callback: () => void): void;
}

interface ListChange {
  readonly accountId: bigint;
  readonly listId: bigint;
  readonly concernsHome: boolean;
}

const secondChanceSeconds = 600;
const ringsPerSliceDefault = 20_000;

export class FeedsView implements PartitionView {
  readonly name = 'feeds';
  private readonly rings: RingWriter;
  private readonly ports: FeedPorts;
  private readonly jobs: FeedJobs;
  private readonly listeners = new FeedListeners();
  /** Per ring: 1 when its account listens. */
  private readonly listened: Uint8Array;
  /** Listening accounts without a ring, because all rings belong to other listeners. */
  private readonly waiting = new Set<bigint>();
  private readonly free: number[] = [];
  private evictionHand = 0;
  /** The open partition. */
  private reader: Reader | undefined;
  private audience: FeedAudience | undefined;

  constructor(memory: RingMemory, ports: FeedPorts, ringsPerSlice = ringsPerSliceDefault) {
    this.rings = new RingWriter(memory);
    this.ports = ports;
    this.jobs = new FeedJobs({ rings: this.rings, ringsPerSlice, defer: (callback) => ports.defer(callback) });
    this.listened = new Uint8Array(memory.rings);
  }

  /** Listeners stay: gateways are not informed that a partition was opened again. */
  opened(reader: Reader): void {
    this.reader = reader;
    this.rings.reset();
    this.jobs.clear();
    this.listened.fill(0);
    this.audience = new FeedAudience(reader, this.rings, this.listened);
    this.free.length = 0;
    for (let ring = this.rings.rings - 1; ring >= 0; ring -= 1) this.free.push(ring);
    for (const accountId of this.listeners.accounts()) this.listenerChanged(accountId);
  }

  committed(batch: EventBatch): readonly EventRecipients[] {
    const recipients: EventRecipients[] = [];
    for (const [index, event] of batch.events.entries()) {
      let accounts: readonly bigint[] = [];
      if (isEvent(event, statusPublished) || isEvent(event, statusArrived) || isEvent(event, replyAttached))
        accounts = this.spread('add', event.body);
      else if (isEvent(event, statusDeleted) || isEvent(event, statusGone))
        accounts = this.spread('remove', event.body);
      else if (isEvent(event, statusForgotten)) this.spread('remove', event.body);
      else if (isEvent(event, statusEdited) || isEvent(event, statusRevised)) accounts = this.revise(event.body);
      else if (isEvent(event, notified)) accounts = this.listening(event.body.accountId);
      else if (isEvent(event, followChanged)) this.changeFollow(event.body);
      else if (isEvent(event, listChanged)) this.changeList(event.body);
      if (accounts.length > 0) recipients.push({ index, ids: accounts });
    }
    return recipients;
  }

  control(request: unknown, caller: number): FeedAnswer {
    const asked = request as FeedRequest;
    switch (asked.kind) {
      case 'open':
        return this.open(asked.accountId);
      case 'fill':
        return this.fill(asked.accountId, asked.generation, asked.ids, asked.whole);
      case 'listen':
        this.listeners.listen(caller, asked.accountId, asked.listening);
        return this.listenerChanged(asked.accountId);
      case 'isListening':
        return { generation: undefined, isListening: this.listeners.isListening(asked.accountId) };
    }
  }

  callerReplaced(caller: number): void {
    for (const accountId of this.listeners.forget(caller)) this.listenerChanged(accountId);
  }

  private listenerChanged(accountId: bigint): FeedAnswer {
    if (this.listeners.isListening(accountId)) {
      this.waiting.add(accountId);
      const answer = this.open(accountId);
      this.serve(accountId);
      return answer;
    }
    this.waiting.delete(accountId);
    const ring = this.rings.find(accountId);
    if (ring < 0) return { generation: undefined };
    this.listened[ring] = 0;
    const [next] = this.waiting;
    if (next !== undefined) this.open(next);
    return { generation: this.rings.generationOf(ring) };
  }

  /** The account listens; its ring is kept if it has one. */
  private serve(accountId: bigint): void {
    const ring = this.rings.find(accountId);
    if (ring < 0) return;
    this.listened[ring] = 1;
    this.waiting.delete(accountId);
  }

  private listening(accountId: bigint): readonly bigint[] {
    return this.listeners.isListening(accountId) ? [accountId] : [];
  }

  /** Gives the account a ring, which collects from now on. */
  private open(accountId: bigint): FeedAnswer {
    const known = this.rings.find(accountId);
    if (known >= 0) return { generation: this.rings.generationOf(known) };
    const isList = findList(this.reader!, accountId) !== undefined;
    if (!isList && findLogin(this.reader!, accountId) === undefined) return { generation: undefined };
    const ring = this.free.pop() ?? this.evict();
    if (ring === undefined) return { generation: undefined };
    this.rings.assign(ring, accountId, Math.floor(this.ports.monotonic() / 1000));
    if (isList) this.audience!.addList(ring, accountId);
    else this.audience!.addHome(ring, accountId);
    if (this.waiting.has(accountId)) this.serve(accountId);
    return { generation: this.rings.generationOf(ring) };
  }

  /** A ready ring needs no filling: what a slow gateway merged may be older than ids already dropped from the ring. */
  private fill(accountId: bigint, generation: number, ids: readonly bigint[], whole: boolean): FeedAnswer {
    const ring = this.rings.find(accountId);
    if (ring < 0 || this.rings.generationOf(ring) !== generation) return { generation: undefined };
    if (this.rings.isReady(ring)) return { generation };
    for (const id of ids) this.rings.add(ring, id);
    this.rings.markReady(ring, whole);
    return { generation };
  }

  /** The least recently read ring without a listener, by the clock algorithm (second chance). */
  private evict(): number | undefined {
    const idleBefore = Math.floor(this.ports.monotonic() / 1000) - secondChanceSeconds;
    for (let step = 0; step < this.rings.rings * 2; step += 1) {
      const ring = this.evictionHand;
      this.evictionHand = (this.evictionHand + 1) % this.rings.rings;
      const spared = step < this.rings.rings && this.rings.usedAt(ring) > idleBefore;
      if (this.listened[ring] === 1 || spared) continue;
      this.audience!.remove(ring);
      this.rings.release(ring);
      return ring;
    }
    return undefined;
  }

  /** The ring of a list is dropped and rebuilt at the next read; a home that omits its members is filled again. */
  private changeList({ accountId, listId, concernsHome }: ListChange): void {
    this.dropList(listId);
    const home = concernsHome ? this.rings.find(accountId) : -1;
    if (home < 0) return;
    this.audience!.remove(home);
    this.audience!.addHome(home, accountId);
    this.rings.empty(home);
  }

  private dropList(listId: bigint): void {
    const ring = this.rings.find(listId);
    if (ring < 0) return;
    this.audience!.remove(ring);
    this.rings.release(ring);
    this.free.push(ring);
  }

  /** What belongs in lists depends on follows too: of members, and of those to whom they reply. */
  private changeFollow(change: FollowChange): void {
    const { accountId } = change;
    for (const { id } of listsOf(this.reader!, accountId)) this.dropList(id);
    const ring = this.rings.find(accountId);
    if (ring < 0) return;
    this.audience!.changeFollow(ring, change);
    this.rings.empty(ring);
  }

  /** Adds or removes a status in the rings where it belongs; returns the listening accounts among them. */
  private spread(kind: JobKind, facts: StatusFacts): readonly bigint[] {
    if (!isInHomes(facts)) return [];
    const own = this.rings.find(facts.accountId);
    if (own >= 0) {
      if (kind === 'add') this.rings.add(own, facts.id);
      else this.rings.remove(own, facts.id);
    }
    const concerned = this.audience!.concerned(facts);
    this.jobs.enqueue(kind, facts.id, concerned.rings);
    return this.listeningAmong(own, concerned);
  }

  private revise(facts: StatusFacts): readonly bigint[] {
    if (!isInHomes(facts)) return [];
    const concerned = this.audience!.concerned(facts);
    const { gained, lost } = this.audience!.revised(facts, concerned.rings);
    this.jobs.enqueue('add', facts.id, gained);
    // A merge in progress may still include it.
    for (const ring of lost) if (!this.rings.isReady(ring)) this.rings.empty(ring);
    this.jobs.enqueue('remove', facts.id, lost);
    return this.listeningAmong(this.rings.find(facts.accountId), concerned);
  }

  private listeningAmong(own: number, { rings, inListOnly }: Concerned): bigint[] {
    const accounts: bigint[] = [...inListOnly];
    if (own >= 0 && this.listened[own] === 1) accounts.push(this.rings.feedIdOf(own));
    for (const ring of rings) if (this.listened[ring] === 1) accounts.push(this.rings.feedIdOf(ring));
    return accounts;
  }
}
