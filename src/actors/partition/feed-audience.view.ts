/**
 * Finds the rings of homes and lists in which a status belongs (policy/home.ts), over an in-memory index of follows and
 * members.
 */
import type { Reader } from '../../runtime/storage/reader.ts';
import { followOf, followsOf } from '../account/home/home.queries.ts';
import { exclusiveMembers, isExclusiveMember, listFactsBelong, memberIdsOf } from '../account/lists/lists.queries.ts';
import type { Follow } from '../account/relationships/relationships.records.ts';
import type { StatusFacts } from '../account/statuses/statuses.events.ts';
import { belongsInHome } from '../policy/home.ts';
import { FeedIndex, type FollowFlags, hidesReblogs, isLeftOut, isOfList, needsLookUp, ringOf } from './feed-index.ts';
import type { RingWriter } from './feed-rings-writer.ts';

/** The rings in which a status belongs, and listeners that have it in an exclusive list instead of at home. */
export interface Concerned {
  readonly rings: Uint32Array;
  readonly inListOnly: readonly bigint[];
}

export interface FollowChange {
  readonly accountId: bigint;
  readonly targetId: bigint;
  readonly following: boolean;
  readonly showReblogs: boolean;
  readonly languages?: readonly string[] | undefined;
}

const nobody: readonly bigint[] = [];

export class FeedAudience {
  private readonly reader: Reader;
  private readonly rings: RingWriter;
  /** Per ring: 1 when its account listens. */
  private readonly listened: Uint8Array;
  private readonly index: FeedIndex;
  /** Per ring: 1 while the replies that are looked at belong in its home. */
  private readonly takesReplies: Uint8Array;

  constructor(reader: Reader, rings: RingWriter, listened: Uint8Array) {
    this.reader = reader;
    this.rings = rings;
    this.listened = listened;
    this.index = new FeedIndex(rings.rings);
    this.takesReplies = new Uint8Array(rings.rings);
  }

  addHome(ring: number, accountId: bigint): void {
    const exclusive = exclusiveMembers(this.reader, accountId);
    for (const [targetId, follow] of followsOf(this.reader, accountId))
      if (follow.state === 'accepted')
        this.index.add(targetId, ring, { ...flagsOf(follow, follow.history), leftOut: exclusive.has(targetId) });
  }

  addList(ring: number, listId: bigint): void {
    for (const memberId of memberIdsOf(this.reader, listId))
      this.index.add(memberId, ring, { hideReblogs: false, lookUp: true, ofList: true });
  }

  /** The ring gets another feed, or the same with other follows. */
  remove(ring: number): void {
    this.index.removeRing(ring, this.authorsOf(this.rings.feedIdOf(ring)));
  }

  changeFollow(ring: number, change: FollowChange): void {
    const { accountId, targetId } = change;
    this.index.remove(targetId, ring);
    if (!change.following) return;
    const history = followOf(this.reader, accountId, targetId)?.history ?? [];
    const leftOut = isExclusiveMember(this.reader, accountId, targetId);
    this.index.add(targetId, ring, { ...flagsOf(change, history), leftOut });
  }

  /** Where a status belongs now. */
  concerned(facts: StatusFacts): Concerned {
    const entries = this.index.followersOf(facts.accountId);
    if (entries.length === 0) return { rings: entries, inListOnly: nobody };
    // Like the rules of homes, which are not asked for each follower.
    if (facts.answersUnknown === true) return { rings: entries.subarray(0, 0), inListOnly: nobody };
    const isReblog = facts.reblogOfId !== undefined;
    const mentioned =
      facts.visibility === 'direct' ? new Set([...facts.mentions, ...(facts.addressed ?? [])]) : undefined;
    const parent = isReblog || facts.inReplyToAccountId === facts.accountId ? undefined : facts.inReplyToAccountId;
    if (parent !== undefined) this.setTakesReplies(parent, 1);
    const rings = new Uint32Array(entries.length);
    const inListOnly: bigint[] = [];
    let count = 0;
    for (const entry of entries) {
      const ring = ringOf(entry);
      if (isOfList(entry)) {
        if (listFactsBelong(this.reader, this.rings.feedIdOf(ring), facts)) {
          rings[count] = ring;
          count += 1;
        }
        continue;
      }
      if (mentioned !== undefined && !mentioned.has(this.rings.feedIdOf(ring))) continue;
      if (parent !== undefined && this.takesReplies[ring] === 0) continue;
      if (isReblog && hidesReblogs(entry)) continue;
      if (needsLookUp(entry) && !this.wants(ring, facts)) continue;
      if (isLeftOut(entry)) {
        if (this.listened[ring] === 1) inListOnly.push(this.rings.feedIdOf(ring));
        continue;
      }
      rings[count] = ring;
      count += 1;
    }
    if (parent !== undefined) this.setTakesReplies(parent, 0);
    return { rings: rings.subarray(0, count), inListOnly };
  }

  /**
   * The rings that an edit may affect, because the status may have another language, and a direct one other mentions:
   * `gained` may lack it, `lost` may contain it although it belongs in `wanted` only.
   */
  revised(facts: StatusFacts, wanted: Uint32Array): { gained: Uint32Array; lost: Uint32Array } {
    const isDirect = facts.visibility === 'direct';
    const rings = this.index
      .followersOf(facts.accountId)
      .filter((entry) => isDirect || needsLookUp(entry))
      .map(ringOf);
    const concerned = new Set(rings.length === 0 ? [] : wanted);
    return {
      gained: rings.filter((ring) => concerned.has(ring)),
      lost: rings.filter((ring) => !concerned.has(ring)),
    };
  }

  /** The authors in a feed, as storage has them now. */
  private *authorsOf(feedId: bigint): Generator<bigint> {
    for (const [targetId] of followsOf(this.reader, feedId)) yield targetId;
    yield* memberIdsOf(this.reader, feedId);
  }

  private setTakesReplies(accountId: bigint, value: 0 | 1): void {
    for (const entry of this.index.followersOf(accountId)) this.takesReplies[ringOf(entry)] = value;
    const own = this.rings.find(accountId);
    if (own >= 0) this.takesReplies[own] = value;
  }

  /** Applies the follow's options at the time of the status. Replies are decided elsewhere. */
  private wants(ring: number, facts: StatusFacts): boolean {
    const accountId = this.rings.feedIdOf(ring);
    const follow = followOf(this.reader, accountId, facts.accountId);
    return follow?.state === 'accepted' && belongsInHome(facts, accountId, follow, () => true);
  }
}

function flagsOf(options: Pick<FollowChange, 'showReblogs' | 'languages'>, history: Follow['history']): FollowFlags {
  const lookUp = options.languages !== undefined || history.length > 0;
  // Earlier options may have shown reblogs.
  return { hideReblogs: !options.showReblogs && history.length === 0, lookUp };
}
