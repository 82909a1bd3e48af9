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
import type { PartitionView } from '../../runtime/partition/view.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { followOf, followsOf } from '../account/home/home.queries.ts';
import { listChanged } from '../account/lists/lists.events.ts';
import {
  exclusiveMembers,
  findList,
  isExclusiveMember,
  listFactsBelong,
  listsOf,
  memberIdsOf,
} from '../account/lists/lists.queries.ts';
import { notified } from '../account/notifications/notifications.events.ts';
import { findLogin } from '../account/profile/logins.queries.ts';
import { followChanged } from '../account/relationships/relationships.events.ts';
import type { Follow } from '../account/relationships/relationships.records.ts';
import {
  type StatusFacts,
  statusArrived,
  statusDeleted,
  statusEdited,
  statusGone,
  statusPublished,
  statusRevised,
} from '../account/statuses/statuses.events.ts';
import { belongsInHome } from '../policy/home.ts';
import { FeedIndex, type FollowFlags, hidesReblogs, isLeftOut, isOfList, needsLookUp, ringOf } from './feed-index.ts';
import { FeedJobs, type JobKind } from './feed-jobs.ts';
import { FeedListeners } from './feed-listeners.ts';
import type { RingMemory } from './feed-rings.queries.ts';
import { RingWriter } from './feed-rings-writer.ts';
import type { FeedAnswer, FeedRequest } from './feeds.messages.ts';

export interface FeedPorts {
  now(): number;
  /** Runs the callback after the thread's other pending work. */
  defer(callback: () => void): void;
}

interface ListChange {
  readonly accountId: bigint;
  readonly listId: bigint;
  readonly concernsHome: boolean;
}

/** The rings in which a status belongs, and listeners that have it in an exclusive list instead of at home. */
interface Concerned {
  readonly rings: Uint32Array;
  readonly inListOnly: readonly bigint[];
}

const nobody: readonly bigint[] = [];

interface FollowChange {
  readonly accountId: bigint;
  readonly targetId: bigint;
  readonly following: boolean;
  readonly showReblogs: boolean;
  readonly languages?: readonly string[] | undefined;
}

const secondChanceSeconds = 600;
const ringsPerSliceDefault = 20_000;

export class FeedsView implements PartitionView {
  readonly name = 'feeds';
  private readonly rings: RingWriter;
  private readonly ports: FeedPorts;
  private readonly index: FeedIndex;
  private readonly jobs: FeedJobs;
  private readonly listeners = new FeedListeners();
  /** Per ring: 1 when its account listens. */
  private readonly listened: Uint8Array;
  /** Listening accounts without a ring, because all rings belong to other listeners. */
  private readonly waiting = new Set<bigint>();
  private readonly free: number[] = [];
  private evictionHand = 0;
  private readonly marks: Uint8Array;
  private reader: Reader | undefined;

  constructor(memory: RingMemory, ports: FeedPorts, ringsPerSlice = ringsPerSliceDefault) {
    this.rings = new RingWriter(memory);
    this.ports = ports;
    this.index = new FeedIndex(memory.rings);
    this.jobs = new FeedJobs({ rings: this.rings, ringsPerSlice, defer: (callback) => ports.defer(callback) });
    this.listened = new Uint8Array(memory.rings);
    this.marks = new Uint8Array(memory.rings);
  }

  /** Listeners stay: gateways are not informed that a partition was opened again. */
  opened(reader: Reader): void {
    this.reader = reader;
    this.rings.reset();
    this.index.clear();
    this.jobs.clear();
    this.listened.fill(0);
    this.marks.fill(0);
    this.free.length = 0;
    for (let ring = this.rings.rings - 1; ring >= 0; ring -= 1) this.free.push(ring);
    for (const accountId of this.listeners.accounts()) this.listenerChanged(accountId);
  }

  committed(batch: EventBatch): readonly EventRecipients[] {
    const recipients: EventRecipients[] = [];
    for (const [index, event] of batch.events.entries()) {
      let accounts: readonly bigint[] = [];
      if (isEvent(event, statusPublished) || isEvent(event, statusArrived)) accounts = this.spread('add', event.body);
      else if (isEvent(event, statusDeleted) || isEvent(event, statusGone))
        accounts = this.spread('remove', event.body);
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
    this.rings.assign(ring, accountId, Math.floor(this.ports.now() / 1000));
    if (isList) this.indexList(ring, accountId);
    else this.indexHome(ring, accountId);
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
    const idleBefore = Math.floor(this.ports.now() / 1000) - secondChanceSeconds;
    for (let step = 0; step < this.rings.rings * 2; step += 1) {
      const ring = this.evictionHand;
      this.evictionHand = (this.evictionHand + 1) % this.rings.rings;
      const spared = step < this.rings.rings && this.rings.usedAt(ring) > idleBefore;
      if (this.listened[ring] === 1 || spared) continue;
      this.index.removeRing(ring, this.authorsOf(this.rings.feedIdOf(ring)));
      this.rings.release(ring);
      return ring;
    }
    return undefined;
  }

  /** The authors in a feed, as storage has them now. */
  private *authorsOf(feedId: bigint): Generator<bigint> {
    for (const [targetId] of followsOf(this.reader!, feedId)) yield targetId;
    yield* memberIdsOf(this.reader!, feedId);
  }

  private indexHome(ring: number, accountId: bigint): void {
    const exclusive = exclusiveMembers(this.reader!, accountId);
    for (const [targetId, follow] of followsOf(this.reader!, accountId))
      if (follow.state === 'accepted')
        this.index.add(targetId, ring, { ...flagsOf(follow, follow.history), leftOut: exclusive.has(targetId) });
  }

  private indexList(ring: number, listId: bigint): void {
    for (const memberId of memberIdsOf(this.reader!, listId))
      this.index.add(memberId, ring, { hideReblogs: false, lookUp: true, ofList: true });
  }

  /** The ring of a list is dropped and rebuilt at the next read; a home that omits its members is filled again. */
  private changeList({ accountId, listId, concernsHome }: ListChange): void {
    this.dropList(listId);
    const home = concernsHome ? this.rings.find(accountId) : -1;
    if (home < 0) return;
    this.index.removeRing(home, this.authorsOf(accountId));
    this.indexHome(home, accountId);
    this.rings.empty(home);
  }

  private dropList(listId: bigint): void {
    const ring = this.rings.find(listId);
    if (ring < 0) return;
    this.index.removeRing(ring, this.authorsOf(listId));
    this.rings.release(ring);
    this.free.push(ring);
  }

  /** What belongs in lists depends on follows too: of members, and of those to whom they reply. */
  private changeFollow(change: FollowChange): void {
    const { accountId, targetId } = change;
    for (const { id } of listsOf(this.reader!, accountId)) this.dropList(id);
    const ring = this.rings.find(accountId);
    if (ring < 0) return;
    this.index.remove(targetId, ring);
    if (change.following) {
      const history = followOf(this.reader!, accountId, targetId)?.history ?? [];
      const leftOut = isExclusiveMember(this.reader!, accountId, targetId);
      this.index.add(targetId, ring, { ...flagsOf(change, history), leftOut });
    }
    this.rings.empty(ring);
  }

  /** Adds or removes a status in the rings where it belongs; returns the listening accounts among them. */
  private spread(kind: JobKind, facts: StatusFacts): bigint[] {
    const own = this.rings.find(facts.accountId);
    if (own >= 0) {
      if (kind === 'add') this.rings.add(own, facts.id);
      else this.rings.remove(own, facts.id);
    }
    const concerned = this.concerned(facts);
    this.jobs.enqueue(kind, facts.id, concerned.rings);
    return this.listeningAmong(own, concerned);
  }

  /**
   * An edited status may have another language, a direct one other mentions: it leaves some homes and enters others.
   */
  private revise(facts: StatusFacts): bigint[] {
    const concerned = this.concerned(facts);
    const isDirect = facts.visibility === 'direct';
    const entries = this.index.followersOf(facts.accountId).filter((entry) => isDirect || needsLookUp(entry));
    if (entries.length > 0) {
      const wanted = new Set(concerned.rings);
      const [gained, lost]: [number[], number[]] = [[], []];
      for (const entry of entries) (wanted.has(ringOf(entry)) ? gained : lost).push(ringOf(entry));
      this.jobs.enqueue('add', facts.id, Uint32Array.from(gained));
      // A merge in progress may still include it.
      for (const ring of lost) if (!this.rings.isReady(ring)) this.rings.empty(ring);
      this.jobs.enqueue('remove', facts.id, Uint32Array.from(lost));
    }
    return this.listeningAmong(this.rings.find(facts.accountId), concerned);
  }

  private listeningAmong(own: number, { rings, inListOnly }: Concerned): bigint[] {
    const accounts: bigint[] = [...inListOnly];
    if (own >= 0 && this.listened[own] === 1) accounts.push(this.rings.feedIdOf(own));
    for (const ring of rings) if (this.listened[ring] === 1) accounts.push(this.rings.feedIdOf(ring));
    return accounts;
  }

  /** The rings of followers in whose home or list the status belongs (policy/home.ts, over the index). */
  private concerned(facts: StatusFacts): Concerned {
    const entries = this.index.followersOf(facts.accountId);
    if (entries.length === 0) return { rings: entries, inListOnly: nobody };
    const isReblog = facts.reblogOfId !== undefined;
    const mentioned = facts.visibility === 'direct' ? new Set(facts.mentions) : undefined;
    const parent = isReblog || facts.inReplyToAccountId === facts.accountId ? undefined : facts.inReplyToAccountId;
    if (parent !== undefined) this.markFollowers(parent, 1);
    const rings = new Uint32Array(entries.length);
    const inListOnly: bigint[] = [];
    let count = 0;
    for (const entry of entries) {
      const ring = ringOf(entry);
      if (isOfList(entry)) {
        if (listFactsBelong(this.reader!, this.rings.feedIdOf(ring), facts)) {
          rings[count] = ring;
          count += 1;
        }
        continue;
      }
      if (mentioned !== undefined && !mentioned.has(this.rings.feedIdOf(ring))) continue;
      if (parent !== undefined && this.marks[ring] === 0) continue;
      if (isReblog && (hidesReblogs(entry) || this.rings.feedIdOf(ring) === facts.reblogOfAccountId)) continue;
      if (needsLookUp(entry) && !this.wants(ring, facts)) continue;
      if (isLeftOut(entry)) {
        if (this.listened[ring] === 1) inListOnly.push(this.rings.feedIdOf(ring));
        continue;
      }
      rings[count] = ring;
      count += 1;
    }
    if (parent !== undefined) this.markFollowers(parent, 0);
    return { rings: rings.subarray(0, count), inListOnly };
  }

  private markFollowers(accountId: bigint, mark: 0 | 1): void {
    for (const entry of this.index.followersOf(accountId)) this.marks[ringOf(entry)] = mark;
    const own = this.rings.find(accountId);
    if (own >= 0) this.marks[own] = mark;
  }

  /** By the options of the follow at the time of the status. Replies are decided elsewhere. */
  private wants(ring: number, facts: StatusFacts): boolean {
    const accountId = this.rings.feedIdOf(ring);
    const follow = followOf(this.reader!, accountId, facts.accountId);
    return follow?.state === 'accepted' && belongsInHome(facts, accountId, follow, () => true);
  }
}

function flagsOf(options: Pick<FollowChange, 'showReblogs' | 'languages'>, history: Follow['history']): FollowFlags {
  const lookUp = options.languages !== undefined || history.length > 0;
  // Earlier options may have shown reblogs.
  return { hideReblogs: !options.showReblogs && history.length === 0, lookUp };
}
